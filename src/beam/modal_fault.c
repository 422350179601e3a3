/* What may be wrong with modal data. Matrices are judged after scaling their diagonals to one, so units do not count.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beam/integrals.h"
#include "beam/modes.h"
#include "linalg/cholesky.h"

static const ziBeamFault none = {0};
/* What files with six or seven digits may be off by. Below the least pivot modes are dependent (shapes.c). */
static const double rounding = 1e-6, least_pivot = 2.2e-13;
static const double reach = 1e-9; /* of its distance: what is attached finds an interface so far off (elastic.c) */

/* Item number k, from 0, of a list lacks something; what for it is to have. */
static ziBeamFault item_lacks(const char *key, int k, const char *what, const char *repair) {
    char word[16], why[96];
    snprintf(word, sizeof word, "%d", k + 1);
    snprintf(why, sizeof why, "expected %s, found none in number %s", what, word);
    return zi_fault_word(key, word, why, repair);
}

static ziBeamFault check_finite(const char *key, const double *numbers, size_t count) {
    for (size_t i = 0; numbers && i < count; i++) {
        if (!isfinite(numbers[i])) return zi_fault_number(key, numbers[i], "a finite number", "give a number");
    }
    return none;
}

/* Compared with the diagonal, so that units of the coordinates do not count. */
static ziBeamFault check_symmetric(const char *key, int n, const double *A) {
    for (int i = 0; A && i < n; i++) {
        for (int j = 0; j < i; j++) {
            const double size = sqrt(fabs(A[i * n + i])) * sqrt(fabs(A[j * n + j]));
            if (fabs(A[i * n + j] - A[j * n + i]) <= rounding * size) continue;
            char expected[160];
            snprintf(expected, sizeof expected, "a symmetric matrix with %.9g in entry %d, %d as in %d, %d",
                     A[j * n + i], i + 1, j + 1, j + 1, i + 1);
            return zi_fault_number(key, A[i * n + j], expected, "export both triangles of the symmetric matrix");
        }
    }
    return none;
}

typedef enum ziDefinite { ZI_INDEFINITE, ZI_SEMIDEFINITE, ZI_DEFINITE } ziDefinite;

/* A (n x n) is scaled and factored in place; order is room for n. Pivots up to the floor count as zero when what is
 * left with them is within the slack. */
static ziDefinite definiteness(int n, double *A, int *order, double floor, double slack) {
    for (int i = 0; i < n; i++) {
        if (A[i * n + i] < 0) return ZI_INDEFINITE;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            const double size = sqrt(A[i * n + i]) * sqrt(A[j * n + j]), sum = A[i * n + j] + A[j * n + i];
            if (size == 0 && sum != 0) return ZI_INDEFINITE;
            A[i * n + j] = A[j * n + i] = size > 0 ? 0.5 * sum / size : 0;
        }
    }
    for (int i = 0; i < n; i++) A[i * n + i] = A[i * n + i] > 0;
    const int rank = cholesky_factor(n, A, order, floor);
    for (int i = rank; i < n; i++) {
        for (int j = rank; j <= i; j++) {
            if (!(fabs(A[i * n + j]) <= slack)) return ZI_INDEFINITE;
        }
    }
    return rank < n ? ZI_SEMIDEFINITE : ZI_DEFINITE;
}

static ziBeamFault check_semidefinite(const char *key, int n, const double *matrix, double *buffer, int *order) {
    if (!matrix) return none;
    memcpy(buffer, matrix, (size_t)(n * n) * sizeof *buffer);
    if (definiteness(n, buffer, order, rounding, 4 * rounding) != ZI_INDEFINITE) return none;
    return zi_fault_word(
        key, "", "expected a positive semidefinite matrix, found one by which some deformation would give energy",
        "export the whole, unscaled matrix of the reduction");
}

/* Generalised mass of the nodes into M. */
static void sum_nodes(const zvModal *modal, double *M) {
    const int n = modal->count;
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int k = 0; k < modal->node_count; k++) {
        const zvModalNode *node = &modal->nodes[k];
        for (int i = 0; i < n; i++) {
            const double *a = node->shape + 6 * i;
            double spin[3];
            sym_times(node->moment, a + 3, spin);
            for (int j = 0; j < n; j++) {
                const double *b = node->shape + 6 * j;
                M[i * n + j] += node->mass * dot3(a, b) + dot3(spin, b + 3);
            }
        }
    }
}

/* Nodes have finite numbers, a shape, and neither mass nor moments below zero. */
static ziBeamFault check_nodes(const zvModal *modal) {
    const size_t n = (size_t)modal->count;
    for (int k = 0; k < modal->node_count; k++) {
        const zvModalNode *node = &modal->nodes[k];
        ziBeamFault fault = check_finite("nodes", node->at, 3);
        if (!fault.key) fault = check_finite("nodes", &node->mass, 1);
        if (!fault.key) fault = check_finite("nodes", node->moment, 6);
        if (!fault.key) fault = check_finite("nodes", node->shape, 6 * n);
        if (fault.key) return fault;
        if (n > 0 && !node->shape) return item_lacks("nodes", k, "a shape of every node", "give its shape");
        if (node->mass < 0)
            return zi_fault_number("nodes", node->mass, "a mass of at least 0 of every node", "give zero or more");
        if (node->moment[0] < 0 || node->moment[3] < 0 || node->moment[5] < 0)
            return zi_fault_number("nodes", fmin(fmin(node->moment[0], node->moment[3]), node->moment[5]),
                                   "moments of inertia of at least 0 of every node", "give zero or more");
    }
    return none;
}

/* Name of mode k, as the model will call it. */
static const char *name_of(const zvModal *modal, int k, char buffer[24]) {
    if (modal->names[k]) return modal->names[k];
    snprintf(buffer, 24, "mode%d", k + 1);
    return buffer;
}

/* Coordinates are called LINK.NAME and are columns of tables. */
static ziBeamFault check_names(const zvModal *modal) {
    char own[24], other[24];
    for (int k = 0; modal->names && k < modal->count; k++) {
        const char *name = name_of(modal, k, own);
        if (!*name) return item_lacks("names", k, "a name of every mode", "give it one");
        if (strpbrk(name, ". \t\n\v\f\r"))
            return zi_fault_word("names", name, "expected names of modes without dots and blanks, found one with",
                                 "take letters, digits, - and _");
        for (int i = 0; i < k; i++) {
            if (strcmp(name_of(modal, i, other), name) == 0)
                return zi_fault_word("names", name, "expected a name of its own for every mode, found one twice",
                                     "rename one of them");
        }
    }
    return none;
}

static bool same_shape(const double *a, const double *b, int n) {
    double size = 0, off = 0;
    for (int i = 0; i < 6 * n; i++) {
        size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
        off = fmax(off, fabs(a[i] - b[i]));
    }
    return off <= rounding * size;
}

/* What is attached finds its interface by its place: there may be but one. */
static ziBeamFault check_places(const zvModal *modal) {
    for (int k = 0; k < modal->interface_count; k++) {
        const zvModalInterface *a = &modal->interfaces[k];
        const double near = reach * (1 + hypot(hypot(a->at[0], a->at[1]), a->at[2]));
        for (int i = 0; i < k; i++) {
            const zvModalInterface *b = &modal->interfaces[i];
            const double d[3] = {a->at[0] - b->at[0], a->at[1] - b->at[1], a->at[2] - b->at[2]};
            if (hypot(hypot(d[0], d[1]), d[2]) > near || same_shape(a->shape, b->shape, modal->count)) continue;
            char why[224];
            snprintf(why, sizeof why, "expected one shape at one place, found two, of \"%.60s\" and \"%.60s\"", b->name,
                     a->name);
            return zi_fault_word("interfaces", a->name, why, "keep the one that carries, or set them apart");
        }
    }
    return none;
}

/* Interfaces have names of their own, finite places and a shape. */
static ziBeamFault check_interfaces(const zvModal *modal) {
    for (int k = 0; k < modal->interface_count; k++) {
        const zvModalInterface *face = &modal->interfaces[k];
        if (!face->name || !*face->name) return item_lacks("interfaces", k, "a name of every interface", "give it one");
        for (int i = 0; i < k; i++) {
            if (strcmp(modal->interfaces[i].name, face->name) == 0)
                return zi_fault_word("interfaces", face->name,
                                     "expected a name of its own for every interface, found one twice",
                                     "rename one of them");
        }
        ziBeamFault fault = check_finite("interfaces", face->at, 3);
        if (!fault.key) fault = check_finite("interfaces", face->shape, 6 * (size_t)modal->count);
        if (fault.key) return fault;
        if (modal->count > 0 && !face->shape)
            return zi_fault_word("interfaces", face->name, "expected a shape of every interface, found none",
                                 "give its shape");
    }
    return none;
}

/* M that will count, into buffer; and whether that given is that of the nodes. */
static ziBeamFault check_mass(const zvModal *modal, double *buffer, int *order) {
    const int n = modal->count;
    if (modal->node_count > 0)
        sum_nodes(modal, buffer);
    else
        memcpy(buffer, modal->mass, (size_t)(n * n) * sizeof *buffer);
    for (int i = 0; modal->mass && i < n * n; i++) {
        const double size = sqrt(fabs(buffer[i / n * (n + 1)])) * sqrt(fabs(buffer[i % n * (n + 1)]));
        if (!(fabs(buffer[i] - modal->mass[i]) <= rounding * size))
            return zi_fault_number("mass", modal->mass[i], "the generalised mass of the nodes",
                                   "leave it out, or export all nodes with mass in the same units");
    }
    switch (definiteness(n, buffer, order, least_pivot, rounding)) {
    case ZI_DEFINITE: return none;
    case ZI_SEMIDEFINITE:
        return zi_fault_word("mass", "", "expected independent modes, found some sum of them without mass",
                             "leave out modes that others make up");
    default:
        return zi_fault_word("mass", "", "expected a positive definite generalised mass, found another",
                             "export the whole matrix");
    }
}

/* The (6 + n) inertia of the link without nodes, about the link's origin. */
static void assemble(const zvModal *modal, double mass, const double com[3], const double moment[6], double *A) {
    const int n = modal->count, w = 6 + n;
    static const int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    double J[6];
    memcpy(J, moment, sizeof J);
    add_pair(J, 0.5 * mass, com, com);
    memset(A, 0, (size_t)(w * w) * sizeof *A);
    for (int i = 0; i < 3; i++) {
        A[i * w + i] = mass;
        for (int j = 0; j < 3; j++) A[(3 + i) * w + 3 + j] = J[place[3 * i + j]];
        const int next = (i + 1) % 3, last = (i + 2) % 3; /* com x in the rows of moment */
        A[(3 + next) * w + i] = A[i * w + 3 + next] = mass * com[last];
        A[(3 + last) * w + i] = A[i * w + 3 + last] = -mass * com[next];
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            if (modal->translation) A[k * w + 6 + i] = A[(6 + i) * w + k] = modal->translation[3 * i + k];
            if (modal->rotation) A[(3 + k) * w + 6 + i] = A[(6 + i) * w + 3 + k] = modal->rotation[3 * i + k];
        }
        for (int j = 0; j < n; j++) A[(6 + i) * w + 6 + j] = modal->mass[i * n + j];
    }
}

static ziBeamFault check_whole(const zvModal *modal, double mass, const double com[3], const double moment[6],
                               double *buffer, int *order) {
    if (modal->node_count > 0) return none; /* sums over masses are positive by themselves */
    assemble(modal, mass, com, moment, buffer);
    if (definiteness(6 + modal->count, buffer, order, 1e-9, 4e-9) != ZI_INDEFINITE) return none;
    return zi_fault_word("translation", "",
                         "expected translation, rotation and generalised mass that fit mass and inertia of the link, "
                         "found some motion with negative kinetic energy",
                         "give the inertia of the whole link, and all in the same units");
}

static ziBeamFault check_matrices(const zvModal *modal, double mass, const double com[3], const double moment[6],
                                  double *buffer, int *order) {
    const int n = modal->count;
    ziBeamFault fault = check_mass(modal, buffer, order);
    if (!fault.key) fault = check_semidefinite("stiffness", n, modal->stiffness, buffer, order);
    if (!fault.key) fault = check_semidefinite("damping", n, modal->damping_matrix, buffer, order);
    if (!fault.key) fault = check_whole(modal, mass, com, moment, buffer, order);
    return fault;
}

/* Everything that can be judged entry by entry, before matrices are factored. */
static ziBeamFault check_numbers(const zvModal *modal) {
    const int n = modal->count;
    const size_t square = (size_t)(n * n), rows = 3 * (size_t)n;
    ziBeamFault fault = check_finite("mass", modal->mass, square);
    if (!fault.key) fault = check_finite("stiffness", modal->stiffness, square);
    if (!fault.key) fault = check_finite("damping", modal->damping_matrix, square);
    if (!fault.key) fault = check_finite("translation", modal->translation, rows);
    if (!fault.key) fault = check_finite("rotation", modal->rotation, rows);
    if (!fault.key) fault = check_symmetric("mass", n, modal->mass);
    if (!fault.key) fault = check_symmetric("stiffness", n, modal->stiffness);
    if (!fault.key) fault = check_symmetric("damping", n, modal->damping_matrix);
    if (!fault.key) fault = check_nodes(modal);
    if (!fault.key) fault = check_names(modal);
    if (!fault.key) fault = check_interfaces(modal);
    if (!fault.key && n > 0) fault = check_places(modal);
    if (!fault.key) fault = zi_damping_fault(&modal->damping, n);
    return fault;
}

/* Sizes first, then numbers, then matrices, which need memory to be factored in. */
ziBeamFault zi_modal_fault(const zvModal *modal, double mass, const double com[3], const double moment[6]) {
    const int n = modal->count;
    if (n < 0 || n > ZV_MAX_MODES) {
        char repair[64];
        snprintf(repair, sizeof repair, "give 0 to %d modes", (int)ZV_MAX_MODES);
        return zi_fault_number("modes", n, "a number of modes that a link can have", repair);
    }
    if (n > 0 && !modal->stiffness)
        return zi_fault_word("stiffness", "", "expected the stiffness of the modes, found none",
                             "give the generalised stiffness matrix");
    if (n > 0 && !modal->mass && modal->node_count <= 0)
        return zi_fault_word("mass", "", "expected the mass of the modes or nodes, found neither",
                             "give the generalised mass matrix");
    ziBeamFault fault = check_numbers(modal);
    if (fault.key || n == 0) return fault;
    const size_t width = 6 + (size_t)n;
    double *buffer = malloc(width * width * sizeof *buffer);
    int *order = malloc(width * sizeof *order);
    if (buffer && order)
        fault = check_matrices(modal, mass, com, moment, buffer, order);
    else
        fault = zi_fault_word("modes", "", "out of memory", "free some");
    fault.memory = !(buffer && order);
    free(buffer);
    free(order);
    return fault;
}
