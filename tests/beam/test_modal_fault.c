/* Every fault of modal data, one at a time; and that what is right passes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "integral_arrays.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

/* Two modes, two nodes, two interfaces; the link's own inertia fits. */
typedef struct Data {
    double mass[4], stiffness[4], damping[4], translation[6], rotation[6], shape[2][12], ratios[3];
    zvModalNode nodes[2];
    zvModalInterface faces[2];
    zvModal modal;
    double m, com[3], moment[6];
} Data;

static void set_up(Data *data) {
    *data = (Data){.mass = {2, 0.5, 0.5, 1},
                   .stiffness = {30, -4, -4, 50},
                   .damping = {1, 0, 0, 1},
                   .translation = {0.5, 0, 0.1, 0.2, 0.3, 0},
                   .rotation = {0.1, 0, 0.2, 0, 0.1, 0},
                   .shape = {{1, 0, 0, 0, 0.1, 0, 0, 1, 0, 0, 0, 0.2}, {0, 0.5, 0, 0.1, 0, 0, 0, 0, 1, 0, 0, 0}},
                   .m = 3,
                   .com = {0.2, 0, 0},
                   .moment = {1, 0, 0, 1, 0, 1}};
    for (int k = 0; k < 2; k++) {
        data->nodes[k] = (zvModalNode){{k, 0, 0}, 1 + k, {0.1, 0, 0, 0.1, 0, 0.1}, data->shape[k]};
        data->faces[k] = (zvModalInterface){k ? "tip" : "elbow", {k, 0, 0}, data->shape[k]};
    }
    data->modal = (zvModal){.count = 2,
                            .mass = data->mass,
                            .stiffness = data->stiffness,
                            .damping_matrix = data->damping,
                            .translation = data->translation,
                            .rotation = data->rotation,
                            .interface_count = 2,
                            .interfaces = data->faces};
}

static void with_nodes(Data *data) {
    set_up(data);
    data->modal.mass = data->modal.translation = data->modal.rotation = NULL;
    data->modal.node_count = 2;
    data->modal.nodes = data->nodes;
}

static void passes(const Data *data) {
    const ziBeamFault fault = zi_modal_fault(&data->modal, data->m, data->com, data->moment);
    if (fault.key) fail_msg("%s %s: %s", fault.key, fault.token, fault.why);
}

static void expect(const Data *data, const char *key, const char *word) {
    const ziBeamFault fault = zi_modal_fault(&data->modal, data->m, data->com, data->moment);
    if (!fault.key || strcmp(fault.key, key) != 0) fail_msg("fault %s, not %s", fault.key ? fault.key : "none", key);
    if (!strstr(fault.why, word)) fail_msg("\"%s\" does not say \"%s\"", fault.why, word);
    assert_true(fault.repair[0] != 0 && !fault.memory);
}

static void right_ones_pass(void **state) {
    (void)state;
    Data data;
    set_up(&data);
    passes(&data);
    data.modal.damping_matrix = data.modal.translation = data.modal.rotation = NULL;
    passes(&data);
    data.stiffness[0] = data.stiffness[1] = data.stiffness[2] = 0; /* a free mode */
    passes(&data);
    with_nodes(&data);
    passes(&data);
    data.modal.count = 0;
    passes(&data);
}

static void numbers_are_finite(void **state) {
    (void)state;
    static const struct {
        const char *key;
        size_t at;
    } numbers[] = {
        {"mass", offsetof(Data, mass)},
        {"stiffness", offsetof(Data, stiffness[3])},
        {"damping", offsetof(Data, damping[1])},
        {"translation", offsetof(Data, translation[5])},
        {"rotation", offsetof(Data, rotation[5])},
        {"interfaces", offsetof(Data, shape[1][11])},
        {"interfaces", offsetof(Data, faces[1].at[2])},
        {"ratio", offsetof(Data, modal.damping.ratio)},
        {"nodes", offsetof(Data, shape[1][11])},
        {"nodes", offsetof(Data, nodes[1].at[2])},
        {"nodes", offsetof(Data, nodes[1].mass)},
        {"nodes", offsetof(Data, nodes[0].moment[4])},
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const double bad[] = {(double)NAN, (double)INFINITY};
        for (int i = 0; i < 2; i++) {
            Data data;
            if (strcmp(numbers[k].key, "nodes") == 0)
                with_nodes(&data);
            else
                set_up(&data);
            memcpy((char *)&data + numbers[k].at, &bad[i], sizeof bad[i]);
            expect(&data, numbers[k].key, "finite");
        }
    }
}

static void matrices_are_symmetric_and_positive(void **state) {
    (void)state;
    Data data;
    set_up(&data);
    data.mass[1] = 0.51;
    expect(&data, "mass", "a symmetric matrix");
    set_up(&data);
    data.stiffness[1] = 4;
    expect(&data, "stiffness", "a symmetric matrix");
    set_up(&data);
    data.damping[2] = 0.1;
    expect(&data, "damping", "a symmetric matrix");
    set_up(&data);
    data.mass[1] = data.mass[2] = 1.5;
    expect(&data, "mass", "positive definite");
    data.mass[1] = data.mass[2] = sqrt(2.0);
    expect(&data, "mass", "independent modes");
    set_up(&data);
    data.mass[0] = -2;
    expect(&data, "mass", "positive definite");
    data.mass[0] = 0;
    expect(&data, "mass", "positive definite");
    set_up(&data);
    data.stiffness[3] = -1;
    expect(&data, "stiffness", "definite");
    data.stiffness[3] = 4.0 * 4.0 / 30 * 0.999;
    expect(&data, "stiffness", "definite");
    data.stiffness[3] = 4.0 * 4.0 / 30; /* singular, to rounding */
    passes(&data);
    set_up(&data);
    data.damping[1] = data.damping[2] = 1.1;
    expect(&data, "damping", "definite");
    set_up(&data);
    data.mass[1] = 0.5 + 1e-8; /* what a printed file is off by */
    passes(&data);
}

static void inertia_fits_the_momenta(void **state) {
    (void)state;
    Data data;
    set_up(&data);
    data.translation[0] = 2.6; /* more than sqrt(mass times generalised mass) */
    expect(&data, "translation", "kinetic energy");
    set_up(&data);
    data.m = 0;
    expect(&data, "translation", "kinetic energy");
    set_up(&data);
    data.rotation[4] = 1.5;
    expect(&data, "translation", "kinetic energy");
}

/* Data that nodes make fit in any case; their inertia less a tenth of the mass does not, once the modes are rigid. */
static void momenta_of_nodes_fit(void **state) {
    (void)state;
    static irArrays arrays;
    for (uint64_t seed = 300; seed < 340; seed++) {
        rtRandom random = {seed};
        zvModalNode nodes[6];
        double shapes[6][24], K[16] = {0}, com[3], moment[6];
        ziModeIntegrals sum = ir_integrals(&arrays);
        for (int k = 0; k < 6; k++) {
            nodes[k] = (zvModalNode){.mass = rt_uniform(&random, 0.1, 1), .shape = shapes[k]};
            rt_vector(&random, 1, 3, nodes[k].at);
            rt_vector(&random, 1, 24, shapes[k]);
        }
        zvModal modal = {.count = 4, .stiffness = K, .node_count = 6, .nodes = nodes};
        assert_true(zi_modal_integrals(&modal, ir_one, ir_zero, &sum));
        const double *c = sum.S0, m = sum.mass, *J = sum.J0;
        for (int k = 0; k < 3; k++) com[k] = c[k] / m;
        const double square = (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) / m;
        const double own[6] = {J[0] - square + c[0] * c[0] / m, J[1] + c[0] * c[1] / m,
                               J[2] + c[0] * c[2] / m,          J[3] - square + c[1] * c[1] / m,
                               J[4] + c[1] * c[2] / m,          J[5] - square + c[2] * c[2] / m};
        memcpy(moment, own, sizeof moment);
        const zvModal momenta = {.count = 4, .mass = sum.M, .stiffness = K, .translation = sum.S1, .rotation = sum.L0};
        const ziBeamFault fault = zi_modal_fault(&momenta, m, com, moment);
        if (fault.key) fail_msg("seed %d: %s", (int)seed, fault.why);
        for (int i = 0; i < 12; i++) sum.S1[i] *= 3;
        for (int i = 0; i < 3; i++) sum.S1[i] = i == 0 ? 1.001 * sqrt(m * sum.M[0]) : 0;
        assert_string_equal(zi_modal_fault(&momenta, m, com, moment).key, "translation");
    }
}

static void nodes_and_interfaces(void **state) {
    (void)state;
    Data data;
    irArrays *arrays = malloc(sizeof *arrays);
    assert_non_null(arrays);
    ziModeIntegrals sum = ir_integrals(arrays);
    with_nodes(&data);
    assert_true(zi_modal_integrals(&data.modal, ir_one, ir_zero, &sum));
    data.modal.mass = sum.M;
    passes(&data);
    sum.M[3] *= 1 + 1e-5;
    expect(&data, "mass", "the generalised mass of the nodes");
    free(arrays);
    with_nodes(&data);
    data.nodes[1].mass = -1;
    expect(&data, "nodes", "a mass of at least 0");
    with_nodes(&data);
    data.nodes[1].moment[3] = -1;
    expect(&data, "nodes", "moments of inertia of at least 0");
    with_nodes(&data);
    data.nodes[1].shape = NULL;
    expect(&data, "nodes", "a shape of every node, found none in number");
    with_nodes(&data);
    memcpy(data.shape[0] + 6, data.shape[0], 6 * sizeof(double));
    memcpy(data.shape[1] + 6, data.shape[1], 6 * sizeof(double));
    expect(&data, "mass", "independent modes");
    set_up(&data);
    data.faces[1].name = "elbow";
    expect(&data, "interfaces", "a name of its own for every interface");
    data.faces[1].name = "";
    expect(&data, "interfaces", "a name of every interface, found none");
    set_up(&data);
    data.faces[0].shape = NULL;
    expect(&data, "interfaces", "a shape of every interface, found none");
}

static void names_of_modes(void **state) {
    (void)state;
    static const char *const good[][2] = {{"first", "x-2"}, {"mode1", NULL}, {"первая", "_"}};
    static const struct {
        const char *names[2], *word;
    } bad[] = {{{"a", "a"}, "found one twice"},           {{"a", ""}, "found none in number 2"},
               {{"a.b", "b"}, "without dots and blanks"}, {{"a", "b c"}, "without dots and blanks"},
               {{"a", "b\t"}, "without dots and blanks"}, {{"mode2", NULL}, "found one twice"},
               {{NULL, "mode1"}, "found one twice"}};
    Data data;
    set_up(&data);
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        data.modal.names = good[k];
        passes(&data);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        data.modal.names = bad[k].names;
        expect(&data, "names", bad[k].word);
    }
}

/* Interfaces at one place: alike they may be, else nobody knows which of them carries. */
static void interfaces_at_one_place(void **state) {
    (void)state;
    Data data;
    set_up(&data);
    data.faces[0].at[0] = 1 + 1e-9; /* within 1e-9 of 1 + the distance */
    expect(&data, "interfaces", "found two, of \"elbow\" and \"tip\"");
    data.faces[0].at[0] = 1 + 3e-9;
    passes(&data);
    data.faces[0].at[0] = 1;
    memcpy(data.shape[0], data.shape[1], sizeof data.shape[0]);
    passes(&data);
    data.shape[0][3] += 1e-3;
    expect(&data, "interfaces", "one shape at one place");
}

static void counts(void **state) {
    (void)state;
    Data data;
    set_up(&data);
    data.modal.count = -1;
    expect(&data, "modes", "");
    data.modal.count = ZV_MAX_MODES + 1;
    expect(&data, "modes", "");
    set_up(&data);
    data.modal.stiffness = NULL;
    expect(&data, "stiffness", "the stiffness of the modes, found none");
    set_up(&data);
    data.modal.mass = NULL;
    expect(&data, "mass", "the mass of the modes or nodes, found neither");
    set_up(&data);
    data.modal.damping = (zvElasticDamping){.count = 3, .ratios = data.ratios};
    expect(&data, "ratios", "at most one ratio of damping per mode");
}

TESTS(right_ones_pass, numbers_are_finite, matrices_are_symmetric_and_positive, inertia_fits_the_momenta,
      momenta_of_nodes_fit, nodes_and_interfaces, names_of_modes, interfaces_at_one_place, counts)
