/* Actuators of an MJCF file, and springs of its tendons, as drives of a scenario: at a constant input w each pulls at a
 * length with constant - kp L - kd L', cut off at its bounds. Inputs that go through a filter or an integrator are
 * functions of time, since what enters them is constant. */
#include "read/mjcf_drive.h"

#include <math.h>
#include <string.h>

void zi_mjcf_put_item(ziMjcfScenario *w, const char *list) {
    if (!w->begun) zi_emit_list_begin(&w->out, list);
    w->begun = true;
    zi_emit_item(&w->out);
    zi_emit_open(&w->out);
}

static double clamped(double x, const double range[2]) {
    return range[0] > range[1] ? x : fmin(fmax(x, range[0]), range[1]);
}

static const char *drive_name(ziMjcfScenario *w, const char *wanted) {
    const char *name = wanted;
    for (int n = 2; name && zi_names_find(&w->drives, name) >= 0; n++)
        name = zi_mjcf_print(&w->m, "%.200s_%d", wanted, n);
    if (!name || zi_names_add(&w->drives, name, 0) < 0) {
        if (w->out.status >= 0) w->out.status = zi_mjcf_memory(&w->m, w->m.root);
        return "";
    }
    return name;
}

/* Damping of a position actuator from its ratio to critical damping, with the inertia 1/(J M^-1 J^T) along its length.
 */
static void resolve_ratio(const ziMjcfScenario *w, ziMjcfActuator *a) {
    double inverse = 0;
    if (!(a->damping_ratio > 0)) return;
    for (int i = 0; i < a->nown; i++) {
        const double *row = w->inverse + (size_t)a->own[i].joint * w->m.njoint;
        for (int j = 0; j < a->nown; j++) inverse += a->own[i].ratio * row[a->own[j].joint] * a->own[j].ratio;
    }
    inverse *= a->gear[0] * a->gear[0];
    a->bias[2] = inverse > 0 ? -2 * a->damping_ratio * sqrt(fmax(a->gain[0] / inverse, 0)) : 0;
}

/* The input of an actuator as time goes on: from `from` to `to`, which a filter nears with a time constant and an
 * integrator goes through at a rate; it stops at a bound. */
typedef struct Input {
    ziMjcfDynamics dynamics;
    double from, to, time; /* time: constant of a filter */
    double rate;           /* of an integrator */
    double stop, bound;    /* when and where it stops; INFINITY: never */
} Input;

/* Where its state starts, and whether and how it goes on from there. */
static Input input_of(const ziMjcfActuator *a, double u, double act) {
    Input in = {ZI_MJCF_DIRECT, u, u, a->time, 0, INFINITY, 0};
    if (a->dynamics == ZI_MJCF_DIRECT) return in;
    const double start = clamped(act, a->state);
    in.from = in.to = start;
    const bool moves = a->dynamics == ZI_MJCF_FILTER ? start != u : u != 0;
    const bool bounded = a->state[0] <= a->state[1];
    const double bound = a->dynamics == ZI_MJCF_FILTER ? clamped(u, a->state) : a->state[u > 0];
    if (!moves || (bounded && start == bound)) return in;
    in.dynamics = a->dynamics;
    in.bound = bound;
    if (a->dynamics == ZI_MJCF_FILTER) {
        in.to = u;
        if (bound != u) in.stop = a->time * log((start - u) / (bound - u));
    } else {
        in.rate = u;
        if (bounded) in.stop = (bound - start) / u;
    }
    return in;
}

static void put_law_end(ziMjcfScenario *w, const char *key, double value) {
    zi_emit_key(&w->out, key);
    zi_emit_number(&w->out, value);
}

/* offset + factor times the input, as a law under a key. */
static void put_input(ziMjcfScenario *w, const char *key, const Input *in, double factor, double offset) {
    const double from = offset + factor * in->from, to = offset + factor * in->to;
    ziEmitter *out = &w->out;
    zi_emit_key(out, key);
    if (in->dynamics == ZI_MJCF_DIRECT) {
        zi_emit_number(out, from);
        return;
    }
    const bool stops = in->stop < INFINITY;
    if (in->dynamics == ZI_MJCF_FILTER && stops) {
        zi_emit_word(out, "{type: sequence, parts: [");
        zi_emit_open(out);
        put_law_end(w, "duration", in->stop);
        zi_emit_key(out, "law");
    }
    zi_emit_open(out);
    if (in->dynamics == ZI_MJCF_FILTER) {
        zi_put_word(out, "type", "exponential");
        put_law_end(w, "from", from);
        put_law_end(w, "to", to);
        put_law_end(w, "time", in->time);
    } else if (stops) {
        const double times[2] = {0, in->stop}, points[2] = {from, offset + factor * in->bound};
        zi_put_word(out, "type", "table");
        zi_put_numbers(out, "times", times, 2);
        zi_put_numbers(out, "points", points, 2);
        zi_put_word(out, "mode", "linear");
    } else {
        const double powers[2] = {from, factor * in->rate};
        zi_put_word(out, "type", "polynomial");
        zi_put_numbers(out, "coefficients", powers, 2);
    }
    zi_emit_close(out);
    if (in->dynamics != ZI_MJCF_FILTER || !stops) return;
    zi_emit_close(out);
    zi_emit_word(out, ", ");
    zi_emit_digits(out, offset + factor * in->bound);
    zi_emit_word(out, "]}");
}

/* The pull along the length g q of an actuator: factor times its input and a constant, less kp q and kd v. */
typedef struct MjcfPull {
    double factor, constant, kp, kd;
} MjcfPull;

/* On a length that is `gear` times what the drive sees. */
static MjcfPull pull_of(const ziMjcfActuator *a, double u, double gear) {
    const double L = a->gain[1] * u + a->bias[1], V = a->gain[2] * u + a->bias[2];
    return (MjcfPull){gear * a->gain[0], gear * (a->bias[0] + L * a->gear[0] * a->offset), 0 - gear * gear * L,
                      0 - gear * gear * V};
}

/* Where it holds, and what it pushes with: a constant input belongs to the place where it holds. */
static void put_pull(ziMjcfScenario *w, const Input *in, MjcfPull p) {
    const bool still = in->dynamics == ZI_MJCF_DIRECT;
    const double force = p.constant + (still ? p.factor * in->from : 0);
    zi_put_number(&w->out, "kp", p.kp);
    zi_put_nonzero(&w->out, "kd", p.kd);
    if (p.kp != 0) zi_put_number(&w->out, "reference", force / p.kp);
    if (!still)
        put_input(w, "feedforward", in, p.factor, p.kp != 0 ? 0 : force);
    else if (p.kp == 0)
        zi_put_nonzero(&w->out, "feedforward", force);
}

/* Efforts that are limited there are limited here. */
static const char *joint_of(ziMjcfScenario *w, const ziMjcfActuator *a, const ziMjcfTerm *term) {
    const ziMjcfJoint *j = &w->m.joints[term->joint];
    if (j->dof.effort > 0 && !a->passive) w->saturates = true;
    return j->joint;
}

/* A force on one joint, or a controller that holds its reference. */
static void put_single(ziMjcfScenario *w, const ziMjcfActuator *a, const ziMjcfTerm *term, const Input *in, double u) {
    const double gear = a->gear[0] * term->ratio;
    const MjcfPull p = pull_of(a, u, gear);
    const bool springs = p.kp != 0 || p.kd != 0;
    zi_mjcf_put_item(w, "drives");
    zi_put_text(&w->out, "name", drive_name(w, a->name));
    zi_put_word(&w->out, "type", springs ? "pd" : "torque");
    zi_put_text(&w->out, "joint", joint_of(w, a, term));
    if (springs)
        put_pull(w, in, p);
    else if (in->dynamics == ZI_MJCF_DIRECT)
        zi_put_number(&w->out, "law", gear * clamped(a->gain[0] * u + a->bias[0], a->force));
    else
        put_input(w, "law", in, p.factor, p.constant);
    if (springs && a->force[0] <= a->force[1]) zi_put_number(&w->out, "limit", fabs(gear * a->force[1]));
    zi_emit_close(&w->out);
}

/* A controller of the length itself. */
static void put_tendon(ziMjcfScenario *w, const ziMjcfActuator *a, const Input *in, double u) {
    zi_mjcf_put_item(w, "drives");
    zi_put_text(&w->out, "name", drive_name(w, a->name));
    zi_put_word(&w->out, "type", "tendon");
    zi_emit_key(&w->out, "joints");
    zi_emit_word(&w->out, "[");
    for (int i = 0, n = 0; i < a->nterm; i++) {
        if (a->terms[i].ratio == 0) continue;
        if (n++) zi_emit_word(&w->out, ", ");
        zi_emit_text(&w->out, joint_of(w, a, &a->terms[i]));
    }
    zi_emit_word(&w->out, "]");
    double ratios[ZI_MJCF_ACTUATOR_TERMS];
    int count = 0;
    for (int i = 0; i < a->nterm; i++)
        if (a->terms[i].ratio != 0) ratios[count++] = a->gear[0] * a->terms[i].ratio;
    zi_put_numbers(&w->out, "ratios", ratios, count);
    put_pull(w, in, pull_of(a, u, 1));
    if (a->force[0] <= a->force[1]) zi_put_numbers(&w->out, "limit", a->force, 2);
    if (a->passive) zi_put_word(&w->out, "passive", "true");
    zi_emit_close(&w->out);
}

/* Why an actuator has no drive; NULL: it has one. */
static const char *reason(const ziMjcfActuator *a, const Input *in, double u, int moving) {
    const MjcfPull p = pull_of(a, u, 1);
    if (a->why_not) return a->why_not;
    if (a->on == ZI_MJCF_ON_NOTHING || moving == 0) return "it acts on no joint that moves";
    if (p.kp < 0 || p.kd < 0) return "it pushes away from a position";
    if (in->dynamics != ZI_MJCF_DIRECT && (a->gain[1] != 0 || a->gain[2] != 0))
        return "its stiffness or damping would change with the time";
    return NULL;
}

/* A length of one joint is a drive of it; of several one with a constant force is a force for each; what is left is a
 * tendon. */
static void put_actuator(ziMjcfScenario *w, ziMjcfActuator *a, double u, double act) {
    int moving = 0;
    const Input in = input_of(a, u, act);
    for (int i = 0; i < a->nterm; i++) moving += a->terms[i].ratio != 0 && a->gear[0] != 0;
    resolve_ratio(w, a);
    const char *why = reason(a, &in, u, moving);
    if (why) {
        zi_mjcf_lose(w, a->element, a->name, zi_mjcf_print(&w->m, "the actuator is left out: %s", why));
        return;
    }
    if (a->delayed) zi_mjcf_lose(w, a->element, a->name, "its delay is left out");
    const MjcfPull p = pull_of(a, u, 1);
    const bool springs = p.kp != 0 || p.kd != 0, bounded = a->force[0] <= a->force[1];
    const bool plain = !bounded || (springs ? moving == 1 && a->force[0] == -a->force[1] && a->force[1] > 0
                                            : in.dynamics == ZI_MJCF_DIRECT);
    if ((springs && moving > 1) || !plain || a->passive)
        put_tendon(w, a, &in, u);
    else
        for (int i = 0; i < a->nterm; i++)
            if (a->terms[i].ratio != 0) put_single(w, a, &a->terms[i], &in, u);
}

/* A thruster: a force and a moment at a site, in its axes. */
static void put_thruster(ziMjcfScenario *w, const ziMjcfActuator *a, double u, double act) {
    const Input in = input_of(a, u, act);
    const double size = clamped(a->gain[0] * u + a->bias[0], a->force);
    double wrench[6];
    if (a->bias[1] != 0 || a->bias[2] != 0 || a->gain[1] != 0 || a->gain[2] != 0 || in.dynamics != ZI_MJCF_DIRECT) {
        zi_mjcf_lose(w, a->element, a->name, "the actuator is left out: a thruster here has a constant force");
        return;
    }
    for (int i = 0; i < 6; i++) wrench[i] = a->gear[i] * size;
    zi_mjcf_put_item(w, "loads");
    zi_put_text(&w->out, "name", drive_name(w, a->name));
    zi_put_text(&w->out, "frame", w->m.sites[a->site].frame);
    zi_put_word(&w->out, "axes", "local");
    zi_put_numbers(&w->out, "force", wrench, 3);
    zi_put_numbers(&w->out, "moment", wrench + 3, 3);
    zi_emit_close(&w->out);
}

/* The torque of a ball joint about the axes of its link. */
static void put_ball(ziMjcfScenario *w, const ziMjcfActuator *a, double u) {
    const double size = clamped(a->gain[0] * u + a->bias[0], a->force);
    double torque[3];
    for (int i = 0; i < 3; i++) torque[i] = a->gear[i] * size;
    zi_mjcf_put_item(w, "drives");
    zi_put_text(&w->out, "name", drive_name(w, a->name));
    zi_put_word(&w->out, "type", "torque");
    zi_put_text(&w->out, "joint", w->m.joints[a->joint].joint);
    zi_put_numbers(&w->out, "law", torque, 3);
    zi_emit_close(&w->out);
}

/* How many numbers ctrl and act have. */
zvStatus zi_mjcf_count_drives(ziMjcfScenario *w) {
    for (size_t i = 0; i < w->m.njoint; i++) w->has_ratios = w->has_ratios || w->m.joints[i].springdamper[0] > 0;
    for (const ziXmlElement *s = w->m.root->first; s; s = s->next) {
        for (const ziXmlElement *e = strcmp(s->name, "actuator") == 0 ? s->first : NULL; e; e = e->next) {
            ziMjcfActuator a;
            const zvStatus status = zi_mjcf_actuator(&w->m, e, &a);
            if (status != ZV_OK) return status;
            w->actuators++;
            w->has_ratios = w->has_ratios || a.damping_ratio > 0;
            if (a.states < 0)
                w->states = -1;
            else if (w->states >= 0)
                w->states += a.states;
        }
    }
    return ZV_OK;
}

/* Springs and dampers of tendons with several joints, and of joints by a time constant. */
static void put_springs(ziMjcfScenario *w) {
    for (size_t i = 0; i < w->m.njoint && w->inverse; i++) {
        ziMjcfActuator a;
        if (zi_mjcf_joint_pull(&w->m, (int)i, 1 / w->inverse[i * w->m.njoint + i], &a)) put_actuator(w, &a, 0, 0);
    }
    for (size_t i = 0; i < w->m.ntendon; i++) {
        ziMjcfActuator a;
        if (zi_mjcf_tendon_pull(&w->m, (int)i, &a)) put_actuator(w, &a, 0, 0);
    }
}

/* One after the other; what they are told by their places in ctrl and act. */
zvStatus zi_mjcf_put_drives(ziMjcfScenario *w, bool thrusters) {
    int index = 0, state = 0;
    for (const ziXmlElement *s = w->m.root->first; s; s = s->next) {
        for (const ziXmlElement *e = strcmp(s->name, "actuator") == 0 ? s->first : NULL; e; e = e->next) {
            ziMjcfActuator a;
            const zvStatus status = zi_mjcf_actuator(&w->m, e, &a);
            if (status != ZV_OK) return status;
            const double u = clamped(w->ctrl[index++], a.control);
            const double act = a.states > 0 && w->states >= 0 ? w->act[state] : 0;
            state += a.states;
            if ((a.on == ZI_MJCF_ON_SITE && !a.why_not) != thrusters) continue;
            if (thrusters)
                put_thruster(w, &a, u, act);
            else if (a.on == ZI_MJCF_ON_BALL && !a.why_not)
                put_ball(w, &a, u);
            else
                put_actuator(w, &a, u, act);
        }
    }
    if (!thrusters) put_springs(w);
    return ZV_OK;
}
