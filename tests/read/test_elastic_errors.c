/* What elastic links of native files are refused for: status, place, token and words of each error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read/native.h"
#include "support/error_case.h"
#include "support/run_tests.h"

/* Texts of the cases: keys of link "a", which begin at column 2 of line 4. */
#define BEAM "beam: {length: 1, "
#define SOLID "material: {E: 1, G: 1, density: 1}, section: {circle: 1}"
#define MODAL "modal: {stiffness: [1, 2], "
#define NODE MODAL "nodes: [{at: [0, 0, 0], mass: 1, shape: [[0, 0, 1], [0, 1, 0]]}, "

static const ErrorCase cases[] = {
    /* links */
    {"baem: {length: 1}", ZV_SCHEMA, 4, 2, "baem", "did you mean \"beam\"?"},
    {"beam: {length: 1, rhoA: 1}, modal: {stiffness: [1], mass: [1]}", ZV_SCHEMA, 4, 37, "{...}",
     "modal of link \"a\": expected beam or modal, found both; keep one"},
    {"beam: 4", ZV_SCHEMA, 4, 8, "4", "beam of link \"a\": expected a map"},
    {"modal: [1]", ZV_SCHEMA, 4, 9, "[...]", "modal of link \"a\": expected a map"},
    /* beams */
    {"beam: {EI: 1, rhoA: 1}", ZV_SCHEMA, 4, 8, "length",
     "beam of link \"a\": expected the key length, found none; add length, in m"},
    {BEAM "lenght: 1}", ZV_SCHEMA, 4, 20, "lenght",
     "expected a key of beam of link \"a\", found \"lenght\"; did you mean \"length\"?"},
    {BEAM "axis: [0, 1]}", ZV_SCHEMA, 4, 26, "[", "axis of beam of link \"a\""},
    {BEAM "axis: [0, up, 1]}", ZV_NUMBER, 4, 30, "up", "axis of beam of link \"a\""},
    {BEAM "axis: up}", ZV_SCHEMA, 4, 26, "up", "axis of beam of link \"a\""},
    {BEAM "start: [0, .nan, 1]}", ZV_NUMBER, 4, 31, ".nan", "start of beam of link \"a\""},
    {"beam: {length: long, rhoA: 1}", ZV_NUMBER, 4, 17, "long", "length of beam of link \"a\""},
    {BEAM "modes: 1}", ZV_SCHEMA, 4, 8, "material", "add material and section, or numbers such as EI and rhoA"},
    {BEAM "material: {E: 1, G: 1, density: 1}}", ZV_SCHEMA, 4, 8, "section",
     "beam of link \"a\": expected the key section, found none; add section with circle, tube, box or frame"},
    {BEAM "section: {circle: 1}}", ZV_SCHEMA, 4, 8, "material",
     "expected the key material, found none; add material: {E: Pa"},
    {BEAM SOLID ", EI: 1}", ZV_SCHEMA, 4, 82, "1", "EI of beam of link \"a\": expected it or material, found both"},
    {BEAM "section: {circle: 1}, rhoA: 1}", ZV_SCHEMA, 4, 48, "1", "expected it or section, found both"},
    {BEAM "EI: 1, EIy: 2, rhoA: 1}", ZV_SCHEMA, 4, 24, "1",
     "EI of beam of link \"a\": expected it or EIy, found both; EI is short for EIy and EIz: keep it or them"},
    {BEAM "rhoIz: 1, rhoI: 2, rhoA: 1}", ZV_SCHEMA, 4, 36, "2", "expected it or rhoIz, found both"},
    {BEAM "EI: 1}", ZV_SCHEMA, 4, 8, "rhoA", "add rhoA, the mass per length in kg/m"},
    {BEAM "EIy: 1, rhoA: 1, modes: {y: 1}}", ZV_SCHEMA, 4, 8, "EIz", "add EIz in N m^2 for bending along y"},
    {BEAM "EIz: 1, rhoA: 1, modes: 1}", ZV_SCHEMA, 4, 8, "EIy", "add EIy in N m^2 for bending along z"},
    {BEAM "rhoA: 1, modes: {twist: 1}}", ZV_SCHEMA, 4, 8, "GJ", "add GJ in N m^2"},
    {BEAM "rhoA: 1, modes: {axial: 1}}", ZV_SCHEMA, 4, 8, "EA", "add EA in N"},
    {BEAM "rhoA: 1, shear: true}", ZV_SCHEMA, 4, 36, "true", "give kGAy and kGAz instead"},
    {BEAM SOLID ", shear: yes}", ZV_SCHEMA, 4, 85, "yes", "shear of beam of link \"a\": expected true or false"},
    {BEAM "rhoA: 1, shapes: clamped}", ZV_SCHEMA, 4, 37, "clamped", "expected powers, gevorkian, clamped-free"},
    {BEAM "rhoA: 1, shapes: gevorkyan}", ZV_SCHEMA, 4, 37, "gevorkyan", "; did you mean gevorkian?"},
    {BEAM "rhoA: 1, stiffening: true}", ZV_SCHEMA, 4, 41, "true", "expected auto, on or off"},
    {BEAM "rhoA: 1, rotary: 1}", ZV_SCHEMA, 4, 37, "1", "rotary of beam of link \"a\": expected true or false"},
    {BEAM "rhoA: 1, tip_mass: 1}", ZV_SCHEMA, 4, 39, "1", "expected shapes: clamped-tip-mass beside it, found others"},
    {BEAM "rhoA: 1, tip_inertia: 2}", ZV_SCHEMA, 4, 42, "2",
     "expected shapes: clamped-tip-mass beside it, found others"},
    {BEAM "rhoA: 1, shapes: clamped-tip-mass}", ZV_SCHEMA, 4, 8, "tip_mass", "add tip_mass in kg"},
    /* modes */
    {BEAM "rhoA: 1, modes: two}", ZV_NUMBER, 4, 36, "two", "modes of beam of link \"a\": expected a whole number"},
    {BEAM "rhoA: 1, modes: 1.5}", ZV_NUMBER, 4, 36, "1.5", "expected a whole number"},
    {BEAM "rhoA: 1, modes: -1}", ZV_SCHEMA, 4, 36, "-1", "expected 0 to 128 in all, found -2"},
    {BEAM "rhoA: 1, modes: 65}", ZV_SCHEMA, 4, 36, "65", "expected 0 to 128 in all, found 130"},
    {BEAM "rhoA: 1, modes: 2147483647}", ZV_SCHEMA, 4, 36, "2147483647", "in all, found 4294967294"},
    {BEAM "rhoA: 1, modes: {y: 100, twist: 29}}", ZV_SCHEMA, 4, 36, "{...}", "in all, found 129"},
    {BEAM "rhoA: 1, modes: {y: -1, z: 2}}", ZV_SCHEMA, 4, 40, "-1",
     "y of modes of beam of link \"a\": expected 0 or more"},
    {BEAM "rhoA: 1, modes: {x: 1}}", ZV_SCHEMA, 4, 37, "x", "its keys are y, z, twist, axial"},
    {BEAM "rhoA: 1, modes: [1, 1]}", ZV_SCHEMA, 4, 36, "[...]", "modes of beam of link \"a\": expected a map"},
    /* material and section */
    {BEAM "material: {G: 1, density: 1}, section: {circle: 1}}", ZV_SCHEMA, 4, 30, "E",
     "material of beam of link \"a\": expected the key E, found none; add E, Young's modulus in Pa"},
    {BEAM "material: {E: 1}, section: {circle: 1}}", ZV_SCHEMA, 4, 30, "density", "add density, in kg/m^3"},
    {BEAM "material: {E: -1, density: 1}, section: {circle: 1}}", ZV_SCHEMA, 4, 34, "-1", "expected a positive number"},
    {BEAM "material: {E: 1, density: 0}, section: {circle: 1}}", ZV_SCHEMA, 4, 46, "0", "expected a positive number"},
    {BEAM "material: {E: 1, density: 1, G: 1, poisson: 0.3}, section: {circle: 1}}", ZV_SCHEMA, 4, 64, "0.3",
     "poisson of material of beam of link \"a\": expected poisson or G, found both; keep one"},
    {BEAM "material: {E: 1, density: 1, poisson: 3}, section: {circle: 1}}", ZV_SCHEMA, 4, 58, "3",
     "expected a number between -1 and 0.5"},
    {BEAM "material: {E: 1, density: 1, possion: 3}, section: {circle: 1}}", ZV_SCHEMA, 4, 49, "possion",
     "did you mean \"poisson\"?"},
    {BEAM "material: {E: 1, density: 1}, section: {circle: 1}, modes: {twist: 1}}", ZV_SCHEMA, 4, 30, "G",
     "add G in Pa, or poisson: twist and shear need it"},
    {BEAM "material: {E: 1, density: 1}, section: {circle: 1}, shear: true}", ZV_SCHEMA, 4, 30, "G", "need it"},
    {BEAM "material: aluminium, section: {circle: 1}}", ZV_SCHEMA, 4, 30, "aluminium", "expected a map"},
    {BEAM "material: {E: 1, density: 1}, section: {}}", ZV_SCHEMA, 4, 59, "{...}", "exactly one of circle, tube"},
    {BEAM "material: {E: 1, density: 1}, section: {circle: 1, box: [1, 1]}}", ZV_SCHEMA, 4, 59, "{...}",
     "exactly one of circle, tube, box and frame"},
    {BEAM "material: {E: 1, density: 1}, section: {pipe: [1, 1]}}", ZV_SCHEMA, 4, 60, "pipe",
     "expected a key of section of beam of link \"a\""},
    {BEAM "material: {E: 1, density: 1}, section: {circle: 0}}", ZV_SCHEMA, 4, 68, "0", "expected sizes above zero"},
    {BEAM "material: {E: 1, density: 1}, section: {circle: [1, 2]}}", ZV_SCHEMA, 4, 68, "[", "expected a number"},
    {BEAM "material: {E: 1, density: 1}, section: {tube: [1, 1]}}", ZV_SCHEMA, 4, 66, "[...]",
     "tube of section of beam of link \"a\": expected an inner radius below the outer one, found 1 beside 1; write "
     "[outer, inner]"},
    {BEAM "material: {E: 1, density: 1}, section: {tube: [1, -0.5]}}", ZV_SCHEMA, 4, 66, "[...]", "inner radius"},
    {BEAM "material: {E: 1, density: 1}, section: {tube: 1}}", ZV_SCHEMA, 4, 66, "1", "a list of 2 numbers"},
    {BEAM "material: {E: 1, density: 1}, section: {box: [1, -1]}}", ZV_SCHEMA, 4, 65, "[...]", "sizes above zero"},
    {BEAM "material: {E: 1, density: 1}, section: {frame: [1, 2, 0.5]}}", ZV_SCHEMA, 4, 67, "[...]",
     "expected a wall thinner than half the width and height"},
    {BEAM "material: {E: 1, density: 1}, section: {frame: [1, 2]}}", ZV_SCHEMA, 4, 67, NULL, "expected 3 numbers"},
    /* damping */
    {BEAM "rhoA: 1, damping: 0.1}", ZV_SCHEMA, 4, 38, "0.1", "damping of beam of link \"a\": expected a map"},
    {BEAM "rhoA: 1, damping: {ration: 0.1}}", ZV_SCHEMA, 4, 39, "ration", "did you mean \"ratio\"?"},
    {BEAM "rhoA: 1, damping: {matrix: [1]}}", ZV_SCHEMA, 4, 39, "matrix", "expected a key of damping of beam"},
    {BEAM "rhoA: 1, EI: 1, modes: 1, damping: {ratios: [1, 2, 3]}}", ZV_SCHEMA, 4, 64, "[...]",
     "ratios of damping of beam of link \"a\": expected at most 2 numbers, one for each mode, found a list of 3; "
     "remove the last ones"},
    {BEAM "rhoA: 1, damping: {rayleigh: {alpha: 1}}}", ZV_SCHEMA, 4, 50, "alpha",
     "expected a key of rayleigh of damping of beam of link \"a\", found \"alpha\"; its keys are mass, stiffness"},
    /* modal data */
    {"modal: {mass: [1]}", ZV_SCHEMA, 4, 9, "stiffness",
     "modal of link \"a\": expected the key stiffness, found none; add stiffness"},
    {"modal: {stiffness: 4}", ZV_SCHEMA, 4, 21, "4", "stiffness of modal of link \"a\": expected a list"},
    {"modal: {stiffness: []}", ZV_SCHEMA, 4, 21, "[...]", "expected a number or row for each mode, found none"},
    {"modal: {stiffness: [1]}", ZV_SCHEMA, 4, 9, "mass", "add mass, the generalised mass, or nodes"},
    {"modal: {stifness: [1]}", ZV_SCHEMA, 4, 10, "stifness", "did you mean \"stiffness\"?"},
    {"modal: {mass: [1, 1], stiffness: [[1, 2]]}", ZV_SCHEMA, 4, 36, "[...]",
     "row 1 of stiffness of modal of link \"a\": expected 1 number, one for each mode of stiffness, found 2; write a "
     "matrix of 1 x 1"},
    {"modal: {mass: [1], stiffness: [[1, 0], [0, 1]]}", ZV_SCHEMA, 4, 16, "[...]",
     "mass of modal of link \"a\": expected 2 rows, one for each mode of stiffness, found a list of 1"},
    {"modal: {mass: [1, 1], stiffness: [[1, 0], 1]}", ZV_SCHEMA, 4, 44, "1", "expected a list of 2 numbers"},
    {"modal: {mass: [1, 1], stiffness: [1, [0, 1]]}", ZV_SCHEMA, 4, 39, "[", "row 2 of stiffness"},
    {MODAL "mass: [[1, 0], [0]]}", ZV_SCHEMA, 4, 44, "[...]",
     "row 2 of mass of modal of link \"a\": expected 2 numbers, one for each mode of stiffness, found 1; write a "
     "matrix of 2 x 2"},
    {MODAL "mass: [1, x]}", ZV_NUMBER, 4, 39, "x", "row 2 of mass of modal of link \"a\""},
    {MODAL "mass: [1, 1], names: [a]}", ZV_SCHEMA, 4, 50, "[...]", "expected 2 names, one for each mode of stiffness"},
    {MODAL "mass: [1, 1], names: [a, [b]]}", ZV_SCHEMA, 4, 54, "[", "a name of modal of link \"a\": expected a word"},
    {MODAL "mass: [1, 1], damping: [1]}", ZV_SCHEMA, 4, 52, "[...]", "expected 2 rows, one for each mode"},
    {MODAL "mass: [1, 1], damping: {matrix: [1]}}", ZV_SCHEMA, 4, 61, "[...]",
     "matrix of damping of modal of link \"a\": expected 2 rows"},
    {MODAL "mass: [1, 1], damping: {ratios: [1, 1, 1]}}", ZV_SCHEMA, 4, 61, "[...]", "expected at most 2 numbers"},
    {MODAL "mass: [1, 1], translation: [[1, 2, 3]]}", ZV_SCHEMA, 4, 56, "[...]", "expected 2 rows, one for each mode"},
    {MODAL "mass: [1, 1], rotation: [[1, 2, 3], [1, 2]]}", ZV_SCHEMA, 4, 65, NULL,
     "row 2 of rotation of modal of link \"a\": expected 3 numbers"},
    {NODE "], translation: [[1, 2, 3], [1, 2, 3]]}", ZV_SCHEMA, 4, 110, "[...]",
     "expected it or the nodes, over which it is summed, found both; remove one"},
    {MODAL "nodes: []}", ZV_SCHEMA, 4, 36, "[...]",
     "expected nodes, found none; add them, or mass and the integrals instead"},
    {MODAL "nodes: [4]}", ZV_SCHEMA, 4, 37, "4", "node 1 of modal of link \"a\": expected a map"},
    {NODE "{mass: 1, shape: []}]}", ZV_SCHEMA, 4, 94, "at",
     "node 2 of modal of link \"a\": expected the key at, found none"},
    {NODE "{at: [0, 0, 0], mass: 1}]}", ZV_SCHEMA, 4, 94, "shape",
     "expected the key shape, found none; add shape, one row of 3 or 6"},
    {NODE "{at: [0, 0, 0], shape: []}]}", ZV_SCHEMA, 4, 94, "mass", "add mass, in kg"},
    {NODE "{at: [0, 0], mass: 1, shape: []}]}", ZV_SCHEMA, 4, 99, NULL,
     "at of node 2 of modal of link \"a\": expected 3"},
    {NODE "{at: [0, 0, 0], mass: 1, shape: []}]}", ZV_SCHEMA, 4, 126, "[...]", "expected 2 rows, one for each mode"},
    {NODE "{at: [0, 0, 0], mass: 1, shape: [[1, 2, 3], [1, 2, 3, 4]]}]}", ZV_SCHEMA, 4, 138, "[...]",
     "row 2 of shape of node 2 of modal of link \"a\": expected 3 numbers (displacement) or 6"},
    {NODE "{at: [0, 0, 0], mass: 1, inertia: 4, shape: []}]}", ZV_SCHEMA, 4, 128, "4", "list of 3 numbers (xx yy zz)"},
    {NODE "{at: [0, 0, 0], mass: 1, shapes: []}]}", ZV_SCHEMA, 4, 119, "shapes", "did you mean \"shape\"?"},
    {NODE "], interfaces: [{at: [0, 0, 0], shape: [[1, 1, 1], [1, 1, 1]]}]}", ZV_SCHEMA, 4, 110, "name",
     "interface 1 of modal of link \"a\": expected the key name, found none"},
    {NODE "], interfaces: [{name: tip, shape: [[1, 1, 1], [1, 1, 1]]}]}", ZV_SCHEMA, 4, 110, "at",
     "expected the key at, found none"},
    {NODE "], interfaces: [{name: tip, at: [0, 0, 0], shape: [[1, 1, 1]]}]}", ZV_SCHEMA, 4, 144, "[...]",
     "shape of interface 1 of modal of link \"a\": expected 2 rows"},
    /* files of modal data */
    {"modal: {file: a.yaml, mass: [1]}", ZV_SCHEMA, 4, 16, "a.yaml", "expected it alone, found other keys beside it"},
    {"modal: {file: [a.yaml]}", ZV_SCHEMA, 4, 16, "[", "file of modal of link \"a\": expected a word"},
    {"modal: {file: ''}", ZV_SCHEMA, 4, 16, "", "file of modal of link \"a\": expected the path of a file, found \"\""},
    {"modal: {file: nowhere/panel.yaml}", ZV_IO, 4, 16, "nowhere/panel.yaml",
     "file of modal of link \"a\" cannot be read: there is no such file"},
};

static void check_case(const ErrorCase *c) {
    char text[500];
    snprintf(text, sizeof text, "zveno: 1\nlinks:\n - {name: a,\n %s}\n", c->text);
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvStatus status = zi_native_read(builder, "robot.yaml", text, strlen(text), &error);
    zv_builder_destroy(builder);
    expect_error(c, "robot.yaml", status, &error);
}

static void every_error_says_where_and_what(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
}

/* 128 modes are read, 129 are not. */
static void most_modes(void **state) {
    (void)state;
    for (int n = ZV_MAX_MODES; n <= ZV_MAX_MODES + 1; n++) {
        char text[2000];
        int used = snprintf(text, sizeof text, "zveno: 1\nlinks: [{name: a, modal: {mass: &list [");
        for (int i = 0; i < n; i++) used += snprintf(text + used, sizeof text - (size_t)used, "%d, ", i + 1);
        snprintf(text + used, sizeof text - (size_t)used, "], stiffness: *list}}]\n");
        zvError error = {0};
        zvBuilder *builder = zv_builder_create(&error);
        zvStatus status = zi_native_read(builder, "robot.yaml", text, strlen(text), &error);
        if (n <= ZV_MAX_MODES) {
            assert_int_equal(status, ZV_OK);
            const zvModal *modal = zv_builder_link(builder, 0)->modal;
            assert_int_equal(modal->count, n);
            assert_true(modal->stiffness[n * n - 1] == n && modal->stiffness[n * n - 2] == 0);
        } else {
            assert_int_equal(status, ZV_SCHEMA);
            assert_non_null(
                strstr(error.text, "expected at most 128 modes, found a list of 129; keep the lowest ones"));
        }
        zv_builder_destroy(builder);
    }
}

/* One node of 128 modes and aliases of it: they count as if they were written out, so that a short file cannot ask for
 * more memory than a long one. */
static zvStatus read_aliases(int count, zvBuilder *builder, zvError *error) {
    char *text = malloc((size_t)count * 4 + 3000), *end = text;
    assert_non_null(text);
    end += sprintf(end, "zveno: 1\nlinks:\n - {name: a, modal: {stiffness: [");
    for (int i = 0; i < ZV_MAX_MODES; i++) end += sprintf(end, "1, ");
    end += sprintf(end, "], nodes: [&n {at: [0, 0, 0], mass: 1, shape: [");
    for (int i = 0; i < ZV_MAX_MODES; i++) end += sprintf(end, "[0, 0, %d], ", i);
    end += sprintf(end, "]}");
    for (int i = 1; i < count; i++) end += sprintf(end, ", *n");
    sprintf(end, "]}}\n");
    zvStatus status = zi_native_read(builder, "robot.yaml", text, strlen(text), error);
    free(text);
    return status;
}

static void nodes_are_bounded_by_what_is_written(void **state) {
    (void)state;
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_int_equal(read_aliases(300, builder, &error), ZV_OK);
    const zvModal *modal = zv_builder_link(builder, 0)->modal;
    assert_int_equal(modal->node_count, 300);
    assert_true(modal->nodes[299].shape[6 * (ZV_MAX_MODES - 1) + 2] == ZV_MAX_MODES - 1);
    zv_builder_destroy(builder);
    builder = zv_builder_create(&error);
    assert_int_equal(read_aliases(40000, builder, &error), ZV_SIZE);
    assert_int_equal(zv_builder_nlink(builder), 0);
    zv_builder_destroy(builder);
}

TESTS(every_error_says_where_and_what, most_modes, nodes_are_bounded_by_what_is_written)
