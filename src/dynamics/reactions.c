/* Joint reactions: Newton-Euler link by link, in each link's own axes about its origin, so that fixed joints have
 * theirs too although their links move as one body. Motions of the bodies come from the inverse dynamics, and the
 * forces of elastic links, which are bodies by themselves. */
#include <string.h>

#include "base/require.h"
#include "dynamics/external.h"
#include "dynamics/kernels.h"
#include "kinematics/kernels.h"
#include "spatial/inertia.h"
#include "work/coupling.h"

/* A wrench at the inner origin, in its axes, carried to where the inner frame is seen at (R, p). */
static force outer(mat3 R, vec3 p, force F) { return force_shift(force_of(m3_mulv(R, F.lin), m3_mulv(R, F.ang)), p); }

/* A wrench at the outer origin carried to the inner frame seen at (R, p). */
static force inner(mat3 R, vec3 p, force F) {
    force here = force_shift(F, v3_neg(p));
    return force_of(m3_tmulv(R, here.lin), m3_tmulv(R, here.ang));
}

/* Rate of momentum of a link less gravity, about its origin in its axes. */
static force inertia_force(const ziLinkPlace *place, const ziBodyMotion *body) {
    const zvInertia *inertia = place->inertia;
    mat3 R = m3_of_rows(place->pose.R); /* link to body */
    vec3 w = v3_of(body->w), al = v3_of(body->alpha);
    vec3 d = m3_mulv_add(R, v3_of(inertia->com), v3_of(place->pose.p)); /* body origin to centre of mass */
    vec3 acc = v3_add(v3_of(body->a), v3_add(v3_cross(al, d), v3_cross(w, v3_cross(w, d))));
    vec3 f = v3_scale(inertia->mass, m3_tmulv(R, acc));
    vec3 wl = m3_tmulv(R, w), all = m3_tmulv(R, al);
    const double *I_ = inertia->moment; /* xx xy xz yy yz zz */
    mat3 J = m3(v3(I_[0], I_[1], I_[2]), v3(I_[1], I_[3], I_[4]), v3(I_[2], I_[4], I_[5]));
    vec3 n = v3_cross_add(wl, m3_mulv(J, wl), m3_mulv(J, all));
    return force_of(f, v3_cross_add(v3_of(inertia->com), f, n));
}

/* The same for an elastic link, from its body's. */
static force elastic_force(const ziLinkPlace *place, const ziBodyMotion *body) {
    return inner(m3_of_rows(place->pose.R), v3_of(place->pose.p), force_of(v3_of(body->f), v3_of(body->f + 3)));
}

/* A world wrench in the axes of a link. */
static force to_link(const double *wrench, const zvPose *body, const ziLinkPlace *place) {
    mat3 R = m3_mul(m3_of_rows(body->R), m3_of_rows(place->pose.R));
    return force_of(m3_tmulv(R, v3_of(wrench)), m3_tmulv(R, v3_of(wrench + 3)));
}

/* The wrench at a link's origin seen from its parent link: by way of their bodies, one joint at most between them and,
 * where the parent is elastic, the section that carries it. */
static force to_parent(const zvModel *m, const ziBodyMotion *motions, const ziLinkPlace *from, force F) {
    const ziLinkPlace *to = &m->link_places[from->parent];
    F = outer(m3_of_rows(from->pose.R), v3_of(from->pose.p), F);
    if (from->body != to->body) {
        const int base = m->tree.body[from->body].base;
        F = outer(m3_of(motions[from->body].R), v3_of(motions[from->body].p), F);
        if (base >= m->tree.nb) F = outer(m3_of(motions[base].R), v3_of(motions[base].p), F);
    }
    return inner(m3_of_rows(to->pose.R), v3_of(to->pose.p), F);
}

/* Subtracts external wrenches; only they need to know where the world's axes are. */
static void subtract_external(const zvModel *m, ziScratch scratch, const double *tq, const double *fext, force *F) {
    zvPose *bodies = zi_scratch_take(&scratch, (size_t)m->tree.nb * sizeof *bodies);
    zi_kinematics_kernels(m)->body_poses(&m->tree, scratch, tq, bodies);
    for (int i = 0; i < m->nlink; i++) {
        const ziLinkPlace *place = &m->link_places[i];
        F[i] = force_sub(F[i], to_link(fext + 6 * i, &bodies[place->body], place));
    }
}

/* Wrench through every joint, link axes, about the link's origin: motions by Newton-Euler, the inertia force of each
 * link less fext, summed up from the tips. Fixed joints too, which bodies of the tree have merged. */
void zv_joint_reactions(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                        const double *fext, double *reactions) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(reactions, m->njoint));
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v), *ta = zi_tree_v(m, &scratch, a);
    ziBodyMotion *motions = zi_scratch_take(&scratch, (size_t)(m->tree.nb + m->tree.ns) * sizeof *motions);
    double *tau = zi_scratch_doubles(&scratch, m->tree.nv);
    force *F = zi_scratch_take(&scratch, (size_t)m->nlink * sizeof *F);
    zi_kernels(m)->newton_euler(&m->tree, scratch, tq, tv, ta, m->tree.gravity, NULL, tau, motions);
    for (int i = 0; i < m->nlink; i++) {
        const ziLinkPlace *place = &m->link_places[i];
        const ziBodyMotion *body = &motions[place->body];
        F[i] = m->link_elastic[i] ? elastic_force(place, body) : inertia_force(place, body);
    }
    if (fext) subtract_external(m, scratch, tq, fext, F);
    for (int i = m->nlink - 1; i > 0; i--) {
        const ziLinkPlace *place = &m->link_places[i];
        v3_to(reactions + 6 * place->joint, F[i].lin);
        v3_to(reactions + 6 * place->joint + 3, F[i].ang);
        F[place->parent] = force_add(F[place->parent], to_parent(m, motions, place, F[i]));
    }
}
