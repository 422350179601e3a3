/* Routes of frames: straight lines and arcs from where the frame stands, with a law of progress. */
#include <math.h>
#include <string.h>

#include "simulate/scenario_read.h"

static const double quaternion_refused = 1e-6;

zvStatus zi_scenario_task_rows(ziScenarioReader *reader, const ziElement *element, unsigned *rows) {
    static const char *const words[] = {"full", "xyz", "rot"};
    static const unsigned masks[] = {ZV_TASK_FULL, ZV_TASK_POSITION, ZV_TASK_ORIENTATION};
    static const char *const directions[] = {"x", "y", "z", "rx", "ry", "rz"};
    const zvNode *node = zv_node_get(element->node, "task");
    *rows = ZV_TASK_FULL;
    if (!node) return ZV_OK;
    int choice = 0;
    if (node->kind != ZV_NODE_LIST) {
        const zvStatus status = zi_element_word(&reader->reading, element, "task", ZI_KEYS(words), &choice);
        *rows = masks[choice];
        return status;
    }
    *rows = 0;
    for (int i = 0; i < node->count; i++) {
        const char *word = NULL;
        const zvStatus status = zv_node_text(node->items[i], "a direction of the task", &word, reader->error);
        if (status < 0) return status;
        for (choice = 0; choice < 6 && strcmp(word, directions[choice]) != 0;) choice++;
        if (choice == 6) return zi_scenario_unknown(reader, node->items[i]->mark, "direction", word, directions, 6);
        *rows |= 1u << choice;
    }
    if (*rows) return ZV_OK;
    return zi_element_refuse(&reader->reading, element, "task", "is empty; name at least one direction");
}

/* Progress from 0 to 1 -------------------------------------------------------------------------------- */

static zvLaw *profile_law(ziScenarioReader *reader, int profile, double start, double duration) {
    const double rows[2][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}};
    if (profile < 3) /* cubic, quintic, septic */
        return zv_law_boundary(1, start, duration, profile + 2, rows[0], profile + 2, rows[1], reader->error);
    if (profile == 3) return zv_law_cycloidal(1, start, duration, &rows[0][0], &rows[1][0], reader->error);
    return zv_law_trapezoidal(1, start, duration, 1.0 / 3, &rows[0][0], &rows[1][0], reader->error);
}

/* progress, a law, or duration with profile and start. */
static zvLaw *read_progress(ziScenarioReader *reader, const ziElement *element, double *start, double *end) {
    static const char *const words[] = {"cubic", "quintic", "septic", "cycloidal", "trapezoidal"};
    static const char *const others[] = {"duration", "profile", "start"};
    const zvNode *node = zv_node_get(element->node, "progress");
    double duration = 0;
    int profile = 1;
    if (node) {
        const ziLawPlace place = {.kind = "progress of route", .name = element->name, .width = 1};
        for (int i = 0; i < 3; i++) {
            if (!zi_element_has(element, others[i])) continue;
            zi_element_refuse(&reader->reading, element, others[i], "contradicts progress; keep one of them");
            return NULL;
        }
        *start = reader->scenario->start;
        *end = *start + reader->scenario->duration;
        return zi_scenario_law(reader, node, &place);
    }
    *start = 0;
    if (zi_element_need(&reader->reading, element, "duration", "duration, in s, or progress, a law from 0 to 1") < 0 ||
        zi_element_number(&reader->reading, element, "start", start) < 0 ||
        zi_scenario_positive(reader, element, "duration", &duration) < 0 ||
        zi_element_word(&reader->reading, element, "profile", ZI_KEYS(words), &profile) < 0)
        return NULL;
    *end = *start + duration;
    return profile_law(reader, profile, *start, duration);
}

/* Places ---------------------------------------------------------------------------------------------- */

static zvStatus read_orientation(ziScenarioReader *reader, const ziElement *to, double R[9]) {
    const ziReading *reading = &reader->reading;
    if (zi_element_has(to, "rpy") && zi_element_has(to, "quaternion"))
        return zi_element_refuse(reading, to, "quaternion", "and rpy are both given; keep one of them");
    if (zi_element_has(to, "rpy")) {
        double rpy[3];
        const zvStatus status = zi_element_numbers(reading, to, "rpy", 3, rpy);
        if (status >= 0) memcpy(R, zv_pose_from_rpy((double[3]){0}, rpy).R, sizeof(double[9]));
        return status;
    }
    double u[4];
    const zvStatus status = zi_element_numbers(reading, to, "quaternion", 4, u);
    if (status < 0 || !zi_element_has(to, "quaternion")) return status;
    const double length = hypot(hypot(u[0], u[1]), hypot(u[2], u[3]));
    if (!(fabs(length - 1) <= quaternion_refused))
        return zi_element_refuse(reading, to, "quaternion", "is not of length 1; the order is x, y, z, w");
    const double x = u[0] / length, y = u[1] / length, z = u[2] / length, w = u[3] / length;
    const double turned[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                              2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                              2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(R, turned, sizeof turned);
    return ZV_OK;
}

static zvRoute *read_line(ziScenarioReader *reader, const ziElement *element, const zvPlace *from, zvLaw *progress) {
    static const char *const keys[] = {"xyz", "rpy", "quaternion"};
    ziElement to;
    zvPlace target = *from;
    zvStatus status = zi_element_need(&reader->reading, element, "to", "to: {xyz: [x, y, z]}");
    if (status >= 0) status = zi_element_part(&reader->reading, element, "to", "the end of route", ZI_KEYS(keys), &to);
    if (status >= 0 && to.node->count == 0)
        status = zi_element_refuse(&reader->reading, element, "to", "is empty; give xyz, rpy or quaternion");
    if (status >= 0) status = zi_element_numbers(&reader->reading, &to, "xyz", 3, target.p);
    if (status >= 0) status = read_orientation(reader, &to, target.R);
    if (status >= 0) return zv_route_line(from, &target, progress, reader->error);
    zv_law_destroy(progress);
    return NULL;
}

static zvRoute *read_arc(ziScenarioReader *reader, const ziElement *element, const zvPlace *from, zvLaw *progress) {
    const ziReading *reading = &reader->reading;
    double center[3], axis[3], angle = 0;
    bool turn = true;
    zvStatus status = zi_element_need(reading, element, "center", "center: [x, y, z]");
    if (status >= 0) status = zi_element_need(reading, element, "axis", "axis: [x, y, z] of the circle");
    if (status >= 0) status = zi_element_need(reading, element, "angle", "angle, in rad");
    if (status >= 0) status = zi_element_numbers(reading, element, "center", 3, center);
    if (status >= 0) status = zi_element_numbers(reading, element, "axis", 3, axis);
    if (status >= 0 && hypot(hypot(axis[0], axis[1]), axis[2]) == 0)
        status = zi_element_refuse(reading, element, "axis", "is zero; give the direction the circle turns about");
    if (status >= 0) status = zi_element_number(reading, element, "angle", &angle);
    if (status >= 0) status = zi_element_bool(reading, element, "turn", &turn);
    if (status >= 0) return zv_route_arc(from, center, axis, angle, turn, progress, reader->error);
    zv_law_destroy(progress);
    return NULL;
}

zvRoute *zi_scenario_route(ziScenarioReader *reader, const ziElement *element, bool is_arc, int frame, double *start,
                           double *end) {
    zvPose pose;
    zvPlace from;
    zv_frame_pose(reader->scenario->model, reader->work, reader->scenario->q, frame, &pose);
    memcpy(from.R, pose.R, sizeof from.R);
    memcpy(from.p, pose.p, sizeof from.p);
    zvLaw *progress = read_progress(reader, element, start, end);
    zvRoute *route = NULL;
    if (progress)
        route = is_arc ? read_arc(reader, element, &from, progress) : read_line(reader, element, &from, progress);
    if (!route) zi_scenario_blame(reader, element, element->node, reader->error->status);
    return route;
}

/* As laws of joints ----------------------------------------------------------------------------------- */

static zvLaw *make_path(const ziLawText *law, bool is_arc) {
    ziScenarioReader *reader = law->reader;
    zvTask task = {.axes = ZV_AXES_WORLD};
    double start, end;
    if (zv_model_nloop(reader->scenario->model) > 0) {
        char what[ZI_WHAT];
        zv_fail(
            reader->error, ZV_NOT_SUPPORTED, law->element.node->mark, is_arc ? "arc" : "line",
            "%s leads a frame by inverse kinematics, which knows no closed loops, and the model has some; write the "
            "motion of its joints",
            zi_element_what(&law->element, NULL, what));
        return NULL;
    }
    if (zi_scenario_frame(reader, &law->element, "frame", &task.frame) < 0) return NULL;
    if (zi_scenario_task_rows(reader, &law->element, &task.rows) < 0) return NULL;
    zvRoute *route = zi_scenario_route(reader, &law->element, is_arc, task.frame, &start, &end);
    return route ? zi_scenario_march(law, &task, route, start, end) : NULL;
}

static zvLaw *make_line(const ziLawText *law) { return make_path(law, false); }
static zvLaw *make_arc(const ziLawText *law) { return make_path(law, true); }

const ziLawKind zi_path_laws[ZI_PATH_LAWS] = {
    {"line", make_line, {"frame", "task", ZI_LINE_KEYS}},
    {"arc", make_arc, {"frame", "task", ZI_ARC_KEYS}},
};
