/* Warnings about elastic links: bent beyond their functions, or spinning without stiffening. */
#include "beam/modes.h"
#include "linalg/lu.h"
#include "simulate/run.h"

#include <math.h>
#include <stdlib.h>

static const double greatest_shift = 0.3; /* of the tip, in lengths of the beam */
static const double greatest_turn = 1;    /* of a section, rad */

/* The beam of a link that is elastic, else NULL. */
static const zvBeam *beam_of(const zvModel *model, int link) {
    return zv_model_elastic_place(model, link).count > 0 ? zv_model_link(model, link)->beam : NULL;
}

static bool add_section(ziBend *b, ziSystem *system, int link, double x, bool tip) {
    const zvBeam *beam = beam_of(system->model, link);
    const zvElasticPlace place = zv_model_elastic_place(system->model, link);
    double *d = zi_arena_alloc(&system->arena, 6 * (size_t)place.count * sizeof *d), *r = d + 3 * place.count;
    if (!d) return false;
    zi_beam_shape(beam, x, d, r);
    for (int i = 0; i < 3 * place.count; i++) d[i] /= beam->length;
    b->sections[b->count++] = (ziBendSection){place.q_index, place.count, d, r, tip};
    return true;
}

/* Where something sits on a link, if that is a beam. */
static bool add_seat(ziBend *b, ziSystem *system, const char *link_name, const double at[3]) {
    const int link = link_name ? zv_model_find_frame(system->model, link_name) : -1;
    const zvBeam *beam = link >= 0 && link < zv_model_nlink(system->model) ? beam_of(system->model, link) : NULL;
    if (!beam) return true;
    const double x = zi_beam_along(beam, at);
    return !(x > 0 && x < beam->length) || add_section(b, system, link, x, false);
}

/* Tips of all beams, and the sections at which joints and frames are attached. */
bool zi_bend_create(ziBend *b, ziSystem *system) {
    const zvModel *model = system->model;
    const int nlink = zv_model_nlink(model), njoint = zv_model_njoint(model), nframe = zv_model_nframe(model);
    *b = (ziBend){0};
    if (zv_model_nelastic(model) == 0) return true;
    b->sections = zi_arena_alloc(&system->arena, (size_t)(njoint + nframe) * sizeof *b->sections);
    bool good = b->sections != NULL;
    for (int i = 0; good && i < nlink; i++) { /* links are frames as well: there is room */
        const zvBeam *beam = beam_of(model, i);
        if (beam) good = add_section(b, system, i, beam->length, true);
    }
    for (int i = 0; good && i < njoint; i++) {
        const zvJoint *joint = zv_model_joint(model, i);
        good = add_seat(b, system, joint->parent, joint->origin.p);
    }
    for (int i = nlink; good && i < nframe; i++) {
        const zvFrame frame = zv_model_frame(model, i);
        good = add_seat(b, system, frame.link, frame.pose.p);
    }
    return good;
}

static double deflection_size(int n, const double *shapes, const double *e) {
    double u[3] = {0};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) u[i] += shapes[3 * k + i] * e[k];
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

void zi_bend_look(ziBend *b, const double *y) {
    for (int k = 0; k < b->count; k++) {
        const ziBendSection *s = &b->sections[k];
        b->turn = fmax(b->turn, deflection_size(s->n, s->r, y + s->q));
        if (s->tip) b->shift = fmax(b->shift, deflection_size(s->n, s->d, y + s->q));
    }
}

const char *zi_bend_advice(const ziBend *b) {
    if (!(b->shift > greatest_shift || b->turn > greatest_turn)) return NULL;
    return "an elastic link was bent beyond what its functions can describe (more than 0.3 of its length): cut it into "
           "several links with shapes: cubic";
}

/* Spin over frequency from which on the square of the frequency is off by a hundredth: sqrt(0.01 / 1.19). */
static const double greatest_ratio = 0.09;

enum { ITERATIONS = 60 };

/* Least eigenvalue of (K, M) by inverse iteration; room for n (n + 3) numbers. */
static double least_eigenvalue(int n, double *K, const double *M, int *order, double *buffer) {
    double *x = buffer, *y = buffer + n, *scale = buffer + 2 * n, value = INFINITY;
    if (!lu_factor(n, K, order, scale)) return 0;
    for (int i = 0; i < n; i++) x[i] = 1 + 0.1 * i;
    for (int round = 0; round < ITERATIONS; round++) {
        double size = 0;
        for (int i = 0; i < n; i++) {
            y[i] = 0;
            for (int j = 0; j < n; j++) y[i] += M[i * n + j] * x[j];
        }
        double before = 0, after = 0;
        for (int i = 0; i < n; i++) before += x[i] * y[i];
        lu_solve(n, K, order, y, x);
        for (int i = 0; i < n; i++) {
            after += x[i] * y[i];
            size = fmax(size, fabs(x[i]));
        }
        value = before / after; /* x^T M x / x^T M K^-1 M x */
        for (int i = 0; i < n && size > 0; i++) x[i] /= size;
    }
    return value;
}

/* Of the clamped link alone; NaN when out of memory. */
static double first_frequency(const zvModel *model, int link) {
    const int n = zv_model_elastic_place(model, link).count;
    const size_t square = (size_t)n * (size_t)n;
    double *M = malloc((2 * square + 3 * (size_t)n) * sizeof *M), value = NAN;
    int *order = malloc((size_t)n * sizeof *order);
    if (M && order) {
        zv_model_elastic_matrices(model, link, M, M + square, NULL);
        value = sqrt(least_eigenvalue(n, M + square, M, order, M + 2 * square));
    }
    free(M);
    free(order);
    return value;
}

static bool lacks_stiffening(const zvModel *model, int link) {
    const zvLink *own = zv_model_link(model, link);
    const zvBeam *beam = own->beam;
    if (own->modal) return own->modal->count > 0; /* modal data have none */
    return beam && beam->stiffening == ZV_STIFFENING_OFF &&
           beam->modes[ZV_BEAM_BEND_Y] + beam->modes[ZV_BEAM_BEND_Z] > 0;
}

/* Only links that lack stiffening are observed; often there are none. */
bool zi_spin_create(ziSpin *s, ziSystem *system) {
    const zvModel *model = system->model;
    const int nlink = zv_model_nlink(model);
    *s = (ziSpin){0};
    for (int i = 0; i < nlink; i++) s->count += lacks_stiffening(model, i);
    if (s->count == 0) return true;
    s->links = zi_arena_alloc(&system->arena, (size_t)s->count * sizeof *s->links);
    s->frequency = zi_arena_alloc(&system->arena, (size_t)s->count * sizeof *s->frequency);
    s->axes = zi_arena_alloc(&system->arena, 3 * (size_t)s->count * sizeof *s->axes);
    s->poses = zi_arena_alloc(&system->arena, (size_t)nlink * sizeof *s->poses);
    s->rates = zi_arena_alloc(&system->arena, 6 * (size_t)nlink * sizeof *s->rates);
    if (!s->links || !s->frequency || !s->axes || !s->poses || !s->rates) return false;
    for (int i = 0, k = 0; i < nlink; i++) {
        if (!lacks_stiffening(model, i)) continue;
        const zvBeam *beam = zv_model_link(model, i)->beam;
        const double *axis = beam ? beam->axis : NULL, length = beam ? hypot(hypot(axis[0], axis[1]), axis[2]) : 1;
        for (int j = 0; j < 3; j++) s->axes[3 * k + j] = beam ? axis[j] / length : 0;
        s->links[k] = i;
        s->frequency[k++] = first_frequency(model, i);
    }
    return true;
}

void zi_spin_look(ziSpin *s, ziSystem *system) {
    if (s->count == 0) return;
    zv_link_motions(system->model, system->work, system->q, system->v, s->poses, s->rates);
    for (int k = 0; k < s->count; k++) {
        const double *w = s->rates + 6 * s->links[k] + 3, *R = s->poses[s->links[k]].R, *a = s->axes + 3 * k;
        double along = 0; /* about the axis itself nothing is pulled */
        for (int i = 0; i < 3; i++) along += w[i] * (R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2]);
        const double across = sqrt(fmax(0, w[0] * w[0] + w[1] * w[1] + w[2] * w[2] - along * along));
        if (across > s->worst * s->frequency[k]) s->worst = across / s->frequency[k];
    }
}

const char *zi_spin_advice(const ziSpin *s) {
    if (!(s->worst > greatest_ratio)) return NULL;
    return "an elastic link spins at more than 0.09 of its first frequency without stiffening: it is too soft; for a "
           "beam write stiffening: auto, modal data have none";
}
