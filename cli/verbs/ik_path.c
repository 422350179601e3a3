/* Joints along a path of lines and arcs. Where two segments overlap in time their displacements add up, which rounds
 * the corner between them and leaves the ends of the path where they are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "json.h"
#include "verbs/ik.h"
#include "zveno/document.h"
#include "zveno/motion.h"
#include "zveno/record.h"

enum { MOST_SEGMENTS = 200, MOST_ROWS = 1000000 };

typedef struct Segment {
    zvPose from, to;
    zvRoute *route;
    double start, duration;
} Segment;

typedef struct IkPath {
    zvDocument *document;
    int count;
    Segment segments[MOST_SEGMENTS];
    zvPose start;
    double end;
} IkPath;

/* Numbers of a key; left alone when it is absent. */
static zvStatus read_triple(const zvNode *map, const char *key, int count, double *x, zvError *error) {
    const zvNode *node = zv_node_get(map, key);
    return node ? zv_node_numbers(node, key, count, x, error) : ZV_OK;
}

static zvStatus need(const zvNode *map, const char *key, zvError *error) {
    if (zv_node_get(map, key)) return ZV_OK;
    return zv_fail(error, ZV_SCHEMA, map->mark, key, "expected the key \"%s\" of a segment, found none", key);
}

/* From where the segment before ends. */
static zvStatus read_line(const zvNode *map, Segment *s, zvLaw *progress, zvError *error) {
    static const char *const keys[] = {"to", "rpy"};
    double rpy[3];
    zvStatus status = zv_node_only(map, "a line", keys, 2, error);
    s->to = s->from;
    if (status >= 0) status = need(map, "to", error);
    if (status >= 0) status = read_triple(map, "to", 3, s->to.p, error);
    if (status >= 0) status = read_triple(map, "rpy", 3, rpy, error);
    if (status >= 0 && zv_node_get(map, "rpy")) s->to = zv_pose_from_rpy(s->to.p, rpy);
    if (status < 0) {
        zv_law_destroy(progress);
        return status;
    }
    s->route = zv_route_line(&s->from, &s->to, progress, error);
    return s->route ? ZV_OK : error->status;
}

/* By angle about an axis, from where the segment before ends. */
static zvStatus read_arc(const zvNode *map, Segment *s, zvLaw *progress, zvError *error) {
    static const char *const keys[] = {"center", "axis", "angle", "turn"};
    double center[3], axis[3], angle = 0;
    bool turn = true;
    zvStatus status = zv_node_only(map, "an arc", keys, 4, error);
    for (int i = 0; status >= 0 && i < 3; i++) status = need(map, keys[i], error);
    if (status >= 0) status = read_triple(map, "center", 3, center, error);
    if (status >= 0) status = read_triple(map, "axis", 3, axis, error);
    if (status >= 0) status = zv_node_angle(zv_node_get(map, "angle"), "angle of an arc", &angle, error);
    if (status >= 0 && zv_node_get(map, "turn")) status = zv_node_bool(zv_node_get(map, "turn"), "turn", &turn, error);
    if (status < 0) {
        zv_law_destroy(progress);
        return status;
    }
    s->route = zv_route_arc(&s->from, center, axis, angle, turn, progress, error);
    if (!s->route) return error->status;
    zv_route_at(s->route, s->start + s->duration, &s->to, NULL, NULL);
    return ZV_OK;
}

/* Begins `blend` before the end of the segment in front of it, but not before that begins. */
static zvStatus read_segment(IkPath *path, const zvNode *map, zvError *error) {
    static const char *const keys[] = {"line", "arc", "duration", "blend"};
    const Segment *before = path->count ? &path->segments[path->count - 1] : NULL;
    Segment *s = &path->segments[path->count];
    const zvNode *line = zv_node_get(map, "line"), *arc = zv_node_get(map, "arc");
    double blend = 0;
    zvStatus status = zv_node_only(map, "a segment", keys, 4, error);
    if (status >= 0 && !line == !arc)
        status = zv_fail(error, ZV_SCHEMA, map->mark, "", "expected one of line and arc in a segment, found %s",
                         line ? "both" : "none");
    if (status >= 0) status = need(map, "duration", error);
    if (status >= 0) status = zv_node_number(zv_node_get(map, "duration"), "duration", &s->duration, error);
    if (status >= 0 && zv_node_get(map, "blend"))
        status = zv_node_number(zv_node_get(map, "blend"), "blend", &blend, error);
    if (status < 0) return status;
    const double most = before ? fmin(before->duration, s->duration) : 0;
    if (!(s->duration > 0) || !(blend >= 0 && blend <= most))
        return zv_fail(error, ZV_NUMBER, map->mark, "",
                       "expected a duration above 0 and a blend from 0 to %g s, the shorter of two segments, found %g "
                       "and %g",
                       most, s->duration, blend);
    s->from = before ? before->to : path->start;
    s->start = before ? before->start + before->duration - blend : 0;
    zvLaw *progress = zv_law_boundary(1, s->start, s->duration, 3, (double[]){0, 0, 0}, 3, (double[]){1, 0, 0}, error);
    if (!progress) return error->status;
    status = line ? read_line(line, s, progress, error) : read_arc(arc, s, progress, error);
    if (status < 0) return status;
    path->count++;
    path->end = fmax(path->end, s->start + s->duration);
    return ZV_OK;
}

/* A map with a list of segments. */
static zvStatus read_path(const Ik *ik, IkPath *path, zvError *error) {
    static const char *const keys[] = {"segments"};
    zvStatus status = zv_document_read_file(ik->args->path, &path->document, error);
    const zvNode *root = status >= 0 ? zv_document_root(path->document) : NULL;
    if (status >= 0 && (!root || root->kind != ZV_NODE_MAP))
        status = zv_fail(error, ZV_SCHEMA, (zvMark){ik->args->path, 1, 1}, "", "expected a map with segments");
    if (status >= 0) status = zv_node_only(root, "a path", keys, 1, error);
    const zvNode *list = status >= 0 ? zv_node_get(root, "segments") : NULL;
    if (status >= 0 && (!list || list->kind != ZV_NODE_LIST || list->count < 1 || list->count > MOST_SEGMENTS))
        status = zv_fail(error, ZV_SCHEMA, (zvMark){ik->args->path, 1, 1}, "segments",
                         "expected a list of 1 to %d segments", MOST_SEGMENTS);
    zv_frame_pose(ik->model, ik->work, ik->q, ik->task.frame, &path->start);
    for (int i = 0; status >= 0 && i < list->count; i++) status = read_segment(path, list->items[i], error);
    return status;
}

/* R := A B^T C */
static void turn_by(const double A[9], const double B[9], double C[9]) {
    double D[9], R[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D[3 * i + j] = A[3 * i] * B[3 * j] + A[3 * i + 1] * B[3 * j + 1] + A[3 * i + 2] * B[3 * j + 2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[3 * i + j] = D[3 * i] * C[j] + D[3 * i + 1] * C[3 + j] + D[3 * i + 2] * C[6 + j];
    memcpy(C, R, sizeof R);
}

/* What all segments have done by the time t. */
static void path_at(const IkPath *path, double t, zvPose *pose) {
    *pose = path->start;
    for (int i = 0; i < path->count; i++) {
        const Segment *s = &path->segments[i];
        zvPose now;
        zv_route_at(s->route, t, &now, NULL, NULL);
        for (int k = 0; k < 3; k++) pose->p[k] += now.p[k] - s->from.p[k];
        turn_by(now.R, s->from.R, pose->R);
    }
}

/* What is told of a path that was followed. */
typedef struct Followed {
    size_t rows;
    double step, length, gap;
    double *rates; /* nq: largest, of differences */
} Followed;

/* Time, and every entry of q. */
static zvRecorder *open_table(const Ik *ik, Text *labels, zvError *error) {
    const int nq = zv_model_nq(ik->model);
    zvChannel *channels = calloc((size_t)nq + 1, sizeof *channels);
    if (!channels) return NULL;
    EntryCursor entry = entry_first(ik->model, true);
    channels[0] = (zvChannel){.name = "time", .unit = "s", .about = "time", .width = 1};
    for (int i = 0; i < nq; i++, entry_next(&entry)) {
        entry_label(&entry, &labels[i]);
        channels[i + 1] = (zvChannel){.name = labels[i].bytes ? labels[i].bytes : "",
                                      .unit = entry_position_unit(&entry),
                                      .about = "position",
                                      .width = 1};
    }
    zvRecorder *recorder = zv_recorder_create(ik->args->output, nq + 1, channels, error);
    free(channels);
    return recorder;
}

/* Row after row, each found from the one before. */
static zvStatus follow_path(Ik *ik, const IkPath *path, zvRecorder *recorder, Followed *f, zvError *error) {
    const size_t nq = (size_t)zv_model_nq(ik->model);
    double *row = calloc(2 * nq + 2, sizeof *row), *last = row ? row + nq + 1 : NULL;
    zvPose before = path->start;
    zvStatus status = row ? ZV_OK : ZV_MEMORY;
    for (size_t k = 0; status >= 0 && k < f->rows; k++) {
        const double t = fmin((double)k * f->step, path->end);
        zvPose pose;
        double gap, square = 0;
        path_at(path, t, &pose);
        status = ik_find(ik, &pose, 0, ik->q, &gap, error);
        if (status == ZV_NO_CONVERGENCE) {
            const zvError told = *error;
            status = zv_fail(error, status, (zvMark){0}, told.token, "at t = %.6g s of the path: %.440s", t, told.text);
        }
        if (status < 0) break;
        row[0] = t;
        memcpy(row + 1, ik->q, nq * sizeof *row);
        for (int i = 0; i < 3; i++) square += (pose.p[i] - before.p[i]) * (pose.p[i] - before.p[i]);
        for (size_t i = 0; k && i < nq; i++) f->rates[i] = fmax(f->rates[i], fabs(ik->q[i] - last[i]) / f->step);
        memcpy(last, ik->q, nq * sizeof *last);
        before = pose;
        f->length += sqrt(square);
        f->gap = fmax(f->gap, gap);
        status = zv_recorder_row(recorder, row, error);
    }
    free(row);
    return status;
}

/* The largest rates beside those that the joints may have. */
static void tell_rates(const Ik *ik, const Followed *f, Text *out) {
    Table table = table_start(4);
    EntryCursor entry = entry_first(ik->model, true);
    table_text(&table, "coordinate");
    table_text(&table, "largest rate");
    table_text(&table, "limit");
    table_text(&table, "");
    for (int i = 0; i < zv_model_nq(ik->model); i++, entry_next(&entry)) {
        Text label = {0};
        const zvDof *dof = &zv_model_joint(ik->model, entry.joint)->dof[entry.part < ZV_MAX_DOF ? entry.part : 0];
        entry_label(&entry, &label);
        table_text(&table, label.bytes ? label.bytes : "");
        table_number(&table, f->rates[i]);
        if (dof->velocity > 0 && isfinite(dof->velocity))
            table_number(&table, dof->velocity);
        else
            table_text(&table, "none");
        table_text(&table, f->rates[i] > dof->velocity && dof->velocity > 0 ? "exceeded" : "");
        text_free(&label);
    }
    table_finish(&table, out);
}

/* Length and duration, what was left open, and how fast the joints go. */
static void tell_path(const Ik *ik, const IkPath *path, const Followed *f, Text *out) {
    if (!(ik->args->given & OPTION_JSON)) {
        text_puts(out, "wrote ");
        text_name(out, ik->args->output);
        text_printf(out, ": %zu rows, %.6g s, %.6g m, gap %.1e\n", f->rows, path->end, f->length, f->gap);
        tell_rates(ik, f, out);
        return;
    }
    Json json = json_start(out);
    EntryCursor entry = entry_first(ik->model, true);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "duration"), json_number(&json, path->end);
    json_key(&json, "rows"), json_integer(&json, (int)f->rows);
    json_key(&json, "length"), json_number(&json, f->length);
    json_key(&json, "gap"), json_number(&json, f->gap);
    json_key(&json, "rates"), json_map(&json, JSON_LINE);
    for (int i = 0; i < zv_model_nq(ik->model); i++, entry_next(&entry)) {
        Text label = {0};
        entry_label(&entry, &label);
        json_key(&json, label.bytes ? label.bytes : ""), json_number(&json, f->rates[i]);
        text_free(&label);
    }
    json_end(&json);
    json_end(&json);
}

/* The table is written when the whole path has been followed. */
static zvStatus write_path(Ik *ik, const IkPath *path, Followed *f, zvError *error) {
    const int nq = zv_model_nq(ik->model);
    Text *labels = calloc((size_t)nq + 1, sizeof *labels);
    zvRecorder *recorder = labels ? open_table(ik, labels, error) : NULL;
    zvStatus status = recorder            ? follow_path(ik, path, recorder, f, error)
                      : error->status < 0 ? error->status
                                          : ZV_MEMORY;
    if (status >= 0) status = zv_recorder_finish(recorder, NULL, 0, NULL, error);
    if (recorder) zv_recorder_discard_spool(recorder);
    zv_recorder_destroy(recorder);
    for (int i = 0; labels && i < nq; i++) text_free(&labels[i]);
    free(labels);
    return status;
}

/* Nothing is written unless the whole path can be followed. */
Code ik_follow(Ik *ik, Text *out) {
    IkPath *path = calloc(1, sizeof *path);
    Followed f = {.step = ik->args->given & OPTION_EVERY ? ik->args->every : 0.01};
    zvError error = {0};
    f.rates = calloc((size_t)zv_model_nq(ik->model) + 1, sizeof *f.rates);
    zvStatus status = path && f.rates ? ZV_OK : zv_fail(&error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory");
    if (!ik->args->output)
        status = zv_fail(&error, ZV_SCHEMA, (zvMark){0}, NULL,
                         "expected -o FILE, .csv or .h5, for the joints along the path");
    if (status >= 0) status = read_path(ik, path, &error);
    if (status >= 0 && path->end / f.step > MOST_ROWS)
        status =
            zv_fail(&error, ZV_SIZE, (zvMark){0}, NULL, "expected at most 1e6 rows, found %.3g", path->end / f.step);
    if (status >= 0) {
        f.rows = (size_t)ceil(path->end / f.step - 1e-9) + 1;
        status = write_path(ik, path, &f, &error);
    }
    if (status >= 0) tell_path(ik, path, &f, out);
    for (int i = 0; path && i < MOST_SEGMENTS; i++)
        if (path->segments[i].route) zv_route_destroy(path->segments[i].route);
    if (path && path->document) zv_document_destroy(path->document);
    free(path);
    free(f.rates);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}
