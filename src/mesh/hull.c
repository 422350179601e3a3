/* Convex hull of points in space: quickhull [Barber, Dobkin, Huhdanpaa 1996].
 *
 * A tetrahedron grows by the farthest of the points outside one of its faces: the faces that see the point go, and the
 * edges around them are joined to it. Points outside belong to one face each; those of faces that go are handed to the
 * new ones. A point whose edges are no single ring, which happens only to points within rounding of the hull, is left
 * out. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mesh/measure.h"

typedef struct Face {
    int v[3], next[3]; /* corners, anticlockwise from outside; the face beyond the edge from v[k] to v[k + 1] */
    double normal[3], offset;
    int outside; /* the first of its points, or -1 */
    int seen;    /* by the point of this number; -1: it is gone */
} Face;

typedef struct Edge {
    int from, to, beyond; /* face on the far side */
} Edge;

typedef struct Hull {
    const double *points;
    int count;
    double noise;
    int *after; /* of each point the next one outside the same face */
    Face *faces;
    Edge *ring;
    int *lit; /* the faces that see the point */
    size_t nface, face_room, nring, ring_room, nlit, lit_room;
} Hull;

static double above(const Hull *h, const Face *f, int point) {
    const double *p = h->points + 3 * (size_t)point;
    return f->normal[0] * p[0] + f->normal[1] * p[1] + f->normal[2] * p[2] - f->offset;
}

/* Unit normal and offset through the mean of the corners. */
static void set_plane(const Hull *h, Face *f) {
    const double *a = h->points + 3 * (size_t)f->v[0], *b = h->points + 3 * (size_t)f->v[1],
                 *c = h->points + 3 * (size_t)f->v[2];
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        f->normal[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
        square += f->normal[i] * f->normal[i];
    }
    const double scale = square > 0 ? 1 / sqrt(square) : 0;
    f->offset = 0;
    for (int i = 0; i < 3; i++) {
        f->normal[i] *= scale;
        f->offset += f->normal[i] * (a[i] + b[i] + c[i]) / 3;
    }
}

static bool add_face(Hull *h, int a, int b, int c) {
    if (!zi_grow(&h->faces, h->nface, &h->face_room, sizeof *h->faces)) return false;
    h->faces[h->nface] = (Face){.v = {a, b, c}, .next = {-1, -1, -1}, .outside = -1};
    set_plane(h, &h->faces[h->nface++]);
    return true;
}

/* The farthest point from a set of one, two or three points: along, beside, above. */
static int farthest(const Hull *h, const int *base, int n, double *distance) {
    int best = -1;
    Face plane = {.v = {base[0], base[n > 1 ? 1 : 0], base[n > 2 ? 2 : 0]}};
    if (n == 3) set_plane(h, &plane);
    const double *a = h->points + 3 * (size_t)base[0], *b = h->points + 3 * (size_t)plane.v[1];
    const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double size = hypot(hypot(ab[0], ab[1]), ab[2]);
    *distance = -1;
    for (int i = 0; i < h->count; i++) {
        const double *p = h->points + 3 * (size_t)i, x[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
        double d = hypot(hypot(x[0], x[1]), x[2]);
        if (n == 2)
            d = hypot(hypot(x[1] * ab[2] - x[2] * ab[1], x[2] * ab[0] - x[0] * ab[2]), x[0] * ab[1] - x[1] * ab[0]) /
                size;
        if (n == 3) d = fabs(above(h, &plane, i));
        if (d > *distance) *distance = d, best = i;
    }
    return best;
}

/* A point above several faces is kept by the first one. */
static void hand_over(Hull *h, int point, size_t from) {
    for (size_t f = from; f < h->nface; f++) {
        if (above(h, &h->faces[f], point) <= h->noise) continue;
        h->after[point] = h->faces[f].outside;
        h->faces[f].outside = point;
        return;
    }
}

/* Four points as far apart as possible. False: they lie in a plane. */
static bool first_tetrahedron(Hull *h, bool *memory) {
    static const int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int beyond[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    int base[4] = {0};
    double distance, extent = 0;
    for (int n = 1; n < 4; n++) {
        base[n] = farthest(h, base, n, &distance);
        if (n == 1) extent = distance;
        h->noise = 1e-10 * extent;
        if (!(distance > h->noise) || base[n] < 0) return false;
    }
    Face plane = {.v = {base[0], base[1], base[2]}};
    set_plane(h, &plane);
    if (above(h, &plane, base[3]) > 0) {
        const int swap = base[1];
        base[1] = base[2];
        base[2] = swap;
    }
    for (int f = 0; f < 4 && *memory; f++) {
        *memory = add_face(h, base[corners[f][0]], base[corners[f][1]], base[corners[f][2]]);
        if (*memory) memcpy(h->faces[f].next, beyond[f], sizeof beyond[f]);
    }
    for (int i = 0; i < h->count && *memory; i++) hand_over(h, i, 0);
    return true;
}

/* Lists the faces that see a point, and the edges around them. */
static bool look_around(Hull *h, int first, int point, int mark) {
    h->nring = h->nlit = 0;
    if (!zi_grow(&h->lit, h->nlit, &h->lit_room, sizeof *h->lit)) return false;
    h->lit[h->nlit++] = first;
    h->faces[first].seen = mark;
    for (size_t i = 0; i < h->nlit; i++) {
        const int at = h->lit[i];
        for (int k = 0; k < 3; k++) {
            const int other = h->faces[at].next[k];
            Face *f = &h->faces[other];
            if (f->seen == mark) continue;
            if (above(h, f, point) > h->noise) {
                f->seen = mark;
                if (!zi_grow(&h->lit, h->nlit, &h->lit_room, sizeof *h->lit)) return false;
                h->lit[h->nlit++] = other;
            } else {
                if (!zi_grow(&h->ring, h->nring, &h->ring_room, sizeof *h->ring)) return false;
                h->ring[h->nring++] = (Edge){h->faces[at].v[k], h->faces[at].v[(k + 1) % 3], other};
            }
        }
    }
    return true;
}

/* Puts the edges in the order of the ring. False: they are more than one. */
static bool order_ring(Hull *h) {
    for (size_t i = 0; i + 1 < h->nring; i++) {
        size_t next = i + 1;
        while (next < h->nring && h->ring[next].from != h->ring[i].to) next++;
        if (next == h->nring) return false;
        const Edge edge = h->ring[next];
        h->ring[next] = h->ring[i + 1];
        h->ring[i + 1] = edge;
    }
    return h->nring >= 3 && h->ring[h->nring - 1].to == h->ring[0].from;
}

/* Faces from the ring to the point; their neighbours are those beyond the ring and each other. */
static bool close_ring(Hull *h, int point) {
    const int base = (int)h->nface, n = (int)h->nring;
    for (int i = 0; i < n; i++) {
        const Edge edge = h->ring[i];
        if (!add_face(h, edge.from, edge.to, point)) return false;
        Face *f = &h->faces[base + i], *g = &h->faces[edge.beyond];
        f->next[0] = edge.beyond;
        f->next[1] = base + (i + 1) % n;
        f->next[2] = base + (i + n - 1) % n;
        for (int k = 0; k < 3; k++)
            if (g->v[k] == edge.to && g->v[(k + 1) % 3] == edge.from) g->next[k] = base + i;
    }
    return true;
}

/* The points of faces that are gone go to the new ones. */
static void inherit(Hull *h, int point, size_t from) {
    for (size_t i = 0; i < h->nlit; i++) {
        Face *f = &h->faces[h->lit[i]];
        for (int p = f->outside, next; p >= 0; p = next) {
            next = h->after[p];
            if (p != point) hand_over(h, p, from);
        }
        f->outside = f->seen = -1;
    }
}

static void drop(Hull *h, int face, int point) {
    int *link = &h->faces[face].outside;
    while (*link >= 0 && *link != point) link = &h->after[*link];
    if (*link == point) *link = h->after[point];
}

/* Faces in the order in which they came, until none has points outside. */
static bool grow(Hull *h) {
    int mark = 0;
    for (size_t at = 0; at < h->nface; at++) {
        while (h->faces[at].seen >= 0 && h->faces[at].outside >= 0) {
            int best = h->faces[at].outside;
            for (int p = best; p >= 0; p = h->after[p])
                if (above(h, &h->faces[at], p) > above(h, &h->faces[at], best)) best = p;
            if (!look_around(h, (int)at, best, ++mark)) return false;
            if (!order_ring(h)) {
                drop(h, (int)at, best);
                continue;
            }
            const size_t from = h->nface;
            if (!close_ring(h, best)) return false;
            inherit(h, best, from);
        }
    }
    return true;
}

static double *gather(const Hull *h, size_t *triangles) {
    *triangles = 0;
    for (size_t f = 0; f < h->nface; f++) *triangles += h->faces[f].seen >= 0;
    double *corners = malloc((*triangles * 9 + 1) * sizeof *corners), *to = corners;
    for (size_t f = 0; corners && f < h->nface; f++)
        for (int k = 0; k < 3 && h->faces[f].seen >= 0; k++, to += 3)
            memcpy(to, h->points + 3 * (size_t)h->faces[f].v[k], 3 * sizeof *to);
    return corners;
}

/* Memory is given back whatever happens; flat points have no first tetrahedron. */
zvStatus zi_mesh_hull(const double *points, size_t count, double **corners, size_t *triangles) {
    Hull h = {.points = points, .count = (int)count};
    bool memory = true, spatial = false;
    *corners = NULL;
    h.after = malloc((count + 1) * sizeof *h.after);
    if (h.after && count >= 4) spatial = first_tetrahedron(&h, &memory);
    if (!h.after) memory = false;
    if (memory && spatial) memory = grow(&h);
    if (memory && spatial) memory = (*corners = gather(&h, triangles)) != NULL;
    free(h.after);
    free(h.faces);
    free(h.ring);
    free(h.lit);
    return !memory ? ZV_MEMORY : spatial ? ZV_OK : ZV_PHYSICS;
}
