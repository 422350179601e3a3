/* Gravity compensation, docs/actuation.md (5.4), (5.12): forces of the compensated degrees of freedom that hold the
 * machine at rest against gravity, on rotors where joints are flexible.
 *
 * Without loops each takes its entry of g(q). With loops the multipliers carry a part: of the degrees of freedom whose
 * loops hang together, a group, those that nobody compensates must get no force,
 *   tau + G^T lambda = g,   tau_u = 0   in every group that is compensated,
 * which is inverse dynamics at rest with the drives that compensate, all of them at once. Where they are more than is
 * needed their forces are the least. The other groups, and elastic links as they are bent, are held by something else.
 */
#include "actuate/element.h"
#include "base/require.h"
#include "loops/closed.h"
#include "zveno/loops.h"

#include <string.h>

/* Forces missing above this part of all: the drives do not hold the machine. */
static const double MISSING = 1e-6;

/* Groups --------------------------------------------------------------------------------------------------- */

/* Gives all degrees of freedom of group `from` to group `to`. */
static void merge(int nv, int *group, int from, int to) {
    for (int i = 0; i < nv; i++) {
        if (group[i] == from) group[i] = to;
    }
}

/* The joints on a loop become one group with all that share a loop with one of them. */
static void join_loop(const zvModel *model, int nv, int loop, const int *signs, int *group) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJointPlace place = zv_model_joint_place(model, j);
        const int count = place.mimic >= 0 ? 1 : place.nv;
        for (int k = 0; signs[j] != 0 && k < count; k++) {
            const int dof = place.v_index + k;
            if (group[dof] >= 0 && group[dof] != loop) merge(nv, group, group[dof], loop);
            group[dof] = loop;
        }
    }
}

/* Degrees of freedom on loops that share a joint get one number. */
bool zi_drives_group(zvDrives *d) {
    const zvModel *model = d->model;
    d->group = zi_arena_alloc(&d->arena, (size_t)d->nv * sizeof *d->group);
    int *signs = zi_arena_alloc(&d->arena, (size_t)zv_model_njoint(model) * sizeof *signs);
    if (!d->group || !signs) return false;
    for (int i = 0; i < d->nv; i++) d->group[i] = -1;
    for (int loop = 0; loop < zv_model_nloop(model); loop++) {
        zv_loop_signs(model, loop, signs);
        join_loop(model, d->nv, loop, signs, d->group);
    }
    return true;
}

/* What acts in each degree of freedom when drives act where `holds` (nv) says; over it. touched is (nloop). */
static void assign(const zvDrives *d, unsigned char *touched, unsigned char *holds) {
    memset(touched, 0, (size_t)zv_model_nloop(d->model));
    for (int i = 0; i < d->nv; i++) {
        if (holds[i] && d->group[i] >= 0) touched[d->group[i]] = 1;
    }
    for (int i = 0; i < d->nv; i++) {
        const bool passive = d->group[i] >= 0 && touched[d->group[i]] && !d->freedoms[i].elastic;
        holds[i] = holds[i] ? ZV_ACTUATION_DRIVE : passive ? ZV_ACTUATION_NONE : ZV_ACTUATION_HELD;
    }
}

/* Forces at rest ------------------------------------------------------------------------------------------- */

/* *left: the part of the force that is missing. */
static zvStatus hold(const zvDrives *d, zvEfforts *out, zvWork *work, const double *q, double *g, double *left) {
    ziEffortsScratch *scratch = zi_efforts_scratch(out);
    const zvClosing closing = {.open = out->open};
    double missing = 0, all = 0;
    assign(d, scratch->touched, scratch->locked);
    zv_gravity_force(d->model, work, q, g);
    for (int i = 0; i < d->nv; i++) all += g[i] * g[i];
    const zvStatus status = zi_closed_inverse_dynamics(d->model, work, &closing, q, NULL, NULL, NULL, NULL,
                                                       scratch->locked, g, NULL, &missing);
    *left = all > 0 ? missing * missing / all : 0;
    return status < 0 ? status : ZV_OK;
}

zvStatus zi_rest_force(const zvDrives *d, zvEfforts *out, zvWork *work, const double *q, double *g) {
    double left;
    if (zv_model_nloop(d->model) == 0) {
        zv_gravity_force(d->model, work, q, g);
        return ZV_OK;
    }
    const zvStatus status = hold(d, out, work, q, g, &left);
    return status >= 0 && left > MISSING * MISSING ? ZV_SINGULAR : status;
}

static bool compensates(const ziElement *e) {
    return e->kind == &zi_gravity_kind || (e->kind == &zi_pid_kind && e->of.control.gravity);
}

/* holds (nv): 1 in the degrees of freedom that some element compensates. */
static void mark_compensated(const zvDrives *d, unsigned char *holds) {
    memset(holds, 0, (size_t)d->nv);
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        for (int k = 0; compensates(e) && k < e->count; k++) holds[e->dofs[k]] = 1;
    }
}

/* Worked out once in an evaluation, for all elements together. */
const double *zi_gravity_now(const ziInstant *now, zvStatus *status) {
    ziEffortsScratch *scratch = zi_efforts_scratch(now->out);
    *status = ZV_OK;
    if (scratch->gravity_known) return scratch->gravity;
    mark_compensated(now->drives, scratch->locked);
    *status = zi_rest_force(now->drives, now->out, now->work, now->q, scratch->gravity);
    scratch->gravity_known = *status >= 0;
    return *status < 0 ? NULL : scratch->gravity;
}

/* The element ---------------------------------------------------------------------------------------------- */

static zvStatus gravity_push(const ziElement *e, const ziInstant *now) {
    zvStatus status;
    const double *g = zi_gravity_now(now, &status);
    for (int k = 0; g && k < e->count; k++) zi_push_drive(e, now, k, g[e->dofs[k]]);
    return g ? ZV_OK : status;
}

const ziElementKind zi_gravity_kind = {
    .word = "gravity compensation", .actuates = true, .claim = zi_claim_accounts, .push = gravity_push};

zvStatus zv_drives_add_gravity_compensation(zvDrives *d, const char *name, int count, const int *dofs, zvError *error) {
    ZI_REQUIRE(d && (count <= 0 || dofs));
    ziElement e = {.kind = &zi_gravity_kind};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    return zi_drives_close(d, &e, status, error);
}

/* Checks --------------------------------------------------------------------------------------------------- */

/* No degree of freedom is compensated by two elements: it would be pushed up by twice its weight. */
static zvStatus check_single(const zvDrives *d, unsigned char *holds, zvError *error) {
    memset(holds, 0, (size_t)d->nv);
    for (size_t i = 0; i < d->nelement; i++) {
        const ziElement *e = &d->elements[i];
        for (int k = 0; compensates(e) && k < e->count; k++) {
            if (holds[e->dofs[k]])
                return zv_fail(
                    error, ZV_SCHEMA, (zvMark){0}, e->name,
                    "%s \"%s\": expected joints whose gravity no other drive compensates, found \"%s\"; let one "
                    "of them do it",
                    e->kind->word, e->name, d->freedoms[e->dofs[k]].label);
            holds[e->dofs[k]] = 1;
        }
    }
    return ZV_OK;
}

/* A degree of freedom that could help: one of a group that is compensated, without a drive. */
static const char *helper(const zvDrives *d, const unsigned char *acts) {
    for (int i = 0; i < d->nv; i++) {
        if (acts[i] == ZV_ACTUATION_NONE) return d->freedoms[i].label;
    }
    return "another joint";
}

/* Whether the forces at rest exist at q; the error names a joint that would help. */
static zvStatus check_hold(const zvDrives *d, zvEfforts *efforts, zvWork *work, const double *q, zvError *error) {
    ziEffortsScratch *scratch = zi_efforts_scratch(efforts);
    double left = 0;
    const zvStatus status = hold(d, efforts, work, q, scratch->gravity, &left);
    if (status == ZV_SIZE)
        return zv_fail(
            error, status, (zvMark){0}, "",
            "gravity compensation of a model with closed loops: expected degrees of freedom few enough for square "
            "matrices, found %d; compensate none of them",
            d->nv);
    if (status < 0)
        return zv_fail(error, status, (zvMark){0}, "", "gravity compensation finds no forces: %s",
                       zv_status_sentence(status));
    if (!(left > MISSING * MISSING)) return ZV_OK;
    return zv_fail(error, ZV_CLOSURE, (zvMark){0}, "",
                   "the joints whose gravity is compensated cannot hold their closed loops at rest, which move in more "
                   "ways than that (or are at a dead centre); compensate %s as well, or none of these loops' joints",
                   helper(d, scratch->locked));
}

/* With efforts of its own, as scratch. */
zvStatus zv_drives_check_gravity(const zvDrives *d, zvWork *work, const double *q, zvError *error) {
    ZI_REQUIRE(d && work && q);
    ZI_REQUIRE(d && work && q);
    zvEfforts *efforts = zv_efforts_create(d, error);
    if (!efforts) return ZV_MEMORY;
    unsigned char *holds = zi_efforts_scratch(efforts)->locked;
    zvStatus status = check_single(d, holds, error);
    if (status >= 0 && zv_model_nloop(d->model) > 0) {
        mark_compensated(d, holds);
        if (memchr(holds, 1, (size_t)d->nv)) status = check_hold(d, efforts, work, q, error);
    }
    zv_efforts_destroy(efforts);
    return status;
}
