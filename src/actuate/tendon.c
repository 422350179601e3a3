/* Tendons: a controller of a sum of coordinates, docs/actuation.md (5.1 a). */
#include "actuate/element.h"

#include <math.h>

#include "base/require.h"

/* Force along the tendon, before and after its limits, from the length s and its rate. */
static double pull(const ziElement *e, const ziInstant *now, double *limited) {
    const ziTendonData *t = &e->of.tendon;
    const ziFreedom *freedoms = now->drives->freedoms;
    double r = 0, dr = 0, more = 0, s = 0, ds = 0;
    zi_element_law(e, zi_efforts_scratch(now->out), now->t, &r, &dr, NULL);
    if (e->feedforward) zv_law_at(e->feedforward, now->t, &more, NULL, NULL);
    for (int k = 0; k < e->count; k++) {
        s += t->ratios[k] * now->q[freedoms[e->dofs[k]].coordinate];
        ds += t->ratios[k] * now->v[e->dofs[k]];
    }
    const double force = t->kp * (r - s) + t->kd * (dr - ds) + more;
    *limited = fmin(fmax(force, t->lower), t->upper);
    return force;
}

static zvStatus push(const ziElement *e, const ziInstant *now) {
    double limited;
    const double force = pull(e, now, &limited);
    for (int k = 0; k < e->count; k++) {
        const double ratio = e->of.tendon.ratios[k];
        zi_efforts_scratch(now->out)->cut[e->dofs[k]] += ratio * (force - limited);
        zi_push_drive(e, now, k, ratio * limited);
    }
    return ZV_OK;
}

/* As a spring and a damper: on the links, and no drive. */
static zvStatus push_links(const ziElement *e, const ziInstant *now) {
    double limited;
    pull(e, now, &limited);
    for (int k = 0; k < e->count; k++) zi_push_link(e, now, k, e->of.tendon.ratios[k] * limited);
    return ZV_OK;
}

/* The matrices are kp r r^T and kd r r^T; count times their diagonals are above them. */
static void diagonal(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *z,
                     double *stiffness, double *damping) {
    (void)z, (void)q, (void)v;
    for (int k = 0; k < e->count; k++) {
        const int dof = e->dofs[k];
        const double share = e->count * e->of.tendon.ratios[k] * e->of.tendon.ratios[k];
        if (e->kind->actuates && d->rotor[dof] >= 0) continue;
        stiffness[dof] += share * e->of.tendon.kp;
        damping[dof] += share * e->of.tendon.kd;
    }
}

const ziElementKind zi_tendon_kind = {
    .word = "tendon", .actuates = true, .claim = zi_claim_accounts, .push = push, .diagonal = diagonal};
const ziElementKind zi_tendon_passive_kind = {
    .word = "tendon", .claim = zi_claim_accounts, .push = push_links, .diagonal = diagonal};

/* The limits of its degrees of freedom are what is told of when they act. */
static zvStatus keep_bounds(zvDrives *d, ziElement *e, const zvTendon *tendon, zvError *error) {
    const bool bounded = tendon->lower != 0 || tendon->upper != 0;
    double *limit = zi_arena_alloc(&d->arena, (size_t)e->count * sizeof *limit);
    if (!limit) return zv_fail(error, ZV_MEMORY, (zvMark){0}, e->name, "out of memory while adding a tendon");
    e->of.tendon.lower = bounded ? tendon->lower : -INFINITY;
    e->of.tendon.upper = bounded ? tendon->upper : INFINITY;
    if (!(e->of.tendon.lower < e->of.tendon.upper))
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, e->name,
                       "limits of tendon \"%s\": expected a lower one below the upper one, found %g and %g", e->name,
                       tendon->lower, tendon->upper);
    for (int k = 0; k < e->count; k++)
        limit[k] = bounded && !tendon->passive && e->of.tendon.ratios[k] != 0
                       ? fabs(e->of.tendon.ratios[k]) * fmax(fabs(tendon->lower), fabs(tendon->upper))
                       : INFINITY;
    e->limit = limit;
    return ZV_OK;
}

/* Copies ratios, gains and limits into the set. */
static zvStatus keep_numbers(zvDrives *d, ziElement *e, const zvTendon *tendon, zvError *error) {
    e->of.tendon.kp = tendon->kp;
    e->of.tendon.kd = tendon->kd;
    zvStatus status = zi_keep_gains(d, e, "ratio", tendon->ratios, e->count, &e->of.tendon.ratios, error);
    if (status == ZV_OK) status = zi_check_not_negative(e, "kp", tendon->kp, error);
    if (status == ZV_OK) status = zi_check_not_negative(e, "kd", tendon->kd, error);
    for (int k = 0; status == ZV_OK && k < e->count; k++) status = zi_check_coordinate(d, e, e->dofs[k], error);
    return status == ZV_OK ? keep_bounds(d, e, tendon, error) : status;
}

/* The set takes the laws over, also when it refuses. */
zvStatus zv_drives_add_tendon(zvDrives *d, const char *name, int count, const int *dofs, const zvTendon *tendon,
                              zvLaw *reference, zvLaw *feedforward, zvError *error) {
    ZI_REQUIRE(d && tendon && tendon->ratios && (count <= 0 || dofs));
    ziElement e = {.kind = tendon->passive ? &zi_tendon_passive_kind : &zi_tendon_kind,
                   .law = reference,
                   .feedforward = feedforward};
    zvStatus status = zi_drives_open(d, &e, name, count, dofs, error);
    if (status == ZV_OK) status = zi_check_law(&e, "reference", reference, 1, error);
    if (status == ZV_OK && feedforward) status = zi_check_law(&e, "feedforward", feedforward, 1, error);
    if (status == ZV_OK) status = keep_numbers(d, &e, tendon, error);
    return zi_drives_close(d, &e, status, error);
}
