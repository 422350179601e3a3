/* Elements of closed loops: springs and dampers of the joints that close them, and prescribed relative motion. */
#include "actuate/element.h"
#include "base/require.h"
#include "loops/passive.h"

/* Springs and dampers of joints that close loops, docs/actuation.md 2: F_k = -stiffness (qc_k - rest) - damping vc_k
 * along what joint k leaves free, a wrench W on the child's side at its frame's origin and the opposite on the parent's
 * with W.S_k = F_k. Of the wrenches that do so it takes the one along the freedoms; what it has across them the loop
 * itself would give as well. */

static bool loop_joint_claim(zvDrives *d, ziElement *e) {
    const ziLoopPassive *passive = e->of.loop.passive;
    d->has_loads = true;
    d->nspot += 2;
    return zi_claim_passive(d, e, passive->sprung, passive->damped);
}

static bool is_open(const zvDrives *d, const zvEfforts *out, int loop) {
    return out->open ? out->open[loop] : zv_model_loop(d->model, loop)->open;
}

/* Forces along the freedoms of the joint, as wrenches on its two sides; an open loop has none. */
static zvStatus loop_joint_push(const ziElement *e, const ziInstant *now) {
    const zvModel *model = now->drives->model;
    const int loop = e->of.loop.loop;
    const ziLoopPassive *passive = e->of.loop.passive;
    const zvLoopPlace place = zv_model_loop_place(model, loop);
    double qc[ZV_MAX_DOF + 1], vc[ZV_MAX_DOF], F[2][ZV_MAX_DOF], W[6], power = 0;
    if (is_open(now->drives, now->out, loop)) return ZV_OK;
    zv_loop_coordinates(model, now->work, now->q, now->v, loop, qc, vc);
    zi_loop_passive_forces(zv_model_loop(model, loop), passive, qc, vc, F[0], F[1]);
    for (int k = 0; k < passive->matrices.n; k++) {
        power += F[1][k] * vc[k];
        F[0][k] += F[1][k];
    }
    if (e->account >= 0) now->out->power[e->account] = power;
    zi_loop_joint_wrench(model, loop, qc, F[0], W);
    zi_push_between(now, place.parent_frame, place.child_frame, W);
    return ZV_OK;
}

static void loop_joint_stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *v,
                              const double *z, double *energy) {
    (void)v, (void)z;
    double qc[ZV_MAX_DOF + 1], unused[2][ZV_MAX_DOF];
    if (e->store < 0) return;
    zv_loop_coordinates(d->model, work, q, NULL, e->of.loop.loop, qc, NULL);
    *energy = zi_loop_passive_forces(zv_model_loop(d->model, e->of.loop.loop), e->of.loop.passive, qc, NULL, unused[0],
                                     unused[1]);
}

void zv_drives_forget_open(const zvDrives *d, const zvEfforts *out, double *stored) {
    ZI_REQUIRE(d && out && (stored || !d->nstore));
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        if (e->kind == &zi_loop_kind && e->store >= 0 && is_open(d, out, e->of.loop.loop)) stored[e->store] = 0;
    }
}

const ziElementKind zi_loop_kind = {.word = "loop",
                                    .dissipates = true,
                                    .claim = loop_joint_claim,
                                    .push = loop_joint_push,
                                    .stored = loop_joint_stored};

static zvStatus loop_joint_check(const ziElement *e, const zvLoop *loop, zvError *error) {
    zvStatus status = ZV_OK;
    for (int k = 0; status == ZV_OK && k < e->of.loop.passive->matrices.n; k++) {
        status = zi_check_not_negative(e, "damping", loop->dof[k].damping, error);
        if (status == ZV_OK) status = zi_check_not_negative(e, "stiffness", loop->dof[k].stiffness, error);
        if (status == ZV_OK) status = zi_check_finite(e, "rest position", loop->dof[k].rest, error);
    }
    return status;
}

/* Adds an element for every loop joint with springs or dampers; rods and couplings have none. */
zvStatus zi_add_passive_loops(zvDrives *d, zvError *error) {
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < zv_model_nloop(d->model); i++) {
        const zvLoop *loop = zv_model_loop(d->model, i);
        const ziLoopPassive passive = zi_loop_passive(loop);
        if (!passive.sprung && !passive.damped) continue;
        ziLoopPassive *kept = zi_arena_alloc(&d->arena, sizeof *kept);
        if (!kept) return zv_fail(error, ZV_MEMORY, (zvMark){0}, loop->name, "out of memory while adding a loop");
        *kept = passive;
        ziElement e = {.kind = &zi_loop_kind, .label = loop->name, .of.loop = {i, -1, kept}};
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
    zi_element_law(e, zi_efforts_scratch(out), t, &target[0], &target[1], &target[2]);
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
