/* Elastic links of native files: what the builder holds after reading, compared with numbers worked out here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/native.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/read.h"

static const double pi = 3.14159265358979323846;

static void read_into(zvBuilder *builder, const char *name, const char *text) {
    zvError error = {0};
    char line[900];
    if (zi_native_read(builder, name, text, strlen(text), &error) != ZV_OK)
        fail_msg("%s\n%s", zv_error_line(&error, line, sizeof line), text);
}

static zvBuilder *read_text(const char *text) {
    zvBuilder *builder = zv_builder_create(NULL);
    assert_non_null(builder);
    read_into(builder, "robot.yaml", text);
    return builder;
}

static const zvLink *link_of(zvBuilder *builder, const char *name) {
    const int index = zv_builder_find_link(builder, name);
    assert_true(index >= 0);
    return zv_builder_link(builder, index);
}

/* A beam with everything but its section, read and handed over; the builder owns it. */
static const zvBeam *read_beam(zvBuilder **builder, const char *keys) {
    char text[600];
    snprintf(text, sizeof text, "zveno: 1\nlinks: [{name: boom, beam: {%s}}]\n", keys);
    *builder = read_text(text);
    const zvLink *link = link_of(*builder, "boom");
    assert_non_null(link->beam);
    assert_null(link->modal);
    assert_false(link->has_inertia);
    return link->beam;
}

/* Beams ------------------------------------------------------------------------------------------- */

static void numbers_of_a_beam(void **state) {
    (void)state;
    zvBuilder *builder;
    const zvBeam *beam =
        read_beam(&builder, "length: 4, EIy: 1, EIz: 2, GJ: 3, EA: 5, rhoA: 6, rhoIy: 7, rhoIz: 8, kGAy: 9, kGAz: 10, "
                            "shapes: clamped-tip-mass, modes: {y: 1, z: 2, twist: 3, axial: 4}, tip_mass: 11, "
                            "tip_inertia: 12, rotary: true, stiffening: off, "
                            "damping: {ratio: 0.01, ratios: [0.02, 0.03], rayleigh: {mass: 0.1, stiffness: 1e-4}}");
    const double found[] = {beam->length, beam->EIy,   beam->EIz,  beam->GJ,   beam->EA,       beam->rhoA,
                            beam->rhoIy,  beam->rhoIz, beam->kGAy, beam->kGAz, beam->tip_mass, beam->tip_inertia};
    const double expected[] = {4, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12};
    assert_memory_equal(found, expected, sizeof found);
    const int modes[] = {1, 2, 3, 4};
    assert_memory_equal(beam->modes, modes, sizeof modes);
    assert_int_equal(beam->shapes, ZV_SHAPES_CLAMPED_TIP_MASS);
    assert_int_equal(beam->stiffening, ZV_STIFFENING_OFF);
    assert_true(beam->rotary);
    assert_true(beam->damping.ratio == 0.01);
    assert_true(beam->damping.mass_factor == 0.1 && beam->damping.stiffness_factor == 1e-4);
    assert_int_equal(beam->damping.count, 2);
    assert_true(beam->damping.ratios[0] == 0.02 && beam->damping.ratios[1] == 0.03);
    zv_builder_destroy(builder);
}

static void what_is_not_said(void **state) {
    (void)state;
    zvBuilder *builder;
    const zvBeam *beam = read_beam(&builder, "length: 2, EI: 3, rhoA: 4, rhoI: 5, kGA: 6, modes: 7");
    assert_true(beam->EIy == 3 && beam->EIz == 3 && beam->rhoIy == 5 && beam->rhoIz == 5);
    assert_true(beam->kGAy == 6 && beam->kGAz == 6 && beam->GJ == 0 && beam->EA == 0);
    const int modes[] = {7, 7, 0, 0};
    assert_memory_equal(beam->modes, modes, sizeof modes);
    assert_int_equal(beam->shapes, ZV_SHAPES_POWERS);
    assert_int_equal(beam->stiffening, ZV_STIFFENING_AUTO);
    assert_false(beam->rotary);
    assert_int_equal(beam->damping.count, 0);
    zv_builder_destroy(builder);
    beam = read_beam(&builder, "length: 2, rhoA: 4"); /* a rigid bar */
    const int none[ZV_BEAM_MOTIONS] = {0};
    assert_memory_equal(beam->modes, none, sizeof none);
    zv_builder_destroy(builder);
}

static void every_word_for_shapes(void **state) {
    (void)state;
    static const char *const words[] = {"powers",           "gevorkian",     "clamped-free",
                                        "clamped-tip-mass", "pinned-pinned", "cubic"};
    for (int i = 0; i < ZV_SHAPES_COUNT; i++) {
        char keys[120];
        snprintf(keys, sizeof keys, "length: 1, EI: 1, rhoA: 1, shapes: %s%s", words[i],
                 i == ZV_SHAPES_CLAMPED_TIP_MASS ? ", tip_mass: 1" : "");
        zvBuilder *builder;
        assert_int_equal(read_beam(&builder, keys)->shapes, i);
        zv_builder_destroy(builder);
    }
}

typedef struct Section {
    const char *text;
    double A, Iy, Iz; /* Iy about y */
} Section;

/* Area and moments of area from textbooks; Iz of a box of width b along y is h b^3 / 12. */
static void material_and_section(void **state) {
    (void)state;
    const Section sections[] = {
        {"circle: 0.05", pi * 25e-4, pi * 625e-8 / 4, pi * 625e-8 / 4},
        {"tube: [0.05, 0.04]", pi * 9e-4, pi * (625e-8 - 256e-8) / 4, pi * (625e-8 - 256e-8) / 4},
        {"box: [0.03, 0.07]", 21e-4, 0.03 * 343e-6 / 12, 0.07 * 27e-6 / 12},
        {"frame: [0.03, 0.07, 0.01]", 21e-4 - 5e-4, (0.03 * 343e-6 - 0.01 * 125e-6) / 12,
         (0.07 * 27e-6 - 0.05 * 1e-6) / 12},
    };
    const double E = 7e10, rho = 2700;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const Section *s = &sections[i];
        char keys[200];
        snprintf(keys, sizeof keys, "length: 3, material: {E: 7e10, density: 2700}, section: {%s}, modes: 1", s->text);
        zvBuilder *builder;
        const zvBeam *beam = read_beam(&builder, keys);
        assert_named_near(s->text, beam->EA, E * s->A, 1e-13 * fabs(E * s->A));
        assert_named_near(s->text, beam->EIy, E * s->Iy, 1e-13 * fabs(E * s->Iy));
        assert_named_near(s->text, beam->EIz, E * s->Iz, 1e-13 * fabs(E * s->Iz));
        assert_named_near(s->text, beam->rhoA, rho * s->A, 1e-13 * fabs(rho * s->A));
        assert_named_near(s->text, beam->rhoIy, rho * s->Iy, 1e-13 * fabs(rho * s->Iy));
        assert_named_near(s->text, beam->rhoIz, rho * s->Iz, 1e-13 * fabs(rho * s->Iz));
        assert_true(beam->GJ == 0 && beam->kGAy == 0 && beam->kGAz == 0);
        zv_builder_destroy(builder);
    }
}

/* G of Poisson's ratio; GJ of a circle is G pi r^4 / 2; shear only where it is asked for. */
static void poisson_twist_and_shear(void **state) {
    (void)state;
    zvBuilder *first, *second;
    const zvBeam *a = read_beam(&first, "length: 3, material: {E: 7e10, poisson: 0.25, density: 2700}, "
                                        "section: {circle: 0.05}, modes: {twist: 2}");
    const zvBeam *b = read_beam(&second, "length: 3, material: {E: 7e10, G: 2.8e10, density: 2700}, "
                                         "section: {circle: 0.05}, shear: true, shapes: cubic, modes: 2");
    assert_named_near("GJ", a->GJ, 2.8e10 * pi * 625e-8 / 2, 1e-13 * fabs(2.8e10 * pi * 625e-8 / 2));
    assert_named_near("GJ", b->GJ, a->GJ, 1e-13 * fabs(a->GJ));
    assert_true(a->kGAy == 0 && a->kGAz == 0);
    assert_true(b->kGAy > 0 && b->kGAy == b->kGAz && b->kGAy < 2.8e10 * pi * 25e-4);
    zv_builder_destroy(first);
    zv_builder_destroy(second);
}

static void spots_and_rigid_parts(void **state) {
    (void)state;
    zvBuilder *builder = read_text("zveno: 1\n"
                                   "links:\n"
                                   "  - name: boom\n"
                                   "    mass: 2\n"
                                   "    beam: {length: 1, rhoA: 1}\n"
                                   "  - name: panel\n"
                                   "    modal: {stiffness: [1], mass: [1]}\n"
                                   "  - name: hand\n");
    const zvLink *boom = link_of(builder, "boom"), *panel = link_of(builder, "panel"), *hand = link_of(builder, "hand");
    assert_true(boom->has_inertia && boom->inertia.mass == 2);
    assert_int_equal(boom->elastic_spot.line, 5);
    assert_int_equal(boom->elastic_spot.column, 11);
    assert_int_equal(panel->elastic_spot.line, 7);
    assert_true(!hand->beam && !hand->modal && hand->elastic_spot.line == 0);
    zv_builder_destroy(builder);
}

/* Modal data -------------------------------------------------------------------------------------- */

static void modal_integrals(void **state) {
    (void)state;
    zvBuilder *builder = read_text("zveno: 1\n"
                                   "links:\n"
                                   "  - name: panel\n"
                                   "    mass: 9\n"
                                   "    modal:\n"
                                   "      names: [first, \"2\"]\n"
                                   "      mass: [3, 4]\n"
                                   "      stiffness: [[5, 0.5], [0.5, 6]]\n"
                                   "      damping: [[0.1, 0.2], [0.2, 0.3]]\n"
                                   "      translation: [[1, 2, 3], [4, 5, 6]]\n"
                                   "      rotation: [[7, 8, 9], [10, 11, 12]]\n"
                                   "      interfaces:\n"
                                   "        - {name: tip, at: [1, 0, 0], shape: [[0, 0, 1], [1, 2, 3, 4, 5, 6]]}\n");
    const zvModal *modal = link_of(builder, "panel")->modal;
    const double mass[] = {3, 0, 0, 4}, stiffness[] = {5, 0.5, 0.5, 6}, damping[] = {0.1, 0.2, 0.2, 0.3};
    const double along[] = {1, 2, 3, 4, 5, 6}, about[] = {7, 8, 9, 10, 11, 12};
    const double at[] = {1, 0, 0}, shape[] = {0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6};
    assert_int_equal(modal->count, 2);
    assert_string_equal(modal->names[0], "first");
    assert_string_equal(modal->names[1], "2");
    assert_memory_equal(modal->mass, mass, sizeof mass);
    assert_memory_equal(modal->stiffness, stiffness, sizeof stiffness);
    assert_memory_equal(modal->damping_matrix, damping, sizeof damping);
    assert_memory_equal(modal->translation, along, sizeof along);
    assert_memory_equal(modal->rotation, about, sizeof about);
    assert_int_equal(modal->node_count, 0);
    assert_int_equal(modal->interface_count, 1);
    assert_string_equal(modal->interfaces[0].name, "tip");
    assert_memory_equal(modal->interfaces[0].at, at, sizeof at);
    assert_memory_equal(modal->interfaces[0].shape, shape, sizeof shape);
    zv_builder_destroy(builder);
}

static const char node_data[] = "      stiffness: [5]\n"
                                "      damping: {ratio: 0.1, ratios: [0.2], rayleigh: {stiffness: 0.3}, matrix: [4]}\n"
                                "      nodes:\n"
                                "        - {at: [1, 0, 0], mass: 2, inertia: [1, 2, 3], shape: [[0, 1, 0]]}\n"
                                "        - {at: [2, 0, 0], mass: 3, inertia: [1, 2, 3, 4, 5, 6], shape: [[0, 2, 0, 0, "
                                "0, 1]]}\n";

static void check_nodes(const zvModal *modal) {
    const double three[] = {1, 0, 0, 2, 0, 3}, six[] = {1, 2, 3, 4, 5, 6};
    const double first[] = {0, 1, 0, 0, 0, 0}, second[] = {0, 2, 0, 0, 0, 1};
    assert_non_null(modal);
    assert_null(modal->names);
    assert_null(modal->mass);
    assert_null(modal->translation);
    assert_true(modal->stiffness[0] == 5 && modal->damping_matrix[0] == 4);
    assert_true(modal->damping.ratio == 0.1 && modal->damping.stiffness_factor == 0.3);
    assert_true(modal->damping.count == 1 && modal->damping.ratios[0] == 0.2);
    assert_int_equal(modal->node_count, 2);
    assert_true(modal->nodes[0].mass == 2 && modal->nodes[1].mass == 3 && modal->nodes[1].at[0] == 2);
    assert_memory_equal(modal->nodes[0].moment, three, sizeof three);
    assert_memory_equal(modal->nodes[1].moment, six, sizeof six);
    assert_memory_equal(modal->nodes[0].shape, first, sizeof first);
    assert_memory_equal(modal->nodes[1].shape, second, sizeof second);
}

static void modal_nodes(void **state) {
    (void)state;
    char text[900];
    snprintf(text, sizeof text, "zveno: 1\nlinks:\n  - name: panel\n    modal:\n%s", node_data);
    zvBuilder *builder = read_text(text);
    check_nodes(link_of(builder, "panel")->modal);
    zv_builder_destroy(builder);
}

/* The same data in a file beside the robot; what is wrong in it is told with its own name. */
static void modal_data_in_a_file(void **state) {
    (void)state;
    const char *path = ZV_BINARY_DIR "/modal_of_panel.yaml", *bad = ZV_BINARY_DIR "/modal_of_nothing.yaml";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(node_data, file);
    fclose(file);
    zvBuilder *builder = zv_builder_create(NULL);
    read_into(builder, ZV_BINARY_DIR "/robot.yaml",
              "zveno: 1\nlinks: [{name: panel, modal: {file: modal_of_panel.yaml}}]\n");
    check_nodes(link_of(builder, "panel")->modal);
    assert_int_equal(link_of(builder, "panel")->elastic_spot.line, 2);
    zv_builder_destroy(builder);

    file = fopen(bad, "w");
    fputs("stiffness: [1]\nmas: [1]\n", file);
    fclose(file);
    static const char robot[] = "zveno: 1\nlinks: [{name: panel, modal: {file: modal_of_nothing.yaml}}]\n";
    zvError error = {0};
    builder = zv_builder_create(NULL);
    assert_int_equal(zi_native_read(builder, ZV_BINARY_DIR "/robot.yaml", robot, sizeof robot - 1, &error), ZV_SCHEMA);
    assert_string_equal(error.file, bad);
    assert_int_equal(error.line, 2);
    assert_string_equal(error.token, "mas");
    assert_non_null(strstr(error.text, "did you mean \"mass\"?"));
    zv_builder_destroy(builder);
    remove(path);
    remove(bad);
}

/* Modify ------------------------------------------------------------------------------------------ */

static const char forearm[] = "<robot name=\"arm\"><link name=\"base\"/>"
                              "<link name=\"forearm\"><inertial><origin xyz=\"1 0 0\"/><mass value=\"2.5\"/>"
                              "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>"
                              "<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"forearm\"/>"
                              "</joint></robot>";

static zvStatus modify(zvBuilder *builder, const char *keys, zvError *error) {
    char text[400];
    snprintf(text, sizeof text, "zveno: 1\nmodify: {links: [{name: forearm, %s}]}\n", keys);
    assert_int_equal(zv_read_memory(builder, "arm.urdf", forearm, sizeof forearm - 1, ZV_FORMAT_URDF, error), ZV_OK);
    return zi_native_read(builder, "robot.yaml", text, strlen(text), error);
}

static void an_included_link_becomes_elastic(void **state) {
    (void)state;
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_int_equal(modify(builder, "mass: 0, beam: {length: 2, EI: 3, rhoA: 4, modes: 1}", &error), ZV_OK);
    const zvLink *link = link_of(builder, "forearm");
    const zvInertia none = {0};
    assert_memory_equal(&link->inertia, &none, sizeof none);
    assert_false(link->has_inertia);
    assert_true(link->beam && link->beam->EIz == 3);
    assert_string_equal(link->mark.file, "robot.yaml");
    assert_int_equal(link->elastic_spot.column, 49);
    /* a second change needs no word about the mass: what is there is a rigid part already */
    read_into(builder, "again.yaml",
              "zveno: 1\nmodify: {links: [{name: forearm, modal: {stiffness: [1], mass: [1]}}]}\n");
    assert_true(!link_of(builder, "forearm")->beam && link_of(builder, "forearm")->modal);
    zv_builder_destroy(builder);
}

static void what_stays_of_an_included_inertia(void **state) {
    (void)state;
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_int_equal(modify(builder, "mass: 2.5, beam: {length: 2, rhoA: 4}", &error), ZV_OK);
    const zvLink *link = link_of(builder, "forearm");
    assert_true(link->inertia.mass == 2.5 && link->inertia.com[0] == 1 && link->inertia.moment[3] == 1);
    zv_builder_destroy(builder);
    /* without nodes the inertia of the link is the whole */
    builder = zv_builder_create(&error);
    assert_int_equal(modify(builder, "modal: {stiffness: [1], mass: [1]}", &error), ZV_OK);
    link = link_of(builder, "forearm");
    assert_true(link->modal && link->inertia.mass == 2.5 && link->inertia.com[0] == 1);
    zv_builder_destroy(builder);
    builder = zv_builder_create(&error);
    assert_int_equal(modify(builder, "beam: {length: 2, rhoA: 4}", &error), ZV_SCHEMA);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 40);
    assert_non_null(strstr(error.text, "add mass: 0 when that was the same mass, or mass: 2.5 to keep it"));
    zv_builder_destroy(builder);
}

TESTS(numbers_of_a_beam, what_is_not_said, every_word_for_shapes, material_and_section, poisson_twist_and_shear,
      spots_and_rigid_parts, modal_integrals, modal_nodes, modal_data_in_a_file, an_included_link_becomes_elastic,
      what_stays_of_an_included_inertia)
