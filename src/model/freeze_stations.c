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
    zvSection section;
    int next;   /* seat of the same link, -1: none */
    int number; /* of its station */
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
    if (!zv_link_section(&m->links[link], p, &seat.section)) return -1;
    for (int i = s->first[link]; i >= 0; i = s->seats[i].next) {
        if (!zv_same_section(&m->links[link], &s->seats[i].section, &seat.section)) continue;
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

static bool make_station(zvModel *m, int link_index, const zvSection *section, zvStation *st) {
    const zvLink *link = &m->links[link_index];
    const zvPose *pose = &m->link_places[link_index].pose;
    size_t n = (size_t)zv_link_modes(link);
    double *d = zv_arena_alloc(&m->arena, 3 * n * sizeof *d), *r = zv_arena_alloc(&m->arena, 3 * n * sizeof *r);
    if (!d || !r) return false;
    const bool turns = zv_section_shape(link, section, pose, d, r);
    memcpy(st->at, section->at, sizeof section->at);
    turn(pose->R, st->at);
    st->body = m->link_elastic[link_index];
    st->d = d;
    st->r = turns ? r : NULL;
    m->tree.station_modes += n;
    if (!link->beam || !zv_beam_shortens(link->beam)) return true;
    double *G = zv_arena_alloc(&m->arena, n * n * sizeof *G);
    if (G) zv_beam_shortening(link->beam, section->x, G);
    st->G = G;
    return G != NULL;
}

/* Gives numbers to the seats of all links that carry bodies, or to the others, from number on; returns the next. */
static int make_stations(zvModel *m, Seats *s, bool carries, int number, zvStation *stations) {
    for (int link = 0; link < m->nlink; link++) {
        int start = number;
        for (int i = s->first[link]; i >= 0; i = s->seats[i].next) {
            if (s->seats[i].carries != carries) continue;
            if (!make_station(m, link, &s->seats[i].section, &stations[number])) return -1;
            s->seats[i].number = number++;
        }
        if (!carries || !m->link_elastic[link]) continue;
        zvElastic *el = (zvElastic *)m->tree.body[m->link_elastic[link]].elastic;
        el->station = start;
        el->stations = number - start;
    }
    return number;
}

/* Moves bodies from their parent body to its section: both have the same axes. */
static void seat_bodies(zvModel *m, const Seats *s, const zvStation *stations) {
    zvBody *bodies = (zvBody *)m->tree.body;
    for (int i = 0; i < m->njoint; i++) {
        if (s->of_joint[i] < 0) continue;
        zvBody *body = &bodies[m->link_places[i + 1].body];
        int number = s->seats[s->of_joint[i]].number;
        body->base = m->tree.nb + number;
        for (int k = 0; k < 3; k++) body->r[k] -= stations[number].at[k];
    }
}

static bool fill(zvModel *m, Seats *s, int named, int *frame_stations) {
    find_seats(m, s, named);
    zvStation *stations = zv_arena_alloc(&m->arena, (size_t)s->count * sizeof *stations);
    if (!stations) return false;
    m->tree.station = stations;
    m->tree.ns = make_stations(m, s, true, 0, stations);
    if (m->tree.ns < 0 || make_stations(m, s, false, m->tree.ns, stations) < 0) return false;
    seat_bodies(m, s, stations);
    for (int i = 0; i < m->nframe; i++) {
        if (s->of_frame[i] >= 0) frame_stations[i] = s->seats[s->of_frame[i]].number;
    }
    return true;
}

bool zv_freeze_stations(zvPlan *plan) {
    zvModel *m = plan->model;
    int *frame_stations = zv_arena_alloc(&m->arena, (size_t)m->nframe * sizeof *frame_stations);
    if (!frame_stations) return false;
    for (int i = 0; i < m->nframe; i++) frame_stations[i] = -1;
    m->frame_stations = frame_stations;
    if (m->tree.ne == 0) return true;
    Seats s = {0};
    bool enough = seats_alloc(m, &s) && fill(m, &s, (int)plan->builder->nframe, frame_stations);
    seats_free(&s);
    return enough;
}

size_t zv_station_bytes(const zvLink *link) {
    size_t n = (size_t)zv_link_modes(link);
    return n ? sizeof(zvStation) + (6 * n + n * n) * sizeof(double) + 128 : 0;
}
