/* Reads the command line. */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "zveno_bench [options] [[free:]ROBOT.urdf ...]\n"
    "Nanoseconds per call of Zveno beside MuJoCo and KDL on the same robots.\n\n"
    "  --quick          few short rounds, no chain of 1000 (seconds instead of minutes)\n"
    "  --rounds N       rounds (25); in each round every function of every engine runs one batch\n"
    "  --batch MS       shortest batch in milliseconds (2)\n"
    "  --cpu N          processor to stay on (the last one allowed)\n"
    "  --json FILE      write the table as JSON too\n"
    "  --golden DIR     directory with ur5, panda and solo12 (or the variable ZVENO_ROBOTS)\n"
    "  --lock PREFIX    joints of the named files whose names begin with PREFIX do not move\n"
    "  --no-chains      no serial chains\n"
    "  --scaling        time per body of chains of 10 to 100000 bodies, Zveno only\n"
    "  --count          a few calls of everything, for bench/instructions.sh under callgrind\n"
    "  --help           this text\n\n"
    "Units: SI. A robot named with free: in front has a free base. Exit: 0 done, 1 input wrong, 2 usage, 3 engines "
    "disagree.\n";

enum { QUICK = 256, ROUNDS, BATCH, CPU, JSON, GOLDEN, LOCK, NO_CHAINS, SCALING, COUNT, HELP };

static const struct option known[] = {
    {"quick", no_argument, NULL, QUICK},       {"rounds", required_argument, NULL, ROUNDS},
    {"batch", required_argument, NULL, BATCH}, {"cpu", required_argument, NULL, CPU},
    {"json", required_argument, NULL, JSON},   {"golden", required_argument, NULL, GOLDEN},
    {"lock", required_argument, NULL, LOCK},   {"no-chains", no_argument, NULL, NO_CHAINS},
    {"scaling", no_argument, NULL, SCALING},   {"count", no_argument, NULL, COUNT},
    {"help", no_argument, NULL, HELP},         {NULL, 0, NULL, 0}};

static int usage(const char *what) {
    fprintf(stderr, "zveno_bench: %s; see zveno_bench --help\n", what);
    return 2;
}

static bool read_number(const char *text, double least, double most, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value >= least && *value <= most;
}

int options_read(int argc, char **argv, Options *o) {
    *o = (Options){.rounds = 25, .batch = 2e-3, .longest = 1000, .cpu = -1, .golden = getenv("ZVENO_ROBOTS")};
    double number;
    int key;
    while ((key = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (key) {
        case QUICK:
            o->rounds = 5;
            o->batch = 1e-3;
            o->longest = 100;
            break;
        case ROUNDS:
            if (!read_number(optarg, 1, 10000, &number)) return usage("--rounds wants a number from 1 to 10000");
            o->rounds = (int)number;
            break;
        case BATCH:
            if (!read_number(optarg, 0.01, 10000, &number))
                return usage("--batch wants milliseconds from 0.01 to 10000");
            o->batch = 1e-3 * number;
            break;
        case CPU:
            if (!read_number(optarg, 0, 1023, &number)) return usage("--cpu wants the number of a processor");
            o->cpu = (int)number;
            break;
        case JSON: o->json = optarg; break;
        case GOLDEN: o->golden = optarg; break;
        case LOCK: o->lock = optarg; break;
        case NO_CHAINS: o->no_chains = true; break;
        case SCALING: o->mode = MODE_SCALING; break;
        case COUNT: o->mode = MODE_COUNT; break;
        case HELP: fputs(help, stdout); return 0;
        default: return 2;
        }
    }
    o->files = argc - optind;
    o->file = argv + optind;
    return -1;
}
