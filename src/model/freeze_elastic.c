/* Fourth and fifth step of freezing: the mode integrals of elastic links, and the sections that carry what hangs on
 * them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beam/modes.h"
#include "model/elastic.h"
#include "model/freeze.h"

/* A section while sections are being found. */
typedef struct FoundSection {
    ziSection section;
    int next;   /* seat of the same link, -1: none */
    int number; /* of its attachment */
    bool carries;
} FoundSection;

typedef struct Seats {
    FoundSection *seats;
    int count;
    int *first, *last; /* nlink: seats of a link, -1: none */
    int *of_joint;     /* njoint: seat, -1 on rigid links */
    int *of_frame;     /* nframe */
} Seats;

static bool seats_alloc(const zvModel *m, Seats *s) {
    size_t nl = (size_t)m->nlink, most = (size_t)(m->njoint + m->nframe);
    s->seats = malloc((most + 1) * sizeof *s->seats);
    s->first = malloc((2 * nl + most) * sizeof *s->first);
    if (!s->seats || !s->first) return false;
    for (size_t i = 0; i < 2 * nl + most; i++) s->first[i] = -1;
    s->last = s->first + nl;
    s->of_joint = s->last + nl;
    s->of_frame = s->of_joint + m->njoint;
    return true;
}

static void seats_free(Seats *s) {
    free(s->seats);
    free(s->first);
}

/* The seat of a point of an elastic link; the rules have seen to it that there is one. */
static int seat_of(const zvModel *m, Seats *s, int link, const double p[3], bool carries) {
    FoundSection seat = {.next = -1, .carries = carries};
    if (!zi_link_section(&m->links[link], p, &seat.section)) return -1;
    for (int i = s->first[link]; i >= 0; i = s->seats[i].next) {
        if (!zi_same_section(&m->links[link], &s->seats[i].section, &seat.section)) continue;
        s->seats[i].carries = s->seats[i].carries || carries;
        return i;
    }
    int new = s->count++;
    s->seats[new] = seat;
    if (s->last[link] >= 0)
        s->seats[s->last[link]].next = new;
    else
        s->first[link] = new;
    return s->last[link] = new;
}

/* named: frames of the description; those behind them are the ends of loops, which carry. */
static void find_seats(const zvModel *m, Seats *s, int named) {
    for (int i = 0; i < m->njoint; i++) {
        int link = m->link_places[i + 1].parent;
        if (m->link_elastic[link]) s->of_joint[i] = seat_of(m, s, link, m->joints[i].origin.p, true);
    }
    for (int i = 0; i < m->nframe; i++) {
        int link = m->frame_links[i];
        if (m->link_elastic[link]) s->of_frame[i] = seat_of(m, s, link, m->frames[i].pose.p, i >= named);
    }
}

static void turn(const double R[9], double x[3]) {
    double y[3];
    for (int i = 0; i < 3; i++) y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
    memcpy(x, y, sizeof y);
}

/* Shapes of a section in its body's axes; with stiffening, its shortening. */
static bool make_attachment(zvModel *m, int link_index, const ziSection *section, ziAttachment *st) {
    const zvLink *link = &m->links[link_index];
    const zvPose *pose = &m->link_places[link_index].pose;
    size_t n = (size_t)zi_link_modes(link);
    double *d = zi_arena_alloc(&m->arena, 3 * n * sizeof *d), *r = zi_arena_alloc(&m->arena, 3 * n * sizeof *r);
    if (!d || !r) return false;
    const bool turns = zi_section_shape(link, section, pose, d, r);
    memcpy(st->at, section->at, sizeof section->at);
    turn(pose->R, st->at);
    st->body = m->link_elastic[link_index];
    st->d = d;
    st->r = turns ? r : NULL;
    m->tree.attachment_modes += n;
    if (!link->beam || !zi_beam_shortens(link->beam)) return true;
    double *G = zi_arena_alloc(&m->arena, n * n * sizeof *G);
    if (G) zi_beam_shortening(link->beam, section->x, G);
    st->G = G;
    return G != NULL;
}

/* Gives numbers to the seats of all links that carry bodies, or to the others, from number on; returns the next. */
static int make_attachments(zvModel *m, Seats *s, bool carries, int number, ziAttachment *attachments) {
    for (int link = 0; link < m->nlink; link++) {
        int start = number;
        for (int i = s->first[link]; i >= 0; i = s->seats[i].next) {
            if (s->seats[i].carries != carries) continue;
            if (!make_attachment(m, link, &s->seats[i].section, &attachments[number])) return -1;
            s->seats[i].number = number++;
        }
        if (!carries || !m->link_elastic[link]) continue;
        ziElastic *el = (ziElastic *)m->tree.body[m->link_elastic[link]].elastic;
        el->attachment = start;
        el->attachments = number - start;
    }
    return number;
}

/* Moves bodies from their parent body to its section: both have the same axes. */
static void seat_bodies(zvModel *m, const Seats *s, const ziAttachment *attachments) {
    ziBody *bodies = (ziBody *)m->tree.body;
    for (int i = 0; i < m->njoint; i++) {
        if (s->of_joint[i] < 0) continue;
        ziBody *body = &bodies[m->link_places[i + 1].body];
        int number = s->seats[s->of_joint[i]].number;
        body->base = m->tree.nb + number;
        for (int k = 0; k < 3; k++) body->r[k] -= attachments[number].at[k];
    }
}

/* Sections that carry bodies get the first numbers: only they are rows of sweeps. */
static bool fill_attachments(zvModel *m, Seats *s, int named, int *frame_attachments) {
    find_seats(m, s, named);
    ziAttachment *attachments = zi_arena_alloc(&m->arena, (size_t)s->count * sizeof *attachments);
    if (!attachments) return false;
    m->tree.attachment = attachments;
    m->tree.ns = make_attachments(m, s, true, 0, attachments);
    if (m->tree.ns < 0 || make_attachments(m, s, false, m->tree.ns, attachments) < 0) return false;
    seat_bodies(m, s, attachments);
    for (int i = 0; i < m->nframe; i++) {
        if (s->of_frame[i] >= 0) frame_attachments[i] = s->seats[s->of_frame[i]].number;
    }
    return true;
}

/* Sections are shared: what sits at one place moves as one. */
bool zi_freeze_attachments(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    int *frame_attachments = zi_arena_alloc(&m->arena, (size_t)m->nframe * sizeof *frame_attachments);
    if (!frame_attachments) return false;
    for (int i = 0; i < m->nframe; i++) frame_attachments[i] = -1;
    m->frame_attachments = frame_attachments;
    if (m->tree.ne == 0) return true;
    Seats s = {0};
    bool enough = seats_alloc(m, &s) && fill_attachments(m, &s, (int)plan->builder->nframe, frame_attachments);
    seats_free(&s);
    return enough;
}

size_t zi_attachment_bytes(const zvLink *link) {
    size_t n = (size_t)zi_link_modes(link);
    return n ? sizeof(ziAttachment) + (6 * n + n * n) * sizeof(double) + 128 : 0;
}

/* Fourth step of freezing: the mode integrals of elastic links, in the axes of their bodies. */

static double *doubles(zvModel *m, size_t rows, size_t columns) {
    return zi_arena_alloc(&m->arena, rows * columns * sizeof(double));
}

/* Arrays of the mode integrals, sized for modes and shapes of shortening. */
static bool alloc_integrals(zvModel *m, size_t extra, ziModeIntegrals *x) {
    size_t n = (size_t)x->n, all = n + extra;
    x->S1 = doubles(m, all, 3);
    x->G = extra ? doubles(m, extra * n, n) : NULL;
    x->couple = extra ? doubles(m, extra, n) : NULL;
    x->J1 = doubles(m, all, 6);
    x->J2 = doubles(m, all * all, 6);
    x->L0 = doubles(m, all, 3);
    x->L1 = doubles(m, all * all, 3);
    x->M = doubles(m, n, n);
    x->K = doubles(m, n, n);
    x->D = doubles(m, n, n);
    return x->S1 && ((x->G && x->couple) || !extra) && x->J1 && x->J2 && x->L0 && x->L1 && x->M && x->K && x->D;
}

/* A = L diag(d) L^T: L below the diagonal, d on it, zeros above; false when a pivot is not well above the rounding of
 * M's diagonal. */
static bool factor(size_t n, const double *A, const double *M, double *F) {
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = A[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= F[i * n + k] * F[j * n + k] * F[k * n + k];
            if (i == j && !(sum > 1e-13 * M[j * n + j])) return false;
            F[i * n + j] = i == j ? sum : sum / F[j * n + j];
        }
    }
    return true;
}

/* What is left of M when the shapes of shortening have their share. */
static void subtract_shares(const ziModeIntegrals *x, double *rest) {
    const int n = x->n;
    memcpy(rest, x->M, (size_t)n * (size_t)n * sizeof *rest);
    for (int a = 0; a < x->extra; a++) {
        const double *c = x->couple + a * n;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) rest[i * n + j] -= c[i] * c[j];
        }
    }
}

/* Names of the coordinates: "y1" of a beam, those of the modal data, "mode1" where it has none. */
static const char *const *name_parts(zvModel *m, const zvLink *link, int n) {
    const char **parts = zi_arena_alloc(&m->arena, (size_t)n * sizeof *parts);
    for (int k = 0; parts && k < n; k++) {
        char text[16];
        const char *own = link->modal && link->modal->names ? link->modal->names[k] : NULL;
        if (own) {
            parts[k] = own;
            continue;
        }
        if (!link->beam) snprintf(text, sizeof text, "mode%d", k + 1);
        parts[k] = zi_arena_text(&m->arena, link->beam ? zi_beam_part(link->beam, k, text) : text);
        if (!parts[k]) return NULL;
    }
    return parts;
}

/* Mode integrals of one link, and the factor of the part of M that does not depend on e. */
static bool make_elastic(zvModel *m, const zvLink *link, const zvPose *pose, ziElastic *el) {
    ziModeIntegrals x = {.n = el->n};
    double *F = doubles(m, (size_t)el->n, (size_t)el->n), *rest = doubles(m, (size_t)el->n, (size_t)el->n);
    const size_t extra = link->beam && zi_beam_shortens(link->beam) ? ZI_SHORTENINGS : 0;
    el->parts = name_parts(m, link, el->n);
    if (!F || !rest || !el->parts || !alloc_integrals(m, extra, &x)) return false;
    const zvPose axes = zi_link_shape_axes(link, pose);
    if (!(link->beam ? zi_beam_integrals(link->beam, axes.R, axes.p, &x)
                     : zi_modal_integrals(link->modal, axes.R, axes.p, &x))) {
        return false;
    }
    subtract_shares(&x, rest);
    memcpy(el->axis, x.axis, sizeof x.axis);
    el->S1 = x.S1;
    el->extra = x.extra;
    el->G = x.G;
    el->couple = x.couple;
    el->rest = rest;
    el->J1 = x.J1;
    el->J2 = x.J2;
    el->L0 = x.L0;
    el->L1 = x.L1;
    el->M = x.M;
    el->K = x.K;
    el->D = x.D;
    el->M_factor = factor((size_t)el->n, rest, x.M, F) ? F : NULL;
    return true;
}

/* Integrals of every elastic link; sizes of the largest, for scratch memory. */
bool zi_freeze_modes(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    for (int i = 0; i < m->nlink && m->tree.ne > 0; i++) {
        if (!m->link_elastic[i]) continue;
        ziElastic *el = (ziElastic *)m->tree.body[m->link_elastic[i]].elastic;
        if (!make_elastic(m, &m->links[i], &m->link_places[i].pose, el)) return false;
        size_t all = (size_t)(el->n + el->extra);
        if ((int)all > m->tree.max_modes) m->tree.max_modes = (int)all;
        m->tree.modes_squared += all * all;
    }
    return true;
}

size_t zi_modes_bytes(const zvLink *link) {
    size_t n = (size_t)zi_link_modes(link);
    if (n == 0) return 0;
    size_t all = n + ZI_SHORTENINGS;
    size_t doubles = 12 * all + 9 * all * all + 5 * n * n; /* S1, J1, L0; J2, L1; M, K, D, rest, factor */
    doubles += ZI_SHORTENINGS * (n * n + n);               /* G, couple */
    return sizeof(ziElastic) + doubles * sizeof(double) + n * (sizeof(char *) + 32) + 512;
}
