/* Newton and Euler on absolute values; see the header. */
#include "support/reference_error_scale.h"

#include <stdlib.h>

refErrorScale *ref_error_scale_create(const refTree *tree) {
    refErrorScale *error_scale = calloc(1, sizeof *error_scale);
    if (!error_scale) abort();
    exact **fields[] = {&error_scale->reach,   &error_scale->w,      &error_scale->u, &error_scale->alpha,
                        &error_scale->a,       &error_scale->f,      &error_scale->n, &error_scale->lever,
                        &error_scale->joint_w, &error_scale->joint_u};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) *fields[i] = lin_numbers(tree->nlink);
    error_scale->tau = lin_numbers(tree->nv);
    return error_scale;
}

void ref_error_scale_destroy(refErrorScale *error_scale) {
    if (!error_scale) return;
    exact *fields[] = {error_scale->reach, error_scale->w,       error_scale->u,      error_scale->alpha,
                       error_scale->a,     error_scale->f,       error_scale->n,      error_scale->tau,
                       error_scale->lever, error_scale->joint_w, error_scale->joint_u};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) free(fields[i]);
    free(error_scale);
}

static exact length(const double *x, int count) {
    exact square = 0;
    for (int k = 0; k < count; k++) square += (exact)x[k] * x[k];
    return sqrtl(square);
}

/* Which freedoms of a joint turn (then the moment works on them) and which slide. */
static bool turns(zvJointType type, int k) {
    switch (type) {
    case ZV_JOINT_CYLINDRICAL: return k == 1;
    case ZV_JOINT_PLANAR: return k == 2;
    case ZV_JOINT_FREE: return k >= 3;
    case ZV_JOINT_PRISMATIC:
    case ZV_JOINT_CURVE: return false;
    default: return true;
    }
}

/* Relative rates of a joint: largest turning and sliding speed and acceleration that its freedoms can give. */
typedef struct Rates {
    exact w, u, alpha, a;
} Rates;

static exact rate_of(const refTree *tree, int row, const double *x) {
    exact sum = 0;
    for (int c = 0; x && c < tree->nv; c++) sum += fabsl(tree->rates[row * tree->nv + c] * x[c]);
    return sum;
}

static exact curve_slope(const refTree *tree, int j) { return tree->joints[j].path.steepest; }

static Rates joint_rates(const refTree *tree, int j, const double *v, const double *a) {
    zvJointType type = zv_model_joint(tree->model, j)->type;
    Rates r = {0, 0, 0, 0};
    int row = ref_freedom(tree, j);
    for (int k = 0; k < zv_joint_type_nv(type); k++, row++) {
        exact speed = rate_of(tree, row, v), boost = rate_of(tree, row, a);
        *(turns(type, k) ? &r.w : &r.u) += speed;
        *(turns(type, k) ? &r.alpha : &r.a) += boost;
    }
    exact pitch = fabsl((exact)zv_model_joint(tree->model, j)->pitch);
    if (type == ZV_JOINT_HELICAL) r = (Rates){r.w, pitch * r.w, r.alpha, pitch * r.alpha};
    if (type == ZV_JOINT_UNIVERSAL || type == ZV_JOINT_SPHERICAL || type == ZV_JOINT_FREE) r.alpha += r.w * r.w;
    if (type == ZV_JOINT_FREE) r.a += r.w * r.u;
    if (type == ZV_JOINT_CURVE) {
        exact slope = curve_slope(tree, j);
        r.a = slope * r.a + tree->joints[j].path.sharpest * r.u * r.u;
        r.u *= slope;
    }
    return r;
}

/* Length from the parent's origin over the joint frame to the child's origin; a turned position counts too. */
static exact joint_lever(const refTree *tree, int j, zvJointPlace place) {
    const zvJoint *joint = zv_model_joint(tree->model, j);
    exact direct[3], square = 0, lever = length(joint->origin.p, 3);
    for (int k = 0; k < 3; k++) {
        direct[k] = tree->motion[place.child].p[k] - tree->motion[place.parent].p[k];
        square += direct[k] * direct[k];
    }
    return 2 * lever + sqrtl(square);
}

static void descend(const refTree *tree, const double *v, const double *a, bool gravity, refErrorScale *g) {
    g->w[0] = g->u[0] = g->alpha[0] = g->reach[0] = 0;
    g->a[0] = gravity ? sqrtl(tree->gravity[0] * tree->gravity[0] + tree->gravity[1] * tree->gravity[1] +
                              tree->gravity[2] * tree->gravity[2])
                      : 0;
    for (int j = 0; j < tree->njoint; j++) {
        zvJointPlace place = zv_model_joint_place(tree->model, j);
        int p = place.parent, c = place.child;
        Rates r = joint_rates(tree, j, v, a);
        exact l = g->lever[c] = joint_lever(tree, j, place);
        g->joint_w[c] = r.w;
        g->joint_u[c] = r.u;
        g->reach[c] = g->reach[p] + l;
        g->w[c] = g->w[p] + r.w;
        g->u[c] = g->u[p] + g->w[p] * l + r.u;
        g->alpha[c] = g->alpha[p] + r.alpha + g->w[p] * r.w;
        g->a[c] = g->a[p] + (g->alpha[p] + g->w[p] * g->w[p]) * l + r.a + 2 * g->w[p] * r.u;
    }
}

static void weigh(const refTree *tree, const double *fext, bool gravity, refErrorScale *g) {
    exact weight = gravity ? g->a[0] : 0;
    g->kinetic = g->potential = 0;
    for (int l = 0; l < tree->nlink; l++) {
        const zvInertia *own = &zv_model_link(tree->model, l)->inertia;
        exact arm = length(own->com, 3), moment = length(own->moment, 6) + own->mass * arm * arm;
        exact swing = g->alpha[l] + g->w[l] * g->w[l], speed = g->u[l] + g->w[l] * arm;
        g->f[l] = own->mass * (g->a[l] + swing * arm);
        g->n[l] = moment * swing + own->mass * arm * g->a[l];
        g->kinetic += own->mass * speed * speed + moment * g->w[l] * g->w[l];
        g->potential += own->mass * weight * (g->reach[l] + arm);
    }
    for (int l = 0; fext && l < tree->nlink; l++) {
        g->f[l] += length(fext + 6 * l, 3);
        g->n[l] += length(fext + 6 * l + 3, 3);
    }
}

static void add_joint_scale(const refTree *tree, int j, int link, const double *a, refErrorScale *g) {
    const zvJoint *joint = zv_model_joint(tree->model, j);
    int row = ref_freedom(tree, j);
    for (int k = 0; k < zv_joint_type_nv(joint->type); k++, row++) {
        exact push = joint->type == ZV_JOINT_CURVE ? curve_slope(tree, j) * g->f[link] : g->f[link];
        exact effort = turns(joint->type, k) ? g->n[link] + g->lever[link] * g->f[link] : push;
        if (joint->type == ZV_JOINT_HELICAL) effort += fabsl((exact)joint->pitch) * g->f[link];
        effort += joint->dof[k].armature * rate_of(tree, row, a);
        for (int c = 0; c < tree->nv; c++) g->tau[c] += fabsl(tree->rates[row * tree->nv + c]) * effort;
    }
}

static void ascend(const refTree *tree, const double *a, refErrorScale *g) {
    for (int c = 0; c < tree->nv; c++) g->tau[c] = 0;
    for (int j = tree->njoint - 1; j >= 0; j--) {
        zvJointPlace place = zv_model_joint_place(tree->model, j);
        add_joint_scale(tree, j, place.child, a, g);
        g->f[place.parent] += g->f[place.child];
        g->n[place.parent] += g->n[place.child] + g->lever[place.child] * g->f[place.child];
    }
}

static void find_depth(const refTree *tree, refErrorScale *g) {
    int *depth = calloc((size_t)tree->nlink, sizeof *depth);
    if (!depth) abort();
    g->depth = 1;
    for (int j = 0; j < tree->njoint; j++) {
        zvJointPlace place = zv_model_joint_place(tree->model, j);
        depth[place.child] = depth[place.parent] + 1;
        if (depth[place.child] > g->depth) g->depth = depth[place.child];
    }
    free(depth);
}

void ref_error_scale(const refTree *tree, const double *v, const double *a, const double *fext, bool gravity,
                     refErrorScale *error_scale) {
    find_depth(tree, error_scale);
    descend(tree, v, a, gravity, error_scale);
    weigh(tree, fext, gravity, error_scale);
    ascend(tree, a, error_scale);
}

void ref_error_scale_mass(const refTree *tree, refErrorScale *error_scale, exact *scale) {
    int n = tree->nv;
    double *unit = calloc((size_t)n + 1, sizeof *unit);
    if (!unit) abort();
    for (int c = 0; c < n; c++) {
        unit[c] = 1;
        ref_error_scale(tree, NULL, unit, NULL, false, error_scale);
        unit[c] = 0;
        for (int r = 0; r < n; r++) scale[r * n + c] = error_scale->tau[r];
    }
    free(unit);
}
