/* The scenario of an MJCF file: its actuators as drives at the input of a keyframe, the keyframe as initial state,
 * gravcomp as loads. Inputs are constant: whoever controls the robot writes laws in their place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "read/mjcf_actuator.h"
#include "read/mjcf_scenario.h"
#include "read/write.h"
#include "spatial/quaternion.h"

typedef struct MjcfScenario {
    ziMjcf m;
    ziEmitter out;
    zvLossSink lost;
    void *lost_context;
    const ziXmlElement *key; /* NULL: the file has none */
    double *qpos, *qvel, *ctrl;
    double *inertia; /* diagonal of M where all joints are as written, by joint; for damping ratios */
    int actuators;
    bool saturates;
    bool begun; /* the list that is being written has an item */
    ziNames drives;
} MjcfScenario;

static void lose(MjcfScenario *w, const ziXmlElement *e, const char *name, const char *why) {
    const zvRemark loss = {ZV_SEVERITY_WARNING,     ZV_NOT_SUPPORTED, "not-written", e->name, name, e->name, why,
                           "write a drive by hand", zi_mjcf_mark(e)};
    if (w->lost) w->lost(w->lost_context, &loss);
}

/* The state ------------------------------------------------------------------------------------------ */

/* The keyframe of a name, the first one without. */
static zvStatus find_key(MjcfScenario *w, const char *wanted) {
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
static void initial_positions(MjcfScenario *w) {
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

static zvStatus read_list(MjcfScenario *w, const char *attribute, int count, double *values) {
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

/* The inertia that a damping ratio means: where all joints are as written. */
static zvStatus find_inertia(MjcfScenario *w, ziMassDiagonal *diagonal) {
    const size_t count = w->m.njoint;
    const char **names = zi_arena_alloc(&w->m.arena, (count + 1) * sizeof *names);
    double *q = zi_arena_alloc(&w->m.arena, (7 * count + 1) * sizeof *q), none[6] = {0}, v[6];
    w->inertia = zi_arena_alloc(&w->m.arena, (count + 1) * sizeof *w->inertia);
    if (!names || !q || !w->inertia) return zi_mjcf_memory(&w->m, w->m.root);
    for (size_t i = 0; i < count; i++) {
        names[i] = w->m.joints[i].joint;
        joint_values(&w->m.joints[i], w->qpos + w->m.joints[i].q, none, q + 7 * i, v);
    }
    return diagonal(w->m.builder, (int)count, names, q, w->inertia, w->m.error);
}

/* Damping ratios refer to where all joints are as written, whatever the keyframe is. */
static zvStatus read_state(MjcfScenario *w, ziMassDiagonal *diagonal) {
    const int nv = nv_of(&w->m, w->m.njoint);
    w->qpos = zi_arena_alloc(&w->m.arena, ((size_t)w->m.nq + 1) * sizeof *w->qpos);
    w->qvel = zi_arena_alloc(&w->m.arena, ((size_t)nv + 1) * sizeof *w->qvel);
    w->ctrl = zi_arena_alloc(&w->m.arena, ((size_t)w->actuators + 1) * sizeof *w->ctrl);
    if (!w->qpos || !w->qvel || !w->ctrl) return zi_mjcf_memory(&w->m, w->m.root);
    initial_positions(w);
    zvStatus status = find_inertia(w, diagonal);
    if (status >= 0) status = read_list(w, "qpos", w->m.nq, w->qpos);
    if (status == ZV_OK) status = read_list(w, "qvel", nv, w->qvel);
    if (status == ZV_OK) status = read_list(w, "ctrl", w->actuators, w->ctrl);
    if (status == ZV_OK && w->key && zi_xml_attribute(w->key, "act"))
        lose(w, w->key, "key", "states of actuators are left out");
    return status;
}

static void put_one(MjcfScenario *w, const char *name, const double *values, int count) {
    zi_emit_name_key(&w->out, name);
    if (count == 1)
        zi_emit_number(&w->out, values[0]);
    else
        zi_emit_numbers(&w->out, values, count);
}

/* Joints that follow others have no coordinates; zeros of hinges and slides are where they are anyway. */
static bool put_values(MjcfScenario *w, const char *key, bool rates, bool begun) {
    bool any = false;
    int at = 0;
    for (size_t i = 0; i < w->m.njoint; i++) {
        const ziMjcfJoint *joint = &w->m.joints[i];
        double q[7], v[6];
        joint_values(joint, w->qpos + joint->q, w->qvel + at, q, v);
        const int nv = freedoms(joint), count = rates ? nv : nv + (nv > 1);
        at += nv;
        bool zero = true;
        for (int k = 0; k < count; k++) zero = zero && (rates ? v[k] : q[k]) == 0;
        if (zero || joint->follows >= 0) continue;
        if (!any && !begun) zi_emit_map_begin(&w->out, "initial");
        if (!any) zi_emit_key(&w->out, key), zi_emit_open(&w->out);
        any = true;
        put_one(w, joint->joint, rates ? v : q, count);
    }
    if (any) zi_emit_close(&w->out);
    return any || begun;
}

static void put_initial(MjcfScenario *w) {
    const bool places = put_values(w, "q", false, false);
    if (put_values(w, "v", true, places)) zi_emit_map_end(&w->out);
}

/* Drives --------------------------------------------------------------------------------------------- */

/* The list begins with its first item: an empty one is none. */
static void put_item(MjcfScenario *w, const char *list) {
    if (!w->begun) zi_emit_list_begin(&w->out, list);
    w->begun = true;
    zi_emit_item(&w->out);
    zi_emit_open(&w->out);
}

static void end_list(MjcfScenario *w) {
    if (w->begun) zi_emit_list_end(&w->out);
    w->begun = false;
}

/* What an actuator does at a constant input, on one joint: kp (rest) ... as force = constant - kp q - kd v. */
typedef struct Affine {
    double constant, kp, kd, limit;
} Affine;

static double clamped(double x, const double range[2]) {
    return range[0] > range[1] ? x : fmin(fmax(x, range[0]), range[1]);
}

static const char *drive_name(MjcfScenario *w, const char *wanted) {
    const char *name = wanted;
    for (int n = 2; name && zi_names_find(&w->drives, name) >= 0; n++)
        name = zi_mjcf_print(&w->m, "%.200s_%d", wanted, n);
    if (!name || zi_names_add(&w->drives, name, 0) < 0) {
        if (w->out.status >= 0) w->out.status = zi_mjcf_memory(&w->m, w->m.root);
        return "";
    }
    return name;
}

/* Damping of a position actuator from its ratio to critical damping, with the inertia that its joints have. */
static void resolve_ratio(const MjcfScenario *w, ziMjcfActuator *a) {
    double mass = 0;
    if (!(a->damping_ratio > 0)) return;
    for (int i = 0; i < a->nterm; i++) {
        const double trn = a->gear[0] * a->terms[i].ratio;
        if (fabs(trn) > 1e-15) mass += w->inertia[a->terms[i].joint] / (trn * trn);
    }
    a->bias[2] = -2 * a->damping_ratio * sqrt(fmax(a->gain[0] * mass, 0));
}

/* On the only joint of its length. */
static Affine affine_of(const ziMjcfActuator *a, double u, double gear) {
    const double L = a->gain[1] * u + a->bias[1], V = a->gain[2] * u + a->bias[2];
    Affine f = {.kp = 0 - gear * gear * L, .kd = 0 - gear * gear * V, .limit = INFINITY};
    f.constant = gear * (a->gain[0] * u + a->bias[0] + L * a->gear[0] * a->offset);
    if (a->force[0] <= a->force[1]) f.limit = fabs(gear) * fmax(fabs(a->force[0]), fabs(a->force[1]));
    return f;
}

/* A controller that holds its reference, or a force. */
static void put_drive(MjcfScenario *w, const ziMjcfActuator *a, int joint, Affine f) {
    const ziMjcfJoint *j = &w->m.joints[joint];
    const bool spring = f.kp != 0 || f.kd != 0;
    if (j->dof.effort > 0) w->saturates = true;
    put_item(w, "drives");
    zi_put_text(&w->out, "name", drive_name(w, a->name));
    zi_put_word(&w->out, "type", spring ? "pd" : "torque");
    zi_put_text(&w->out, "joint", j->joint);
    if (spring) {
        zi_put_number(&w->out, "kp", f.kp);
        zi_put_nonzero(&w->out, "kd", f.kd);
        if (f.kp != 0)
            zi_put_number(&w->out, "reference", f.constant / f.kp);
        else
            zi_put_nonzero(&w->out, "feedforward", f.constant);
        if (f.limit < INFINITY) zi_put_number(&w->out, "limit", f.limit);
    } else {
        zi_put_number(&w->out, "law", fmin(fmax(f.constant, -f.limit), f.limit));
    }
    zi_emit_close(&w->out);
}

/* A length of one joint is a drive; of several one with a constant force is a drive for each. */
static void put_actuator(MjcfScenario *w, ziMjcfActuator *a, double u) {
    int moving = 0, last = -1;
    if (!a->why_not && a->dynamic) lose(w, a->element, a->name, "its filter or integrator is left out");
    if (a->on == ZI_MJCF_ON_SITE && !a->why_not) return;
    for (int i = 0; i < a->nterm; i++)
        if (a->terms[i].ratio != 0) moving++, last = i;
    resolve_ratio(w, a);
    const Affine sample = affine_of(a, u, a->gear[0]);
    if (!a->why_not && (sample.kp < 0 || sample.kd < 0)) a->why_not = "it pushes away from a position";
    if (!a->why_not && moving != 1 && (sample.kp != 0 || sample.kd != 0))
        a->why_not = "it acts on several joints by their positions or velocities together";
    if (a->why_not) {
        lose(w, a->element, a->name, zi_mjcf_print(&w->m, "the actuator is left out: %s", a->why_not));
        return;
    }
    if (a->force[0] <= a->force[1] && a->force[0] != -a->force[1])
        lose(w, a->element, a->name, "the larger bound of its force counts for both directions");
    for (int i = 0; i < a->nterm; i++)
        if (a->terms[i].ratio != 0 && (moving > 1 || i == last))
            put_drive(w, a, a->terms[i].joint, affine_of(a, u, a->gear[0] * a->terms[i].ratio));
}

/* A thruster: a force and a moment at a site, in its axes. */
static void put_thruster(MjcfScenario *w, const ziMjcfActuator *a, double u) {
    const double size = clamped(a->gain[0] * u + a->bias[0], a->force);
    double wrench[6];
    if (a->bias[1] != 0 || a->bias[2] != 0 || a->gain[1] != 0 || a->gain[2] != 0) {
        lose(w, a->element, a->name, "the actuator is left out: a thruster here has a constant force");
        return;
    }
    for (int i = 0; i < 6; i++) wrench[i] = a->gear[i] * size;
    put_item(w, "loads");
    zi_put_text(&w->out, "name", drive_name(w, a->name));
    zi_put_text(&w->out, "frame", w->m.sites[a->site].frame);
    zi_put_word(&w->out, "axes", "local");
    zi_put_numbers(&w->out, "force", wrench, 3);
    zi_put_numbers(&w->out, "moment", wrench + 3, 3);
    zi_emit_close(&w->out);
}

/* Sections of drives and loads ----------------------------------------------------------------------- */

static int count_actuators(const ziMjcf *m) {
    int count = 0;
    for (const ziXmlElement *s = m->root->first; s; s = s->next)
        for (const ziXmlElement *e = strcmp(s->name, "actuator") == 0 ? s->first : NULL; e; e = e->next) count++;
    return count;
}

/* The actuators one after the other: thrusters, or all others. */
static zvStatus put_actuators(MjcfScenario *w, bool thrusters) {
    int index = 0;
    for (const ziXmlElement *s = w->m.root->first; s; s = s->next) {
        for (const ziXmlElement *e = strcmp(s->name, "actuator") == 0 ? s->first : NULL; e; e = e->next, index++) {
            ziMjcfActuator a;
            const zvStatus status = zi_mjcf_actuator(&w->m, e, &a);
            if (status != ZV_OK) return status;
            const bool thruster = a.on == ZI_MJCF_ON_SITE && !a.why_not;
            if (thruster != thrusters) continue;
            const double u = clamped(w->ctrl[index], a.control);
            if (thruster)
                put_thruster(w, &a, u);
            else
                put_actuator(w, &a, u);
        }
    }
    return ZV_OK;
}

static bool is_held(const ziMjcf *m, size_t body) {
    return m->bodies[body].gravcomp != 0 && m->bodies[body].inertia.mass != 0;
}

static const char *com_name(MjcfScenario *w, size_t body) {
    return zi_mjcf_print(&w->m, "%s_com", w->m.bodies[body].link);
}

/* gravcomp: a constant force at the centre of mass. */
static void put_weights(MjcfScenario *w) {
    double g[3];
    zv_builder_gravity(w->m.builder, g);
    for (size_t i = 1; i < w->m.nbody; i++) {
        if (!is_held(&w->m, i)) continue;
        double force[3];
        for (int k = 0; k < 3; k++) force[k] = 0 - w->m.bodies[i].gravcomp * w->m.bodies[i].inertia.mass * g[k];
        put_item(w, "loads");
        zi_put_text(&w->out, "frame", com_name(w, i));
        zi_put_numbers(&w->out, "force", force, 3);
        zi_emit_close(&w->out);
    }
}

/* The file itself, or a robot that includes it and has frames at centres of mass. */
static void put_model(MjcfScenario *w, const char *model) {
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
static zvStatus put_scenario(MjcfScenario *w, const char *model) {
    zi_emit_raw(&w->out, "# Actuators with the inputs of a keyframe; write laws in their place.");
    zi_put_word(&w->out, "zveno_scenario", "1");
    put_model(w, model);
    zi_put_number(&w->out, "duration", 1);
    put_initial(w);
    zvStatus status = put_actuators(w, false);
    end_list(w);
    put_weights(w);
    if (status == ZV_OK) status = put_actuators(w, true);
    end_list(w);
    if (w->saturates) zi_put_word(&w->out, "effort", "saturate");
    return status;
}

/* Whatever fails, what was read is freed. */
zvStatus zi_mjcf_scenario(const char *path, const char *model, const char *key, ziMassDiagonal *diagonal,
                          zvTextSink sink, void *context, zvLossSink lost, void *lost_context, zvError *error) {
    MjcfScenario w = {.lost = lost, .lost_context = lost_context};
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
        w.actuators = status >= 0 ? count_actuators(&w.m) : 0;
        if (status >= 0) status = read_state(&w, diagonal);
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
