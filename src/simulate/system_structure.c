/* The scenario as a structure for Newmark and generalised alpha: M a + C v + g + k - forces by inverse dynamics, and
 * the reduced iteration matrix S = M + damping D + stiffness K, in which D and K are those of elastic links, joint
 * springs, dampers and controllers, all block-diagonal: S x = r is solved by the recursions of forward dynamics,
 * without a global matrix [Gevorkian].
 *
 * A flexible joint (inertia J, stiffness k, damping d, motor damping b) has its rotor in z. With c = stiffness k +
 * damping d, g = lag and s = J + g (d + b) + g^2 k its rows are
 *
 *   x_theta = r_theta + g x_omega,   s x_omega = e + g c x_a,   e = J r_omega - g k r_theta
 *
 * and, put into the link's row, -(g k + d) g c / s on the diagonal and k r_theta + (g k + d) e / s on the right. */
#include <string.h>

#include "actuate/element.h"
#include "simulate/system.h"

static void move(void *context, const double *q, const double *x, double *moved) {
    const ziSystem *s = context;
    zv_position_add(s->model, q, x, moved);
}

static void impose(void *context, double t, double *y) {
    ziSystem *s = context;
    zi_system_impose(s, t, y, y + s->at_v);
}

static int residual(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    ziSystem *s = context;
    zi_system_copy(s, t, y);
    const zvStatus status =
        zv_drives_residual(s->drives, s->efforts, s->work, zi_system_clock(s, t), s->q, s->v, s->z, s->modes, a, r);
    if (status == ZV_DEGRADED) s->damped++;
    if (status < 0) {
        s->trouble = status;
        s->trouble_t = t;
        return 1;
    }
    memcpy(rest, s->efforts->rate, (size_t)s->nz * sizeof *rest);
    memcpy(rest + s->nz, s->efforts->power, (size_t)s->nw * sizeof *rest);
    return 0;
}

typedef struct Link {
    double c, out, e, s; /* out = g k + d */
} Link;

static Link link_of(const ziSystem *system, const ziRotor *rotor, double damping, double stiffness, double lag,
                    const double *r) {
    const double *z = r + system->nv + rotor->state;
    return (Link){.c = stiffness * rotor->k + damping * rotor->d,
                  .out = lag * rotor->k + rotor->d,
                  .e = rotor->J * z[1] - lag * rotor->k * z[0],
                  .s = rotor->J + lag * (rotor->d + rotor->b + lag * rotor->k)};
}

static void eliminate_rotors(ziSystem *s, double damping, double stiffness, double lag, const double *r, double *rhs) {
    ziRotor rotor;
    for (size_t i = 0; i < s->drives->nelement; i++) {
        if (!zi_system_rotor(s, i, &rotor)) continue;
        const Link l = link_of(s, &rotor, damping, stiffness, lag, r);
        const double less = s->augment[rotor.dof] - lag * l.c * l.out / l.s;
        s->augment[rotor.dof] = less > 0 ? less : 0;
        rhs[rotor.dof] += rotor.k * r[s->nv + rotor.state] + l.out * l.e / l.s;
    }
}

static void solve_rotors(const ziSystem *s, double damping, double stiffness, double lag, const double *r, double *x) {
    ziRotor rotor;
    for (size_t i = 0; i < s->drives->nelement; i++) {
        if (!zi_system_rotor(s, i, &rotor)) continue;
        const Link l = link_of(s, &rotor, damping, stiffness, lag, r);
        double *z = x + s->nv + rotor.state;
        z[1] = (l.e + lag * l.c * x[rotor.dof]) / l.s;
        z[0] = r[s->nv + rotor.state] + lag * z[1];
    }
}

/* q, v and what is given are those of the residual just asked for. */
static int reduced(void *context, double t, const double *y, double damping, double stiffness, double lag,
                   const double *r, double *x) {
    ziSystem *s = context;
    (void)y;
    zv_drives_diagonal(s->drives, zi_system_clock(s, t), s->q, s->v, s->z, s->modes, s->stiffness, s->damping);
    for (int i = 0; i < s->nv; i++) {
        s->augment[i] = damping * s->damping[i] + (s->coordinate[i] < 0 ? 0 : stiffness * s->stiffness[i]);
        s->room[i] = r[i];
    }
    eliminate_rotors(s, damping, stiffness, lag, r, s->room);
    if (zv_structural_inverse_times(s->model, s->work, s->q, s->efforts->given, s->augment, damping, stiffness, s->room,
                                    x) < 0)
        return 1;
    memcpy(x + s->nv, r + s->nv, (size_t)s->nz * sizeof *x);
    solve_rotors(s, damping, stiffness, lag, r, x);
    return 0;
}

zvStructure zi_system_structure(const ziSystem *s) {
    return (zvStructure){.nq = s->nq,
                         .nv = s->nv,
                         .coordinate = s->coordinate,
                         .move = move,
                         .impose = impose,
                         .residual = residual,
                         .reduced = reduced};
}
