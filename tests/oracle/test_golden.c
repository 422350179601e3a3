/* Real robots against answers of another engine (Pinocchio, cross-checked with RBDL), through the command line.
 *
 * The robots are third-party files that are not part of the source: they and the answers lie in golden/ and urdf/ of
 * the folder ZVENO_SHARED, or of shared/ beside the source. Without it every check is skipped, and says so. Each
 * golden/NAME.json holds states and, for each, what inverse, forward, mass, terms and frame must answer. */
#define _XOPEN_SOURCE 700
#include "cli/transcript.h"
#include "support/run_tests.h"

#include <glob.h>
#include <math.h>

#include "zveno/dynamics.h"

static const double tolerance = 1e-9; /* of the largest entry of the answer */

/* One golden file and how the command line is asked about it. */
typedef struct Robot {
    zvDocument *document;
    const zvNode *root;
    const zvNode *states;
    char model[1024]; /* path and options */
    bool welded;      /* states carry the force of a weld at the end frame */
    double worst;
    char worst_of[96];
} Robot;

static const char *shared_folder(void) {
    const char *asked = getenv("ZVENO_SHARED");
    return asked ? asked : ZV_SOURCE_DIR "/../shared";
}

/* The golden files; skips the test when there are none. The caller frees. */
static glob_t golden_files(void) {
    char pattern[1024];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/golden/*.json", shared_folder());
    if (glob(pattern, 0, NULL, &found) != 0) {
        print_message("skipped: there is no %s; set ZVENO_SHARED to the folder with golden/ and urdf/\n", pattern);
        skip();
    }
    return found;
}

static const char *text_at(const Robot *robot, const char *path) { return node_at(robot->root, path)->text; }

static Robot open_robot(const char *path) {
    Robot robot = {0};
    zvError error = {0};
    if (zv_document_read_file(path, &robot.document, &error) < 0) fail_msg("%s: %s", path, error.text);
    robot.root = zv_document_root(robot.document);
    robot.states = node_at(robot.root, "states");
    assert_true(robot.states->count > 0);
    /* the other engine knew no coupled joints */
    snprintf(robot.model, sizeof robot.model, "'%s/urdf/%s' --mimic free %s", shared_folder(), text_at(&robot, "urdf"),
             strcmp(text_at(&robot, "base"), "free-flyer") == 0 ? "--base free" : "");
    return robot;
}

static void close_robot(Robot *robot) {
    if (robot->worst_of[0])
        print_message("%-10s %d states, worst %.1e (%s)\n", text_at(robot, "model"), robot->states->count, robot->worst,
                      robot->worst_of);
    zv_document_destroy(robot->document);
}

static void for_every_robot(void (*check)(Robot *robot)) {
    glob_t files = golden_files();
    for (size_t i = 0; i < files.gl_pathc; i++) {
        Robot robot = open_robot(files.gl_pathv[i]);
        check(&robot);
        close_robot(&robot);
    }
    globfree(&files);
}

/* Numbers of a node, lists of lists too, in order. */
static int flatten(const zvNode *node, double *out, int capacity) {
    zvError error = {0};
    if (node->kind == ZV_NODE_SCALAR) {
        assert_true(capacity > 0);
        if (zv_node_number(node, "a number", out, &error) < 0) fail_msg("%s", error.text);
        return 1;
    }
    int count = 0;
    for (int i = 0; i < node->count; i++) count += flatten(node->items[i], out + count, capacity - count);
    return count;
}

static double largest(const double *x, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* One answer against what it must be; the distance counts relative to the largest entry. */
static void compare(Robot *robot, int state, const zvNode *given, const zvNode *wanted, const char *what) {
    static double x[4096], y[4096];
    const int count = flatten(given, x, 4096);
    assert_int_equal(count, flatten(wanted, y, 4096));
    const double scale = largest(y, count);
    for (int i = 0; i < count; i++) x[i] -= y[i];
    const double distance = largest(x, count) / (scale > 0 ? scale : 1);
    if (!(distance <= tolerance))
        fail_msg("%s, state %d, %s: off by %.3g of the largest entry", text_at(robot, "model"), state, what, distance);
    if (distance < robot->worst) return;
    robot->worst = distance;
    snprintf(robot->worst_of, sizeof robot->worst_of, "%s of state %d", what, state);
}

static void put_list(FILE *file, const char *key, const zvNode *list) {
    fprintf(file, "\"%s\": [", key);
    for (int i = 0; i < list->count; i++) fprintf(file, "%s%s", i ? ", " : "", list->items[i]->text);
    fprintf(file, "]");
}

/* All states of a robot as one state file, with the force of the weld where asked; numbers digit by digit as they stand
 * in the golden one. */
static void put_states(const Robot *robot) {
    static const char *const keys[4][2] = {{"q", "q"}, {"v", "v"}, {"a", "a"}, {"tau", "tau_in"}};
    char path[256];
    snprintf(path, sizeof path, "%s/states.json", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < robot->states->count; i++) {
        fprintf(file, "%s", i ? ",\n{" : "[{");
        for (int k = 0; k < 4; k++) {
            if (k) fprintf(file, ", ");
            put_list(file, keys[k][0], node_at(robot->states->items[i], keys[k][1]));
        }
        if (robot->welded) {
            fprintf(file, ", \"fext\": {");
            put_list(file, text_at(robot, "end_frame"), node_at(robot->states->items[i], "weld_f"));
            fprintf(file, "}");
        }
        fprintf(file, "}");
    }
    fprintf(file, "]\n");
    assert_int_equal(fclose(file), 0);
}

/* A key of the answer and the key of the golden file it must equal. */
typedef struct Pair {
    const char *answer, *golden;
} Pair;

/* zveno VERB MODEL OPTIONS on all states; compares the pairs, which end with a NULL. */
static void ask(Robot *robot, const char *verb, const char *options, const Pair *pairs) {
    char line[2048];
    put_states(robot);
    snprintf(line, sizeof line, "%s %s --state states.json --json %s", verb, robot->model, options);
    const Transcript t = zveno(line);
    expect_code(t, 0); /* with a warning where the state lies outside joint limits */
    zvDocument *answers = parse(t.out);
    const zvNode *list = zv_document_root(answers);
    assert_int_equal(list->count, robot->states->count);
    for (int i = 0; i < list->count; i++) {
        for (const Pair *p = pairs; p->answer; p++)
            compare(robot, i, node_at(list->items[i], p->answer), node_at(robot->states->items[i], p->golden),
                    p->golden);
    }
    zv_document_destroy(answers);
}

/* Joints that move stand in the same order and place, and the masses agree. */
static void check_info(Robot *robot) {
    char line[2048];
    snprintf(line, sizeof line, "info %s --json", robot->model);
    const Transcript t = zveno(line);
    expect_code(t, 0); /* with a warning where the state lies outside joint limits */
    zvDocument *answer = parse(t.out);
    const zvNode *info = zv_document_root(answer), *joints = node_at(info, "joints");
    const zvNode *order = node_at(robot->root, "joint_order");
    compare(robot, 0, node_at(info, "mass"), node_at(robot->root, "total_mass"), "total_mass");
    compare(robot, 0, node_at(info, "gravity"), node_at(robot->root, "gravity"), "gravity");
    assert_string_equal(node_at(info, "nq")->text, text_at(robot, "nq"));
    assert_string_equal(node_at(info, "nv")->text, text_at(robot, "nv"));
    int moving = 0;
    for (int i = 0; i < joints->count; i++) {
        const zvNode *joint = joints->items[i];
        if (strcmp(node_at(joint, "nv")->text, "0") == 0) continue;
        assert_true(moving < order->count);
        const zvNode *golden = order->items[moving++];
        assert_string_equal(node_at(joint, "name")->text, node_at(golden, "name")->text);
        assert_string_equal(node_at(joint, "q_index")->text, node_at(golden, "idx_q")->text);
        assert_string_equal(node_at(joint, "v_index")->text, node_at(golden, "idx_v")->text);
    }
    assert_int_equal(moving, order->count);
    zv_document_destroy(answer);
}

static void check_inverse(Robot *robot) { ask(robot, "inverse", "", (const Pair[]){{"tau", "rnea_tau"}, {0}}); }

static void check_forward(Robot *robot) {
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t i = 0; i < count; i++) {
        char option[64];
        if (methods[i].domain & ZV_DOMAIN_UNCOUPLED) continue; /* auto takes them where they are defined */
        snprintf(option, sizeof option, "--method %s", methods[i].name);
        ask(robot, "forward", option, (const Pair[]){{"a", "aba_qdd"}, {0}});
    }
    ask(robot, "mixed", "", (const Pair[]){{"a", "aba_qdd"}, {"tau", "tau_in"}, {0}});
}

static void check_mass(Robot *robot) {
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_MASS, &count);
    for (size_t i = 0; i < count; i++) {
        char option[64];
        snprintf(option, sizeof option, "--method %s", methods[i].name);
        ask(robot, "mass", option, (const Pair[]){{"mass", "M"}, {0}});
    }
}

static void check_terms(Robot *robot) {
    static const Pair pairs[] = {{"mass", "M"},
                                 {"bias", "nle"},
                                 {"gravity", "gravity_vector"},
                                 {"energy.kinetic", "kinetic_energy"},
                                 {"energy.potential", "potential_energy"},
                                 {"com", "com"},
                                 {"centroidal_momentum", "centroidal_momentum"},
                                 {0}};
    ask(robot, "terms", "", pairs);
}

static void check_frame(Robot *robot) {
    static const Pair pairs[] = {
        {"position", "frame_p"}, {"rotation", "frame_R"}, {"jacobian", "J"}, {"jdot_v", "Jdot_v"}, {0}};
    char option[160];
    snprintf(option, sizeof option, "--frame '%s'", text_at(robot, "end_frame"));
    ask(robot, "frame", option, pairs);
}

/* The end frame welded to the world: the weld's force, known from the other engine, acts as an external one. */
static void check_weld(Robot *robot) {
    for (int i = 0; i < robot->states->count; i++) {
        const zvNode *given = zv_node_get(robot->states->items[i], "weld_f");
        if (!given || given->kind != ZV_NODE_LIST) return; /* too few freedoms for a weld */
    }
    robot->welded = true;
    ask(robot, "forward", "", (const Pair[]){{"a", "weld_qdd"}, {0}});
}

static void order_and_mass(void **state) {
    (void)state;
    for_every_robot(check_info);
}

static void inverse_dynamics(void **state) {
    (void)state;
    for_every_robot(check_inverse);
}

static void forward_dynamics(void **state) {
    (void)state;
    for_every_robot(check_forward);
}

static void mass_matrix(void **state) {
    (void)state;
    for_every_robot(check_mass);
}

static void all_terms(void **state) {
    (void)state;
    for_every_robot(check_terms);
}

static void end_frame(void **state) {
    (void)state;
    for_every_robot(check_frame);
}

static void welded_end_frame(void **state) {
    (void)state;
    for_every_robot(check_weld);
}

/* The kernels of every instruction set this machine has; a level it lacks falls back to its best. */
static void every_instruction_set(void **state) {
    (void)state;
    static const char *const levels[3] = {"baseline", "x86-64-v3", "x86-64-v4"};
    static void (*const checks[])(Robot *) = {check_inverse, check_forward, check_terms, check_frame};
    for (int i = 0; i < 3; i++) {
        setenv("ZVENO_ISA", levels[i], 1);
        for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) for_every_robot(checks[k]);
    }
    unsetenv("ZVENO_ISA");
}

TESTS_BETWEEN(make_folder, remove_folder, order_and_mass, inverse_dynamics, forward_dynamics, mass_matrix, all_terms,
              end_frame, welded_end_frame, every_instruction_set)
