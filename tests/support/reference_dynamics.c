/* Dynamics of the reference: sums over links of inertia forces against partial velocities. */
#include <stdlib.h>
#include <string.h>

#include "support/reference.h"

static void cross(const exact a[3], const exact b[3], exact out[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static void turn(const exact R[9], const double x[3], exact out[3]) {
    for (int i = 0; i < 3; i++) out[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}

/* A link's inertia in the world: mass, arm from its origin to the centre of mass, moments about that centre. */
typedef struct Mass {
    exact m, arm[3], I3[9];
} Mass;

static Mass mass_of(const refTree *tree, int link) {
    const zvInertia *own = &zv_model_link(tree->model, link)->inertia;
    const exact *R = tree->motion[link].R;
    const double *e = own->moment;
    double I0[9] = {e[0], e[1], e[2], e[1], e[3], e[4], e[2], e[4], e[5]};
    Mass mass = {.m = own->mass};
    turn(R, own->com, mass.arm);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) mass.I3[3 * i + j] += R[3 * i + k] * I0[3 * k + l] * R[3 * j + l];
    return mass;
}

static void moment_times(const Mass *mass, const exact x[3], exact out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = mass->I3[3 * i] * x[0] + mass->I3[3 * i + 1] * x[1] + mass->I3[3 * i + 2] * x[2];
}

/* Velocity of the centre of mass, or one column of its Jacobian, from the twist of the link's origin. */
static void at_center(const Mass *mass, const exact x[6], exact out[3]) {
    cross(x + 3, mass->arm, out);
    for (int k = 0; k < 3; k++) out[k] += x[k];
}

static void column_of(const refTree *tree, int link, int column, exact x[6]) {
    for (int i = 0; i < 6; i++) x[i] = tree->J[(link * 6 + i) * tree->nv + column];
}

static bool is_zero6(const exact x[6]) {
    for (int i = 0; i < 6; i++)
        if (x[i] != 0) return false;
    return true;
}

static void add_armature(const refTree *tree, exact *M) {
    int n = tree->nv;
    for (int j = 0; j < tree->njoint; j++) {
        const zvJoint *joint = zv_model_joint(tree->model, j);
        const exact *share = tree->rates + ref_freedom(tree, j) * n;
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++, share += n)
            for (int r = 0; r < n; r++)
                for (int c = 0; share[r] != 0 && c < n; c++)
                    M[r * n + c] += joint->dof[k].armature * share[r] * share[c];
    }
}

static void add_link_mass(const refTree *tree, int link, exact *centers, exact *turns, exact *moments, exact *M) {
    Mass mass = mass_of(tree, link);
    int n = tree->nv, used = 0;
    int *which = calloc((size_t)n + 1, sizeof *which);
    if (!which) abort();
    for (int c = 0; c < n; c++) {
        exact x[6];
        column_of(tree, link, c, x);
        if (is_zero6(x)) continue;
        at_center(&mass, x, centers + 3 * used);
        memcpy(turns + 3 * used, x + 3, 3 * sizeof *x);
        moment_times(&mass, x + 3, moments + 3 * used);
        which[used++] = c;
    }
    for (int i = 0; i < used; i++)
        for (int j = 0; j < used; j++)
            for (int k = 0; k < 3; k++)
                M[which[i] * n + which[j]] +=
                    mass.m * centers[3 * i + k] * centers[3 * j + k] + turns[3 * i + k] * moments[3 * j + k];
    free(which);
}

void ref_mass(const refTree *tree, exact *M) {
    int n = tree->nv;
    exact *space = lin_numbers(9 * n);
    memset(M, 0, sizeof *M * (size_t)n * (size_t)n);
    for (int l = 0; l < tree->nlink; l++)
        if (tree->moves[l]) add_link_mass(tree, l, space, space + 3 * n, space + 6 * n, M);
    add_armature(tree, M);
    free(space);
}

/* m (a_c - g) at the centre, I alpha + w x I w, moved to the link's origin. */
static void inertia_force(const refTree *tree, int link, bool gravity, exact f[6]) {
    Mass mass = mass_of(tree, link);
    const exact *w = tree->motion[link].v + 3, *dw = tree->motion[link].a + 3;
    exact swing[3], fling[3], spin[3], gyro[3], moment[3];
    cross(w, mass.arm, swing);
    cross(w, swing, fling);
    at_center(&mass, tree->motion[link].a, f);
    for (int k = 0; k < 3; k++) f[k] = mass.m * (f[k] + fling[k] - (gravity ? tree->gravity[k] : 0));
    moment_times(&mass, w, spin);
    cross(w, spin, gyro);
    moment_times(&mass, dw, spin);
    cross(mass.arm, f, moment);
    for (int k = 0; k < 3; k++) f[3 + k] = spin[k] + gyro[k] + moment[k];
}

void ref_link_force(const refTree *tree, int link, exact f[6]) { inertia_force(tree, link, true, f); }

static void add_power(const refTree *tree, int link, const exact f[6], exact *tau) {
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < tree->nv; c++) tau[c] += tree->J[(link * 6 + i) * tree->nv + c] * f[i];
}

static void add_armature_force(const refTree *tree, exact *tau) {
    int n = tree->nv;
    for (int j = 0; j < tree->njoint; j++) {
        const zvJoint *joint = zv_model_joint(tree->model, j);
        const exact *share = tree->rates + ref_freedom(tree, j) * n;
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++, share += n) {
            exact rate = 0;
            for (int c = 0; c < n; c++) rate += share[c] * tree->a[c];
            for (int c = 0; c < n; c++) tau[c] += joint->dof[k].armature * rate * share[c];
        }
    }
}

void ref_inverse(const refTree *tree, const double *fext, bool gravity, exact *tau) {
    for (int c = 0; c < tree->nv; c++) tau[c] = 0;
    for (int l = 0; l < tree->nlink; l++) {
        exact f[6];
        if (!tree->moves[l]) continue;
        inertia_force(tree, l, gravity, f);
        add_power(tree, l, f, tau);
    }
    for (int l = 0; fext && l < tree->nlink; l++) {
        exact f[6];
        for (int i = 0; i < 6; i++) f[i] = -(exact)fext[6 * l + i];
        add_power(tree, l, f, tau);
    }
    add_armature_force(tree, tau);
}

exact ref_center(const refTree *tree, exact c[3]) {
    exact m = 0;
    c[0] = c[1] = c[2] = 0;
    for (int l = 0; l < tree->nlink; l++) {
        if (!tree->moves[l]) continue;
        Mass mass = mass_of(tree, l);
        m += mass.m;
        for (int k = 0; k < 3; k++) c[k] += mass.m * (tree->motion[l].p[k] + mass.arm[k]);
    }
    for (int k = 0; k < 3 && m > 0; k++) c[k] /= m;
    return m;
}

void ref_momentum(const refTree *tree, exact h[6]) {
    exact center[3];
    ref_center(tree, center);
    for (int i = 0; i < 6; i++) h[i] = 0;
    for (int l = 0; l < tree->nlink; l++) {
        if (!tree->moves[l]) continue;
        Mass mass = mass_of(tree, l);
        exact p[3], arm[3], spin[3], orbit[3];
        at_center(&mass, tree->motion[l].v, p);
        for (int k = 0; k < 3; k++) {
            p[k] *= mass.m;
            arm[k] = tree->motion[l].p[k] + mass.arm[k] - center[k];
        }
        moment_times(&mass, tree->motion[l].v + 3, spin);
        cross(arm, p, orbit);
        for (int k = 0; k < 3; k++) {
            h[k] += p[k];
            h[3 + k] += spin[k] + orbit[k];
        }
    }
}

void ref_energy(const refTree *tree, exact *kinetic, exact *potential) {
    *kinetic = *potential = 0;
    for (int l = 0; l < tree->nlink; l++) {
        if (!tree->moves[l]) continue;
        Mass mass = mass_of(tree, l);
        const exact *w = tree->motion[l].v + 3;
        exact u[3], spin[3];
        at_center(&mass, tree->motion[l].v, u);
        moment_times(&mass, w, spin);
        for (int k = 0; k < 3; k++) {
            *kinetic += (mass.m * u[k] * u[k] + w[k] * spin[k]) / 2;
            *potential -= mass.m * tree->gravity[k] * (tree->motion[l].p[k] + mass.arm[k]);
        }
    }
}

exact ref_rotor_energy(const refTree *tree) {
    exact energy = 0;
    for (int j = 0; j < tree->njoint; j++) {
        const zvJoint *joint = zv_model_joint(tree->model, j);
        const exact *share = tree->rates + ref_freedom(tree, j) * tree->nv;
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++, share += tree->nv) {
            exact rate = 0;
            for (int c = 0; c < tree->nv; c++) rate += share[c] * tree->v[c];
            energy += joint->dof[k].armature * rate * rate / 2;
        }
    }
    return energy;
}
