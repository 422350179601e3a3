/* Damping of the modes of all elastic links together, docs/actuation.md (2.8).
 *
 * Ratios of single links damp the modes that each of them has by itself. A beam that is cut into n links has its lowest
 * modes across all of them, at a fraction of those frequencies, and hardly feels such ratios. Here M and K are those of
 * the elastic coordinates of the whole robot with its joints locked in one position,
 *   D = M V diag(2 zeta omega) V^T M,     K V = M V diag(omega^2),   V^T M V = 1,
 * and act on rates of deformation only: a motion without deformation is not damped, in whatever position. */
#include "actuate/element.h"
#include "base/require.h"
#include "beam/integrals.h"

#include <stdlib.h>
#include <string.h>

static bool modal_claim(zvDrives *d, ziElement *e) {
    e->account = (int)d->naccount;
    return zi_claim_account(d, (zvAccount){.name = e->name, .dof = -1, .dissipates = true});
}

static zvStatus modal_push(const ziElement *e, const ziInstant *now) {
    double power = 0;
    for (int i = 0; i < e->count; i++) {
        double force = 0;
        for (int j = 0; j < e->count; j++) force -= e->of.modal.D[i * e->count + j] * now->v[e->dofs[j]];
        now->out->tau[e->dofs[i]] += force;
        power += force * now->v[e->dofs[i]];
    }
    now->out->power[e->account] = power;
    return ZV_OK;
}

static void modal_diagonal(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *z,
                           double *stiffness, double *damping) {
    (void)z, (void)d, (void)q, (void)v, (void)stiffness;
    for (int i = 0; i < e->count; i++) damping[e->dofs[i]] += e->of.modal.D[i * e->count + i];
}

const ziElementKind zi_modal_damping_kind = {
    .word = "modal damping", .dissipates = true, .claim = modal_claim, .push = modal_push, .diagonal = modal_diagonal};

/* M of the elastic coordinates at q, and K, which is that of the links one by one; memory: (nv x nv). */
static void modal_matrix(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, double *memory,
                         ziModeIntegrals *whole) {
    const int n = e->count;
    zv_mass_matrix(d->model, work, q, memory);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) whole->M[i * n + j] = memory[e->dofs[i] * d->nv + e->dofs[j]];
    memset(whole->K, 0, (size_t)n * (size_t)n * sizeof *whole->K);
    for (int link = 0, at = 0; link < zv_model_nlink(d->model); link++) {
        const int own = zv_model_elastic_place(d->model, link).count;
        if (own == 0) continue;
        zv_model_elastic_matrices(d->model, link, NULL, memory, NULL);
        for (int i = 0; i < own; i++)
            for (int j = 0; j < own; j++) whole->K[(at + i) * n + at + j] = memory[i * own + j];
        at += own;
    }
}

/* D of the whole into the set; scratch memory ends with the call. */
static zvStatus resolve(zvDrives *d, ziElement *e, const zvElasticDamping *damping, const double *q, zvError *error) {
    const size_t n = (size_t)e->count, nv = (size_t)d->nv;
    double *D = zi_arena_alloc(&d->arena, n * n * sizeof *D), *memory = malloc((2 * n * n + nv * nv) * sizeof *memory);
    zvWork *work = zv_work_create(d->model, error);
    zvStatus status = ZV_MEMORY;
    if (D && memory && work) {
        ziModeIntegrals whole = {.n = e->count, .M = memory, .K = memory + n * n, .D = D};
        modal_matrix(d, e, work, q, memory + 2 * n * n, &whole);
        if (zi_modes_damp(&whole, damping)) status = ZV_OK;
        e->of.modal.D = D;
    }
    zv_work_destroy(work);
    free(memory);
    if (status < 0) zv_fail(error, ZV_MEMORY, (zvMark){0}, e->name, "out of memory while adding a %s", e->kind->word);
    return status;
}

/* Elastic coordinates in the order of links, as those of K. */
static int list_elastic(const zvDrives *d, int *dofs) {
    int count = 0;
    for (int link = 0; link < zv_model_nlink(d->model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(d->model, link);
        for (int k = 0; k < place.count; k++) dofs[count++] = place.v_index + k;
    }
    return count;
}

/* Refused without elastic links: there is nothing to damp. */
zvStatus zv_drives_add_modal_damping(zvDrives *d, const char *name, const zvElasticDamping *damping, const double *q,
                                     zvError *error) {
    ZI_REQUIRE(d && damping && q && (damping->ratios || damping->count == 0));
    ziElement e = {.kind = &zi_modal_damping_kind};
    if (zv_model_nelastic(d->model) == 0)
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, "modal", "modal damping: expected elastic links, found none");
    int *dofs = malloc((size_t)d->nv * sizeof *dofs);
    if (!dofs) return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory while adding a modal damping");
    zvStatus status = zi_drives_open(d, &e, name, list_elastic(d, dofs), dofs, error);
    free(dofs);
    if (status == ZV_OK) status = zi_check_not_negative(&e, "ratio", damping->ratio, error);
    for (int k = 0; status == ZV_OK && k < damping->count; k++)
        status = zi_check_not_negative(&e, "ratio", damping->ratios[k], error);
    if (status == ZV_OK) status = resolve(d, &e, damping, q, error);
    return zi_drives_close(d, &e, status, error);
}
