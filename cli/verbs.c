/* The table of verbs. */
#include <string.h>

#include "verb.h"

const Verb *const verbs[] = {&verb_info,  &verb_check, &verb_inverse, &verb_forward,  &verb_mixed,   &verb_mass,
                             &verb_terms, &verb_frame, &verb_modes,   &verb_assemble, &verb_reduce,  &verb_simulate,
                             &verb_show,  &verb_plot,  &verb_report,  &verb_view,     &verb_convert, &verb_codegen,
                             &verb_count, &verb_agree, &verb_bench,   &verb_help,     NULL};

enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] - 1 };

const Verb *verb_find(const char *name) {
    for (int i = 0; i < VERB_COUNT; i++)
        if (!strcmp(verbs[i]->name, name)) return verbs[i];
    return NULL;
}

Code verb_unknown(const char *name) {
    const char *names[VERB_COUNT];
    for (int i = 0; i < VERB_COUNT; i++) names[i] = verbs[i]->name;
    return complain_unknown(CODE_USAGE, "verb", name, names, VERB_COUNT);
}
