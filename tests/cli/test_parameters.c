/* Parameters on the command line: --set on robots and scenarios, and zveno info --parameters. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

static const char rods[] =
    "zveno: 1\nname: rods\nparameters: {n: 2, total: 6 kg, l: 3 m / n}\nlinks:\n  - {name: ground}\n  - for: i = "
    "1..n\n    each: {name: rod$(i), mass: $(total/n), com: [$(l/2), 0, 0], inertia: [1e-9, $(total/n*l**2/12), "
    "$(total/n*l**2/12)]}\njoints:\n  - for: i = 1..n\n    each: {name: joint$(i), type: continuous, parent: $('rod' + "
    "str(i-1) if i > 1 else 'ground'), child: rod$(i), axis: [0, -1, 0], origin: {xyz: [$(l if i > 1 else 0 m), 0, "
    "0]}}\n";

static const char run[] =
    "zveno_scenario: 1\nparameters: {load: 2 kg, T: 0.1 s, gain: 5}\nmodel: {file: rods.yaml, "
    "parameters: {total: $(3*load)}}\nduration: $(T)\ndrives:\n  - {name: servo, type: pd, joint: "
    "joint1, kp: $(gain), reference: 0}\n";

static void make_files(void) {
    put_file("rods.yaml", rods);
    put_file("run.yaml", run);
}

/* M_11 of stretched rods is that of one rod of 6 kg and 3 m about its end, whatever n is: 18. */
static void robots(void **state) {
    (void)state;
    make_files();
    static const char *const calls[] = {"mass rods.yaml --json", "mass rods.yaml --set parameters.n=7 --json"};
    for (int i = 0; i < 2; i++) expect_numbers(zveno(calls[i]).out, "mass.0.0", 1, (double[]){18});
    expect_numbers(zveno("mass rods.yaml --set \"parameters.total=2 t\" --json").out, "mass.0.0", 1, (double[]){6000});
    expect_numbers(zveno("info rods.yaml --set links.rod2.mass=10 --json").out, "mass", 1, (double[]){13});
    expect_failure(zveno("info rods.yaml --set parameters.m=2"), 1, "expected a parameter of the file, found \"m\"");
    expect_failure(zveno("info rods.yaml --set \"parameters.total=2 m\""), 1,
                   "--set parameters.total=2 m: expected a number in kg, found one in m");
    expect_failure(zveno("info rods.yaml --set links.rod3.mass=2"), 1, "did you mean \"rod");
}

/* A scenario has parameters of its own, gives some to its robot, and is changed down to the robot's numbers. */
static void scenarios(void **state) {
    (void)state;
    static const struct {
        const char *changes;
        double mass, duration, gain;
    } cases[] = {{"", 6, 0.1, 5},
                 {"--set parameters.load=20", 60, 0.1, 5},
                 {"--set \"parameters.T=300 ms\" --set parameters.gain=7", 6, 0.3, 7},
                 {"--set model.parameters.n=3 --set drives.servo.kp=9", 6, 0.1, 9},
                 {"--set model.links.rod2.mass=10", 13, 0.1, 5}};
    make_files();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[200];
        snprintf(line, sizeof line, "info run.yaml --parameters --json %s >out.json", cases[i].changes);
        const Transcript t = zveno(line);
        expect_silence(t);
        char out[32768];
        get_file("out.json", out);
        zvDocument *document = parse(out);
        const zvNode *numbers = zv_node_get(zv_document_root(document), "numbers");
        double mass = 0, duration = 0, gain = 0;
        for (int k = 0; k < numbers->count; k++) {
            const char *key = zv_node_get(numbers->items[k], "key")->text;
            double value = 0;
            assert_int_equal(zv_node_number(zv_node_get(numbers->items[k], "value"), "value", &value, NULL), ZV_OK);
            if (!strncmp(key, "model.links.rod", 15) && !strcmp(key + 16, ".mass")) mass += value;
            if (!strcmp(key, "duration")) duration = value;
            if (!strcmp(key, "drives.servo.kp")) gain = value;
        }
        if (!(mass == cases[i].mass && duration == cases[i].duration && gain == cases[i].gain))
            fail_msg("%s: mass %g, duration %g, gain %g", cases[i].changes, mass, duration, gain);
        zv_document_destroy(document);
    }
}

/* What is listed is what can be set: the value changes, and nothing else does. */
static void lists(void **state) {
    (void)state;
    make_files();
    const Transcript robot = zveno("info rods.yaml --parameters");
    expect_silence(robot);
    static const char *const rows[] = {"parameters.total      6  kg    6 kg\n",
                                       "parameters.l        1.5  m     3 m / n\n", "links.rod2.mass"};
    for (int i = 0; i < 3; i++) expect_part(robot.out, rows[i]);
    const Transcript both = zveno("info run.yaml --parameters");
    expect_silence(both);
    static const char *const of_both[] = {"parameters.load", "model.parameters.total", "drives.servo.kp", "duration",
                                          "model.links.rod1.mass"};
    for (int i = 0; i < 5; i++) expect_part(both.out, of_both[i]);
    expect_silence(zveno("simulate run.yaml --quiet --set model.links.rod1.mass=3 -o run.h5 >said.txt"));
    expect_failure(zveno("simulate run.yaml --quiet --set model.links.rod1.mas=3 -o no.h5"), 1,
                   "did you mean \"mass\"?");
    expect_failure(zveno("simulate run.yaml --quiet --set parameters.lod=3 -o no.h5"), 1, "did you mean \"load\"?");
}

TESTS_BETWEEN(make_folder, remove_folder, robots, scenarios, lists)
