/* Mass, momentum and energy of trees with elastic links against sums over their points: the piece of a beam at x stands
 * where its displaced axis stands, nodes of modal data where they are displaced to; sections and nodes turn beside.
 *
 * Without stiffening the library's integrals are these sums. With it the centre of mass and the momentum still are;
 * angular momentum and energy are cut after the second order in the deformation, so what is missing goes with its third
 * power. Potential energy and momentum go together: d(potential)/dt = -g.p. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "beam/modes.h"
#include "support/elastic_case.h"
#include "support/run_tests.h"

enum { PANELS = 24, POINTS = 5 };

static const double place[POINTS] = {0.0469100770306680, 0.2307653449471585, 0.5, 0.7692346550528415,
                                     0.9530899229693320};
static const double weight[POINTS] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832,
                                      0.1184634425280945};

/* Of everything that moves, about the world's origin; size: the same sums without signs. */
typedef struct Sums {
    double mass, first[3], momentum[3], spin[3], kinetic;
    double size[4]; /* mass x length, momentum, spin, kinetic */
} Sums;

/* A link, and what it bends by. */
typedef struct Holder {
    zvPose pose;
    double velocity[6];
    const double *e, *de;
    int n;
} Holder;

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}
static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double length(const double a[3]) { return sqrt(dot(a, a)); }
static void turn(const double R[9], const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) y[i] = dot(R + 3 * i, x);
}

/* A mass at r in the link, moving with u there. */
static void add_point(const Holder *h, double m, const double r[3], const double u[3], Sums *sums) {
    double arm[3], x[3], v[3], carried[3], spin[3];
    turn(h->pose.R, r, arm);
    turn(h->pose.R, u, v);
    cross(h->velocity + 3, arm, carried);
    for (int i = 0; i < 3; i++) {
        x[i] = h->pose.p[i] + arm[i];
        v[i] += h->velocity[i] + carried[i];
    }
    cross(x, v, spin);
    sums->mass += m;
    for (int i = 0; i < 3; i++) {
        sums->first[i] += m * x[i];
        sums->momentum[i] += m * v[i];
        sums->spin[i] += m * spin[i];
    }
    sums->kinetic += 0.5 * m * dot(v, v);
    sums->size[0] += m * length(x);
    sums->size[1] += m * length(v);
    sums->size[2] += m * length(x) * length(v);
    sums->size[3] += 0.5 * m * dot(v, v);
}

/* Moments of inertia (xx xy xz yy yz zz, link axes) that turn with the link and with w in it. */
static void add_moment(const Holder *h, double scale, const double J[6], const double w[3], Sums *sums) {
    double own[3], spin[3], world[3];
    for (int i = 0; i < 3; i++) {
        own[i] = w[i];
        for (int k = 0; k < 3; k++) own[i] += h->pose.R[3 * k + i] * h->velocity[3 + k];
    }
    spin[0] = J[0] * own[0] + J[1] * own[1] + J[2] * own[2];
    spin[1] = J[1] * own[0] + J[3] * own[1] + J[4] * own[2];
    spin[2] = J[2] * own[0] + J[4] * own[1] + J[5] * own[2];
    turn(h->pose.R, spin, world);
    for (int i = 0; i < 3; i++) sums->spin[i] += scale * world[i];
    sums->kinetic += 0.5 * scale * dot(spin, own);
    sums->size[2] += scale * length(spin);
    sums->size[3] += 0.5 * scale * dot(spin, own);
}

/* sum x_i rows[i], rows `stride` apart */
static void mix(int n, const double *rows, int stride, const double *x, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) out[k] += x[i] * rows[stride * i + k];
    }
}

/* A section of a bent beam: displacement, rotation and their rates. */
typedef struct Section {
    double d[3], dd[3], r[3], dr[3];
} Section;

static Section section_of(const Holder *h, const zvBeam *beam, double x) {
    double d[3 * ZV_MAX_MODES], r[3 * ZV_MAX_MODES];
    Section s;
    zi_beam_shape(beam, x, d, r);
    mix(h->n, d, 3, h->e, s.d);
    mix(h->n, d, 3, h->de, s.dd);
    mix(h->n, r, 3, h->e, s.r);
    mix(h->n, r, 3, h->de, s.dr);
    return s;
}

/* Half the integral of the squared slopes from a to b, and its rate: without shear, slopes are rotations. */
static void shorten(const Holder *h, const zvBeam *beam, double a, double b, double *short_by, double *rate) {
    for (int k = 0; k < POINTS; k++) {
        const Section s = section_of(h, beam, a + (b - a) * place[k]);
        *short_by += 0.5 * (b - a) * weight[k] * (s.r[1] * s.r[1] + s.r[2] * s.r[2]);
        *rate += (b - a) * weight[k] * (s.r[1] * s.dr[1] + s.r[2] * s.dr[2]);
    }
}

static void add_beam(const Holder *h, const zvBeam *beam, Sums *sums) {
    const double J[6] = {beam->rhoIy + beam->rhoIz, 0, 0, beam->rhoIy, 0, beam->rhoIz};
    double before = 0, short_by = 0, rate = 0;
    for (int i = 0; i < PANELS * POINTS; i++) {
        const double x = (i / POINTS + place[i % POINTS]) / PANELS * beam->length;
        const double dx = weight[i % POINTS] / PANELS * beam->length;
        const Section s = section_of(h, beam, x);
        if (beam->stiffening != ZV_STIFFENING_OFF) shorten(h, beam, before, x, &short_by, &rate);
        const double at[3] = {x + s.d[0] - short_by, s.d[1], s.d[2]}, u[3] = {s.dd[0] - rate, s.dd[1], s.dd[2]};
        const double w[3] = {s.dr[0], beam->rotary ? s.dr[1] : 0, beam->rotary ? s.dr[2] : 0};
        add_point(h, dx * beam->rhoA, at, u, sums);
        add_moment(h, dx, J, w, sums);
        before = x;
    }
}

static void add_nodes(const Holder *h, const zvModal *modal, Sums *sums) {
    for (int k = 0; k < modal->node_count; k++) {
        const zvModalNode *node = &modal->nodes[k];
        double at[3], u[3], w[3];
        mix(h->n, node->shape, 6, h->e, at);
        mix(h->n, node->shape, 6, h->de, u);
        mix(h->n, node->shape + 3, 6, h->de, w);
        for (int i = 0; i < 3; i++) at[i] += node->at[i];
        add_point(h, node->mass, at, u, sums);
        add_moment(h, 1, node->moment, w, sums);
    }
}

static double rotor_energy(const ecCase *c, const double *v) {
    double energy = 0;
    for (int j = 0; j < zv_model_njoint(c->model); j++) {
        const zvJoint *joint = zv_model_joint(c->model, j);
        const zvJointPlace place_ = zv_model_joint_place(c->model, j);
        const double ratio = place_.mimic >= 0 ? joint->ratio : 1;
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++) {
            const double rate = ratio * v[place_.v_index + k];
            energy += 0.5 * joint->dof[k].armature * rate * rate;
        }
    }
    return energy;
}

static Sums sums_of(ecCase *c, const double *q, const double *v) {
    Sums sums = {.kinetic = rotor_energy(c, v)};
    static const double none[3];
    zvPose *poses = calloc((size_t)c->nlink, sizeof *poses);
    double *velocities = calloc(6 * (size_t)c->nlink, sizeof *velocities);
    assert_true(poses && velocities);
    zv_link_motions(c->model, c->work, q, v, poses, velocities);
    for (int i = 0; i < c->nlink; i++) {
        const zvLink *link = zv_model_link(c->model, i);
        const zvElasticPlace elastic = zv_model_elastic_place(c->model, i);
        Holder h = {.pose = poses[i], .e = q + elastic.q_index, .de = v + elastic.v_index, .n = elastic.count};
        if (zv_model_frame_body(c->model, i) == 0) continue; /* on the ground */
        memcpy(h.velocity, velocities + 6 * i, sizeof h.velocity);
        add_point(&h, link->inertia.mass, link->inertia.com, none, &sums);
        add_moment(&h, 1, link->inertia.moment, none, &sums);
        if (link->beam) add_beam(&h, link->beam, &sums);
        if (link->modal) add_nodes(&h, link->modal, &sums);
    }
    free(poses);
    free(velocities);
    sums.size[3] += sums.kinetic;
    return sums;
}

static bool shortens(const ecCase *c) {
    for (int i = 0; i < c->nlink; i++) {
        const zvBeam *beam = zv_model_link(c->model, i)->beam;
        if (beam && zi_beam_shortens(beam)) return true;
    }
    return false;
}

/* Angular momentum about the centre of mass, of the sums about the origin */
static void spin_about(const Sums *s, const double c[3], double spin[3]) {
    double shift[3];
    cross(c, s->momentum, shift);
    for (int i = 0; i < 3; i++) spin[i] = s->spin[i] - shift[i];
}

/* Checks what is exact in any case; what the library has beyond the sums goes to gap: spin (3), energy. */
static bool compare(ecCase *c, const double *q, const double *v, double gap[4], double size[4]) {
    const Sums s = sums_of(c, q, v);
    double h[6], com[3], again[3], spin[3], kinetic, potential, g[3], mass = zv_model_mass(c->model);
    const double loss = PANELS * POINTS * DBL_EPSILON; /* of as many terms */
    for (int i = 0; i < 4; i++) {
        gap[i] = 0;
        size[i] = 1;
    }
    if (mass == 0) return s.mass == 0;
    zv_momentum(c->model, c->work, q, v, h, com);
    zv_center_of_mass(c->model, c->work, q, again);
    zv_energy(c->model, c->work, q, v, &kinetic, &potential);
    zv_model_gravity(c->model, g);
    bool good = ec_near(c, "mass", 0, mass, s.mass, loss * mass) &&
                ec_near(c, "potential", 0, potential, -dot(g, s.first), loss * length(g) * s.size[0]);
    for (int i = 0; i < 3; i++) {
        good = good && ec_near(c, "centre", i, com[i], s.first[i] / mass, loss * s.size[0] / mass) &&
               ec_near(c, "centre alone", i, again[i], com[i], 0) &&
               ec_near(c, "momentum", i, h[i], s.momentum[i], loss * s.size[1]);
    }
    spin_about(&s, com, spin);
    for (int i = 0; i < 3; i++) {
        gap[i] = h[3 + i] - spin[i];
        size[i] = loss * (s.size[2] + s.size[0] * s.size[1] / mass);
    }
    gap[3] = kinetic - s.kinetic;
    size[3] = loss * s.size[3];
    return good;
}

/* The state with the deformation and its rate times k */
static void bend_less(const ecCase *c, double k, double *q, double *v) {
    memcpy(q, c->q, (size_t)c->nq * sizeof *q);
    memcpy(v, c->v, (size_t)c->nv * sizeof *v);
    for (int i = 0; i < c->nlink; i++) {
        const zvElasticPlace elastic = zv_model_elastic_place(c->model, i);
        for (int j = 0; j < elastic.count; j++) {
            q[elastic.q_index + j] *= k;
            v[elastic.v_index + j] *= k;
        }
    }
}

/* Without stiffening nothing is missing. With it, what is missing falls with the third power: by 64 from an eighth of
 * the deformation to a quarter of that and by 8 from a sixteenth, where the second power would make 16 and 4. */
static bool sums_agree(ecCase *c) {
    const double share[4] = {1, 1 / 8.0, 1 / 16.0, 1 / 32.0};
    double *q = calloc((size_t)(c->nq + c->nv) + 1, sizeof *q), *v = q + c->nq;
    double gap[4], size[4], whole[4], most[4] = {0};
    bool good = q != NULL;
    for (int k = 0; k < 4 && good; k++) {
        bend_less(c, share[k], q, v);
        good = compare(c, q, v, gap, size);
        for (int i = 0; i < 4 && good; i++) {
            if (k == 0) whole[i] = size[i];
            if (!shortens(c)) good = ec_near(c, i < 3 ? "spin" : "kinetic energy", i, gap[i], 0, size[i]);
            most[k] = fmax(most[k], fabs(gap[i]) / whole[i]);
        }
    }
    free(q);
    return good && ec_near(c, "what is missing", 0, most[3], 0, 1 + fmax(most[1] / 32, most[2] / 5));
}

static void look_potential(ecCase *c, const double *q, double *out) {
    double kinetic;
    zv_energy(c->model, c->work, q, NULL, &kinetic, &out[0]);
    zv_center_of_mass(c->model, c->work, q, out + 1);
}

/* The centre of mass moves with p / m, the potential energy falls by g.p. */
static bool potential_and_momentum(ecCase *c) {
    double rate[4], h[6], g[3];
    const double mass = zv_model_mass(c->model), reach = 5 * c->nlink, loss = 8 * DBL_EPSILON * reach / ec_step(c);
    if (mass == 0) return true;
    zv_model_gravity(c->model, g);
    zv_momentum(c->model, c->work, c->q, c->v, h, NULL);
    ec_rate(c, c->v, look_potential, 4, rate);
    for (int i = 0; i < 3; i++) {
        if (!ec_near(c, "velocity of the centre", i, h[i] / mass, rate[1 + i], loss)) return false;
    }
    return ec_near(c, "power of gravity", 0, dot(g, h), -rate[0], loss * mass * length(g));
}

static void sums(void **state) {
    (void)state;
    assert_true(ec_each(2200, 48, RT_ALL_TYPES, sums_agree));
}

static void potential(void **state) {
    (void)state;
    assert_true(ec_each(2400, 150, RT_ALL_TYPES, potential_and_momentum));
}

TESTS(sums, potential)
