/* The model of a page: ellipsoids against the moments they have, meshes in the places where they may be, shapes,
 * sections of elastic links, mimic chains. Poses are compared with the engine's by viewer/test. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "page/parts.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "transcript.h"
#include "zveno/builder.h"
#include "zveno/read.h"

static const uint64_t seed = 40917;

/* R diag(x) R^T as xx xy xz yy yz zz */
static void turned(const double R[9], const double x[3], double out[6]) {
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++) out[i] += R[3 * row[i] + k] * x[k] * R[3 * column[i] + k];
    }
}

static double determinant(const double R[9]) {
    return R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

/* The moments of the ellipsoid that is found are those that were given. */
static void expect_ellipsoid(const zvInertia *given) {
    zvPose pose;
    double a[3], moments[6];
    assert_true(page_ellipsoid(given, &pose, a));
    const double k = given->mass / 5;
    const double principal[3] = {k * (a[1] * a[1] + a[2] * a[2]), k * (a[0] * a[0] + a[2] * a[2]),
                                 k * (a[0] * a[0] + a[1] * a[1])};
    const double largest = fmax(fmax(principal[0], principal[1]), principal[2]);
    turned(pose.R, principal, moments);
    for (int i = 0; i < 6; i++)
        if (!(fabs(moments[i] - given->moment[i]) <= 1e-14 * largest))
            fail_msg("moment %d: %.17g, not %.17g", i, moments[i], given->moment[i]);
    assert_true(fabs(determinant(pose.R) - 1) < 1e-14);
    assert_memory_equal(pose.p, given->com, sizeof pose.p);
}

static void ellipsoids_have_the_moments(void **state) {
    (void)state;
    rtRandom random = {seed};
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 200; i++) {
        zvInertia inertia = {.mass = rt_decades(&random, -3, 3), .com = {1, 2, 3}};
        double a[3], rpy[3];
        for (int k = 0; k < 3; k++) a[k] = rt_decades(&random, -2, 1);
        rt_vector(&random, 3, 3, rpy);
        if (i % 10 == 0) a[1] = a[0];         /* a body of revolution */
        if (i % 20 == 0) a[2] = a[0];         /* a ball */
        if (i % 10 == 5) rpy[0] = rpy[1] = 0; /* along an axis */
        const double k = inertia.mass / 5, x = a[0] * a[0], y = a[1] * a[1], z = a[2] * a[2];
        turned(zv_pose_from_rpy(inertia.com, rpy).R, (double[]){k * (y + z), k * (x + z), k * (x + y)}, inertia.moment);
        expect_ellipsoid(&inertia);
    }
    zvPose pose;
    double axes[3];
    assert_false(page_ellipsoid(&(zvInertia){0}, &pose, axes));
    assert_true(page_ellipsoid(&(zvInertia){.mass = 1}, &pose, axes) && axes[0] == 0);
    /* a rod: no thickness; and moments that no body has */
    assert_true(page_ellipsoid(&(zvInertia){1, {0}, {0, 0, 0, 0.2, 0, 0.2}}, &pose, axes));
    assert_true(fabs(axes[0] - 1) < 1e-15 && axes[1] == 0 && axes[2] == 0);
    assert_true(page_ellipsoid(&(zvInertia){1, {0}, {9, 0, 0, 1, 0, 1}}, &pose, axes) && axes[0] == 0 && axes[1] > 0);
}

/* A model of the folder of the test, as a page tells it. */
typedef struct Told {
    zvDocument *document;
    const zvNode *model;
    PageProblems problems;
} Told;

static zvModel *model_of(const char *path) {
    zvError error = {0};
    zvBuilder *b = zv_builder_create(&error);
    zvModel *model = NULL;
    if (zv_read_file(b, path, ZV_FORMAT_AUTO, &error) < 0 || zv_builder_freeze(b, &model, &error) < 0)
        fail_msg("%s: %s", path, error.text);
    zv_builder_destroy(b);
    return model;
}

static Told tell(const char *path, const char *meshes) {
    const PageMeshes where = {.model = path, .folders = &meshes, .folder_count = meshes ? 1 : 0};
    zvModel *model = model_of(path);
    Told told = {0};
    Text text = {0};
    Json json = json_start(&text);
    zvError error = {0};
    assert_int_equal(page_model_json(model, &where, &json, &told.problems, &error), ZV_OK);
    assert_false(text.not_finite);
    if (zv_document_read_memory("model", text.bytes, text.size, &told.document, &error) < 0) fail_msg("%s", error.text);
    told.model = zv_document_root(told.document);
    text_free(&text);
    zv_model_destroy(model);
    return told;
}

static void told_free(Told *told) {
    page_problems_free(&told->problems);
    zv_document_destroy(told->document);
}

static double number(const zvNode *node, const char *path) {
    double value = NAN;
    if (zv_node_number(node_at(node, path), path, &value, NULL) < 0) fail_msg("%s is no number", path);
    return value;
}

static const char *in_folder(const char *name, char path[512]) {
    snprintf(path, 512, "%s/%s", folder, name);
    return path;
}

static void make_folders(void) {
    static const char *const names[] = {"arm_description", "arm_description/urdf", "arm_description/meshes", "other"};
    char path[512];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) mkdir(in_folder(names[i], path), 0700);
    put_file("arm_description/meshes/part.obj", "v 0 0 0\nv 4 0 0\nv 0 3 0\nf 1 2 3\n");
    put_file("other/loose.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n");
    put_file("other/broken.stl", "solid\nfacets\n");
    put_file("other/scene.ply", "ply");
}

#define LINK(name, visual, collision)                                                               \
    "<link name=\"" name "\"><visual><geometry><mesh filename=\"" visual "\"/></geometry></visual>" \
    "<collision><geometry>" collision "</geometry></collision></link>"
#define JOINT(parent, child) \
    "<joint name=\"to_" child "\" type=\"fixed\"><parent link=\"" parent "\"/><child link=\"" child "\"/></joint>"
#define BALL "<sphere radius=\"0.5\"/>"

static void expect_mesh(const Told *told, int link, int mesh, int problems) {
    char path[64];
    snprintf(path, sizeof path, "links.%d.shapes", link);
    const zvNode *shapes = node_at(told->model, path);
    assert_int_equal(shapes->count, 1);
    assert_string_equal(node_at(shapes, "0.kind")->text, mesh >= 0 ? "mesh" : "sphere");
    if ((int)number(shapes, "0.mesh") != mesh)
        fail_msg("link %d: mesh %g, not %d", link, number(shapes, "0.mesh"), mesh);
    if (told->problems.count != problems)
        fail_msg("%d problems, the first: %s", told->problems.count, page_problem_next(&told->problems, NULL));
}

/* All ways to name one file are one mesh; what is found below --meshes is another. */
static void meshes_are_found(void **state) {
    (void)state;
    char model[512], file[1200], folder_of_meshes[512];
    make_folders();
    snprintf(file, sizeof file,
             "<robot name=\"r\">" LINK("a", "package://arm_description/meshes/part.obj", BALL)
                 LINK("b", "../meshes/part.obj", BALL) LINK("c", "file://%s/arm_description/meshes/part.obj", BALL)
                     LINK("d", "package://nowhere/loose.obj", BALL) JOINT("a", "b") JOINT("b", "c")
                         JOINT("c", "d") "</robot>",
             folder);
    put_file("arm_description/urdf/arm.urdf", file);
    in_folder("arm_description/urdf/arm.urdf", model);
    Told told = tell(model, in_folder("other", folder_of_meshes));
    for (int i = 0; i < 3; i++) expect_mesh(&told, i, 0, 0);
    expect_mesh(&told, 3, 1, 0);
    assert_int_equal(node_at(told.model, "meshes")->count, 2);
    assert_int_equal((int)number(told.model, "meshes.1.triangles"), 2);
    assert_string_equal(node_at(told.model, "meshes.0.name")->text, "package://arm_description/meshes/part.obj");
    assert_int_equal(strlen(node_at(told.model, "meshes.0.data")->text), 48); /* 36 bytes */
    assert_true(fabs(number(told.model, "size") - 5) < 1e-12);
    told_free(&told);
    told = tell(model, NULL);
    expect_mesh(&told, 3, -1, 1);
    assert_non_null(
        strstr(page_problem_next(&told.problems, NULL), "mesh package://nowhere/loose.obj of link d is not found"));
    told_free(&told);
}

/* The kind of a file is told by the name that the model writes, whatever a link leads to. */
static void links_keep_their_names(void **state) {
    (void)state;
    char model[512], blob[512], link[512];
    make_folders();
    put_file("other/blob", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    in_folder("other/blob", blob);
    remove(in_folder("other/linked.obj", link));
    assert_int_equal(symlink(blob, link), 0);
    remove(in_folder("other/again.obj", link));
    assert_int_equal(symlink(blob, link), 0);
    remove(in_folder("other/wrong.stl", link));
    assert_int_equal(symlink(blob, link), 0);
    put_file("other/links.urdf", "<robot name=\"r\">" LINK("a", "linked.obj", BALL) LINK("b", "again.obj", BALL)
                                     LINK("c", "wrong.stl", BALL) JOINT("a", "b") JOINT("a", "c") "</robot>");
    Told told = tell(in_folder("other/links.urdf", model), NULL);
    for (int i = 0; i < 2; i++) expect_mesh(&told, i, 0, 1);
    expect_mesh(&told, 2, -1, 1);
    assert_int_equal(node_at(told.model, "meshes")->count, 1);
    assert_non_null(strstr(page_problem_next(&told.problems, NULL), "mesh wrong.stl of link c"));
    told_free(&told);
}

/* A file that cannot be drawn is told once; the shapes for collisions stand for the visual ones. */
static void what_cannot_be_drawn_is_told(void **state) {
    (void)state;
    char model[512];
    make_folders();
    put_file("other/bad.urdf", "<robot name=\"r\">" LINK("a", "broken.stl", BALL) LINK("b", "broken.stl", BALL)
                                   LINK("c", "scene.ply", BALL) LINK("&lt;img&gt;", "loose.obj", BALL) JOINT("a", "b")
                                       JOINT("a", "c") JOINT("a", "&lt;img&gt;") "</robot>");
    Told told = tell(in_folder("other/bad.urdf", model), NULL);
    const char *first = page_problem_next(&told.problems, NULL), *second = page_problem_next(&told.problems, first);
    for (int i = 0; i < 3; i++) expect_mesh(&told, i, -1, 2);
    expect_mesh(&told, 3, 0, 2);
    assert_string_equal(node_at(told.model, "links.3.name")->text, "<img>");
    assert_true(strstr(first, "broken.stl:2:1:") && strstr(first, "of link a"));
    assert_non_null(strstr(second, ".stl, .obj, .dae, .glb, .gltf or .msh"));
    told_free(&told);
}

static void many_problems_are_counted(void **state) {
    (void)state;
    char model[512], line[200];
    Text text = {0};
    text_puts(&text, "zveno: 1\nlinks:\n  - name: base\n    shapes:\n");
    for (int i = 0; i < 25; i++) {
        snprintf(line, sizeof line, "      - {kind: mesh, file: missing%d.stl}\n", i);
        text_puts(&text, line);
    }
    put_file("many.yaml", text.bytes);
    text_free(&text);
    Told told = tell(in_folder("many.yaml", model), NULL);
    assert_int_equal(told.problems.count, 1); /* what is missing is one line */
    assert_non_null(
        strstr(page_problem_next(&told.problems, NULL), "missing0.stl of link base is not found (and 24 more)"));
    assert_int_equal(node_at(told.model, "links.0.shapes")->count, 0);
    told_free(&told);
}

static void followers_point_at_the_last_master(void **state) {
    (void)state;
    char model[512];
    put_file(
        "chain.yaml",
        "zveno: 1\nlinks: [{name: base}, {name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, "
        "1]}, {name: c, mass: 1, inertia: [1, 1, 1]}]\n"
        "joints:\n"
        "  - {name: jc, type: revolute, parent: base, child: c, axis: [0, 0, 4], mimic: {joint: jb, ratio: 3, offset: "
        "1}}\n"
        "  - {name: jb, type: revolute, parent: base, child: b, axis: [0, 1, 0], mimic: {joint: ja, ratio: -2, offset: "
        "0.5}}\n"
        "  - {name: ja, type: revolute, parent: base, child: a, axis: [1, 0, 0], limits: {lower: -1, upper: 2}}\n");
    Told told = tell(in_folder("chain.yaml", model), NULL);
    assert_true(number(told.model, "joints.0.mimic") == 2 && number(told.model, "joints.0.ratio") == -6);
    assert_true(number(told.model, "joints.0.offset") == 2.5 && number(told.model, "joints.0.axis.2") == 1);
    assert_true(number(told.model, "joints.1.mimic") == 2 && number(told.model, "joints.1.q") == 0);
    assert_true(number(told.model, "joints.2.mimic") == -1 && number(told.model, "joints.2.upper.0") == 2);
    told_free(&told);
}

/* Sections of beams run from root to tip; those of the panel from its root over its nodes to its tip. */
static void sections_run_along(void **state) {
    (void)state;
    Told told = tell(ZV_SOURCE_DIR "/models/spin_beam.yaml", NULL);
    const zvNode *elastic = node_at(told.model, "links.1.elastic");
    const zvNode *sections = node_at(elastic, "sections");
    assert_int_equal(sections->count, 33);
    for (int i = 0; i < 33; i++) {
        char path[32];
        snprintf(path, sizeof path, "%d.at.0", i);
        assert_true(fabs(number(sections, path) - 10.0 * i / 32) < 1e-13);
    }
    assert_true(fabs(number(sections, "32.d.1") - 1) < 1e-12); /* shapes are one at the tip */
    assert_true(fabs(number(elastic, "radius.0") - sqrt(3 * 6e-4 / 1.2)) < 1e-15);
    told_free(&told);
    told = tell(ZV_SOURCE_DIR "/models/flexible_panel.yaml", NULL);
    elastic = node_at(told.model, "links.2.elastic");
    sections = node_at(elastic, "sections");
    assert_int_equal(sections->count, 6);
    assert_true(number(sections, "0.at.0") == 0 && number(sections, "0.d.2") == 0);
    assert_true(fabs(number(sections, "2.at.0") - 0.75) < 1e-15 && fabs(number(sections, "2.at.1")) < 1e-15);
    assert_true(fabs(number(sections, "2.d.2") - 0.184570312) < 1e-15 &&
                fabs(number(sections, "2.r.3") - 0.375) < 1e-15);
    assert_true(number(sections, "5.at.0") == 2 && number(sections, "5.d.2") == 1);
    assert_true(fabs(number(elastic, "radius.0") - 0.3) < 1e-15 &&
                fabs(number(elastic, "radius.1") - 2.0 / 60) < 1e-15);
    told_free(&told);
}

TESTS_BETWEEN(make_folder, remove_folder, ellipsoids_have_the_moments, meshes_are_found, links_keep_their_names,
              what_cannot_be_drawn_is_told, many_problems_are_counted, followers_point_at_the_last_master,
              sections_run_along)
