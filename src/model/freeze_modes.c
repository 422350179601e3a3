/* Fourth step of freezing: the mode integrals of elastic links, in the axes of their bodies. */
#include <stdio.h>
#include <string.h>

#include "beam/modes.h"
#include "model/elastic.h"
#include "model/freeze.h"

static double *room(zvModel *m, size_t rows, size_t columns) {
    return zi_arena_alloc(&m->arena, rows * columns * sizeof(double));
}

static bool alloc_integrals(zvModel *m, size_t extra, ziModeIntegrals *x) {
    size_t n = (size_t)x->n, all = n + extra;
    x->S1 = room(m, all, 3);
    x->G = extra ? room(m, extra * n, n) : NULL;
    x->couple = extra ? room(m, extra, n) : NULL;
    x->J1 = room(m, all, 6);
    x->J2 = room(m, all * all, 6);
    x->L0 = room(m, all, 3);
    x->L1 = room(m, all * all, 3);
    x->M = room(m, n, n);
    x->K = room(m, n, n);
    x->D = room(m, n, n);
    return x->S1 && ((x->G && x->couple) || !extra) && x->J1 && x->J2 && x->L0 && x->L1 && x->M && x->K && x->D;
}

/* A = L diag(d) L^T: L below the diagonal, d on it, zeros above; false when a pivot is not well above the rounding of
 * M's diagonal. */
static bool factor(size_t n, const double *A, const double *M, double *F) {
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = A[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= F[i * n + k] * F[j * n + k] * F[k * n + k];
            if (i == j && !(sum > 1e-13 * M[j * n + j])) return false;
            F[i * n + j] = i == j ? sum : sum / F[j * n + j];
        }
    }
    return true;
}

/* What is left of M when the shapes of shortening have their share. */
static void subtract_shares(const ziModeIntegrals *x, double *rest) {
    const int n = x->n;
    memcpy(rest, x->M, (size_t)n * (size_t)n * sizeof *rest);
    for (int a = 0; a < x->extra; a++) {
        const double *c = x->couple + a * n;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) rest[i * n + j] -= c[i] * c[j];
        }
    }
}

/* Names of the coordinates: "y1" of a beam, those of the modal data, "mode1" where it has none. */
static const char *const *name_parts(zvModel *m, const zvLink *link, int n) {
    const char **parts = zi_arena_alloc(&m->arena, (size_t)n * sizeof *parts);
    for (int k = 0; parts && k < n; k++) {
        char text[16];
        const char *own = link->modal && link->modal->names ? link->modal->names[k] : NULL;
        if (own) {
            parts[k] = own;
            continue;
        }
        if (!link->beam) snprintf(text, sizeof text, "mode%d", k + 1);
        parts[k] = zi_arena_text(&m->arena, link->beam ? zi_beam_part(link->beam, k, text) : text);
        if (!parts[k]) return NULL;
    }
    return parts;
}

static bool make_elastic(zvModel *m, const zvLink *link, const zvPose *pose, ziElastic *el) {
    ziModeIntegrals x = {.n = el->n};
    double *F = room(m, (size_t)el->n, (size_t)el->n), *rest = room(m, (size_t)el->n, (size_t)el->n);
    const size_t extra = link->beam && zi_beam_shortens(link->beam) ? ZI_SHORTENINGS : 0;
    el->parts = name_parts(m, link, el->n);
    if (!F || !rest || !el->parts || !alloc_integrals(m, extra, &x)) return false;
    const zvPose axes = zi_link_shape_axes(link, pose);
    if (!(link->beam ? zi_beam_integrals(link->beam, axes.R, axes.p, &x)
                     : zi_modal_integrals(link->modal, axes.R, axes.p, &x))) {
        return false;
    }
    subtract_shares(&x, rest);
    memcpy(el->axis, x.axis, sizeof x.axis);
    el->S1 = x.S1;
    el->extra = x.extra;
    el->G = x.G;
    el->couple = x.couple;
    el->rest = rest;
    el->J1 = x.J1;
    el->J2 = x.J2;
    el->L0 = x.L0;
    el->L1 = x.L1;
    el->M = x.M;
    el->K = x.K;
    el->D = x.D;
    el->M_factor = factor((size_t)el->n, rest, x.M, F) ? F : NULL;
    return true;
}

bool zi_freeze_modes(ziPlan *plan) {
    zvModel *m = plan->model;
    for (int i = 0; i < m->nlink && m->tree.ne > 0; i++) {
        if (!m->link_elastic[i]) continue;
        ziElastic *el = (ziElastic *)m->tree.body[m->link_elastic[i]].elastic;
        if (!make_elastic(m, &m->links[i], &m->link_places[i].pose, el)) return false;
        size_t all = (size_t)(el->n + el->extra);
        if ((int)all > m->tree.max_modes) m->tree.max_modes = (int)all;
        m->tree.modes_squared += all * all;
    }
    return true;
}

size_t zi_modes_bytes(const zvLink *link) {
    size_t n = (size_t)zi_link_modes(link);
    if (n == 0) return 0;
    size_t all = n + ZI_SHORTENINGS;
    size_t doubles = 12 * all + 9 * all * all + 5 * n * n; /* S1, J1, L0; J2, L1; M, K, D, rest, factor */
    doubles += ZI_SHORTENINGS * (n * n + n);               /* G, couple */
    return sizeof(ziElastic) + doubles * sizeof(double) + n * (sizeof(char *) + 32) + 512;
}
