/* What must not matter: where the robot stands and which way it looks (gravity turned with it), and whether a rigid
 * link is described as one piece or as two joined by a fixed joint.
 * Tolerance: 32 x depth x eps x uncancelled terms: two computations, each within 16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 32 };

static void turn(const double R[9], const double x[3], double out[3]) {
    double y[3];
    for (int i = 0; i < 3; i++) y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
    memcpy(out, y, sizeof y);
}

static zvPose compose(const zvPose *outer, const zvPose *inner) {
    zvPose out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.R[3 * i + j] = outer->R[3 * i] * inner->R[j] + outer->R[3 * i + 1] * inner->R[3 + j] +
                               outer->R[3 * i + 2] * inner->R[6 + j];
    turn(outer->R, inner->p, out.p);
    for (int k = 0; k < 3; k++) out.p[k] += outer->p[k];
    return out;
}

static rtTree *copy_of(const rtTree *tree) {
    rtTree *copy = malloc(sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, tree, sizeof *copy);
    return copy; /* names and points are still the first tree's, which outlives the copy */
}

/* tau and a of another description of the same robot at the same coordinates must be those of c. */
static bool same_answers(rtCase *c, const rtTree *other, const double *fext, const char *what) {
    zvModel *model = rt_tree_freeze(other);
    zvWork *work = model ? zv_work_create(model, NULL) : NULL;
    bool good = work && zv_model_nv(model) == c->nv && zv_model_nq(model) == c->nq;
    if (good) {
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
        zv_inverse_dynamics(model, work, c->q, c->v, c->a, fext, c->y);
        for (int i = 0; i < c->nv; i++) c->want[i] = c->x[i];
        good = rt_near(c, what, c->nv, c->y, c->want, c->error_scale->tau, ULPS);
        zv_mass_matrix(c->model, c->work, c->q, c->A);
        zv_mass_matrix(model, work, c->q, c->B);
        for (int i = 0; i < c->nv * c->nv; i++) c->M[i] = c->A[i];
        ref_error_scale_mass(c->ref, c->error_scale, c->S);
        good = good && rt_near(c, what, c->nv * c->nv, c->B, c->M, c->S, ULPS);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
    return good;
}

static bool place_does_not_matter(rtCase *c) {
    zvPose stand;
    rtTree *moved = copy_of(c->tree);
    double *fext = calloc((size_t)(6 * c->nlink), sizeof *fext);
    assert_non_null(fext);
    rt_origin(&c->random, false, &stand);
    turn(stand.R, moved->gravity, moved->gravity);
    for (int j = 0; j < moved->njoint; j++)
        if (moved->parent[j] == 0) moved->joints[j].origin = compose(&stand, &moved->joints[j].origin);
    for (int i = 0; i < 6 * c->nlink; i += 3) turn(stand.R, c->fext + i, fext + i);
    bool good = same_answers(c, moved, fext, "turned robot");
    free(fext);
    free(moved);
    return good;
}

static void fixed_base(int index, rtOptions *options) {
    (void)index;
    options->free_base = false;
}

static void turned_robot(void **state) {
    (void)state;
    assert_true(rt_each(331000, 200, 30, fixed_base, place_does_not_matter));
}

/* Adds a part, placed at pose, to the total. */
static void add_inertia(zvInertia *total, const zvInertia *part, const zvPose *pose) {
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    double com[3], center[3], moment[6], mass = total->mass + part->mass;
    turn(pose->R, part->com, com);
    for (int k = 0; k < 3; k++) {
        com[k] += pose->p[k];
        center[k] = (total->mass * total->com[k] + part->mass * com[k]) / mass;
    }
    for (int e = 0; e < 6; e++) {
        int i = row[e], j = column[e];
        moment[e] = total->moment[e];
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                moment[e] += pose->R[3 * i + k] * part->moment[full[3 * k + l]] * pose->R[3 * j + l];
    }
    /* Steiner with the reduced mass: both parts against their common centre */
    double reduced = total->mass * part->mass / mass, d[3], square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = com[k] - total->com[k];
        square += d[k] * d[k];
    }
    for (int e = 0; e < 6; e++)
        total->moment[e] = moment[e] + reduced * ((row[e] == column[e] ? square : 0) - d[row[e]] * d[column[e]]);
    memcpy(total->com, center, sizeof center);
    total->mass = mass;
}

/* The robot of c has each of its fixed pieces melted into the link that carries it. */
static rtTree *melt_fixed(const rtTree *tree, int into[RT_MAX_LINKS]) {
    rtTree *melted = copy_of(tree);
    zvPose in[RT_MAX_LINKS]; /* each link in the link it has melted into */
    in[0] = zv_pose_identity();
    into[0] = 0;
    melted->nlink = 1;
    melted->njoint = melted->nframe = 0;
    for (int j = 0; j < tree->njoint; j++) {
        int p = tree->parent[j], l = j + 1;
        zvPose origin = compose(&in[p], &tree->joints[j].origin);
        if (tree->joints[j].type == ZV_JOINT_FIXED) {
            in[l] = origin;
            into[l] = into[p];
            if (tree->links[l].inertia.mass > 0)
                add_inertia(&melted->links[into[p]].inertia, &tree->links[l].inertia, &origin);
            continue;
        }
        zvJoint *joint = &melted->joints[melted->njoint];
        *joint = tree->joints[j];
        joint->origin = origin;
        joint->parent = melted->links[into[p]].name;
        joint->child = tree->links[l].name;
        melted->parent[melted->njoint++] = into[p];
        in[l] = zv_pose_identity();
        into[l] = melted->nlink;
        melted->links[melted->nlink++] = tree->links[l];
    }
    return melted;
}

/* Loads go with their pieces: link l of the tree is link `shift + l` of its model, above which a free base adds one. */
static void melt_loads(const rtCase *c, const rtTree *melted, const int *into, double *fext) {
    int shift = c->tree->free_base ? 1 : 0;
    for (int l = 0; l < c->tree->nlink; l++) {
        int own = zv_model_find_frame(c->model, c->tree->links[l].name);
        int whole = zv_model_find_frame(c->model, melted->links[into[l]].name);
        const double *f = c->fext + 6 * own;
        double *to = fext + 6 * (into[l] + shift), d[3];
        for (int k = 0; k < 3; k++) d[k] = (double)(c->ref->motion[own].p[k] - c->ref->motion[whole].p[k]);
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            to[i] += f[i];
            to[3 + i] += f[3 + i] + d[j] * f[k] - d[k] * f[j];
        }
    }
}

static bool pieces_do_not_matter(rtCase *c) {
    int into[RT_MAX_LINKS];
    double *fext = calloc((size_t)(6 * c->nlink), sizeof *fext);
    assert_non_null(fext);
    rtTree *melted = melt_fixed(c->tree, into);
    melt_loads(c, melted, into, fext);
    bool good = same_answers(c, melted, fext, "melted robot");
    free(melted);
    free(fext);
    return good;
}

static void pieces(int index, rtOptions *options) {
    (void)index;
    options->types = RT_TYPE(FIXED) | RT_TYPE(REVOLUTE) | RT_TYPE(PRISMATIC) | RT_TYPE(SPHERICAL);
    options->shape = RT_CHAIN; /* keeps the order of coordinates */
    options->mimics = 0;
    options->massless = false;
}

static void melted_robot(void **state) {
    (void)state;
    assert_true(rt_each(341500, 200, 30, pieces, pieces_do_not_matter));
}

TESTS(turned_robot, melted_robot)
