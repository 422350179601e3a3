/* Fifth step of freezing: the sections of elastic links that carry joints and frames. Those that carry joints or ends
 * of loops come first, link by link; what sits at one place shares a section. A body on a section is placed in it, no
 * longer in the parent body. */
#include <stdlib.h>
#include <string.h>

#include "beam/modes.h"
#include "model/elastic.h"
#include "model/freeze.h"

/* A section while sections are being found. */
typedef struct Seat {
    ziSection section;
    int next;   /* seat of the same link, -1: none */
    int number; /* of its attachment */
    bool carries;
} Seat;

typedef struct Seats {
    Seat *seats;
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
    Seat seat = {.next = -1, .carries = carries};
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

static bool fill(zvModel *m, Seats *s, int named, int *frame_attachments) {
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

bool zi_freeze_attachments(ziPlan *plan) {
    zvModel *m = plan->model;
    int *frame_attachments = zi_arena_alloc(&m->arena, (size_t)m->nframe * sizeof *frame_attachments);
    if (!frame_attachments) return false;
    for (int i = 0; i < m->nframe; i++) frame_attachments[i] = -1;
    m->frame_attachments = frame_attachments;
    if (m->tree.ne == 0) return true;
    Seats s = {0};
    bool enough = seats_alloc(m, &s) && fill(m, &s, (int)plan->builder->nframe, frame_attachments);
    seats_free(&s);
    return enough;
}

size_t zi_attachment_bytes(const zvLink *link) {
    size_t n = (size_t)zi_link_modes(link);
    return n ? sizeof(ziAttachment) + (6 * n + n * n) * sizeof(double) + 128 : 0;
}
