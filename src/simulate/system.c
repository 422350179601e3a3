/* The scenario as f(t, y) (system.h): closed loops, laws, states, callbacks of integrators. */
#include "simulate/system.h"
#include "simulate/equilibrium.h"

#include "actuate/element.h"
#include "dynamics/methods.h"
#include "loops/near.h"
#include "model/coordinate.h"
#include "model/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Closed loops of a scenario. Accelerations obey them, so positions and velocities leave them only by the error of the
 * steps. One-step methods take it back after each step. Multistep methods keep a history that a projection would spoil:
 * there y = (q, v) is drawn to the nearest closed state, and what is looked at is closed:
 *   dy/dt = f(t, closed y) + pull (closed y - y)
 * Methods that choose their steps take the rates of the closed state: of one that is not quite closed they are
 * wild near a singular position, and a control of errors that sees it goes there with ever smaller steps. */

/* Directions held so weakly (zvSingularity.margin) are not closed near a singular position. */
static const double WEAK = 5e-3;
enum { FRESH_GUESSES = 8 }; /* before a position is called out of reach */

/* The pull that no one has given is that of the machine's own time, or a small or swift one would leave its loops
 * faster than it is drawn back: at rest that of gravity over its size, in motion the rates of its joints. What sinks or
 * sails with a free joint, and elastic vibration, do not count. */
static void follow_motion(ziSystem *s) {
    const double size = s->model->tree.closed->size;
    double g[3];
    zv_model_gravity(s->model, g);
    s->pull = fmax(s->pull, sqrt(sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / size));
    for (int j = 0; j < zv_model_njoint(s->model); j++) {
        const zvJointType type = zv_model_joint(s->model, j)->type;
        const int first = zv_model_joint_place(s->model, j).v_index;
        for (int k = 0; first >= 0 && k < zv_joint_type_nv(type); k++) {
            const bool slides = strcmp(zv_joint_type_v_unit(type, k, ZV_QUANTITY_VELOCITY), "m/s") == 0;
            s->swiftness[first + k] = !slides ? 1 : type == ZV_JOINT_FREE ? 0 : 1 / size;
        }
    }
}

/* Near the largest of all rates, and smooth: multistep methods look at its derivatives. */
static double pull(const ziSystem *s) {
    double sum = s->pull * s->pull * s->pull * s->pull;
    for (int i = 0; i < s->nv; i++) {
        const double rate = s->swiftness[i] * s->v[i];
        sum += rate * rate * rate * rate;
    }
    return sqrt(sqrt(sum));
}

/* Which care the method needs: careful, pull. */
static void system_choose_care(ziSystem *s, const zvIntegrationMethod *method) {
    const bool history = method && method->family == ZV_FAMILY_MULTISTEP;
    /* what closes the loops of stages by bending stiff links costs more steps than it saves */
    const bool stages = method && method->family == ZV_FAMILY_RUNGE_KUTTA && zv_model_nelastic(s->model) == 0;
    s->careful = s->closes && (history || stages);
    s->pull = s->closes && history ? s->scenario->feedback : 0;
    if (s->pull > 0 && !s->scenario->feedback_given) follow_motion(s);
}

/* Closes the loops by q and v, which obey the laws; what follows a law, sticks or is held does not move. When that
 * fails, and when the scenario does not want it, they stay. */
static zvStatus system_close(ziSystem *s, double t, double *q, double *v) {
    if (!s->closes) return ZV_OK;
    zi_drives_lock(s->drives, s->efforts, s->modes, s->locked);
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, t));
    zvClosing closing = zv_efforts_closing(s->efforts);
    closing.floor = WEAK;
    const zvStatus status = zi_close_near(s->model, s->work, &closing, s->locked, q, NULL);
    return status < 0 ? status : zv_close_velocity(s->model, s->work, &closing, q, s->locked, v, NULL);
}

/* Brings y, that of time t, back to where it belongs: unit quaternions, closed loops. */
static zvStatus system_project(ziSystem *s, double t, double *y) {
    zv_position_normalize(s->model, y);
    if (!s->closes) return ZV_OK;
    zi_system_impose(s, t, y, y + s->at_v);
    return system_close(s, t, y, y + s->at_v);
}

/* Adds to dy what draws q and v of y to those placed, which are closed. */
static void system_draw(const ziSystem *s, const double *y, double *dy) {
    const double alpha = pull(s);
    for (int i = 0; i < s->nq; i++) dy[i] += alpha * (s->q[i] - y[i]);
    for (int i = 0; i < s->nv; i++) dy[s->at_v + i] += alpha * (s->v[i] - y[s->at_v + i]);
}

/* Assembling from fresh guesses decides it: near a dead centre closing may fail though a way exists. */
bool zi_system_is_stuck(ziSystem *s, double t, const double *y, zvError *why) {
    zvAssembly options = zv_assembly_default();
    if (!s->closes) return false;
    options.restarts = FRESH_GUESSES;
    options.held = s->locked;
    zi_system_copy(s, t, y);
    zv_position_normalize(s->model, s->q);
    zi_system_impose(s, t, s->q, s->v);
    zi_drives_lock(s->drives, s->efforts, s->modes, s->locked);
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, t));
    const zvClosing closing = zv_efforts_closing(s->efforts);
    return zv_assemble(s->model, s->work, &closing, &options, s->q, why) == ZV_CLOSURE;
}

void zi_system_look_at_loops(ziSystem *s) {
    double gap, rate;
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, s->t));
    const zvClosing closing = zv_efforts_closing(s->efforts);
    zv_loop_residual(s->model, s->work, &closing, s->q, s->v, -1, &gap, &rate);
    s->worst_gap = fmax(s->worst_gap, gap);
    s->worst_rate = fmax(s->worst_rate, rate);
    zi_system_judge_singular(s);
}

/* Callbacks ---------------------------------------------------------------------------------------- */

double zi_system_clock(const ziSystem *s, double t) { return t < s->horizon ? t : nextafter(s->horizon, -INFINITY); }

void zi_system_impose(ziSystem *s, double t, double *q, double *v) {
    zv_drives_impose(s->drives, s->efforts, zi_system_clock(s, t), s->modes, q, v);
    for (int i = 0; i < s->nv; i++) {
        if (s->held[i]) v[i] = 0;
    }
}

void zi_system_copy(ziSystem *s, double t, const double *y) {
    s->t = t;
    s->links_known = false;
    memcpy(s->q, y, (size_t)s->nq * sizeof *y);
    memcpy(s->v, y + s->at_v, (size_t)s->nv * sizeof *y);
    s->z = y + s->at_z;
    s->done = y + s->at_work;
}

void zi_system_place(ziSystem *s, double t, const double *y) {
    zi_system_copy(s, t, y);
    zi_system_impose(s, t, s->q, s->v);
}

void zi_system_show(ziSystem *s, double t, const double *y) {
    zi_system_copy(s, t, y);
    zv_position_normalize(s->model, s->q);
    zi_system_impose(s, t, s->q, s->v);
    system_close(s, t, s->q, s->v); /* one that cannot be closed is shown as it is */
}

void zi_system_frame(ziSystem *s, int frame, zvPose *pose, double *velocity) {
    if (!s->poses) {
        zv_frame_pose(s->model, s->work, s->q, frame, pose);
        if (velocity) zv_frame_velocity(s->model, s->work, s->q, s->v, frame, ZV_AXES_WORLD, velocity);
        return;
    }
    if (!s->links_known) zv_link_motions(s->model, s->work, s->q, s->v, s->poses, s->velocities);
    s->links_known = true;
    zv_frame_of_links(s->model, frame, s->q, s->v, s->poses, s->velocities, pose, velocity);
}

zvStatus zi_system_accelerate(ziSystem *s) {
    zvStatus status =
        zv_drives_accelerate(s->drives, s->efforts, s->work, zi_system_clock(s, s->t), s->q, s->v, s->z, s->modes);
    if (status < 0) {
        s->trouble = status;
        s->trouble_t = s->t;
    }
    if (status == ZV_DEGRADED) s->damped++;
    if (s->loops) zi_system_note_singular(s);
    return status;
}

/* A shorter step leads elsewhere, but not past a function of the program that wants to stop. */
int zi_system_refusal(const ziSystem *s) { return s->efforts->stopped == ZV_OK ? 1 : -1; }

/* A state from which nothing finite comes is one to step back from. */
static int all_finite(const double *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += 0 * x[i];
    return sum == 0;
}

/* Closes the state placed; false: it cannot be done. */
static bool closes(ziSystem *s, double t) {
    const zvStatus status = system_close(s, t, s->q, s->v);
    if (status >= 0) return true;
    s->trouble = status;
    s->trouble_t = t;
    return false;
}

/* y' = (q', a, z', powers); a failure is remembered, so that the run can say why. */
static int rate(void *context, double t, const double *y, double *dy) {
    ziSystem *s = context;
    zi_system_place(s, t, y);
    if (s->careful && !closes(s, t)) return 1;
    if (zi_system_accelerate(s) < 0) return zi_system_refusal(s);
    zv_position_rate(s->model, s->q, s->v, dy);
    memcpy(dy + s->at_v, s->efforts->a, (size_t)s->nv * sizeof *dy);
    memcpy(dy + s->at_z, s->efforts->rate, (size_t)s->nz * sizeof *dy);
    memcpy(dy + s->at_work, s->efforts->power, (size_t)s->nw * sizeof *dy);
    if (s->pull > 0) system_draw(s, y, dy);
    if (all_finite(dy, s->size)) return 0;
    s->trouble = ZV_NUMBER;
    s->trouble_t = t;
    return 1;
}

static int position_rate(void *context, double t, const double *y, double *dy) {
    ziSystem *s = context;
    zi_system_place(s, t, y);
    zv_position_rate(s->model, s->q, s->v, dy);
    if (!s->z_moves) return 0;
    if (zi_system_accelerate(s) < 0) return zi_system_refusal(s);
    for (int i = 0; i < s->nz; i++) {
        if (s->is_position[s->at_z + i]) dy[s->at_z + i] = s->efforts->rate[i];
    }
    return 0;
}

static int project(void *context, double t, double *y) {
    ziSystem *s = context;
    const zvStatus status = system_project(s, t, y);
    if (status >= 0) return 0;
    s->trouble = status;
    s->trouble_t = t;
    return 1;
}

static void adopt(void *context, const zvIntegrationMethod *method) { system_choose_care(context, method); }

static int event_functions(void *context, double t, const double *y, double *g) {
    ziSystem *s = context;
    return s->events(s->event_set, t, y, g);
}

/* event_count stays zero until someone has events. */
zvOde zi_system_ode(ziSystem *s) {
    return (zvOde){.size = s->size,
                   .context = s,
                   .rate = rate,
                   .is_position = s->is_position,
                   .position_rate = position_rate,
                   .prepare = zi_system_prepare,
                   .precondition = zi_system_precondition,
                   .project = project,
                   .adopt = adopt,
                   .events = event_functions,
                   .quadratures = s->nw,
                   .structure = &s->structure};
}

/* Beginning ----------------------------------------------------------------------------------------- */

double zi_system_energy_scale(ziSystem *s) {
    double kinetic, unit, potential;
    for (int i = 0; i < s->nv; i++) s->buffer[i] = 1;
    zv_energy(s->model, s->work, s->q, s->v, &kinetic, &potential);
    zv_energy(s->model, s->work, s->q, s->buffer, &unit, &potential);
    double sum = kinetic + 2 * unit;
    return sum > 0 ? sum : 1;
}

/* Laws, modes and loops at once, then back into y. */
zvStatus zi_system_settle(ziSystem *s, double t, double *y, zvError *error) {
    zi_system_copy(s, t, y);
    zv_position_normalize(s->model, s->q);
    zvStatus status = zv_drives_settle(s->drives, s->efforts, s->work, zi_system_clock(s, t), s->q, s->v, s->z,
                                       s->modes); /* imposes laws as well */
    if (status >= 0) status = system_close(s, t, s->q, s->v);
    if (status < 0) {
        return zv_fail(error, status, (zvMark){0}, NULL, "the motion cannot go on at t = %.9g s: %s%s%s", t,
                       zv_status_sentence(status), zv_model_mass(s->model) > 0 ? "" : "; no link that moves has mass",
                       status != ZV_SINGULAR ? ""
                                             : "; a part without inertia can move freely: give its link mass and "
                                               "inertia, or its joint an armature");
    }
    memcpy(y, s->q, (size_t)s->nq * sizeof *y);
    memcpy(y + s->at_v, s->v, (size_t)s->nv * sizeof *y);
    return ZV_OK;
}

/* The initial state of the scenario before any settling; q (nq, or NULL) instead of its position. */
zvStatus zi_system_guess(ziSystem *s, const double *q, double *y) {
    const zvScenario *scenario = s->scenario;
    double *z = y + s->at_z;
    s->horizon = zv_drives_next_break(s->drives, scenario->start);
    memset(y, 0, (size_t)s->size * sizeof *y);
    memcpy(y, q ? q : scenario->q, (size_t)s->nq * sizeof *y);
    memcpy(y + s->at_v, scenario->v, (size_t)s->nv * sizeof *y);
    if (scenario->motors_at_equilibrium || q) {
        zi_system_show(s, scenario->start, y);
        zv_drives_initial(s->drives, s->efforts, s->work, s->q, s->v, scenario->motors_at_equilibrium, z);
    } else if (s->nz > 0) {
        memcpy(z, scenario->z, (size_t)s->nz * sizeof *z);
    }
    if (zv_drives_nfunction(s->drives) == 0) return ZV_OK;
    zi_system_show(s, scenario->start, y);
    return zv_drives_sample(s->drives, s->efforts, scenario->start, true, s->q, s->v);
}

/* The initial state of the scenario, motors or everything in equilibrium where it asks for that, modes settled. */
zvStatus zi_system_begin(ziSystem *s, double *y, zvError *error) {
    const zvScenario *scenario = s->scenario;
    zvStatus status = zi_system_guess(s, NULL, y);
    if (status >= 0 && scenario->at_rest) {
        zvRestOptions options = zv_rest_default();
        ziEquilibriumFacts facts = {0};
        options.held = scenario->rest_held;
        options.v = scenario->v;
        status = zi_system_rest(s, &options, y, NULL, &facts, error);
    }
    if (status >= 0) status = zi_system_settle(s, scenario->start, y, error);
    double scale = zi_system_energy_scale(s);
    for (int i = 0; i < s->nw; i++) s->scale[s->at_work + i] = scale;
    return status;
}

/* Creation ------------------------------------------------------------------------------------------ */

static double *doubles(ziSystem *s, int count) {
    return zi_arena_alloc(&s->arena, ((size_t)count + 1) * sizeof(double));
}

/* All arrays of the system, once; false when out of memory. */
static bool take_system_arrays(ziSystem *s) {
    s->modes = zi_arena_alloc(&s->arena, (size_t)zv_drives_nmode(s->drives) + 1);
    s->held = zi_arena_alloc(&s->arena, (size_t)s->nv + 1);
    s->locked = zi_arena_alloc(&s->arena, (size_t)s->nv + 1);
    s->open = zi_arena_alloc(&s->arena, (size_t)zv_model_nloop(s->model) + 1);
    s->offsets = doubles(s, zv_model_nloop_rows(s->model));
    for (int i = 0; s->open && i < zv_model_nloop(s->model); i++) s->open[i] = zv_model_loop(s->model, i)->open;
    s->given = zi_arena_alloc(&s->arena, (size_t)s->nv + 1);
    s->is_position = zi_arena_alloc(&s->arena, (size_t)s->size + 1);
    s->coordinate = zi_arena_alloc(&s->arena, ((size_t)s->nv + 1) * sizeof *s->coordinate);
    s->q = doubles(s, s->nq);
    s->v = doubles(s, s->nv);
    s->scale = doubles(s, s->size);
    s->stiffness = doubles(s, s->nv);
    s->apart = doubles(s, s->nv);
    s->damping = doubles(s, s->nv);
    s->augment = doubles(s, s->nv);
    s->tangent = doubles(s, s->nv);
    s->buffer = doubles(s, 3 * s->nv + s->nq);
    const bool matrix = zi_system_wants_matrix(s);
    s->mass = matrix ? doubles(s, s->nv * s->nv) : NULL;
    s->factors = matrix ? doubles(s, s->nv * s->nv) : NULL;
    s->q_near = doubles(s, s->nq);
    s->swiftness = doubles(s, s->nv);
    s->stored = doubles(s, zv_drives_nstore(s->drives));
    s->singular_q = doubles(s, s->nq);
    s->signs = zi_arena_alloc(&s->arena, ((size_t)zv_model_njoint(s->model) + 1) * sizeof *s->signs);
    s->loop_warning = zi_arena_alloc(&s->arena, ZI_LOOP_WARNING);
    return s->modes && s->held && s->locked && s->open && s->offsets && s->given && s->is_position && s->coordinate &&
           s->q && s->v && s->scale && s->stiffness && s->apart && s->damping && s->augment && s->tangent &&
           s->buffer && s->q_near && s->swiftness && s->stored && s->singular_q && s->signs && s->loop_warning &&
           (!matrix || (s->mass && s->factors));
}

/* From this many frames on one sweep over all links is the shorter way. */
enum { MANY_FRAMES = 3 };

static bool is_frame_channel(ziChannelSpec spec) {
    return spec.kind == ZI_CHANNEL_POSE || spec.kind == ZI_CHANNEL_VELOCITY;
}

/* One sweep over all links pays when many frames are observed. */
static bool make_links(ziSystem *s) {
    const zvScenario *scenario = s->scenario;
    const size_t nlink = (size_t)zv_model_nlink(s->model);
    int rows = 0, events = 0;
    for (int i = 0; i < scenario->channel_count; i++) rows += is_frame_channel(scenario->channels[i]);
    for (int i = 0; i < scenario->event_count; i++) {
        const ziEventSpec *e = &scenario->events[i];
        events += e->kind == ZI_EVENT_PLANE || (e->kind == ZI_EVENT_THRESHOLD && is_frame_channel(e->channel));
    }
    if (rows < MANY_FRAMES && events < MANY_FRAMES) return true;
    s->poses = zi_arena_alloc(&s->arena, nlink * sizeof *s->poses);
    s->velocities = zi_arena_alloc(&s->arena, 6 * nlink * sizeof *s->velocities);
    return s->poses && s->velocities;
}

static void mark_entries(ziSystem *s) {
    for (int i = 0; i < s->size; i++) s->scale[i] = 1;
    for (int i = 0; i < s->nq; i++) s->is_position[i] = 1;
    for (int i = 0; i < s->nz; i++) {
        s->is_position[s->at_z + i] = zv_drives_state(s->drives, i).is_position;
        s->z_moves |= zv_drives_state(s->drives, i).is_position;
    }
    zi_coordinates_of_dofs(s->model, s->coordinate);
}

/* Lays out y = (q, v, z, works), the works only with a ledger, and takes memory, workspace and efforts. NULL with an
 * error when out of memory. */
ziSystem *zi_system_create(const zvScenario *scenario, zvError *error) {
    ziSystem *s = calloc(1, sizeof *s);
    if (s) {
        s->scenario = scenario;
        s->model = scenario->model;
        s->drives = scenario->drives;
        s->nq = zv_model_nq(s->model);
        s->nv = zv_model_nv(s->model);
        s->nz = zv_drives_nstate(s->drives);
        s->nw = scenario->ledger ? zv_drives_naccount(s->drives) : 0;
        s->at_v = s->nq;
        s->at_z = s->at_v + s->nv;
        s->at_work = s->at_z + s->nz;
        s->size = s->at_work + s->nw;
        s->horizon = INFINITY;
        s->loops = zv_model_nloop(s->model) > 0;
        s->closes = s->loops && scenario->stabilisation == ZI_STABILISE_PROJECTION;
        s->work = zv_work_create(s->model, error);
        s->efforts = s->work ? zv_efforts_create(s->drives, error) : NULL;
        if (s->efforts && take_system_arrays(s) && make_links(s)) {
            s->efforts->held = s->held;
            s->efforts->forward = scenario->forward;
            s->assembled = scenario->forward && zi_forward_assembles(scenario->forward)
                               ? scenario->forward
                               : zv_method_named(ZV_QUESTION_FORWARD, "mass");
            s->efforts->feedback = scenario->stabilisation == ZI_STABILISE_BAUMGARTE ? scenario->feedback : 0;
            s->singular = s->efforts->singularity = (zvSingularity){.margin = 1, .loop = -1, .resolved = true};
            s->efforts->open = s->open;
            s->efforts->offsets = s->offsets;
            if (s->loops) zi_system_count_redundant(s, scenario->q);
            const char *name = scenario->integration.method;
            system_choose_care(s, name ? zv_integration_method_find(name) : NULL);
            mark_entries(s);
            zi_system_find_floating(s);
            s->structure = zi_system_structure(s);
            return s;
        }
        zi_system_destroy(s);
    }
    zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory for the simulation");
    return NULL;
}

void zi_system_destroy(ziSystem *s) {
    if (!s) return;
    if (s->efforts) zv_efforts_destroy(s->efforts);
    if (s->work) zv_work_destroy(s->work);
    zi_arena_free(&s->arena);
    free(s);
}
