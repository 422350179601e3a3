/* SDF models that include others: poses against those that libsdformat finds (tests/sdf/poses.cpp), and what is told or
 * refused. */
#include <stdlib.h>
#include <string.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/check.h"
#include "zveno/kinematics.h"
#include "zveno/read.h"
#include "zveno/work.h"

static const char *const walker = ZV_SOURCE_DIR "/tests/sdf/walker.sdf";

static zvPose pose_of(const double n[7]) {
    zvPose pose;
    memcpy(pose.p, n, sizeof pose.p);
    const double x = n[3], y = n[4], z = n[5], w = n[6];
    const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                         2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                         2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(pose.R, R, sizeof R);
    return pose;
}

static void poses_of_another_program(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *b = zv_builder_create(NULL);
    if (zv_read_file(b, walker, ZV_FORMAT_AUTO, &error) < 0 || zv_builder_freeze(b, &model, &error) < 0)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    assert_int_equal(zv_builder_nremark(b), 0);
    assert_string_equal(zv_builder_name(b), "walker");
    zvWork *work = zv_work_create(model, NULL);
    const double q[6] = {0};
    assert_int_equal(zv_model_nq(model), 6);
    FILE *file = fopen(ZV_SOURCE_DIR "/tests/sdf/golden.txt", "r");
    assert_non_null(file);
    char name[64];
    int frames = 0;
    for (double n[7];
         fscanf(file, "%63s %lf %lf %lf %lf %lf %lf %lf", name, &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6]) == 8;
         frames++) {
        const zvPose there = pose_of(n);
        const int frame = zv_model_find_frame(model, name);
        zvPose here;
        if (frame < 0) fail_msg("there is no %s", name);
        zv_frame_pose(model, work, q, frame, &here);
        near_about("%s", name);
        /* merged models pass through a text of six digits there */
        const double tolerance = strcmp(name, "skull") == 0 || strcmp(name, "neck") == 0 ? 1e-6 : 1e-14;
        assert_all_near("p", 3, here.p, there.p, tolerance);
        assert_all_near("R", 9, here.R, there.R, tolerance);
    }
    fclose(file);
    assert_int_equal(frames, 9);
    zv_work_destroy(work);
    zv_model_destroy(model);
    zv_builder_destroy(b);
}

typedef struct Told {
    const char *rule;
    int count;
    char text[512];
} Told;

static bool note(void *context, const zvFinding *f) {
    Told *told = context;
    if (strcmp(f->rule, told->rule) != 0) return true;
    told->count++;
    snprintf(told->text, sizeof told->text, "%d: %s: %s", f->mark.line, f->token, f->why);
    return true;
}

#define LINK(name) \
    "<link name='" name "'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"

/* Elements of which one counts, models that are nowhere, and a robot that no joint holds. */
static void what_is_told(void **state) {
    (void)state;
    static const struct {
        const char *inside, *rule, *part;
    } cases[] = {
        {LINK("a") "\n<pose>0 0 1 0 0 0</pose><pose>0 0 2 0 0 0</pose><pose>0 0 3 0 0 0</pose></link>",
         "duplicate-element", "2: pose: expected one <pose> in <link>, found a second: that of line 2 is read"},
        {LINK("a") "</link><joint name='j' "
                   "type='revolute'><parent>world</parent><child>a</child><axis/>\n<axis/></joint>",
         "duplicate-element", "2: axis: expected one <axis> in <joint>"},
        {LINK(
             "a") "</link>\n<include><uri>model://nowhere</uri></include><include><uri>model://nowhere</uri></include>",
         "not-modelled", "2: include: the model \"model://nowhere\" is not found and left out"},
        {LINK("a") "</link>\n<include><uri>https://host/m</uri></include>", "not-modelled",
         "is not found and left out"},
        {LINK("a") "</link>", "floating-base", "its base floats, as the format has it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        zvError error = {0};
        Told told = {.rule = cases[i].rule};
        snprintf(text, sizeof text, "<sdf version='1.9'><model name='m'>%s</model></sdf>", cases[i].inside);
        zvBuilder *b = zv_builder_create(NULL);
        if (zv_read_memory(b, "text", text, strlen(text), ZV_FORMAT_AUTO, &error) < 0) fail_msg("%s", error.text);
        assert_int_equal(zv_check(b, note, &told, NULL), ZV_OK);
        if (told.count != 1 || !strstr(told.text, cases[i].part))
            fail_msg("case %zu: %d times: %s", i, told.count, told.text);
        zv_builder_destroy(b);
    }
}

static void what_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *inside, *part;
        zvStatus status;
    } cases[] = {
        {"<include/>", "expected a <uri>, found none", ZV_SCHEMA},
        {"<include><uri>circle.sdf</uri></include>", "nested at most 64 deep", ZV_SIZE},
        {"<include><uri>leg</uri></include><include><uri>leg</uri></include>", "\"leg\" again; rename one", ZV_NAME},
        {"<include><uri>leg</uri><placement_frame>mont</placement_frame></include>", "\"mont\"", ZV_NAME},
        {"<include><uri>golden.txt</uri></include>", "XML", ZV_SYNTAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        zvError error = {0};
        snprintf(text, sizeof text, "<sdf version='1.9'><model name='m'>%s</model></sdf>", cases[i].inside);
        zvBuilder *b = zv_builder_create(NULL);
        const zvStatus status =
            zv_read_memory(b, ZV_SOURCE_DIR "/tests/sdf/text.sdf", text, strlen(text), ZV_FORMAT_AUTO, &error);
        if (status != cases[i].status || !strstr(error.text, cases[i].part))
            fail_msg("case %zu: %s: %s", i, zv_status_name(status), error.text);
        zv_builder_destroy(b);
    }
}

/* A folder that is told for a name. */
static void told_folders(void **state) {
    (void)state;
    static const char text[] = "<sdf version='1.9'><include><uri>model://elsewhere</uri></include></sdf>";
    zvError error = {0};
    zvBuilder *b = zv_builder_create(NULL);
    assert_int_equal(zv_builder_set_package(b, "elsewhere", ZV_SOURCE_DIR "/tests/sdf/leg", &error), ZV_OK);
    if (zv_read_memory(b, "text", text, strlen(text), ZV_FORMAT_AUTO, &error) < 0) fail_msg("%s", error.text);
    assert_int_equal(zv_builder_nlink(b), 2);
    assert_string_equal(zv_builder_link(b, 0)->name, "thigh");
    assert_string_equal(zv_builder_name(b), "leg");
    zv_builder_destroy(b);
}

TESTS(poses_of_another_program, what_is_told, what_is_refused, told_folders)
