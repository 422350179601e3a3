/* zveno_bench: what Zveno and its peers cost on the same robots, measured in one interleaved run. */
#include <stdio.h>

#include "agree.h"
#include "count.h"
#include "options.h"
#include "roster.h"
#include "rows.h"
#include "scaling.h"
#include "table.h"
#include "timer.h"

enum { DONE = 0, INPUT_WRONG = 1, DISAGREE = 3 };

static int run_table(const Roster *roster, const Options *options) {
    Rows rows = {0};
    const bool agreed = agree_check(roster);
    int code = agreed ? DONE : DISAGREE;
    if (!agreed)
        fprintf(stderr, "zveno_bench: the engines do not compute the same thing; times would mean nothing\n");
    else if (!rows_measure(&rows, roster, options))
        code = INPUT_WRONG;
    else
        table_print(&rows);
    if (code == DONE && options->json && !table_write_json(&rows, options->json)) {
        fprintf(stderr, "zveno_bench: cannot write %s\n", options->json);
        code = INPUT_WRONG;
    }
    rows_destroy(&rows);
    return code;
}

static int run_roster(const Options *options) {
    Roster roster;
    int code = INPUT_WRONG;
    if (roster_fill(&roster, options)) {
        if (options->mode == MODE_TABLE)
            code = run_table(&roster, options);
        else if (count_run(&roster))
            code = DONE;
        else
            fprintf(stderr, "zveno_bench: built without valgrind/callgrind.h; install valgrind and build again\n");
    }
    roster_empty(&roster);
    return code;
}

int main(int argc, char **argv) {
    Options options;
    const int code = options_read(argc, argv, &options);
    if (code >= 0) return code;
    if (timer_pin(options.cpu) < 0) fprintf(stderr, "note: could not stay on one processor; times will wander\n");
    if (options.mode == MODE_SCALING) return scaling_run(&options) ? DONE : INPUT_WRONG;
    return run_roster(&options);
}
