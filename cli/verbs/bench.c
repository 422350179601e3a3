/* zveno bench: what a call costs, beside the engines of others that this machine has. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agree.h"
#include "args.h"
#include "instructions.h"
#include "progress.h"
#include "robot.h"
#include "roster.h"
#include "timer.h"
#include "verb.h"
#include "verbs/bench_table.h"

/* The robots of zveno bench. */

/* The models of the command line, or the built-in robots without any; complains. */
static Code bench_robots(const Args *args, Roster *roster);

enum { ROUNDS = 25, ROUNDS_QUICK = 5 };
static const double batch = 2e-3, batch_quick = 5e-4; /* s */

/* -- options ------------------------------------------------------------------------------------------------------- */

static Code unknown_function(const char *word) {
    const char *names[TASKS];
    for (int t = 0; t < TASKS; t++) names[t] = task_name((Task)t);
    return complain_unknown(CODE_USAGE, "function", word, names, TASKS);
}

/* A set of tasks from names with commas between; without the option all of them. */
static Code read_functions(const Args *args, unsigned *tasks) {
    *tasks = args->functions ? 0 : (1u << TASKS) - 1;
    for (const char *at = args->functions; at && *at;) {
        const size_t length = strcspn(at, ",");
        char word[32];
        int t = 0;
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        while (t < TASKS && strcmp(task_name((Task)t), word)) t++;
        if (t == TASKS) return unknown_function(word);
        *tasks |= 1u << t;
        at += length + (at[length] == ',');
    }
    return *tasks ? CODE_DONE : unknown_function("");
}

/* A processor that is not there is told before anything is measured. */
static Code check_cpu(const Args *args) {
    if (!(args->given & OPTION_CPU)) return CODE_DONE;
    const Pin pin = timer_pin(args->cpu);
    timer_unpin(&pin);
    if (pin.cpu >= 0) return CODE_DONE;
    return complain(
        CODE_USAGE,
        "--cpu %d: expected a processor that this program may run on, found none such; nproc tells how many there are",
        args->cpu);
}

/* -- progress ------------------------------------------------------------------------------------------------------ */

typedef struct BenchWatch {
    Progress progress;
    int rounds;
    struct timespec start;
} BenchWatch;

static bool show_progress(void *context, double done) {
    static const double quick = 1; /* s: nothing to tell of runs that are over by then */
    BenchWatch *watch = context;
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    const double elapsed =
        (double)(now.tv_sec - watch->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - watch->start.tv_nsec);
    if (elapsed > quick)
        progress_tell(&watch->progress, &(zvProgress){.t = done, .end = watch->rounds, .elapsed = elapsed});
    return !interrupt_wanted();
}

/* No more progress: other lines follow. */
static void hush(BenchWatch *watch) {
    progress_finish(&watch->progress);
    watch->progress = progress_start(true);
}

static Code interrupted(const Plan *plan) {
    hush(plan->context);
    return complain(CODE_INTERRUPTED, "interrupted before all rounds were done; nothing is shown of them");
}

/* -- the run ------------------------------------------------------------------------------------------------------- */

/* Tells what is missing in the table and how to get it. */
static void tell_gaps(const Rows *rows) {
    const Roster *roster = rows->roster;
    for (int r = 0; r < roster->count; r++)
        if (roster->runner[r].gap.text[0]) remark("%s: %s", roster->runner[r].name, roster->runner[r].gap.text);
    if (!rows->counted)
        remark("instructions are not counted: this system lets nobody count them; bench/instructions.sh in the sources "
               "counts with callgrind");
    if (!roster->peers.count)
        remark(
            "no other engines were found; ./dev bench in the sources builds what compares MuJoCo (libmujoco-dev), KDL "
            "(liborocos-kdl-dev) and Simbody (libsimbody-dev), ./dev bench --peers also Pinocchio and the newest "
            "MuJoCo");
}

static Code disagree(const Roster *roster, const Disagreement *disagreement) {
    return complain(
        CODE_NUMERICAL,
        "%s and Zveno do not compute the same thing: %s of %s differs by %.1e of its size (%.0e may); times "
        "would mean nothing",
        roster_engine_name(roster, disagreement->engine), task_name(disagreement->task),
        roster->runner[disagreement->runner].name, disagreement->difference, disagreement->tolerance);
}

static Code open_all(const Args *args, Roster *roster, const Plan *plan) {
    zvError error = {0};
    const unsigned generated = args->given & OPTION_QUICK ? 0 : plan->tasks;
    for (int r = 0; r < roster->count; r++) {
        if (roster_open(roster, r, generated, &error) < 0) return complain_error(&error);
        if (agree_measure(&roster->runner[r], plan->tasks) < 0) return complain_memory();
        if (!plan->tell(plan->context, 0)) return interrupted(plan);
    }
    return CODE_DONE;
}

/* Round after round over robots and functions, as in the table itself. */
static Code measure_threads(BenchSheet *sheet, const Plan *plan) {
    const Roster *roster = sheet->rows->roster;
    sheet->threads = calloc((size_t)roster->count, sizeof *sheet->threads);
    if (!sheet->threads) return complain_memory();
    for (int round = 0; round < plan->rounds; round++) /* what disturbs one of them is gone in the next */
        for (int r = 0; r < roster->count; r++) {
            for (int t = 0; t < TASKS; t++)
                if (plan->tasks & 1u << t)
                    threads_measure(roster->runner[r].model, roster->runner[r].ring, (Task)t, &sheet->threads[r][t]);
            if (!plan->tell(plan->context, plan->rounds)) return interrupted(plan);
        }
    return CODE_DONE;
}

/* Times first on one processor, then all threads without that restriction. */
static Code measure_times(const Args *args, const Roster *roster, const Plan *plan, Rows *rows, Text *out) {
    BenchSheet sheet = {.rows = rows, .rounds = plan->rounds};
    const Pin pin = timer_pin(args->given & OPTION_CPU ? args->cpu : -1);
    const zvStatus status = rows_measure(rows, roster, plan);
    timer_unpin(&pin);
    if (status == ZV_INTERRUPTED) return interrupted(plan);
    if (status != ZV_OK) return complain_memory();
    const Code code = measure_threads(&sheet, plan);
    if (code == CODE_DONE) (args->given & OPTION_JSON ? bench_print_json : bench_print_table)(&sheet, out);
    free(sheet.threads);
    hush(plan->context);
    if (pin.cpu < 0) remark("could not stay on one processor; times wander");
    if (code == CODE_DONE) tell_gaps(rows);
    return code;
}

/* Nothing is timed before all engines gave the same answers. */
static Code run_roster(const Args *args, Roster *roster, Plan *plan, Text *out) {
    BenchWatch *watch = plan->context;
    Rows rows = {0};
    Disagreement disagreement;
    watch->progress = progress_start(args->given & OPTION_QUIET);
    watch->progress.things = "rounds";
    interrupt_listen();
    Code code = open_all(args, roster, plan);
    timespec_get(&watch->start, TIME_UTC);
    if (code == CODE_DONE && !agree_check(roster, &disagreement)) code = disagree(roster, &disagreement);
    if (code == CODE_DONE && callgrind_runs())
        callgrind_count(roster, plan->tasks);
    else if (code == CODE_DONE)
        code = measure_times(args, roster, plan, &rows, out);
    interrupt_forget();
    hush(watch);
    rows_destroy(&rows);
    return code;
}

/* Reads the options, gathers the robots and hands them over; --quick measures less of the same. */
static Code run(const Args *args, Text *out) {
    const bool quick = args->given & OPTION_QUICK;
    BenchWatch watch = {.rounds = args->given & OPTION_ROUNDS ? args->rounds : quick ? ROUNDS_QUICK : ROUNDS};
    Plan plan = {
        .rounds = watch.rounds, .batch = quick ? batch_quick : batch, .tell = show_progress, .context = &watch};
    Roster roster = {0};
    timespec_get(&watch.start, TIME_UTC);
    Code code = read_functions(args, &plan.tasks);
    if (code == CODE_DONE) code = check_cpu(args);
    if (code == CODE_DONE) code = bench_robots(args, &roster);
    if (code == CODE_DONE) {
        roster.peers = peers_find();
        code = run_roster(args, &roster, &plan, out);
    }
    roster_empty(&roster);
    return code;
}

const Verb verb_bench = {
    .name = "bench",
    .run = run,
    .options = OPTION_JSON | OPTION_BASE | OPTION_LOCK | OPTION_GRAVITY | OPTION_FUNCTIONS | OPTION_ROUNDS |
               OPTION_QUICK | OPTION_CPU | OPTION_GOLDEN | OPTION_NO_CHAINS | OPTION_QUIET | OPTION_HELP |
               OPERANDS_MANY,
    .form = "[MODEL...] [--functions f1,f2] [--rounds N] [--quick]",
    .summary = "what a call costs, beside other engines on this machine",
    .help =
        "Times every function on random states, and the same work by the engines of others that are found: Pinocchio,\n"
        "MuJoCo, KDL and Simbody, as modules zveno-peer-*.so in the folder $ZVENO_PEERS, or peers beside the command\n"
        "(./dev bench in the sources builds them). Without a model: the robots the command carries along, and chains. "
        "free: before\n"
        "a model gives it a free base. Rotor inertia and mimic couplings are left out, loops are open, since peers "
        "lack\n"
        "them; a note tells of which robot.\n"
        "All engines run in turn in each round, on one thread; a call starts from q and counts everything. First "
        "their\n"
        "answers are compared. Functions\n"
        "  inverse     tau from q, v, a            minv       inverse of the mass matrix from q\n"
        "  forward     a from q, v, tau            jacobian   of the tip, world axes, from q\n"
        "  mass        mass matrix from q, in the  d-inverse  derivatives of tau by q, v, a\n"
        "              engine's own storage        d-forward  derivatives of a by q, v, tau\n"
        "  mass-dense  the same, full              bias       Coriolis forces and gravity from q, v\n"
        "  links       poses of all links from q   bodies     of those that joints move\n"
        "  pose        of the tip from q           momentum   and about the centre of mass, from q, v\n"
        "  centroidal  momentum over v, 6 x nv     opspace    inertia of the tip, 6 x 6, from q\n"
        "  weld        a from q, tau at rest, with the tip welded to the ground\n"
        "Engines: Zveno (the library), generated (zveno codegen, compiled here by cc or $BENCH_CC), lanes, lanes "
        "float\n"
        "and generated lanes (many states in a call, time per state), and the peers.\n"
        "Prints\n"
        "  ns/call       nanoseconds of processor time, the fastest batch of all rounds\n"
        "  +%            how far the median batch lies above it, percent\n"
        "  calls/s       calls (lanes: states) per second\n"
        "  instructions  of a call, where the system lets programs count them\n"
        "  differs       largest difference from Zveno's answers, of their size\n"
        "  x PEER        time of the peer over that of the engine: above 1 the engine is faster\n"
        "and what threads gain on a batch of 4096 states.\n"
        "JSON keys\n"
        "  cpu, version, kernels, rounds, peers   what was measured, where\n"
        "  rows      [{robot, nv, function, engine, ns, calls_per_second, instructions, spread, difference, ratio}];\n"
        "            instructions, difference: null when unknown; spread: a fraction; ratio: {peer: times as fast},\n"
        "            left out when no peer does it\n"
        "  left_out  [{robot, what}]: what is left out of robots: loops, mimic, rotors\n"
        "  threads   [{robot, function, threads, ns_one, ns, gain, identical}]: per state on one thread and on all\n"
        "Exit code 3: the engines disagree.\n"
        "\n"
        "Example\n"
        "  zveno bench free:quadruped.urdf arm.yaml --functions inverse,forward --json\n",
};

/* Which robots zveno bench measures. */

static const int chains[] = {10, 100, 1000};
enum { CHAINS = sizeof chains / sizeof chains[0], LONGEST_QUICK = 100 };

/* The golden robots where their folder is known, then chains; options that change a model have none to change here. */
static Code built_in(const Args *args, Roster *roster) {
    const char *folder = args->golden ? args->golden : getenv("ZVENO_ROBOTS");
    const bool quick = args->given & OPTION_QUICK;
    zvError error = {0};
    if (args->given & (OPTION_BASE | OPTION_LOCK | OPTION_GRAVITY))
        return complain(CODE_USAGE,
                        "expected a model for --base, --lock and --gravity, found none: zveno bench MODEL ...");
    zvStatus status = roster_add_usual(roster, folder, &error);
    for (int i = 0; i < CHAINS && status >= 0 && !(args->given & OPTION_NO_CHAINS); i++)
        if (!quick || chains[i] <= LONGEST_QUICK) status = roster_add_chain(roster, chains[i], &error);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}

/* The next of the names in a list with commas between; false: there are no more. */
static bool next_name(const char **at, char *name, size_t size) {
    *at += strspn(*at, " ,");
    const size_t length = strcspn(*at, ",");
    snprintf(name, size, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

/* Those names of --lock that the model has: of several models each has joints of its own. Bits of *found tell which
 * were. */
static zvStatus lock_known(zvBuilder *builder, const char *list, uint64_t *found, zvError *error) {
    char name[256];
    zvStatus status = ZV_OK;
    for (int i = 0; next_name(&list, name, sizeof name) && status >= 0; i++) {
        if (zv_builder_find_joint(builder, name) < 0) continue;
        if (i < 64) *found |= UINT64_C(1) << i;
        status = lock_joints(builder, name, error);
    }
    return status;
}

static Code check_found(const char *list, uint64_t found) {
    char name[256];
    for (int i = 0; i < 64 && next_name(&list, name, sizeof name); i++)
        if (!(found & UINT64_C(1) << i))
            return complain(CODE_INPUT, "--lock: expected a joint of the models, found \"%s\"; zveno info lists them",
                            name);
    return CODE_DONE;
}

/* "arm.urdf" of "robots/arm.urdf", without the suffix. */
static void name_of(const char *path, char *name, size_t size) {
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", strcmp(path, "-") ? slash ? slash + 1 : path : "stdin");
    char *dot = strrchr(name, '.');
    if (dot && dot > name) *dot = '\0';
}

static zvStatus add_robot(const Args *args, Roster *roster, Robot *robot, uint64_t *found, zvError *error) {
    char name[48];
    Args one = *args;
    if (args->operand_count > 1) one.lock = NULL;
    zvStatus status = robot_describe(&one, robot, error);
    if (status >= 0 && args->lock && !one.lock) status = lock_known(robot->builder, args->lock, found, error);
    name_of(args->operand, name, sizeof name);
    return status < 0 ? status : roster_add(roster, name, robot->builder, NULL, error);
}

/* A model of the command line; free: before its name gives it a free base. */
static Code named(const Args *args, const char *word, Roster *roster, uint64_t *found) {
    static const char free_base[] = "free:";
    const size_t length = strlen(free_base);
    Args one = *args;
    Robot robot;
    zvError error = {0};
    one.operand = word;
    if (!strncmp(word, free_base, length)) {
        one.operand += length;
        one.given |= OPTION_BASE;
        one.free_base = true;
    }
    const zvStatus status = add_robot(&one, roster, &robot, found, &error);
    robot_free(&robot);
    if (status >= 0) return CODE_DONE;
    if (!error.file[0]) snprintf(error.file, sizeof error.file, "%s", one.operand);
    return complain_error(&error);
}

/* Models of the command line or the built-in ones, not both: their tables would not compare. */
static Code bench_robots(const Args *args, Roster *roster) {
    Code code = CODE_DONE;
    uint64_t found = 0;
    if (!args->operand_count) return built_in(args, roster);
    if (args->given & (OPTION_GOLDEN | OPTION_NO_CHAINS))
        return complain(
            CODE_USAGE,
            "expected models, or --golden and --no-chains of the built-in robots, found both; leave one out");
    for (int i = 0; i < args->operand_count && code == CODE_DONE; i++)
        code = named(args, args->operands[i], roster, &found);
    if (code == CODE_DONE && args->lock && args->operand_count > 1) code = check_found(args->lock, found);
    return code;
}
