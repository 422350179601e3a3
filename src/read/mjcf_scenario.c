/* The scenario of an MJCF file: its actuators as drives at the input of a keyframe, the keyframe as initial state,
 * gravcomp as loads. Inputs are constant: whoever controls the robot writes laws in their place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "read/mjcf_drive.h"
#include "read/mjcf_scenario.h"
#include "spatial/quaternion.h"

void zi_mjcf_lose(ziMjcfScenario *w, const ziXmlElement *e, const char *name, const char *why) {
    const zvRemark loss = {ZV_SEVERITY_WARNING,     ZV_NOT_SUPPORTED, "not-written", e->name, name, e->name, why,
                           "write a drive by hand", zi_mjcf_mark(e)};
    if (w->lost) w->lost(w->lost_context, &loss);
}

/* The state ------------------------------------------------------------------------------------------ */

/* The keyframe of a name, the first one without. */
static zvStatus find_key(ziMjcfScenario *w, const char *wanted) {
    const ziXmlElement *first = NULL;
    for (const ziXmlElement *s = w->m.root->first; s; s = s->next) {
        for (const ziXmlElement *e = strcmp(s->name, "keyframe") == 0 ? s->first : NULL; e; e = e->next) {
            const ziXmlAttribute *name = zi_xml_attribute(e, "name");
            if (strcmp(e->name, "key") != 0) continue;
            if (!first) first = e;
            if (!wanted || !name || strcmp(name->value, wanted) != 0) continue;
            w->key = e;
            return ZV_OK;
        }
    }
    if (wanted)
        return zi_mjcf_fail(&w->m, ZV_NAME, w->m.root, NULL,
                            "expected a keyframe \"%.60s\", found none; see <keyframe> for their names", wanted);
    w->key = first;
    return ZV_OK;
}

/* Where all joints are as written: ref, the pose of the body of a free joint. */
static void initial_positions(ziMjcfScenario *w) {
    for (size_t i = 0; i < w->m.njoint; i++) {
        const ziMjcfJoint *joint = &w->m.joints[i];
        double *q = w->qpos + joint->q, e[4];
        if (joint->type > ZI_MJCF_BALL) {
            q[0] = joint->ref;
            continue;
        }
        const zvPose *pose = &w->m.bodies[joint->body].world;
        const bool free = joint->type == ZI_MJCF_FREE;
        if (free) memcpy(q, pose->p, sizeof pose->p), q += 3;
        q[0] = 1, q[1] = q[2] = q[3] = 0;
        if (!free) continue;
        zi_quaternion_of(pose->R, e);
        q[0] = e[3], q[1] = e[0], q[2] = e[1], q[3] = e[2];
    }
}

static zvStatus read_list(ziMjcfScenario *w, const char *attribute, int count, double *values) {
    const ziXmlAttribute *found = w->key && count > 0 ? zi_xml_attribute(w->key, attribute) : NULL;
    if (!found) return ZV_OK;
    return zi_mjcf_own_numbers(&w->m, w->key, found, count, count, values, NULL);
}

static int freedoms(const ziMjcfJoint *joint) {
    return joint->type == ZI_MJCF_FREE ? 6 : joint->type == ZI_MJCF_BALL ? 3 : 1;
}

/* Places in qvel go on from joint to joint. */
static int nv_of(const ziMjcf *m, size_t before) {
    int nv = 0;
    for (size_t i = 0; i < before; i++) nv += freedoms(&m->joints[i]);
    return nv;
}

/* Quaternions are x y z w here, and linear velocities of free joints in the axes of the link. */
static void joint_values(const ziMjcfJoint *joint, const double *qpos, const double *qvel, double *q, double *v) {
    const int n = joint->type == ZI_MJCF_FREE ? 3 : 0, count = freedoms(joint);
    memcpy(q, qpos, (size_t)(joint->type > ZI_MJCF_BALL ? 1 : n) * sizeof *q);
    memcpy(v, qvel, (size_t)count * sizeof *v);
    if (joint->type > ZI_MJCF_BALL) return;
    const double *e = qpos + n, size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    static const double none[4] = {1, 0, 0, 0}; /* what the format takes zeros for */
    double R[9];
    for (int i = 0; i < 4; i++) q[n + i] = size > 0 ? e[(i + 1) % 4] / size : none[(i + 1) % 4];
    zi_mjcf_rotation(size > 0 ? e : none, R);
    for (int i = 0; i < n; i++) v[i] = R[i] * qvel[0] + R[3 + i] * qvel[1] + R[6 + i] * qvel[2];
}

/* What damping ratios refer to: the inertia where all joints are as written. */
static zvStatus find_inertia(ziMjcfScenario *w, ziMassInverse *inverse) {
    const size_t count = w->m.njoint;
    const char **names = zi_arena_alloc(&w->m.arena, (count + 1) * sizeof *names);
    double *q = zi_arena_alloc(&w->m.arena, (7 * count + 1) * sizeof *q), none[6] = {0}, v[6];
    w->inverse = w->has_ratios ? zi_arena_alloc(&w->m.arena, (count * count + 1) * sizeof *w->inverse) : NULL;
    if (!w->has_ratios) return ZV_OK;
    if (!names || !q || !w->inverse) return zi_mjcf_memory(&w->m, w->m.root);
    for (size_t i = 0; i < count; i++) {
        names[i] = w->m.joints[i].joint;
        joint_values(&w->m.joints[i], w->qpos + w->m.joints[i].q, none, q + 7 * i, v);
    }
    return inverse(w->m.builder, (int)count, names, q, w->inverse, w->m.error);
}

/* Damping ratios refer to where all joints are as written, whatever the keyframe is. */
static zvStatus read_state(ziMjcfScenario *w, ziMassInverse *inverse) {
    const int nv = nv_of(&w->m, w->m.njoint);
    w->qpos = zi_arena_alloc(&w->m.arena, ((size_t)w->m.nq + 1) * sizeof *w->qpos);
    w->qvel = zi_arena_alloc(&w->m.arena, ((size_t)nv + 1) * sizeof *w->qvel);
    w->ctrl = zi_arena_alloc(&w->m.arena, ((size_t)w->actuators + 1) * sizeof *w->ctrl);
    w->act = zi_arena_alloc(&w->m.arena, ((size_t)(w->states > 0 ? w->states : 0) + 1) * sizeof *w->act);
    if (!w->qpos || !w->qvel || !w->ctrl || !w->act) return zi_mjcf_memory(&w->m, w->m.root);
    initial_positions(w);
    zvStatus status = find_inertia(w, inverse);
    if (status >= 0) status = read_list(w, "qpos", w->m.nq, w->qpos);
    if (status == ZV_OK) status = read_list(w, "qvel", nv, w->qvel);
    if (status == ZV_OK) status = read_list(w, "ctrl", w->actuators, w->ctrl);
    if (status == ZV_OK && w->states >= 0) status = read_list(w, "act", w->states, w->act);
    if (status == ZV_OK && w->states < 0 && w->key && zi_xml_attribute(w->key, "act"))
        zi_mjcf_lose(w, w->key, "key", "states of actuators are left out");
    return status;
}

static void put_one(ziMjcfScenario *w, const char *name, const double *values, int count) {
    zi_emit_name_key(&w->out, name);
    if (count == 1)
        zi_emit_number(&w->out, values[0]);
    else
        zi_emit_numbers(&w->out, values, count);
}

/* Where loops are all open nothing is to be assembled: what is not named could move to where limits want it. */
static bool names_zeros(const ziMjcfScenario *w) {
    const int loops = zv_builder_nloop(w->m.builder);
    for (int i = 0; i < loops; i++)
        if (!zv_builder_loop(w->m.builder, i)->open) return false;
    return loops > 0;
}

/* Joints that follow others have no coordinates; zeros of hinges and slides are where they are anyway. */
static bool put_values(ziMjcfScenario *w, const char *key, bool rates, bool begun) {
    bool any = false;
    const bool zeros = !rates && names_zeros(w);
    int at = 0;
    for (size_t i = 0; i < w->m.njoint; i++) {
        const ziMjcfJoint *joint = &w->m.joints[i];
        double q[7], v[6];
        joint_values(joint, w->qpos + joint->q, w->qvel + at, q, v);
        const int nv = freedoms(joint), count = rates ? nv : nv + (nv > 1);
        at += nv;
        bool zero = true;
        for (int k = 0; k < count; k++) zero = zero && (rates ? v[k] : q[k]) == 0;
        if ((zero && !zeros) || joint->follows >= 0) continue;
        if (!any && !begun) zi_emit_map_begin(&w->out, "initial");
        if (!any) zi_emit_key(&w->out, key), zi_emit_open(&w->out);
        any = true;
        put_one(w, joint->joint, rates ? v : q, count);
    }
    if (any) zi_emit_close(&w->out);
    return any || begun;
}

static void put_initial(ziMjcfScenario *w) {
    const bool places = put_values(w, "q", false, false);
    if (put_values(w, "v", true, places)) zi_emit_map_end(&w->out);
}

/* Sections of drives and loads ----------------------------------------------------------------------- */

static bool is_held(const ziMjcf *m, size_t body) {
    return m->bodies[body].gravcomp != 0 && m->bodies[body].inertia.mass != 0 && zi_mjcf_moving(m, (int)body) != 0;
}

static const char *com_name(ziMjcfScenario *w, size_t body) {
    return zi_mjcf_print(&w->m, "%s_com", w->m.bodies[body].link);
}

/* gravcomp: a constant force at the centre of mass. */
static void put_weights(ziMjcfScenario *w) {
    double g[3];
    zv_builder_gravity(w->m.builder, g);
    for (size_t i = 1; i < w->m.nbody; i++) {
        if (!is_held(&w->m, i)) continue;
        double force[3];
        for (int k = 0; k < 3; k++) force[k] = 0 - w->m.bodies[i].gravcomp * w->m.bodies[i].inertia.mass * g[k];
        zi_mjcf_put_item(w, "loads");
        zi_put_text(&w->out, "frame", com_name(w, i));
        zi_put_numbers(&w->out, "force", force, 3);
        zi_emit_close(&w->out);
    }
}

/* The file itself, or a robot that includes it and has frames at centres of mass. */
static void put_model(ziMjcfScenario *w, const char *model) {
    bool any = false;
    for (size_t i = 1; i < w->m.nbody; i++) any = any || is_held(&w->m, i);
    if (!any) {
        zi_put_text(&w->out, "model", model);
        return;
    }
    zi_emit_map_begin(&w->out, "model");
    zi_emit_map_begin(&w->out, "inline");
    zi_put_text(&w->out, "include", model);
    zi_emit_list_begin(&w->out, "frames");
    for (size_t i = 1; i < w->m.nbody; i++) {
        if (!is_held(&w->m, i)) continue;
        zvPose at = zv_pose_identity();
        memcpy(at.p, w->m.bodies[i].inertia.com, sizeof at.p);
        zi_emit_item(&w->out);
        zi_emit_open(&w->out);
        zi_put_text(&w->out, "name", com_name(w, i));
        zi_put_text(&w->out, "link", w->m.bodies[i].link);
        zi_put_pose(&w->out, "pose", &at);
        zi_emit_close(&w->out);
    }
    zi_emit_list_end(&w->out);
    zi_emit_map_end(&w->out);
    zi_emit_map_end(&w->out);
}

/* The text of the scenario, once file, keyframe and inertias are known. */
static zvStatus put_scenario(ziMjcfScenario *w, const char *model) {
    zi_emit_raw(&w->out, "# Actuators with the inputs of a keyframe; write laws in their place.");
    zi_put_word(&w->out, "zveno_scenario", "1");
    put_model(w, model);
    zi_put_number(&w->out, "duration", 1);
    put_initial(w);
    zvStatus status = zi_mjcf_put_drives(w, false);
    if (w->begun) zi_emit_list_end(&w->out);
    w->begun = false;
    put_weights(w);
    if (status == ZV_OK) status = zi_mjcf_put_drives(w, true);
    if (w->begun) zi_emit_list_end(&w->out);
    if (w->saturates) zi_put_word(&w->out, "effort", "saturate");
    return status;
}

/* Whatever fails, what was read is freed. */
zvStatus zi_mjcf_scenario(const char *path, const char *model, const char *key, ziMassInverse *inverse, zvTextSink sink,
                          void *context, zvLossSink lost, void *lost_context, zvError *error) {
    ziMjcfScenario w = {.lost = lost, .lost_context = lost_context};
    ziSource source;
    zvBuilder *builder = zv_builder_create(error);
    if (!builder) return ZV_MEMORY;
    zvStatus status = zi_source_load(path, &source, error);
    if (status >= 0) {
        status = zi_mjcf_is(source.bytes, source.size)
                     ? zi_mjcf_parse(&w.m, builder, zi_source_name(path), source.bytes, source.size, error)
                     : zv_fail(error, ZV_SCHEMA, (zvMark){path, 0, 0}, "",
                               "expected an MJCF file, which has actuators and keyframes, found another one");
        if (status >= 0) status = find_key(&w, key);
        if (status >= 0) status = zi_mjcf_count_drives(&w);
        if (status >= 0) status = read_state(&w, inverse);
        zi_emit_begin(&w.out, sink, context, error);
        if (status >= 0) status = put_scenario(&w, model);
        if (status >= 0) status = zi_emit_end(&w.out);
        zi_names_free(&w.drives);
        zi_mjcf_free(&w.m);
        zi_source_free(&source);
    }
    zv_builder_destroy(builder);
    return status;
}
