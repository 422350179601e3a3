/* The writers of URDF and MJCF: a robot that is written and read again has the same coordinates, mass matrix, bias and
 * poses, and the same loops; what is lost is told. Random trees and the robots of models/. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "support/near.h"
#include "support/random_tree.h"
#include "support/run_tests.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"
#include "zveno/read.h"
#include "zveno/work.h"

static const char *const words[] = {"auto", "urdf", "native", "mjcf"};

typedef struct Written {
    char *bytes;
    size_t size;
    char lost[2048]; /* " token" of each warning */
} Written;

static bool append(void *to, const char *text, size_t size) {
    Written *out = to;
    out->bytes = realloc(out->bytes, out->size + size + 1);
    assert_non_null(out->bytes);
    memcpy(out->bytes + out->size, text, size);
    out->size += size;
    out->bytes[out->size] = '\0';
    return true;
}

static void note_loss(void *to, const zvRemark *loss) {
    Written *out = to;
    assert_true(strlen(loss->why) > 10 && loss->name);
    const size_t used = strlen(out->lost);
    if (loss->severity == ZV_SEVERITY_WARNING) snprintf(out->lost + used, sizeof out->lost - used, " %s", loss->token);
}

/* The builder as it is read again; *out is to be freed. */
static zvBuilder *written(const zvBuilder *builder, zvFormat format, Written *out) {
    zvError error = {0};
    double gravity[3];
    *out = (Written){0};
    if (zv_write(builder, format, append, out, note_loss, out, &error) < 0) fail_msg("%s: %s", near_case, error.text);
    zvBuilder *again = zv_builder_create(NULL);
    if (zv_read_memory(again, "again", out->bytes, out->size, ZV_FORMAT_AUTO, &error) < 0)
        fail_msg("%s: line %d: %s\n%s", near_case, error.line, error.text, out->bytes);
    zv_builder_gravity(builder, gravity);
    if (strstr(out->lost, "gravity")) zv_builder_set_gravity(again, gravity);
    zv_builder_set_mimic_coupled(again, zv_builder_mimic_coupled(builder));
    return again;
}

static zvModel *frozen(const zvBuilder *builder, const char *text) {
    zvError error = {0};
    zvModel *model;
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s: %s\n%s", near_case, error.text, text);
    return model;
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static double largest(const double *a, size_t count) {
    double most = 1e-9;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
    return most;
}

/* At two random states: M, bias, and the poses of all links and frames by name. */
static void compare_models(const zvModel *a, const zvModel *b, unsigned seed) {
    const int nq = zv_model_nq(a), nv = zv_model_nv(a);
    assert_int_equal(zv_model_nq(b), nq);
    assert_int_equal(zv_model_nv(b), nv);
    zvWork *wa = zv_work_create(a, NULL), *wb = zv_work_create(b, NULL);
    double *q = calloc((size_t)(nq + 4 * nv + 2 * nv * nv + 1), sizeof *q), *v = q + nq,
           *bias[2] = {v + nv, v + 2 * nv}, *M[2] = {v + 3 * nv, v + 3 * nv + nv * nv};
    srand(seed);
    for (int round = 0; round < 2; round++) {
        zv_neutral(a, q);
        for (int i = 0; i < nv; i++) v[i] = 2.0 * rand() / RAND_MAX - 1;
        zv_position_add(a, q, v, q);
        for (int i = 0; i < nv; i++) v[i] = 2.0 * rand() / RAND_MAX - 1;
        zv_mass_matrix(a, wa, q, M[0]), zv_mass_matrix(b, wb, q, M[1]);
        zv_bias(a, wa, q, v, bias[0]), zv_bias(b, wb, q, v, bias[1]);
        const double scale = largest(M[0], (size_t)(nv * nv)), force = largest(bias[0], (size_t)nv);
        for (int i = 0; i < nv * nv; i++) assert_element_near("M", i, M[1][i], M[0][i], 1e-12 * scale);
        for (int i = 0; i < nv; i++) assert_element_near("bias", i, bias[1][i], bias[0][i], 1e-11 * force);
        for (int f = 0; f < zv_model_nframe(a); f++) {
            const char *name = zv_model_frame(a, f).name;
            if (ends_with(name, ".parent") || ends_with(name, ".child")) continue; /* of a loop */
            const int g = zv_model_find_frame(b, name);
            if (g < 0) fail_msg("%s: frame %s is gone", near_case, name);
            zvPose p, r;
            zv_frame_pose(a, wa, q, f, &p), zv_frame_pose(b, wb, q, g, &r);
            assert_all_near(name, 3, r.p, p.p, 1e-11);
            assert_all_near(name, 9, r.R, p.R, 1e-11);
        }
    }
    zv_work_destroy(wa), zv_work_destroy(wb);
    free(q);
}

/* Losses that change what is compared. */
static bool comparable(const char *lost) {
    static const char *const changing[] = {"elastic", "flexible", "armature", "dofs", "origin"};
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
        if (strstr(lost, changing[i])) return false;
    return true;
}

static bool round_trip(const zvBuilder *builder, zvFormat format, unsigned seed) {
    Written out;
    zvBuilder *again = written(builder, format, &out);
    const bool compared = comparable(out.lost);
    if (compared) {
        zvModel *a = frozen(builder, ""), *b = frozen(again, out.bytes);
        compare_models(a, b, seed);
        zv_model_destroy(a), zv_model_destroy(b);
    }
    if (!strstr(out.lost, "loop")) assert_true(zv_builder_nloop(again) >= zv_builder_nloop(builder));
    zv_builder_destroy(again);
    free(out.bytes);
    return compared;
}

/* All joints but curves; in MJCF free joints only at the root. */
static void random_trees(void **state) {
    (void)state;
    static const zvFormat formats[] = {ZV_FORMAT_URDF, ZV_FORMAT_MJCF};
    for (int f = 0; f < 2; f++) {
        int compared = 0;
        for (unsigned seed = 1; seed <= 120; seed++) {
            rtOptions options = rt_options_default(3 + (int)(seed % 8));
            options.shape = (rtShape)(seed % 3);
            options.curves = RT_LINE;
            options.armature = seed % 2 ? 0 : 0.4;
            options.mimics = (int)(seed % 4);
            options.coupled = true;
            options.free_base = seed % 5 == 0;
            if (formats[f] == ZV_FORMAT_MJCF) options.types &= ~RT_TYPE(FREE);
            rtTree *tree = rt_tree_create(seed, &options);
            zvBuilder *builder = zv_builder_create(NULL);
            near_about("%s, seed %u", words[formats[f]], seed);
            assert_int_equal(rt_tree_add(tree, builder, NULL), ZV_OK);
            compared += round_trip(builder, formats[f], seed);
            zv_builder_destroy(builder);
            free(tree);
        }
        if (compared < 70) fail_msg("%s: %d trees compared", words[formats[f]], compared);
    }
}

/* Of the robots of models/ one has a joint along a circle, which is refused by name; elastic links are told. */
static void robots_of_the_library(void **state) {
    (void)state;
    static const zvFormat formats[] = {ZV_FORMAT_URDF, ZV_FORMAT_MJCF};
    for (int f = 0; f < 2; f++) {
        int compared = 0, refused = 0;
        DIR *folder = opendir(ZV_SOURCE_DIR "/models");
        assert_non_null(folder);
        for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
            char path[512];
            zvError error = {0};
            if (!ends_with(entry->d_name, ".yaml") && !ends_with(entry->d_name, ".urdf")) continue;
            snprintf(path, sizeof path, "%s/models/%s", ZV_SOURCE_DIR, entry->d_name);
            near_about("%s as %s", entry->d_name, words[formats[f]]);
            zvBuilder *builder = zv_builder_create(NULL);
            if (zv_read_file(builder, path, ZV_FORMAT_AUTO, &error) < 0) fail_msg("%s: %s", path, error.text);
            Written out = {0};
            const zvStatus status = zv_write(builder, formats[f], append, &out, note_loss, &out, &error);
            free(out.bytes);
            if (status >= 0) {
                compared += round_trip(builder, formats[f], 7);
            } else {
                refused++;
                assert_int_equal(status, ZV_NOT_SUPPORTED);
                if (!strstr(error.text, "joint \"")) fail_msg("%s: %s", near_case, error.text);
            }
            zv_builder_destroy(builder);
        }
        closedir(folder);
        if (compared < 20 || refused > 1)
            fail_msg("%s: %d robots compared, %d refused", words[formats[f]], compared, refused);
    }
}

/* Robots with what one format has and the other not; the warnings are these and no others. */
static void losses_are_told(void **state) {
    (void)state;
    static const struct {
        const char *text, *urdf, *mjcf;
    } cases[] = {
        {"joints: [{name: j, type: spherical, parent: base, child: arm, dofs: [{armature: 1}, {}, {}]}]",
         " dofs armature", " dofs"},
        {"joints: [{name: j, type: revolute, parent: base, child: arm, flexible: {stiffness: 9, inertia: 1, ratio: "
         "2}}]",
         " flexible", " flexible"},
        {"joints: [{name: j, type: revolute, parent: base, child: arm}]\n"
         "loops: [{name: l, type: rod, parent: base, child: arm, length: 1}]",
         " loop", " loop"},
        {"joints: [{name: j, type: revolute, parent: base, child: arm}]\n"
         "loops: [{name: l, type: coupling, terms: {j: 2}, offset: 0.1}]",
         " loop", ""},
        {"gravity: [0, 0, -1]\njoints: [{name: j, type: free, parent: base, child: arm, origin: {xyz: [1, 0, 0]}}]",
         " gravity", " origin"},
        {"joints: [{name: i, type: revolute, parent: base, child: arm}, {name: j, type: free, parent: arm, child: "
         "end}]\n"
         "frames: [{name: f, link: arm}]",
         "", NULL},
        {"joints: [{name: j, type: helical, pitch: 0.1, parent: base, child: arm}]", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        zvError error = {0};
        snprintf(text, sizeof text, "zveno: 1\nlinks: [{name: base}, {name: arm, mass: 1, inertia: [1, 1, 1]}%s]\n%s",
                 strstr(cases[i].text, "end") ? ", {name: end, mass: 1, inertia: [1, 1, 1]}" : "", cases[i].text);
        for (int f = 0; f < 2; f++) {
            const char *expected = f ? cases[i].mjcf : cases[i].urdf;
            zvBuilder *builder = zv_builder_create(NULL);
            Written out = {0};
            if (zv_read_memory(builder, "text", text, strlen(text), ZV_FORMAT_NATIVE, &error) < 0)
                fail_msg("case %zu: %s", i, error.text);
            const zvStatus status =
                zv_write(builder, f ? ZV_FORMAT_MJCF : ZV_FORMAT_URDF, append, &out, note_loss, &out, &error);
            if ((status < 0) != !expected) fail_msg("case %zu, %d: %s", i, f, error.text);
            if (expected) assert_string_equal(out.lost, expected);
            free(out.bytes);
            zv_builder_destroy(builder);
        }
    }
}

/* A joint that follows a fixed one stands where the relation puts it. */
static void held_joints(void **state) {
    (void)state;
    const char *text = "zveno: 1\nlinks: [{name: base}, {name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, "
                       "inertia: [1, 1, 1]},\n"
                       "  {name: c, mass: 1, com: [1, 0, 0], inertia: [1, 2, 3]}]\njoints:\n"
                       "  - {name: i, type: revolute, parent: base, child: a, axis: [0, 1, 0]}\n"
                       "  - {name: f, type: fixed, parent: a, child: b, origin: {xyz: [1, 0, 0]}}\n"
                       "  - {name: j, type: revolute, parent: b, child: c, mimic: {joint: f, ratio: 2, offset: 0.5}}\n";
    for (int f = 0; f < 2; f++) {
        zvBuilder *builder = zv_builder_create(NULL);
        assert_int_equal(zv_read_memory(builder, "text", text, strlen(text), ZV_FORMAT_NATIVE, NULL), ZV_OK);
        near_about("held joints");
        assert_true(round_trip(builder, f ? ZV_FORMAT_MJCF : ZV_FORMAT_URDF, 3));
        zv_builder_destroy(builder);
    }
}

/* Names with letters that XML knows survive; control characters are refused. */
static void odd_names(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++) {
        zvBuilder *builder = zv_builder_create(NULL);
        zvLink link = zv_link_default("a<b>&\"c\" é");
        zvError error = {0};
        Written out = {0};
        assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
        near_about("names");
        zvBuilder *again = written(builder, f ? ZV_FORMAT_MJCF : ZV_FORMAT_URDF, &out);
        assert_true(zv_builder_find_link(again, link.name) >= 0);
        free(out.bytes);
        zv_builder_destroy(again);
        link.name = "bell\a";
        assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
        zvJoint joint = zv_joint_default("j", ZV_JOINT_FIXED, "a<b>&\"c\" é", "bell\a");
        assert_int_equal(zv_builder_add_joint(builder, &joint, NULL), ZV_OK);
        out = (Written){0};
        assert_int_equal(zv_write(builder, f ? ZV_FORMAT_MJCF : ZV_FORMAT_URDF, append, &out, NULL, NULL, &error),
                         ZV_NAME);
        free(out.bytes);
        zv_builder_destroy(builder);
    }
}

TESTS(random_trees, robots_of_the_library, losses_are_told, held_joints, odd_names)
