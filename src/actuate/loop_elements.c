/* Elements of closed loops: springs and dampers of the joints that close them, and prescribed relative motion. */
#include "actuate/element.h"
#include "base/require.h"
#include "loops/passive.h"
#include "model/joint_type.h"
#include "spatial/vec3.h"

/* Springs and dampers of joints that close loops, docs/actuation.md 2: F_k = -stiffness (qc_k - rest) - damping vc_k
 * along what joint k leaves free, a wrench W on the child's side at its frame's origin and the opposite on the parent's
 * with W.S_k = F_k. Of the wrenches that do so it takes the one along the freedoms; what it has across them the loop
 * itself would give as well. */

/* An account where there is damping, a store where there is a spring. */
static bool loop_joint_claim(zvDrives *d, ziElement *e) {
    const ziLoopData *x = &e->of.loop;
    bool damped = false, sprung = false;
    for (int k = 0; k < x->nv; k++) {
        damped |= x->damping[k] != 0;
        sprung |= x->stiffness[k] != 0;
    }
    if (sprung) {
        e->store = (int)d->nstore;
        e->name = "spring";
        if (!zi_claim_store(d, zi_claim_name(d, e, 0, ""))) return false;
    }
    if (damped) {
        e->account = (int)d->naccount;
        e->name = "damper";
        if (!zi_claim_account(d, (zvAccount){.name = zi_claim_name(d, e, 0, ""), .dof = -1, .dissipates = true}))
            return false;
    }
    d->has_loads = true;
    d->nspot += 2;
    return true;
}

/* W on the child at its origin in world axes, its opposite on the parent. */
static void pull(const ziElement *e, const ziInstant *now, const double *qc, const double *F) {
    const zvModel *model = now->drives->model;
    const zvLoopPlace place = zv_model_loop_place(model, e->of.loop.loop);
    zvPose parent, child;
    double unused[6], W[6], forth[6], back[6];
    zi_frame_now(now, place.parent_frame, &parent, unused);
    zi_frame_now(now, place.child_frame, &child, unused);
    zi_loop_joint_wrench(model, e->of.loop.loop, qc, F, W);
    const mat3 A = m3_of(parent.R); /* by rows: the transpose */
    const vec3 f = m3_tmulv(A, v3_of(W)), m = m3_tmulv(A, v3_of(W + 3));
    const vec3 arm = v3_sub(v3_of(child.p), v3_of(parent.p));
    v3_to(forth, f);
    v3_to(forth + 3, m);
    v3_to(back, v3_neg(f));
    v3_to(back + 3, v3_neg(v3_add(m, v3_cross(arm, f))));
    zi_push_frame(now, place.child_frame, forth);
    zi_push_frame(now, place.parent_frame, back);
}

/* Forces along the freedoms of the joint, as wrenches on its two sides. */
static zvStatus loop_joint_push(const ziElement *e, const ziInstant *now) {
    const ziLoopData *x = &e->of.loop;
    double qc[ZV_MAX_DOF + 1], vc[ZV_MAX_DOF], F[ZV_MAX_DOF], power = 0;
    zv_loop_coordinates(now->drives->model, now->work, now->q, now->v, x->loop, qc, vc);
    for (int k = 0; k < x->nv; k++) {
        F[k] = -x->damping[k] * vc[k];
        power += F[k] * vc[k];
        if (x->stiffness[k] != 0) F[k] -= x->stiffness[k] * (qc[k] - x->rest[k]);
    }
    if (e->account >= 0) now->out->power[e->account] = power;
    pull(e, now, qc, F);
    return ZV_OK;
}

/* 1/2 stiffness (qc - rest)^2 over the freedoms. */
static void loop_joint_stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *z,
                              double *energy) {
    (void)z;
    const ziLoopData *x = &e->of.loop;
    double qc[ZV_MAX_DOF + 1], sum = 0;
    if (e->store < 0) return;
    zv_loop_coordinates(d->model, work, q, NULL, x->loop, qc, NULL);
    for (int k = 0; k < x->nv; k++) {
        const double stretch = x->stiffness[k] != 0 ? qc[k] - x->rest[k] : 0;
        sum += 0.5 * x->stiffness[k] * stretch * stretch;
    }
    *energy = sum;
}

const ziElementKind zi_loop_kind = {.word = "loop",
                                    .dissipates = true,
                                    .claim = loop_joint_claim,
                                    .push = loop_joint_push,
                                    .stored = loop_joint_stored};

/* A spring needs a position, which a quaternion does not have along one axis. */
static zvStatus loop_joint_check(const ziElement *e, const zvLoop *loop, zvError *error) {
    const ziLoopData *x = &e->of.loop;
    const bool turns = zv_joint_type_nq(loop->type) != x->nv;
    zvStatus status = ZV_OK;
    for (int k = 0; status == ZV_OK && k < x->nv; k++) {
        status = zi_check_not_negative(e, "damping", x->damping[k], error);
        if (status == ZV_OK) status = zi_check_not_negative(e, "stiffness", x->stiffness[k], error);
        if (status == ZV_OK) status = zi_check_finite(e, "rest position", x->rest[k], error);
        if (status == ZV_OK && turns && x->stiffness[k] != 0)
            status =
                zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, loop->name,
                        "spring of loop \"%s\": expected a joint with positions, found a quaternion; give it dampers "
                        "only",
                        loop->name);
    }
    return status;
}

/* Adds an element for every loop joint with springs or dampers; rods and couplings have none. */
zvStatus zi_add_passive_loops(zvDrives *d, zvError *error) {
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < zv_model_nloop(d->model); i++) {
        const zvLoop *loop = zv_model_loop(d->model, i);
        ziElement e = {.kind = &zi_loop_kind, .label = loop->name, .of.loop = {.loop = i, .row = -1}};
        ziLoopData *x = &e.of.loop;
        bool any = false;
        x->nv = loop->kind == ZV_LOOP_JOINT ? zv_joint_type_nv(loop->type) : 0;
        for (int k = 0; k < x->nv; k++) {
            x->damping[k] = loop->dof[k].damping;
            x->stiffness[k] = loop->dof[k].stiffness;
            x->rest[k] = loop->dof[k].rest;
            any |= x->damping[k] != 0 || x->stiffness[k] != 0;
        }
        if (!any) continue;
        status = zi_drives_open(d, &e, "loop", 0, NULL, error);
        if (status >= 0) status = loop_joint_check(&e, loop, error);
        status = zi_drives_close(d, &e, status, error);
    }
    return status;
}

/* Prescribed relative motion: the condition phi(q) = s(t) of a rod, a coupling or a driven joint. Its force is G^T
 * lambda, and with G v = s' its power v^T G^T lambda = lambda s', docs/actuation.md 4. */

static const char *unit_of(const zvLoop *loop) {
    if (loop->kind == ZV_LOOP_ROD) return "N";
    return loop->kind == ZV_LOOP_COUPLING ? "1" : zv_joint_type_v_unit(loop->type, 0, ZV_QUANTITY_FORCE);
}

static bool loop_motion_claim(zvDrives *d, ziElement *e) {
    const zvLoop *loop = zv_model_loop(d->model, e->of.loop.loop);
    e->account = (int)d->naccount;
    if (!zi_claim_account(d, (zvAccount){.name = zi_claim_name(d, e, 0, ""), .unit = unit_of(loop), .dof = -1}))
        return false;
    d->aimed[e->of.loop.loop] = true;
    return true;
}

static void aim(const ziElement *e, zvEfforts *out, double t) {
    double *target = out->targets + 3 * e->of.loop.loop;
    zv_law_at(e->law, t, &target[0], &target[1], &target[2]);
}

static void conclude(const ziElement *e, const ziInstant *now) {
    const double lambda = now->out->lambda[e->of.loop.row];
    now->out->force[e->account] = lambda;
    now->out->power[e->account] = lambda * now->out->targets[3 * e->of.loop.loop + 1];
}

const ziElementKind zi_loop_motion_kind = {
    .word = "motion of a loop", .claim = loop_motion_claim, .aim = aim, .conclude = conclude};

/* The loop exists and has one condition that can be driven. */
static zvStatus loop_motion_check(const zvDrives *d, const ziElement *e, zvError *error) {
    const int i = e->of.loop.loop;
    if (i < 0 || i >= zv_model_nloop(d->model))
        return zv_fail(error, ZV_NAME, (zvMark){0}, e->name,
                       "motion of a loop \"%s\": expected one of %d loops, counted from 0, found %d", e->name,
                       zv_model_nloop(d->model), i);
    const zvLoop *loop = zv_model_loop(d->model, i);
    if (loop->kind == ZV_LOOP_JOINT && !loop->driven)
        return zv_fail(
            error, ZV_SCHEMA, (zvMark){0}, loop->name,
            "motion \"%s\": expected a driven loop, found \"%s\", whose joint moves freely; write driven: true in the "
            "model, or move a rod or a coupling",
            e->name, loop->name);
    if (d->aimed[i])
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, loop->name,
                       "motion \"%s\": expected a loop without a law, found \"%s\" with one; give one law per loop",
                       e->name, loop->name);
    return ZV_OK;
}

/* The set takes the law over, also when it refuses. */
zvStatus zv_drives_add_loop_motion(zvDrives *d, const char *name, int loop, zvLaw *law, zvError *error) {
    ZI_REQUIRE(d);
    ziElement e = {.kind = &zi_loop_motion_kind, .law = law, .of.loop = {.loop = loop}};
    zvStatus status = zi_drives_open(d, &e, name, 0, NULL, error);
    if (status == ZV_OK) status = loop_motion_check(d, &e, error);
    if (status == ZV_OK) status = zi_check_law(&e, "law", law, 1, error);
    if (status == ZV_OK) {
        const zvLoopPlace place = zv_model_loop_place(d->model, loop);
        e.of.loop.row = place.row + place.rows - 1;
        e.label = zv_model_loop(d->model, loop)->name;
    }
    return zi_drives_close(d, &e, status, error);
}
