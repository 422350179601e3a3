/* What is observed of a run: the energy ledger, and the channels of a row. */
#include "simulate/observe.h"
#include "actuate/element.h"

#include "simulate/scenario.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Stores, accounts of the drives, and one for each loop that may close. */
bool zi_ledger_create(ziLedger *l, ziSystem *s) {
    *l = (ziLedger){
        .stores = ZI_STORE_OTHERS + zv_drives_nstore(s->drives), .accounts = s->nw, .loops = zv_model_nloop(s->model)};
    const size_t bytes = (size_t)l->stores * sizeof(double), account_bytes = (size_t)(l->accounts + 1) * sizeof(double);
    l->closings = zi_arena_alloc(&s->arena, ((size_t)l->loops + 1) * sizeof(double));
    l->swings = zi_arena_alloc(&s->arena, ((size_t)l->loops + 1) * sizeof(double));
    l->first = zi_arena_alloc(&s->arena, bytes);
    l->now = zi_arena_alloc(&s->arena, bytes);
    l->span = zi_arena_alloc(&s->arena, bytes);
    l->least = zi_arena_alloc(&s->arena, bytes);
    l->done = zi_arena_alloc(&s->arena, account_bytes);
    l->flow = zi_arena_alloc(&s->arena, account_bytes);
    l->lowest = zi_arena_alloc(&s->arena, account_bytes);
    l->highest = zi_arena_alloc(&s->arena, account_bytes);
    return l->lowest && l->highest && l->closings && l->swings && l->first && l->now && l->span && l->least && l->done && l->flow;
}

/* Energies of the state shown: stores is (ledger->stores). */
static void ledger_stores(const ziLedger *l, ziSystem *s, double *stores) {
    (void)l;
    zv_energy(s->model, s->work, s->q, s->v, &stores[ZI_STORE_KINETIC], &stores[ZI_STORE_POTENTIAL]);
    zv_drives_stored(s->drives, s->work, s->q, s->v, s->z, stores + ZI_STORE_OTHERS);
    if (s->loops) zv_drives_forget_open(s->drives, s->efforts, stores + ZI_STORE_OTHERS);
}

/* At the last look: stored energy of all kinds, work, gap; J. */
static double ledger_energy(const ziLedger *l) {
    double sum = 0;
    for (int i = 0; i < l->stores; i++) sum += l->now[i];
    return sum;
}

/* Energies that cannot be told from rest: those of velocities of 1e-3 rad/s and m/s, ten thousand times what the
 * tolerance lets pass, and a million roundings of what is stored. */
static double ledger_floor(const ziLedger *l, ziSystem *s) {
    const zvIntegrationOptions *o = &s->scenario->integration;
    const double tolerance = zv_integration_is_fixed(o) ? 0 : 1e4 * o->atol;
    double size = 0;
    for (int i = 0; i < l->stores; i++) size += fabs(l->now[i]);
    return fmax(1e-6, tolerance) * zi_system_energy_scale(s) + 1e6 * DBL_EPSILON * size;
}

void zi_ledger_start(ziLedger *l, ziSystem *s) {
    ledger_stores(l, s, l->first);
    memcpy(l->now, l->first, (size_t)l->stores * sizeof *l->now);
    memcpy(l->least, l->first, (size_t)l->stores * sizeof *l->least);
    for (int i = 0; i < l->accounts; i++) l->done[i] = l->lowest[i] = l->highest[i] = s->done[i];
    l->peak = ledger_energy(l);
    l->floor = ledger_floor(l, s);
}

/* Stores and works at the state shown. */
static void ledger_read(ziLedger *l, ziSystem *s) {
    ledger_stores(l, s, l->now);
    for (int i = 0; i < l->stores; i++) {
        l->span[i] = fmax(l->span[i], fabs(l->now[i] - l->first[i]));
        l->least[i] = fmin(l->least[i], l->now[i]);
    }
    for (int i = 0; i < l->accounts; i++) {
        l->flow[i] += fabs(s->done[i] - l->done[i]);
        l->done[i] = s->done[i];
        l->lowest[i] = fmin(l->lowest[i], l->done[i]);
        l->highest[i] = fmax(l->highest[i], l->done[i]);
    }
}

/* What the judgement of the run rests on. A gap that is no number is infinite and stays so. */
static void ledger_judge(ziLedger *l) {
    const double gap = fabs(zi_ledger_gap(l));
    l->peak = fmax(l->peak, ledger_energy(l));
    l->worst = isnan(gap) ? INFINITY : fmax(l->worst, gap);
}

void zi_ledger_look(ziLedger *l, ziSystem *s) {
    ledger_read(l, s);
    ledger_judge(l);
}

/* The energy brought in goes to the account, its size to the flow beside it. */
static double ledger_book(ziLedger *l, ziSystem *s, double *account, double *flow) {
    const double before = ledger_energy(l);
    ledger_read(l, s);
    const double brought = ledger_energy(l) - before;
    *account += brought;
    *flow += fabs(brought);
    ledger_judge(l);
    return brought;
}

void zi_ledger_jump(ziLedger *l, ziSystem *s) { ledger_book(l, s, &l->impacts, &l->impact_flow); }

double zi_ledger_swing(ziLedger *l, ziSystem *s, int loop) {
    return ledger_book(l, s, &l->closings[loop], &l->swings[loop]);
}

/* Of all jumps: impacts and what loops do. */
static double ledger_jumps(const ziLedger *l, const double impacts, const double *of_loops) {
    double sum = impacts;
    for (int i = 0; i < l->loops; i++) sum += of_loops[i];
    return sum;
}

/* At the last look: stored energy of all kinds, work, gap; J. */
static double ledger_work(const ziLedger *l) {
    double sum = ledger_jumps(l, l->impacts, l->closings);
    for (int i = 0; i < l->accounts; i++) sum += l->done[i];
    return sum;
}

/* Summed as changes, which lose less than differences of sums. */
double zi_ledger_gap(const ziLedger *l) {
    double sum = -ledger_work(l);
    for (int i = 0; i < l->stores; i++) sum += l->now[i] - l->first[i];
    return sum;
}

double zi_ledger_exchanged(const ziLedger *l) {
    double sum = ledger_jumps(l, l->impact_flow, l->swings);
    for (int i = 0; i < l->stores; i++) sum += l->span[i];
    for (int i = 0; i < l->accounts; i++) sum += l->flow[i];
    return sum;
}

double zi_ledger_content(const ziLedger *l) {
    double sum = l->peak;
    for (int i = 0; i < l->stores; i++) {
        if (i != ZI_STORE_KINETIC) sum -= l->least[i];
    }
    return sum;
}

double zi_ledger_reference(const ziLedger *l) {
    double work = ledger_jumps(l, l->impact_flow, l->swings);
    for (int i = 0; i < l->accounts; i++) work += l->highest[i] - l->lowest[i];
    return fmax(fmax(zi_ledger_content(l), work), l->floor);
}

/* Accelerations cost a solution of the dynamics: only where a channel shows what follows from them. */
bool zi_channel_needs_forces(ziChannelKind kind) {
    switch (kind) {
    case ZI_CHANNEL_A:
    case ZI_CHANNEL_TAU:
    case ZI_CHANNEL_FORCES:
    case ZI_CHANNEL_POWER:
    case ZI_CHANNEL_TERMS:
    case ZI_CHANNEL_REACTIONS:
    case ZI_CHANNEL_LOOP_REACTIONS:
    case ZI_CHANNEL_ACCELERATION: return true;
    default: return false;
    }
}

static bool make_loops(ziObserver *o) {
    ziSystem *s = o->system;
    o->external = zi_arena_alloc(&s->arena, (size_t)zv_model_nexternal(s->model) * sizeof(double));
    o->wrenches = zi_arena_alloc(&s->arena, 6 * (size_t)zv_model_nloop(s->model) * sizeof(double));
    o->none_open = zi_arena_alloc(&s->arena, (size_t)zv_model_nloop(s->model));
    return o->external && o->wrenches && o->none_open;
}

/* Everything a row needs is laid into the system's arena before the run. */
bool zi_observer_create(ziObserver *o, ziSystem *s, const ziLedger *ledger) {
    const zvScenario *scenario = s->scenario;
    *o = (ziObserver){.system = s, .ledger = ledger, .width = 1};
    for (int i = 0; i < scenario->channel_count; i++) {
        o->width += zi_channel_width(scenario, scenario->channels[i]);
        o->forces |= zi_channel_needs_forces(scenario->channels[i].kind);
    }
    o->quaternions = zi_arena_alloc(&s->arena, ((size_t)scenario->channel_count + 1) * 4 * sizeof(double));
    o->x = zi_arena_alloc(&s->arena, ((size_t)s->nv + 1) * sizeof(double));
    o->stores = zi_arena_alloc(&s->arena, (size_t)ledger->stores * sizeof(double));
    o->reactions = zi_arena_alloc(&s->arena, ((size_t)zv_model_njoint(s->model) + 1) * 6 * sizeof(double));
    return o->quaternions && o->x && o->stores && o->reactions && (!s->loops || make_loops(o));
}

static void copy(double *out, const double *from, int count) {
    if (count > 0) memcpy(out, from, (size_t)count * sizeof *out);
}

/* Quaternion x y z w of a rotation: the largest component first, so that nothing is divided by a small number. */
static void quaternion_of(const double R[9], double e[4]) {
    const double trace[4] = {R[0] - R[4] - R[8], R[4] - R[0] - R[8], R[8] - R[0] - R[4], R[0] + R[4] + R[8]};
    int k = 0;
    for (int i = 1; i < 4; i++) {
        if (trace[i] > trace[k]) k = i;
    }
    const double d[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
    const double s[3] = {R[5] + R[7], R[2] + R[6], R[1] + R[3]}; /* yz, xz, xy */
    const double twice = sqrt(1 + trace[k]), f = 0.5 / twice;
    for (int i = 0; i < 3; i++) e[i] = k == 3 ? f * d[i] : i == k ? 0.5 * twice : f * s[3 - i - k];
    e[3] = k == 3 ? 0.5 * twice : f * d[k];
}

static void observe_pose(ziObserver *o, int frame, const double *like, double *out) {
    ziSystem *s = o->system;
    zvPose pose;
    double dot = 0;
    zi_system_frame(s, frame, &pose, NULL);
    copy(out, pose.p, 3);
    quaternion_of(pose.R, out + 3);
    for (int i = 0; like && i < 4; i++) dot += like[i] * out[3 + i];
    for (int i = 0; dot < 0 && i < 4; i++) out[3 + i] = -out[3 + i];
}

/* zv_momentum is about the centre of mass: c x p brings it to the origin. */
static void observe_momentum(ziObserver *o, double *h) {
    ziSystem *s = o->system;
    double c[3];
    zv_momentum(s->model, s->work, s->q, s->v, h, c);
    h[3] += c[1] * h[2] - c[2] * h[1];
    h[4] += c[2] * h[0] - c[0] * h[2];
    h[5] += c[0] * h[1] - c[1] * h[0];
    zi_drives_add_spins(s->drives, s->work, s->q, s->v, s->z, h + 3);
}

/* Per degree of freedom M a, the terms of velocity (bias less gravity and elastic forces) and gravity. */
static void observe_terms(ziObserver *o, double *out) {
    ziSystem *s = o->system;
    zv_mass_times(s->model, s->work, s->q, s->efforts->a, o->x);
    for (int i = 0; i < s->nv; i++) out[3 * i] = o->x[i];
    zv_bias(s->model, s->work, s->q, s->v, o->x);
    for (int i = 0; i < s->nv; i++) out[3 * i + 1] = o->x[i];
    zv_gravity_force(s->model, s->work, s->q, o->x);
    for (int i = 0; i < s->nv; i++) {
        out[3 * i + 1] -= o->x[i];
        out[3 * i + 2] = o->x[i];
    }
    if (zv_model_nelastic(s->model) == 0) return;
    zv_elastic_force(s->model, s->q, s->v, o->x);
    for (int i = 0; i < s->nv; i++) out[3 * i + 1] -= o->x[i];
}

/* External forces, those of loops among them. */
static const double *all_external(ziObserver *o) {
    ziSystem *s = o->system;
    const int count = zv_model_nexternal(s->model);
    if (!s->loops) return s->efforts->fext;
    for (int i = 0; i < count; i++) o->external[i] = s->efforts->fext ? s->efforts->fext[i] : 0;
    zv_add_loop_wrenches(s->model, s->work, s->q, s->efforts->lambda, o->external);
    return o->external;
}

static void observe_reactions(ziObserver *o, int joint, double *out) {
    ziSystem *s = o->system;
    if (!o->reactions_known) {
        zv_joint_reactions(s->model, s->work, s->q, s->v, s->efforts->a, all_external(o), o->reactions);
        o->reactions_known = true;
    }
    if (joint >= 0) copy(out, o->reactions + 6 * joint, 6);
    if (joint < 0) copy(out, o->reactions, 6 * zv_model_njoint(s->model));
}

static void observe_loop_reactions(ziObserver *o, int loop, double *out) {
    ziSystem *s = o->system;
    zv_loop_wrenches(s->model, s->work, s->q, s->efforts->lambda, o->wrenches);
    if (loop >= 0) copy(out, o->wrenches + 6 * loop, 6);
    if (loop < 0) copy(out, o->wrenches, 6 * zv_model_nloop(s->model));
}

/* Of loops that are open too: how far they are from being closed. */
static void observe_residuals(ziObserver *o, double *out) {
    ziSystem *s = o->system;
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, s->t));
    zvClosing closing = zv_efforts_closing(s->efforts);
    closing.open = o->none_open;
    for (int i = 0; i < zv_model_nloop(s->model); i++, out += 2)
        zv_loop_residual(s->model, s->work, &closing, s->q, s->v, i, &out[0], &out[1]);
}

static void observe_closed(ziObserver *o, double *out) {
    const ziSystem *s = o->system;
    for (int i = 0; i < zv_model_nloop(s->model); i++) out[i] = !s->open[i];
}

static void observe_loop_coordinates(ziObserver *o, double *out) {
    ziSystem *s = o->system;
    for (int i = 0; i < zv_model_nloop(s->model); i++) {
        const zvLoop *loop = zv_model_loop(s->model, i);
        zv_loop_coordinates(s->model, s->work, s->q, NULL, i, out, NULL);
        out += loop->kind == ZV_LOOP_JOINT ? zv_joint_type_nq(loop->type) : 1;
    }
}

/* The gap is summed from changes, which lose less than differences of sums. */
static void observe_energy(ziObserver *o, double *out) {
    ziSystem *s = o->system;
    const ziLedger *l = o->ledger;
    double stored = 0, gained = 0, work = ledger_jumps(l, l->impacts, l->closings);
    ledger_stores(l, s, o->stores);
    for (int i = ZI_STORE_OTHERS; i < l->stores; i++) stored += o->stores[i];
    for (int i = 0; i < l->stores; i++) gained += o->stores[i] - l->first[i];
    for (int i = 0; i < s->nw; i++) work += s->done[i];
    if (!s->scenario->ledger) work = NAN;
    const double row[5] = {o->stores[ZI_STORE_KINETIC], o->stores[ZI_STORE_POTENTIAL], stored, work, gained - work};
    copy(out, row, 5);
}

/* Accounts that act on one joint: the others have no single force. */
static void observe_forces(ziObserver *o, double *out) {
    ziSystem *s = o->system;
    for (int i = 0; i < zv_drives_naccount(s->drives); i++) {
        if (zv_drives_account(s->drives, i).unit) *out++ = s->efforts->force[i];
    }
}

static void observe_elastic(ziObserver *o, double *out) {
    const ziSystem *s = o->system;
    for (int link = 0; link < zv_model_nlink(s->model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(s->model, link);
        copy(out, s->q + place.q_index, place.count);
        out += place.count;
    }
}

static void observe_work(ziObserver *o, double *out) {
    ziSystem *s = o->system;
    copy(out, s->done, s->nw);
    for (int i = s->nw; i < zv_drives_naccount(s->drives); i++) out[i] = NAN; /* no ledger is kept */
}

/* Values of one channel at the present state of the system. like: orientation of the row before, whose sign the
 * quaternion of a pose follows; NULL: none. */
void zi_observe_channel(ziObserver *o, ziChannelSpec spec, const double *like, double *out) {
    ziSystem *s = o->system;
    switch (spec.kind) {
    case ZI_CHANNEL_Q: copy(out, s->q, s->nq); break;
    case ZI_CHANNEL_V: copy(out, s->v, s->nv); break;
    case ZI_CHANNEL_A: copy(out, s->efforts->a, s->nv); break;
    case ZI_CHANNEL_TAU: copy(out, s->efforts->tau, s->nv); break;
    case ZI_CHANNEL_STATES: copy(out, s->z, s->nz); break;
    case ZI_CHANNEL_REFERENCE: zv_drives_reference(s->drives, s->efforts, zi_system_clock(s, s->t), out); break;
    case ZI_CHANNEL_FORCES: observe_forces(o, out); break;
    case ZI_CHANNEL_POWER: copy(out, s->efforts->power, zv_drives_naccount(s->drives)); break;
    case ZI_CHANNEL_WORK: observe_work(o, out); break;
    case ZI_CHANNEL_ENERGY: observe_energy(o, out); break;
    case ZI_CHANNEL_MOMENTUM: observe_momentum(o, out); break;
    case ZI_CHANNEL_COM: zv_center_of_mass(s->model, s->work, s->q, out); break;
    case ZI_CHANNEL_TERMS: observe_terms(o, out); break;
    case ZI_CHANNEL_REACTIONS: observe_reactions(o, spec.index, out); break;
    case ZI_CHANNEL_RESIDUAL: observe_residuals(o, out); break;
    case ZI_CHANNEL_CLOSED: observe_closed(o, out); break;
    case ZI_CHANNEL_LOOP_REACTIONS: observe_loop_reactions(o, spec.index, out); break;
    case ZI_CHANNEL_LOOP_COORDINATES: observe_loop_coordinates(o, out); break;
    case ZI_CHANNEL_ELASTIC: observe_elastic(o, out); break;
    case ZI_CHANNEL_DEVIATION: zv_frame_deviation(s->model, s->work, s->q, spec.index, out); break;
    case ZI_CHANNEL_POSE: observe_pose(o, spec.index, like, out); break;
    case ZI_CHANNEL_VELOCITY: zi_system_frame(s, spec.index, &(zvPose){0}, out); break;
    case ZI_CHANNEL_ACCELERATION:
        zv_frame_acceleration(s->model, s->work, s->q, s->v, s->efforts->a, spec.index, ZV_AXES_WORLD, out);
        break;
    case ZI_CHANNEL_KINDS: break;
    }
}

/* Places the state, solves the dynamics if some channel needs it, then fills channel after channel. */
zvStatus zi_observe_row(ziObserver *o, double t, const double *y, double *row) {
    ziSystem *s = o->system;
    const zvScenario *scenario = s->scenario;
    zi_system_show(s, t, y);
    o->reactions_known = false;
    zvStatus status = o->forces ? zi_system_accelerate(s) : ZV_OK;
    if (status < 0) return status;
    *row++ = t;
    for (int i = 0; i < scenario->channel_count; i++) {
        double *like = o->quaternions + 4 * i;
        zi_observe_channel(o, scenario->channels[i], like, row);
        if (scenario->channels[i].kind == ZI_CHANNEL_POSE) copy(like, row + 3, 4);
        row += zi_channel_width(scenario, scenario->channels[i]);
    }
    return ZV_OK;
}
