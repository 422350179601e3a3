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
#include "modes/search.h"
#include "zveno/loops.h"

enum { ITERATIONS = 60, HALVINGS = 12 };

static const double largest_turn = 0.5;    /* of one step, in units of each degree of freedom */
static const double force_goal = 1e-11;    /* what may be left, of the forces involved */
static const double force_noise = 1e-14;   /* what rounding leaves of nothing */
static const double force_accepted = 1e-8; /* ... when rounding allows no more */

/* All arrays of the search; false when out of memory. */
static bool take_search_arrays(ziSearch *w) {
    ziArena *arena = &w->s.arena;
    const size_t nv = w->s.nv, nq = w->s.nq, one = sizeof(double), wide = w->wide;
    w->dof = zi_arena_alloc(arena, wide * sizeof(int));
    w->pivots = zi_arena_alloc(arena, wide * sizeof(int));
    w->unit = zi_arena_alloc(arena, wide * one);
    w->z = zi_arena_alloc(arena, (wide - nv + 1) * one);
    w->z_next = zi_arena_alloc(arena, (wide - nv + 1) * one);
    w->given = zi_arena_alloc(arena, wide * one);
    w->block = zi_arena_alloc(arena, nv * nv * one);
    w->samples = zi_arena_alloc(arena, 4 * wide * one);
    w->q = zi_arena_alloc(arena, nq * one);
    w->next = zi_arena_alloc(arena, nq * one);
    w->force = zi_arena_alloc(arena, wide * one);
    w->size = zi_arena_alloc(arena, wide * one);
    w->K = zi_arena_alloc(arena, wide * wide * one);
    w->A = zi_arena_alloc(arena, wide * wide * one);
    w->x = zi_arena_alloc(arena, wide * one);
    w->y = zi_arena_alloc(arena, wide * one);
    w->step = zi_arena_alloc(arena, wide * one);
    w->full = zi_arena_alloc(arena, wide * one);
    w->locked = zi_arena_alloc(arena, nv + 1);
    w->closed = zv_model_nloop(w->s.model) > 0;
    if (w->closed && !zi_loop_statics_create(&w->s, &w->loops)) return false;
    return w->dof && w->pivots && w->unit && w->z && w->z_next && w->given && w->samples && w->block && w->locked &&
           w->q && w->next && w->force && w->size && w->K && w->A && w->x && w->y && w->step && w->full;
}

/* Degrees of freedom that may move, then the states of a system outside. */
void zi_search_list(ziSearch *w, int count, const int *dofs) {
    w->n = count;
    if (dofs) memcpy(w->dof, dofs, (size_t)count * sizeof *dofs);
    for (size_t i = w->s.nv; i < w->wide; i++) w->dof[w->n++] = (int)i;
}

/* The forces of (q, z) as they are, of a system outside as far as the first guess does not balance them. */
void zi_search_forces(ziSearch *w, const double *q, const double *z) {
    const ziOutside *outside = w->s.outside;
    if (!outside) {
        zi_statics_unbalanced(&w->s, q, w->force, w->size);
        return;
    }
    const zvStatus status =
        outside->unbalanced(outside->context, q, z, w->force, w->size, w->force + w->s.nv, w->size + w->s.nv);
    if (status < 0) w->refused = status;
    for (size_t i = 0; i < w->wide; i++) {
        w->force[i] = status < 0 ? NAN : w->force[i] - (1 - w->s.share) * w->given[i];
        w->size[i] += i < w->s.nv ? w->s.error_scale / w->unit[i] : 0;
    }
}

/* The force that is not balanced at q, and what it is the sum of. */
void zi_search_unbalanced(ziSearch *w, const double *q, const double *z) {
    zi_search_forces(w, q, z);
    if (w->closed) { /* without what the loops bear */
        zi_loop_statics_at(&w->s, &w->loops, q, w->chosen);
        zi_loop_statics_balance(&w->s, &w->loops, q, w->force);
        w->chosen = true;
        zi_search_list(w, w->loops.n, w->loops.dof);
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
        if (isnan(share)) return;
    }
}

/* The tangent at w->q; force and size are those there afterwards. */
void zi_search_tangent(ziSearch *w, int points) {
    if (!w->s.outside)
        zi_statics_stiffness(&w->s, w->q, points, true, w->K);
    else
        zi_search_outside_stiffness(w, points);
    w->chosen = false; /* a choice of its own for every tangent */
    if (w->s.outside || w->closed) zi_search_unbalanced(w, w->q, w->z);
    if (w->closed) zi_loop_statics_stiffen(&w->s, &w->loops, w->q, w->wide, w->K);
}

/* Unknown is what is not held, but for what nothing holds and nothing moves. */
static void choose_unknowns(ziSearch *w) {
    const size_t nv = w->s.nv, wide = w->wide;
    const unsigned char *held = w->s.rest->held;
    int count = 0;
    if (w->closed) return; /* all that are independent */
    for (size_t i = 0; i < nv; i++) {
        bool touched = fabs(w->force[i]) > force_noise * w->size[i];
        for (size_t j = 0; !touched && j < wide; j++) touched = w->K[i * wide + j] != 0 || w->K[j * wide + i] != 0;
        if (touched && !(held && held[i])) w->dof[count++] = (int)i;
    }
    zi_search_list(w, count, NULL);
}

/* Corrections of unknowns as a motion of all; returns its size in units. */
static double spread_step(const ziSearch *w, const double *x, double *step) {
    double size = 0;
    memset(step, 0, w->wide * sizeof *step);
    for (size_t i = 0; w->closed && i < w->s.nv; i++) {
        for (int k = 0; k < w->loops.n; k++) step[i] -= w->loops.P[i * (size_t)w->loops.n + (size_t)k] * x[k];
    }
    for (int k = 0; k < w->n; k++) {
        step[w->dof[k]] = -x[k];
        size = fmax(size, fabs(x[k]) / w->unit[w->dof[k]]);
    }
    return size;
}

/* Size of the correction by the tangent that is factored, of the force last looked at. */
static double correction(ziSearch *w, double *x) {
    for (int k = 0; k < w->n; k++) x[k] = w->force[w->dof[k]];
    zi_dense_solve(w->n, w->A, w->pivots, x);
    return spread_step(w, x, w->step);
}

/* The entry of A for unknowns a and b of which one is a state of the system outside. */
static double reduced_entry(const ziSearch *w, size_t a, size_t b) {
    const size_t nv = w->s.nv, wide = w->wide, n = (size_t)w->loops.n;
    const size_t row = (size_t)w->dof[a], column = (size_t)w->dof[b];
    if (a >= n && b >= n) return w->K[row * wide + column];
    double sum = 0;
    for (size_t i = 0; i < nv; i++)
        sum += a < n ? w->loops.P[i * n + a] * w->K[i * wide + column] : w->K[row * wide + i] * w->loops.P[i * n + b];
    return sum;
}

/* A of closed loops: the block of the degrees of freedom, and what states add. */
static void reduce_closed(ziSearch *w, double *A) {
    const size_t nv = w->s.nv, n = (size_t)w->loops.n, all = (size_t)w->n;
    for (size_t i = 0; i < nv; i++) memcpy(w->block + i * nv, w->K + i * w->wide, nv * sizeof *w->block);
    zi_loop_statics_reduce(&w->s, &w->loops, w->block, w->block);
    for (size_t a = 0; a < all; a++) {
        for (size_t b = 0; b < all; b++) A[a * all + b] = a < n && b < n ? w->block[a * n + b] : reduced_entry(w, a, b);
    }
}

/* A from K; of closed loops reduced, with what their forces add. */
void zi_search_reduce(ziSearch *w, double *A) {
    const size_t n = (size_t)w->n, wide = w->wide;
    if (w->closed) {
        reduce_closed(w, A);
        return;
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) A[a * n + b] = w->K[(size_t)w->dof[a] * wide + (size_t)w->dof[b]];
    }
}

/* Whether an unknown feels nothing, and nothing feels it. */
static bool is_idle(const ziSearch *w, size_t a) {
    const size_t n = (size_t)w->n;
    bool idle = true;
    for (size_t b = 0; idle && b < n; b++) idle = w->A[a * n + b] == 0 && w->A[b * n + a] == 0;
    return idle && fabs(w->force[w->dof[a]]) <= force_accepted * w->size[w->dof[a]];
}

/* What is idle stays. */
static zvStatus factor_tangent(ziSearch *w, double stiffer) {
    zi_search_reduce(w, w->A);
    for (size_t a = 0; a < (size_t)w->n; a++)
        if (is_idle(w, a)) w->A[a * (size_t)w->n + a] = INFINITY;
    for (size_t a = 0; a < (size_t)w->n; a++) {
        const double unit = w->unit[w->dof[a]];
        if (w->dof[a] < (int)w->s.nv) w->A[a * (size_t)w->n + a] += stiffer * w->s.error_scale / (unit * unit);
    }
    return zi_dense_factor(w->n, w->A, w->pivots);
}

/* To w->next and w->z_next, the loops closed; false: they do not close there. */
static bool move_by(ziSearch *w, double part) {
    const size_t nv = w->s.nv;
    for (size_t i = 0; i < w->wide; i++) w->step[i] = part * w->full[i];
    for (size_t i = nv; i < w->wide; i++) w->z_next[i - nv] = w->z[i - nv] + w->step[i];
    zv_position_add(w->s.model, w->q, w->step, w->next);
    return !w->closed || zi_close_near(w->s.model, w->s.work, zi_statics_closing(&w->s), w->locked, w->next, NULL) >= 0;
}

/* The state moved to becomes the one at hand. */
static void take_step(ziSearch *w) {
    memcpy(w->q, w->next, w->s.nq * sizeof *w->q);
    memcpy(w->z, w->z_next, (w->wide - w->s.nv) * sizeof *w->z);
}

/* One damped step from w->q by the factored tangent that gains its share; false when even the smallest does not. */
static bool damped_step(ziSearch *w, double gain) {
    const double size = correction(w, w->x);
    double part = size > largest_turn ? largest_turn / size : 1;
    const int factored = (int)w->n; /* where conditions of loops come to repeat each other there are more */
    memcpy(w->full, w->step, w->wide * sizeof *w->full);
    for (int halving = 0; halving < HALVINGS; halving++, part *= 0.5) {
        if (!move_by(w, part)) continue;
        zi_search_unbalanced(w, w->next, w->z_next);
        if ((int)w->n != factored) continue;
        if (correction(w, w->y) <= (1 - gain * part) * size) {
            take_step(w);
            return true;
        }
    }
    return false;
}

/* Says which degree of freedom, or state, is farthest from balance. */
static zvStatus name_trouble(ziSearch *w, zvStatus status, int iterations, zvError *error) {
    const char **labels = zi_arena_alloc(&w->s.arena, w->s.nv * sizeof *labels);
    if (!labels || !zi_coordinate_labels(w->s.model, false, &w->s.arena, labels))
        return zi_dense_fail(ZV_MEMORY, error);
    const int state = w->worst - (int)w->s.nv;
    const char *label = state < 0 ? labels[w->worst] : w->s.outside->label(w->s.outside->context, state);
    if (status == ZV_SINGULAR)
        return zv_fail(error, status, (zvMark){0}, label,
                       "no equilibrium can be found: nothing holds a part of the robot in place; hold its joints or "
                       "give them springs");
    return zv_fail(
        error, status, (zvMark){0}, label,
        "no equilibrium after %d iterations at %.3g of the load: %.3g N m or N is left in \"%s\", %.2g of the "
        "forces there; hold what nothing bears, apply the load in more steps, or start nearer",
        iterations, w->s.share, fabs(w->force[w->worst]), label, w->left);
}

/* One more correction by the last tangent, when it makes things better, takes what force_goal leaves. */
static void polish(ziSearch *w) {
    const double before = w->left;
    correction(w, w->x);
    memcpy(w->full, w->step, w->wide * sizeof *w->full);
    if (!move_by(w, 1)) return;
    zi_search_unbalanced(w, w->next, w->z_next);
    if (w->left < before)
        take_step(w);
    else
        w->left = before;
}

/* One iteration from w->q, where `look` has been; ZV_NO_CONVERGENCE or ZV_SINGULAR: no step helps. */
static zvStatus iterate(ziSearch *w) {
    /* the second leaves motions alone that nothing holds and nothing moves */
    static const double stiffer[] = {0, 1e-6, 0.01, 0.1, 1};
    zvStatus first = ZV_NO_CONVERGENCE;
    zi_search_tangent(w, 2);
    choose_unknowns(w);
    for (size_t k = 0; k < sizeof stiffer / sizeof stiffer[0]; k++) {
        const zvStatus status = factor_tangent(w, stiffer[k]);
        if (status < 0 && status != ZV_SINGULAR) return status;
        if (k == 0 && status < 0) first = status;
        if (status == ZV_OK && damped_step(w, k > 1 ? 1e-3 : 0.25)) return ZV_OK;
        zi_search_unbalanced(w, w->q, w->z);
        if (w->left <= force_accepted) break; /* rounding, not trouble */
    }
    return first;
}

/* Equilibrium at the share of the loads that acts now. */
zvStatus zi_search_settle(ziSearch *w, zvError *error) {
    zi_search_unbalanced(w, w->q, w->z);
    w->moved = false;
    for (int iteration = 0; !(w->left <= force_goal); iteration++) {
        const zvStatus status = iteration < ITERATIONS && !isnan(w->left) ? iterate(w) : ZV_NO_CONVERGENCE;
        w->moved = status == ZV_OK;
        if (w->moved) continue;
        if (w->refused < 0) return w->refused;
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
static zvStatus close_guess(ziSearch *w, zvError *error) {
    zvAssembly options = zv_assembly_default();
    const unsigned char *held = w->s.rest->held;
    options.held = held;
    for (size_t i = 0; i < w->s.nv; i++) w->locked[i] = held && held[i] ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE;
    const zvStatus status = zv_assemble(w->s.model, w->s.work, zi_statics_closing(&w->s), &options, w->q, error);
    return status < 0 ? status : zi_loop_statics_check(&w->s, w->q, error);
}

/* Memory, scales and the state to start from, its loops closed. */
zvStatus zi_search_begin(ziSearch *w, const zvModel *model, zvWork *work, const zvRest *rest, const ziOutside *outside,
                         zvError *error) {
    zvStatus status = zi_statics_create(model, work, rest, &w->s, error);
    if (status < 0) return status;
    w->s.outside = outside;
    w->wide = w->s.nv + (outside ? (size_t)outside->states : 0);
    if ((status = check_springs(&w->s, error)) < 0) return status;
    if (!take_search_arrays(w)) return zi_dense_fail(ZV_MEMORY, error);
    memcpy(w->q, w->s.q, w->s.nq * sizeof *w->q);
    memcpy(w->unit, w->s.unit, w->s.nv * sizeof *w->unit);
    if (outside) {
        memcpy(w->z, outside->z, (w->wide - w->s.nv) * sizeof *w->z);
        outside->measure(outside->context, w->s.unit, w->s.error_scale, w->unit + w->s.nv);
    }
    int count = 0;
    for (size_t i = 0; !w->closed && i < w->s.nv; i++) {
        if (!(rest->held && rest->held[i])) w->dof[count++] = (int)i;
    }
    zi_search_list(w, count, NULL);
    return w->closed ? close_guess(w, error) : ZV_OK;
}

/* In as many load steps as asked for; q is the start and the answer. */
zvStatus zv_equilibrium(const zvModel *model, zvWork *work, const zvRest *rest, int steps, double *q, zvError *error) {
    ZI_REQUIRE(model && work && rest && q);
    ziSearch w = {0};
    zvStatus status = zi_search_begin(&w, model, work, rest, NULL, error);
    for (int step = 1; status == ZV_OK && step <= steps; step++) {
        w.s.share = (double)step / steps;
        status = zi_search_settle(&w, error);
    }
    if (status == ZV_OK) memcpy(q, w.q, w.s.nq * sizeof *q);
    zi_statics_free(&w.s);
    return status;
}
