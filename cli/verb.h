/* A verb of the command line: one file and one row in full.c, and in quick.c when it needs no library but the readers'.
 */
#ifndef ZVENO_CLI_VERB_H
#define ZVENO_CLI_VERB_H

#include "args.h"

typedef struct Verb {
    const char *name;
    Code (*run)(const Args *args, Text *out);
    OptionSet options; /* OPTION_ bits */
    bool needs_model;  /* the operand is a model file and may not be missing */
    const char *file;  /* what the operand is when it is no model file: "scenario"; it may not be missing either */
    bool coordinates;  /* takes no state but shows coordinates */
    const char *form;  /* "MODEL --frame NAME" */
    const char *summary;
    const char *help;        /* what is printed and an example; may be NULL */
    void (*more)(Text *out); /* lines that come from the library's tables; may be NULL */
} Verb;

extern const Verb verb_agree, verb_info, verb_check, verb_inverse, verb_forward, verb_mixed, verb_mass, verb_terms,
    verb_frame, verb_modes, verb_equilibrium, verb_map, verb_ik, verb_count, verb_assemble, verb_reduce, verb_simulate,
    verb_linearize, verb_response, verb_show, verb_plot, verb_report, verb_view, verb_convert, verb_generate,
    verb_codegen, verb_bench, verb_help;

/* The verbs of this program in the order of the help text, closed by NULL. */
extern const Verb *const verbs[];

const Verb *verb_find(const char *name);  /* NULL: this program has no such verb */
extern const OptionSet options_elsewhere; /* options whose calls this program leaves to the other */
/* What this program does with words that are not for its verbs: asks the other program, or complains. */
Code verb_elsewhere(int count, char *const *words);

/* The variable of the environment in which zveno tells zveno-full its version. */
#define STARTER_VERSION "ZVENO_STARTER_VERSION"
/* Whether this program fits the one that started it; a complaint when it does not. */
Code check_starter(void);

/* What is printed for "zveno", "zveno help" and "zveno help VERB". */
void help_usage(Text *out);
void help_overview(Text *out);
void help_verb(const Verb *verb, Text *out);

#endif
