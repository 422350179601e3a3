/* Newton's iteration to equilibrium, damped by Deuflhard's natural test: a step is taken when the correction that the
 * old tangent asks for afterwards is smaller. That test does not mind stiff and soft forces side by side. Where the
 * tangent leads nowhere (a level arm under its weight has none) it is made stiffer by a multiple of the error scale
 * forces: then the robot falls. */
#include <math.h>
#include <string.h>

#include "base/require.h"
#include "loops/near.h"
#include "model/coordinate.h"
#include "modes/dense.h"
#include "modes/loops.h"
#include "zveno/loops.h"

enum { ITERATIONS = 60, HALVINGS = 12 };

static const double largest_turn = 0.5;    /* of one step, in units of each degree of freedom */
static const double force_goal = 1e-11;    /* what may be left, of the forces involved */
static const double force_noise = 1e-14;   /* what rounding leaves of nothing */
static const double force_accepted = 1e-8; /* ... when rounding allows no more */

typedef struct EquilibriumSearch {
    ziStatics s;
    int n;                /* unknowns */
    int *dof;             /* n: their degrees of freedom */
    double *q, *next;     /* nq */
    double *force;        /* nv */
    double *size;         /* nv: of the forces it is the sum of */
    double *K;            /* nv x nv */
    double *A;            /* n x n: K of the unknowns, then its factors */
    int *pivots;          /* n */
    double *x, *y;        /* n: corrections */
    double *step;         /* nv */
    double left;          /* largest force left, of the forces involved */
    int worst;            /* and where */
    bool moved;           /* at this share of the loads: a tangent is factored */
    double *full;         /* nv: the whole correction */
    bool closed;          /* there are loops; then dof is that of these */
    bool chosen;          /* independent degrees of freedom stay what they are */
    unsigned char *given; /* nv: for closing */
    ziLoopStatics loops;
} EquilibriumSearch;

/* All arrays of the search; false when out of memory. */
static bool take_search_arrays(EquilibriumSearch *w) {
    ziArena *arena = &w->s.arena;
    const size_t nv = w->s.nv, nq = w->s.nq, one = sizeof(double);
    w->dof = zi_arena_alloc(arena, nv * sizeof(int));
    w->pivots = zi_arena_alloc(arena, nv * sizeof(int));
    w->q = zi_arena_alloc(arena, nq * one);
    w->next = zi_arena_alloc(arena, nq * one);
    w->force = zi_arena_alloc(arena, nv * one);
    w->size = zi_arena_alloc(arena, nv * one);
    w->K = zi_arena_alloc(arena, nv * nv * one);
    w->A = zi_arena_alloc(arena, nv * nv * one);
    w->x = zi_arena_alloc(arena, nv * one);
    w->y = zi_arena_alloc(arena, nv * one);
    w->step = zi_arena_alloc(arena, nv * one);
    w->full = zi_arena_alloc(arena, nv * one);
    w->given = zi_arena_alloc(arena, nv + 1);
    w->closed = zv_model_nloop(w->s.model) > 0;
    if (w->closed && !zi_loop_statics_create(&w->s, &w->loops)) return false;
    if (w->closed) w->dof = w->loops.dof;
    return w->dof && w->pivots && w->q && w->next && w->force && w->size && w->K && w->A && w->x && w->y && w->step &&
           w->full && w->given;
}

/* The force that is not balanced at q, and what it is the sum of. */
static void find_unbalanced(EquilibriumSearch *w, const double *q) {
    zi_statics_unbalanced(&w->s, q, w->force, w->size);
    if (w->closed) { /* without what the loops bear */
        zi_loop_statics_at(&w->s, &w->loops, q, w->chosen);
        zi_loop_statics_balance(&w->s, &w->loops, q, w->force);
        w->chosen = true;
        w->n = w->loops.n;
        for (size_t i = 0; i < w->s.nv; i++) {
            w->size[i] += fabs(w->loops.force[i]);
            w->force[i] -= w->loops.force[i];
        }
    }
    w->left = 0;
    for (int k = 0; k < w->n; k++) {
        const int i = w->dof[k];
        const double share = w->force[i] == 0 ? 0 : fabs(w->force[i]) / w->size[i];
        if (share > w->left || isnan(share)) w->left = share, w->worst = i;
    }
}

/* Unknown is what is not held, but for what nothing holds and nothing moves. */
static void choose_unknowns(EquilibriumSearch *w) {
    const size_t nv = w->s.nv;
    const unsigned char *held = w->s.rest->held;
    if (w->closed) return; /* all that are independent */
    w->n = 0;
    for (size_t i = 0; i < nv; i++) {
        bool touched = fabs(w->force[i]) > force_noise * w->size[i];
        for (size_t j = 0; !touched && j < nv; j++) touched = w->K[i * nv + j] != 0 || w->K[j * nv + i] != 0;
        if (touched && !(held && held[i])) w->dof[w->n++] = (int)i;
    }
}

/* Corrections of unknowns as a motion of all; returns its size in units. */
static double spread_step(const EquilibriumSearch *w, const double *x, double *step) {
    double size = 0;
    memset(step, 0, w->s.nv * sizeof *step);
    for (size_t i = 0; w->closed && i < w->s.nv; i++) {
        for (int k = 0; k < w->n; k++) step[i] -= w->loops.P[i * (size_t)w->n + (size_t)k] * x[k];
    }
    for (int k = 0; k < w->n; k++) {
        step[w->dof[k]] = -x[k];
        size = fmax(size, fabs(x[k]) / w->s.unit[w->dof[k]]);
    }
    return size;
}

/* Size of the correction by the tangent that is factored, of the force last looked at. */
static double correction(EquilibriumSearch *w, double *x) {
    for (int k = 0; k < w->n; k++) x[k] = w->force[w->dof[k]];
    zi_dense_solve(w->n, w->A, w->pivots, x);
    return spread_step(w, x, w->step);
}

/* A from K; of closed loops reduced, with what their forces add. */
static zvStatus factor_tangent(EquilibriumSearch *w, double stiffer) {
    const size_t n = (size_t)w->n;
    if (w->closed) zi_loop_statics_reduce(&w->s, &w->loops, w->K, w->A);
    for (size_t a = 0; a < n; a++) {
        const double unit = w->s.unit[w->dof[a]];
        for (size_t b = 0; !w->closed && b < n; b++)
            w->A[a * n + b] = w->K[(size_t)w->dof[a] * w->s.nv + (size_t)w->dof[b]];
        w->A[a * n + a] += stiffer * w->s.error_scale / (unit * unit);
    }
    return zi_dense_factor(w->n, w->A, w->pivots);
}

/* To w->next, the loops closed; false: they do not close there. */
static bool move_by(EquilibriumSearch *w, double part) {
    for (size_t i = 0; i < w->s.nv; i++) w->step[i] = part * w->full[i];
    zv_position_add(w->s.model, w->q, w->step, w->next);
    return !w->closed || zi_close_near(w->s.model, w->s.work, NULL, w->given, w->next, NULL) >= 0;
}

/* One damped step from w->q by the factored tangent that gains its share; false when even the smallest does not. */
static bool damped_step(EquilibriumSearch *w, double gain) {
    const double size = correction(w, w->x);
    double part = size > largest_turn ? largest_turn / size : 1;
    const int factored = (int)w->n; /* where conditions of loops come to repeat each other there are more */
    memcpy(w->full, w->step, w->s.nv * sizeof *w->full);
    for (int halving = 0; halving < HALVINGS; halving++, part *= 0.5) {
        if (!move_by(w, part)) continue;
        find_unbalanced(w, w->next);
        if ((int)w->n != factored) continue;
        if (correction(w, w->y) <= (1 - gain * part) * size) {
            memcpy(w->q, w->next, w->s.nq * sizeof *w->q);
            return true;
        }
    }
    return false;
}

/* Says which degree of freedom is farthest from balance. */
static zvStatus name_trouble(EquilibriumSearch *w, zvStatus status, int iterations, zvError *error) {
    const char **labels = zi_arena_alloc(&w->s.arena, w->s.nv * sizeof *labels);
    if (!labels || !zi_coordinate_labels(w->s.model, false, &w->s.arena, labels))
        return zi_dense_fail(ZV_MEMORY, error);
    const char *label = labels[w->worst];
    if (status == ZV_SINGULAR)
        return zv_fail(error, status, (zvMark){0}, label,
                       "no equilibrium can be found: nothing holds a part of the robot in place; hold its joints or "
                       "give them springs");
    return zv_fail(
        error, status, (zvMark){0}, label,
        "no equilibrium after %d iterations at %.3g of the load: %.3g N m or N is left in \"%s\", %.2g of the "
        "forces there; apply the load in more steps, or start nearer",
        iterations, w->s.share, fabs(w->force[w->worst]), label, w->left);
}

/* One more correction by the last tangent, when it makes things better, takes what force_goal leaves. */
static void polish(EquilibriumSearch *w) {
    const double before = w->left;
    correction(w, w->x);
    memcpy(w->full, w->step, w->s.nv * sizeof *w->full);
    if (!move_by(w, 1)) return;
    find_unbalanced(w, w->next);
    if (w->left < before) memcpy(w->q, w->next, w->s.nq * sizeof *w->q);
}

/* One iteration from w->q, where `look` has been; ZV_NO_CONVERGENCE or ZV_SINGULAR: no step helps. */
static zvStatus iterate(EquilibriumSearch *w) {
    static const double stiffer[] = {0, 0.01, 0.1, 1};
    zvStatus first = ZV_NO_CONVERGENCE;
    zi_statics_stiffness(&w->s, w->q, 2, true, w->K);
    if (w->closed) { /* a choice of its own for every tangent */
        w->chosen = false;
        find_unbalanced(w, w->q);
        zi_loop_statics_stiffen(&w->s, &w->loops, w->q, w->K);
    }
    choose_unknowns(w);
    for (size_t k = 0; k < sizeof stiffer / sizeof stiffer[0]; k++) {
        const zvStatus status = factor_tangent(w, stiffer[k]);
        if (status < 0 && status != ZV_SINGULAR) return status;
        if (k == 0 && status < 0) first = status;
        if (status == ZV_OK && damped_step(w, k ? 1e-3 : 0.25)) return ZV_OK;
        find_unbalanced(w, w->q);
        if (w->left <= force_accepted) break; /* rounding, not trouble */
    }
    return first;
}

/* Equilibrium at the share of the loads that acts now. */
static zvStatus settle_at_share(EquilibriumSearch *w, zvError *error) {
    find_unbalanced(w, w->q);
    w->moved = false;
    for (int iteration = 0; !(w->left <= force_goal); iteration++) {
        const zvStatus status = iteration < ITERATIONS && !isnan(w->left) ? iterate(w) : ZV_NO_CONVERGENCE;
        w->moved = status == ZV_OK;
        if (w->moved) continue;
        if (status == ZV_NO_CONVERGENCE && w->left <= force_accepted) return ZV_OK;
        if (status == ZV_NO_CONVERGENCE || status == ZV_SINGULAR) return name_trouble(w, status, iteration, error);
        return zi_dense_fail(status, error);
    }
    if (w->moved) polish(w);
    return ZV_OK;
}

/* A spring needs a coordinate to be measured by. */
static zvStatus check_springs(const ziStatics *s, zvError *error) {
    for (size_t i = 0; s->rest->stiffness && i < s->nv; i++) {
        if (s->rest->stiffness[i] != 0 && s->coordinate[i] < 0 && !(s->rest->held && s->rest->held[i]))
            return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "",
                           "a spring in a spherical or free joint has no position of rest; hold the joint or leave its "
                           "spring out");
    }
    return ZV_OK;
}

/* From a guess: loops closed with what is held where it is. */
static zvStatus close_guess(EquilibriumSearch *w, zvError *error) {
    zvAssembly options = zv_assembly_default();
    const unsigned char *held = w->s.rest->held;
    options.held = held;
    for (size_t i = 0; i < w->s.nv; i++) w->given[i] = held && held[i] ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE;
    const zvStatus status = zv_assemble(w->s.model, w->s.work, NULL, &options, w->q, error);
    return status < 0 ? status : zi_loop_statics_check(&w->s, w->q, error);
}

/* In as many load steps as asked for; q is the start and the answer. */
zvStatus zv_equilibrium(const zvModel *model, zvWork *work, const zvRest *rest, int steps, double *q, zvError *error) {
    ZI_REQUIRE(model && work && rest && q);
    EquilibriumSearch w = {0};
    zvStatus status = zi_statics_create(model, work, rest, &w.s, error);
    if (status == ZV_OK) status = check_springs(&w.s, error);
    if (status == ZV_OK && !take_search_arrays(&w)) status = zi_dense_fail(ZV_MEMORY, error);
    if (status == ZV_OK) memcpy(w.q, w.s.q, w.s.nq * sizeof *q);
    if (status == ZV_OK && w.closed) status = close_guess(&w, error);
    for (size_t i = 0; status == ZV_OK && !w.closed && i < w.s.nv; i++) {
        if (!(rest->held && rest->held[i])) w.dof[w.n++] = (int)i;
    }
    for (int step = 1; status == ZV_OK && step <= steps; step++) {
        w.s.share = (double)step / steps;
        status = settle_at_share(&w, error);
    }
    if (status == ZV_OK) memcpy(q, w.q, w.s.nq * sizeof *q);
    zi_statics_free(&w.s);
    return status;
}
