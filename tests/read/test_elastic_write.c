/* The writer of elastic links: read(write(x)) is x bit by bit for random beams and modal data with extreme numbers and
 * for the elastic robots of models/; writing is idempotent. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "support/same_description.h"
#include "zveno/read.h"

enum { MOST = 5, PLACES = 3 }; /* modes; nodes and interfaces of a random link */

typedef struct Text {
    char *bytes;
    size_t size;
} Text;

static bool append(void *context, const char *text, size_t size) {
    Text *all = context;
    char *bytes = realloc(all->bytes, all->size + size + 1);
    if (!bytes) return false;
    memcpy(bytes + all->size, text, size);
    all->bytes = bytes;
    all->size += size;
    bytes[all->size] = '\0';
    return true;
}

static Text write_text(zvBuilder *builder) {
    Text text = {0};
    zvError error = {0};
    if (zv_write_native(builder, append, &text, &error) != ZV_OK) fail_msg("%s", error.text);
    return text;
}

/* Comparison -------------------------------------------------------------------------------------- */

static void same_numbers(const double *a, const double *b, int count, const char *what) {
    if (!a != !b) fail_msg("%s is there once only", what);
    if (a && memcmp(a, b, (size_t)count * sizeof *a) != 0) fail_msg("%s differs", what);
}

static void same_damping(const zvElasticDamping *a, const zvElasticDamping *b) {
    const double x[3] = {a->ratio, a->mass_factor, a->stiffness_factor};
    const double y[3] = {b->ratio, b->mass_factor, b->stiffness_factor};
    same_numbers(x, y, 3, "damping");
    assert_int_equal(a->count, b->count);
    same_numbers(a->ratios, b->ratios, a->count, "ratios");
}

static void same_beam(const zvBeam *a, const zvBeam *b) {
    const size_t numbers = offsetof(zvBeam, shapes); /* length ... kGAz are doubles in a row */
    same_numbers(&a->length, &b->length, (int)(numbers / sizeof(double)), "a number of a beam");
    assert_int_equal(a->shapes, b->shapes);
    assert_memory_equal(a->modes, b->modes, sizeof a->modes);
    same_numbers(&a->tip_mass, &b->tip_mass, 1, "tip_mass");
    same_numbers(&a->tip_inertia, &b->tip_inertia, 1, "tip_inertia");
    assert_int_equal(a->rotary, b->rotary);
    assert_int_equal(a->stiffening, b->stiffening);
    same_damping(&a->damping, &b->damping);
}

static void same_modal(const zvModal *a, const zvModal *b) {
    const int n = a->count;
    assert_int_equal(n, b->count);
    assert_int_equal(!a->names, !b->names);
    for (int i = 0; a->names && i < n; i++) assert_string_equal(a->names[i], b->names[i]);
    same_numbers(a->mass, b->mass, n * n, "mass");
    same_numbers(a->stiffness, b->stiffness, n * n, "stiffness");
    same_numbers(a->damping_matrix, b->damping_matrix, n * n, "damping matrix");
    same_damping(&a->damping, &b->damping);
    same_numbers(a->translation, b->translation, 3 * n, "translation");
    same_numbers(a->rotation, b->rotation, 3 * n, "rotation");
    assert_int_equal(a->node_count, b->node_count);
    for (int i = 0; i < a->node_count; i++) {
        same_numbers(a->nodes[i].at, b->nodes[i].at, 3, "place of a node");
        same_numbers(&a->nodes[i].mass, &b->nodes[i].mass, 1, "mass of a node");
        same_numbers(a->nodes[i].moment, b->nodes[i].moment, 6, "inertia of a node");
        same_numbers(a->nodes[i].shape, b->nodes[i].shape, 6 * n, "shape of a node");
    }
    assert_int_equal(a->interface_count, b->interface_count);
    for (int i = 0; i < a->interface_count; i++) {
        assert_string_equal(a->interfaces[i].name, b->interfaces[i].name);
        same_numbers(a->interfaces[i].at, b->interfaces[i].at, 3, "place of an interface");
        same_numbers(a->interfaces[i].shape, b->interfaces[i].shape, 6 * n, "shape of an interface");
    }
}

/* Returns the number of elastic links. */
static int check_round_trip(zvBuilder *builder) {
    zvError error = {0};
    char line[900], difference[200];
    Text first = write_text(builder);
    zvBuilder *copy = zv_builder_create(&error);
    if (zv_read_memory(copy, "written.yaml", first.bytes, first.size, ZV_FORMAT_NATIVE, &error) != ZV_OK)
        fail_msg("%s\n%s", zv_error_line(&error, line, sizeof line), first.bytes);
    if (!same_description(builder, copy, difference, sizeof difference)) fail_msg("%s", difference);
    int count = 0;
    for (int i = 0; i < zv_builder_nlink(builder); i++) {
        const zvLink *a = zv_builder_link(builder, i), *b = zv_builder_link(copy, i);
        assert_int_equal(!a->beam, !b->beam);
        assert_int_equal(!a->modal, !b->modal);
        if (a->beam) same_beam(a->beam, b->beam);
        if (a->modal) same_modal(a->modal, b->modal);
        count += a->beam || a->modal;
    }
    Text second = write_text(copy);
    assert_string_equal(first.bytes, second.bytes);
    free(first.bytes);
    free(second.bytes);
    zv_builder_destroy(copy);
    return count;
}

/* Random links ------------------------------------------------------------------------------------ */

static int between(rtRandom *random, int first, int last) { return first + rt_below(random, last - first + 1); }

static double any_number(rtRandom *random) {
    static const double odd[] = {0, -0.0, 1, -1, 1e-310, 1.7976931348623157e308, 1.0 / 3, 6.895e10};
    const int pick = between(random, 0, 15);
    return pick < 8 ? odd[pick] : rt_uniform(random, -1, 1) * pow(10, between(random, -12, 12));
}

static void any_numbers(rtRandom *random, double *values, int count) {
    for (int i = 0; i < count; i++) values[i] = any_number(random);
}

static bool now_and_then(rtRandom *random) { return rt_chance(random, 0.5); }

static zvElasticDamping any_damping(rtRandom *random, int modes, double *ratios) {
    zvElasticDamping damping = {0};
    if (now_and_then(random)) return damping;
    if (now_and_then(random)) damping.ratio = any_number(random);
    if (now_and_then(random)) damping.mass_factor = any_number(random);
    if (now_and_then(random)) damping.stiffness_factor = any_number(random);
    damping.count = between(random, 0, modes);
    any_numbers(random, ratios, damping.count);
    damping.ratios = ratios;
    return damping;
}

static void add_beam(zvBuilder *builder, rtRandom *random, const char *name) {
    zvBeam beam = zv_beam_default();
    double ratios[4 * MOST], *const numbers[] = {&beam.length, &beam.EIy,   &beam.EIz,   &beam.GJ,   &beam.EA,
                                                 &beam.rhoA,   &beam.rhoIy, &beam.rhoIz, &beam.kGAy, &beam.kGAz};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) *numbers[i] = any_number(random);
    if (now_and_then(random)) any_numbers(random, beam.start, 3);
    if (now_and_then(random)) any_numbers(random, beam.axis, 3);
    int modes = 0;
    for (int i = 0; i < ZV_BEAM_MOTIONS; i++) modes += beam.modes[i] = between(random, 0, MOST);
    beam.shapes = (zvShapes)between(random, 0, ZV_SHAPES_COUNT - 1);
    if (beam.shapes == ZV_SHAPES_CLAMPED_TIP_MASS) {
        beam.tip_mass = any_number(random);
        beam.tip_inertia = any_number(random);
    }
    beam.rotary = now_and_then(random);
    beam.stiffening = (zvStiffening)between(random, 0, 2);
    beam.damping = any_damping(random, modes, ratios);
    zvLink link = zv_link_default(name);
    link.beam = &beam;
    if (now_and_then(random)) link.inertia.mass = 3;
    assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
}

/* Full or diagonal. */
static const double *any_square(rtRandom *random, double *A, int n) {
    const bool diagonal = now_and_then(random);
    any_numbers(random, A, n * n);
    for (int i = 0; diagonal && i < n * n; i++) {
        if (i % (n + 1) != 0) A[i] = 0;
    }
    return A;
}

static const double *any_shape(rtRandom *random, double *shape, int n) {
    const bool turns = now_and_then(random);
    any_numbers(random, shape, 6 * n);
    for (int i = 0; !turns && i < n; i++) memset(shape + 6 * i + 3, 0, 3 * sizeof *shape);
    return shape;
}

typedef struct ModalArrays {
    double M[MOST * MOST], K[MOST * MOST], D[MOST * MOST], ratios[MOST], along[3 * MOST], about[3 * MOST];
    double node_shapes[PLACES][6 * MOST], interface_shapes[PLACES][6 * MOST];
    zvModalNode nodes[PLACES];
    zvModalInterface interfaces[PLACES];
} ModalArrays;

static void any_places(rtRandom *random, ModalArrays *buffer, int n, zvModal *modal) {
    for (int i = 0; i < PLACES; i++) {
        any_numbers(random, buffer->nodes[i].at, 3);
        buffer->nodes[i].mass = any_number(random);
        if (now_and_then(random)) any_numbers(random, buffer->nodes[i].moment, 6);
        buffer->nodes[i].shape = any_shape(random, buffer->node_shapes[i], n);
        buffer->interfaces[i].name = i == 0 ? "tip" : i == 1 ? "1e3" : "a \"b\": {c}";
        any_numbers(random, buffer->interfaces[i].at, 3);
        buffer->interfaces[i].shape = any_shape(random, buffer->interface_shapes[i], n);
    }
    modal->nodes = buffer->nodes;
    modal->node_count = now_and_then(random) ? between(random, 1, PLACES) : 0;
    modal->interfaces = buffer->interfaces;
    modal->interface_count = between(random, 0, PLACES);
}

static void add_modal(zvBuilder *builder, rtRandom *random, const char *name) {
    static const char *const names[MOST] = {"first", "on", "3", "x: y", "последний"};
    ModalArrays buffer = {0};
    const int n = between(random, 1, MOST);
    zvModal modal = {.count = n, .stiffness = any_square(random, buffer.K, n)};
    if (now_and_then(random)) modal.names = names;
    if (now_and_then(random)) modal.damping_matrix = any_square(random, buffer.D, n);
    modal.damping = any_damping(random, n, buffer.ratios);
    any_places(random, &buffer, n, &modal);
    if (modal.node_count == 0 || now_and_then(random)) modal.mass = any_square(random, buffer.M, n);
    any_numbers(random, buffer.along, 3 * n);
    any_numbers(random, buffer.about, 3 * n);
    if (modal.node_count == 0 && now_and_then(random)) modal.translation = buffer.along;
    if (modal.node_count == 0 && now_and_then(random)) modal.rotation = buffer.about;
    zvLink link = zv_link_default(name);
    link.modal = &modal;
    assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
}

static void random_elastic_links_survive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        rtRandom random = {seed};
        zvBuilder *builder = zv_builder_create(NULL);
        add_beam(builder, &random, "beam");
        add_modal(builder, &random, "modal");
        zvShape shape = zv_shape_default("modal", ZV_SHAPE_SPHERE); /* a list may follow the block */
        shape.size[0] = 1;
        assert_int_equal(zv_builder_add_shape(builder, &shape, NULL), ZV_OK);
        add_beam(builder, &random, "last");
        print_message("seed %llu\r", (unsigned long long)seed);
        assert_int_equal(check_round_trip(builder), 3);
        zv_builder_destroy(builder);
    }
}

static void elastic_robots_of_the_library_survive(void **state) {
    (void)state;
    static const char *const files[] = {"flexible_arm.yaml", "flexible_panel.yaml"};
    static const int elastic[] = {2, 1};
    for (int i = 0; i < 2; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/models/%s", ZV_SOURCE_DIR, files[i]);
        zvBuilder *builder = zv_builder_create(NULL);
        zvError error = {0};
        if (zv_read_file(builder, path, ZV_FORMAT_AUTO, &error) != ZV_OK) fail_msg("%s: %s", path, error.text);
        assert_int_equal(check_round_trip(builder), elastic[i]);
        zv_builder_destroy(builder);
    }
}

/* The text itself --------------------------------------------------------------------------------- */

static void written_text_reads_well(void **state) {
    (void)state;
    static const char text[] = "# A robot in Zveno's native format: SI units, radians, Z up, quaternions x y z w.\n"
                               "zveno: 1\n"
                               "name: robot\n"
                               "gravity: [0, 0, -9.81]\n"
                               "base: fixed\n"
                               "links:\n"
                               "  - name: boom\n"
                               "    mass: 2\n"
                               "    beam:\n"
                               "      length: 4\n"
                               "      EIy: 10\n"
                               "      EIz: 20\n"
                               "      GJ: 0\n"
                               "      EA: 0\n"
                               "      rhoA: 3\n"
                               "      shapes: clamped-free\n"
                               "      modes: {y: 2, twist: 1}\n"
                               "      stiffening: \"off\"\n"
                               "      damping: {ratio: 0.01, rayleigh: {stiffness: 0.001}}\n"
                               "  - name: panel\n"
                               "    modal:\n"
                               "      stiffness: [\n"
                               "        [3, 1],\n"
                               "        [1, 2]]\n"
                               "      damping: [0.1, 0.2]\n"
                               "      nodes:\n"
                               "        - {at: [1, 0, 0], mass: 1.5, shape: [\n"
                               "            [0, 0, 1],\n"
                               "            [0, 1, 0]]}\n"
                               "    shapes:\n"
                               "      - {kind: sphere, radius: 0.05}\n";
    zvBuilder *builder = zv_builder_create(NULL);
    zvError error = {0};
    char line[900];
    if (zv_read_memory(builder, "robot.yaml", text, sizeof text - 1, ZV_FORMAT_NATIVE, &error) != ZV_OK)
        fail_msg("%s", zv_error_line(&error, line, sizeof line));
    Text written = write_text(builder);
    assert_string_equal(written.bytes, text);
    free(written.bytes);
    zv_builder_destroy(builder);
}

/* Ratios of modes that are not there say nothing. */
static void what_says_nothing_is_not_written(void **state) {
    (void)state;
    const double ratios[3] = {0.1, 0.2, 0.3};
    zvBeam beam = zv_beam_default();
    beam.rhoA = beam.EIz = 1;
    beam.modes[ZV_BEAM_BEND_Y] = 2;
    beam.tip_mass = 5; /* the shapes are powers */
    beam.damping = (zvElasticDamping){.count = 3, .ratios = ratios};
    zvLink link = zv_link_default("boom");
    link.beam = &beam;
    zvBuilder *builder = zv_builder_create(NULL);
    assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
    Text text = write_text(builder);
    assert_null(strstr(text.bytes, "tip_mass"));
    assert_non_null(strstr(text.bytes, "damping: {ratios: [0.1, 0.2]}\n"));
    free(text.bytes);
    zv_builder_destroy(builder);
}

TESTS(random_elastic_links_survive, elastic_robots_of_the_library_survive, written_text_reads_well,
      what_says_nothing_is_not_written)
