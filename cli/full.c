/* zveno-full: all verbs, and with them LAPACK, HDF5, SUNDIALS, cairo and HTTP. Started by zveno (quick.c). */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verb.h"
#include "zveno/version.h"

const Verb *const verbs[] = {&verb_info,      &verb_check,    &verb_inverse,  &verb_forward, &verb_mixed,
                             &verb_mass,      &verb_terms,    &verb_frame,    &verb_modes,   &verb_equilibrium,
                             &verb_map,       &verb_ik,       &verb_assemble, &verb_reduce,  &verb_simulate,
                             &verb_linearize, &verb_response, &verb_show,     &verb_plot,    &verb_report,
                             &verb_view,      &verb_convert,  &verb_generate, &verb_codegen, &verb_count,
                             &verb_agree,     &verb_bench,    &verb_help,     NULL};

const OptionSet options_elsewhere = 0;

enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] - 1 };

/* zveno tells its version when it starts this program. Two versions side by side are left by half an installation;
 * their words and answers need not fit. Programs that this one starts do not see the variable. */
Code check_starter(void) {
    const char *starter = getenv(STARTER_VERSION);
    if (starter && strcmp(starter, zv_version()) != 0)
        return complain(
            CODE_INPUT,
            "expected zveno and zveno-full of one version, found zveno %s and zveno-full %s; install both anew",
            starter, zv_version());
    unsetenv(STARTER_VERSION);
    return CODE_DONE;
}

static Code verb_unknown(const char *name) {
    const char *names[VERB_COUNT];
    for (int i = 0; i < VERB_COUNT; i++) names[i] = verbs[i]->name;
    return complain_unknown(CODE_USAGE, "verb", name, names, VERB_COUNT);
}

/* There is no other program to ask: a complaint. */
Code verb_elsewhere(int count, char *const *words) {
    if (count < 2) {
        Text usage = {0};
        help_usage(&usage);
        text_write(&usage, stderr);
        text_free(&usage);
        return CODE_USAGE;
    }
    const char *name = words[1];
    if (name[0] == '-')
        return complain(CODE_USAGE, "expected a verb, found \"%s\"; options follow it: zveno VERB MODEL %s", name,
                        name);
    return verb_unknown(name);
}

/* The page of a verb, or of all. */
static Code run_help(const Args *args, Text *out) {
    if (!args->operand) {
        help_overview(out);
        return CODE_DONE;
    }
    const Verb *verb = verb_find(args->operand);
    if (!verb) return verb_unknown(args->operand);
    help_verb(verb, out);
    return CODE_DONE;
}

const Verb verb_help = {
    .name = "help",
    .run = run_help,
    .options = OPTION_HELP,
    .form = "[VERB]",
    .summary = "explain a verb, or all in brief",
    .help = "Example\n  zveno help inverse\n",
};
