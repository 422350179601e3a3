/* Private copies of models, and the inertia of a link changed in one at run time.
 *
 * A copy owns what an inertia enters: links, bodies and the reduced bodies with their sums. All else it shares with the
 * model it was made of.
 *
 * A change goes from the link to its body and from there inward: reduced bodies hand over to their parents what their
 * joints do not feel (reduced.c). Each sum loses the old term and gets the new one, so a body costs the same
 * however many links and children it has, and the whole no more than the bodies on the path to the ground. Sums are
 * kept in two doubles (Knuth's exact sum of two numbers, Dekker's double-length addition): a payload that is taken up
 * and put down many times leaves the sums as they were (tests/agree/test_payload.c, ten thousand times). */
#include "model/payload.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/require.h"
#include "model/elastic.h"
#include "model/freeze.h"
#include "model/measure.h"
#include "spatial/components.h"

/* Sums in two doubles ---------------------------------------------------------------------------------------------- */

/* (high, low) += x */
static void sum_add(double *high, double *low, double x) {
    const double s = *high + x, part = s - *high, rest = (*high - (s - part)) + (x - part) + *low;
    *high = s + rest;
    *low = rest - (*high - s);
}

static void moments_change(ziMomentSum *sum, const double *out, const double *in) {
    for (int k = 0; k < ZI_SUM_WIDTH; k++) {
        if (out) sum_add(&sum->high[k], &sum->low[k], -out[k]);
        if (in) sum_add(&sum->high[k], &sum->low[k], in[k]);
    }
}

static void flatten(const ziMoments *a, double x[ZI_SUM_WIDTH]) {
    x[0] = a->m;
    memcpy(x + 1, a->h, sizeof a->h);
    memcpy(x + 4, a->K, sizeof a->K);
}

/* Reduced bodies --------------------------------------------------------------------------------------------------- */

/* The moments of a tree's body in the frame of the reduced one. */
static void own_moments(const ziBody *body, const ziReducedFrame *frame, double x[ZI_SUM_WIDTH]) {
    const ziMoments a = zi_body_moments(body);
    const real33 R = r33_of(frame->R),
                 back = r33(r3(R.x.x, R.y.x, R.z.x), r3(R.x.y, R.y.y, R.z.y), r3(R.x.z, R.y.z, R.z.z));
    const real3 away = r3(-frame->p[0], -frame->p[1], -frame->p[2]);
    const moments b = moments_rotate(back, moments_shift(away, moments_of(a.m, a.h, a.K)));
    const double y[ZI_SUM_WIDTH] = {b.m, b.h.x, b.h.y, b.h.z, b.xx, b.xy, b.xz, b.yy, b.yz, b.zz};
    memcpy(x, y, sizeof y);
}

/* Sum of a reduced body -> what it keeps, and what its parent gets (flat). */
static ziReducedBody regroup(const zvModel *m, int i, double carried[ZI_SUM_WIDTH]) {
    const ziPayload *p = m->payload;
    const double *sum = p->moments[i].high;
    ziReducedBody b = {.type = m->tree.body[i].type, .m = sum[0]};
    memcpy(b.h, sum + 1, sizeof b.h);
    memcpy(b.K, sum + 4, sizeof b.K);
    memcpy(b.E, p->numbers[i].E, sizeof b.E);
    memcpy(b.r, p->numbers[i].r, sizeof b.r);
    const ziMoments part = zi_reduced_unfelt(&b);
    flatten(&part, carried);
    return b;
}

/* What a body keeps becomes its numbers; the mass beyond it, which its parent's is the sum of, changes with it. */
static void keep_share(ziPayload *p, int i, const ziReducedBody *b, double child_out, double child_in) {
    ziReducedNumbers *n = &p->numbers[i];
    double *mass = p->mass[i];
    sum_add(&mass[0], &mass[1], -n->m);
    sum_add(&mass[0], &mass[1], -child_out);
    sum_add(&mass[0], &mass[1], b->m);
    sum_add(&mass[0], &mass[1], child_in);
    n->m = b->m;
    n->mass = mass[0];
    memcpy(n->h, b->h, sizeof n->h);
    memcpy(n->K, b->K, sizeof n->K);
    p->step[i].heavy = n->mass != 0;
}

/* From a body whose own moments change to the ground. */
static void change_reduced(zvModel *m, int body, const double *out, const double *in) {
    ziPayload *p = m->payload;
    double carried[2][ZI_SUM_WIDTH], lost[ZI_SUM_WIDTH], got[ZI_SUM_WIDTH], mass_out = 0, mass_in = 0;
    memcpy(lost, out, sizeof lost);
    memcpy(got, in, sizeof got);
    for (int i = body; i > 0; i = m->tree.body[i].parent) {
        const double mass_before = p->numbers[i].mass;
        regroup(m, i, carried[0]);
        moments_change(&p->moments[i], lost, got);
        const ziReducedBody b = regroup(m, i, carried[1]);
        keep_share(p, i, &b, mass_out, mass_in);
        memcpy(lost, carried[0], sizeof lost);
        memcpy(got, carried[1], sizeof got);
        mass_out = mass_before;
        mass_in = p->numbers[i].mass;
        p->touched++;
    }
}

/* The sums of the reduced bodies as they were when the model was frozen. */
static void begin_reduced(zvModel *m) {
    ziPayload *p = m->payload;
    double x[ZI_SUM_WIDTH];
    for (int i = m->tree.nb - 1; i > 0; i--) {
        const int up = m->tree.body[i].parent;
        own_moments(&m->tree.body[i], &m->tree.reduced->frame[i], x);
        moments_change(&p->moments[i], NULL, x);
        regroup(m, i, x);
        if (up) moments_change(&p->moments[up], NULL, x);
        sum_add(&p->mass[i][0], &p->mass[i][1], p->numbers[i].m);
        sum_add(&p->mass[up][0], &p->mass[up][1], p->numbers[i].mass);
    }
}

/* Copies ----------------------------------------------------------------------------------------------------------- */

enum { ALIGNMENT = ZV_ALIGNMENT };

/* Pieces of a block one after the other; without a block only their sizes are added up. */
typedef struct Pieces {
    unsigned char *block;
    size_t used;
} Pieces;

static void *next_piece(Pieces *pieces, size_t count, size_t size, const void *from) {
    unsigned char *piece = pieces->block ? pieces->block + pieces->used : NULL;
    pieces->used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (piece && from) memcpy(piece, from, count * size);
    if (piece && !from) memset(piece, 0, count * size);
    return piece;
}

/* The copy in a block, or without one NULL and the size of it in pieces. */
static zvModel *lay_copy(const zvModel *m, Pieces *pieces) {
    const size_t nb = (size_t)m->tree.nb, nl = (size_t)m->nlink;
    const ziReducedTree *reduced = m->tree.reduced;
    zvModel *copy = next_piece(pieces, 1, sizeof *copy, m);
    ziPayload *p = next_piece(pieces, 1, sizeof *p, NULL), made = {0};
    made.body = next_piece(pieces, nb, sizeof *made.body, m->tree.body);
    made.link = next_piece(pieces, nl, sizeof *made.link, m->links);
    made.links = next_piece(pieces, nb, sizeof *made.links, NULL);
    ziLinkPlace *places = next_piece(pieces, nl, sizeof *places, m->link_places);
    if (m->tree.beyond) {
        made.beyond = next_piece(pieces, nb, sizeof *made.beyond, NULL);
        made.beyond_low = next_piece(pieces, nb, sizeof *made.beyond_low, NULL);
    }
    ziReducedTree *tree = NULL;
    if (reduced) {
        tree = next_piece(pieces, 1, sizeof *tree, reduced);
        made.step = next_piece(pieces, nb, sizeof *made.step, reduced->step);
        made.numbers = next_piece(pieces, nb, sizeof *made.numbers, reduced->numbers);
        made.moments = next_piece(pieces, nb, sizeof *made.moments, NULL);
        made.mass = next_piece(pieces, nb, sizeof *made.mass, NULL);
    }
    if (!copy) return NULL;
    *p = made;
    copy->payload = p;
    copy->arena = (ziArena){0};
    copy->tree.body = p->body;
    copy->tree.beyond = p->beyond;
    copy->links = p->link;
    copy->link_places = places;
    for (size_t i = 0; i < nl; i++) /* those of elastic links are sums, and stay */
        if (places[i].inertia == &m->links[i].inertia) places[i].inertia = &p->link[i].inertia;
    if (!tree) return copy;
    tree->step = p->step;
    tree->numbers = p->numbers;
    copy->tree.reduced = tree;
    return copy;
}

/* The masses that hold loops are those of the model it was made of, to the last bit; what plain sums have lost in them
 * is found from two doubles and kept, so that it is not left when they are taken out. */
static void begin_beyond(zvModel *m, const double *given) {
    const ziTree *t = &m->tree;
    double *high = m->payload->beyond, *low = m->payload->beyond_low;
    for (int i = t->nb - 1; i > 0; i--) {
        const int up = t->body[i].parent;
        sum_add(&high[i], &low[i], t->body[i].m);
        sum_add(&high[i], &low[i], zi_armature_as_mass(t, &t->body[i], t->closed->size));
        if (!up) continue;
        sum_add(&high[up], &low[up], high[i]);
        sum_add(&high[up], &low[up], low[i]);
    }
    for (int i = 0; i < t->nb; i++) {
        low[i] += high[i] - given[i];
        high[i] = given[i];
    }
}

/* The sums of a copy that is laid out. */
static void begin_sums(zvModel *m) {
    ziPayload *p = m->payload;
    double part[ZI_SUM_WIDTH];
    for (int i = 0; i < m->nlink; i++) {
        const ziLinkPlace *place = &m->link_places[i];
        if (!place->body) continue;
        zi_inertia_placed(&place->pose, place->inertia, part);
        moments_change(&p->links[place->body], NULL, part);
    }
    for (int i = 1; i < m->tree.nb; i++) sum_add(&p->whole[0], &p->whole[1], m->tree.body[i].m);
    if (m->tree.reduced) begin_reduced(m);
}

size_t zv_model_copy_size(const zvModel *model) {
    ZI_REQUIRE(model);
    Pieces pieces = {0};
    lay_copy(model, &pieces);
    return pieces.used;
}

zvStatus zv_model_copy_init(void *memory, size_t size, const zvModel *model, zvModel **copy, zvError *error) {
    ZI_REQUIRE(memory && model && copy);
    *copy = NULL;
    const zvStatus status = zi_memory_fits(memory, size, zv_model_copy_size(model), "a copy of this model", error);
    if (status < 0) return status;
    Pieces pieces = {.block = memory};
    *copy = lay_copy(model, &pieces);
    begin_sums(*copy);
    if (model->tree.beyond) begin_beyond(*copy, model->tree.beyond);
    return ZV_OK;
}

/* On the heap, in an arena of its own, so that zv_model_destroy ends a copy as it ends a model. */
zvModel *zv_model_copy(const zvModel *model, zvError *error) {
    ZI_REQUIRE(model);
    const size_t size = zv_model_copy_size(model);
    ziArena arena = {0};
    void *block = zi_arena_alloc(&arena, size + ALIGNMENT);
    zvModel *copy = NULL;
    if (!block) {
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory: a copy of this model takes %zu bytes", size);
        return NULL;
    }
    void *aligned = (unsigned char *)block + (ALIGNMENT - (uintptr_t)block % ALIGNMENT) % ALIGNMENT;
    zv_model_copy_init(aligned, size, model, &copy, error);
    copy->arena = arena;
    return copy;
}

/* Changes ---------------------------------------------------------------------------------------------------------- */

/* Whether a body of matter can have it: the rules of check_inertia.c, as one outcome. */
static zvStatus check_inertia(const zvInertia *inertia) {
    static const double negligible = 1e-6; /* of the largest moment: what rounding in a file may leave */
    const double *J = inertia->moment;
    double principal[3];
    bool moment = false;
    for (int k = 0; k < 6; k++) {
        if (!isfinite(J[k])) return ZV_NUMBER;
        moment = moment || J[k] != 0;
    }
    for (int k = 0; k < 3; k++)
        if (!isfinite(inertia->com[k])) return ZV_NUMBER;
    if (!isfinite(inertia->mass)) return ZV_NUMBER;
    if (inertia->mass < 0 || (moment && inertia->mass == 0)) return ZV_PHYSICS;
    zi_principal_moments(J, principal);
    const double slack = negligible * fmax(fabs(principal[0]), fabs(principal[2]));
    return principal[0] < -slack || principal[2] > principal[0] + principal[1] + slack ? ZV_PHYSICS : ZV_OK;
}

/* The sum of its links becomes the inertia of a body. */
static void weigh_body(ziPayload *p, int i) {
    ziBody *body = &p->body[i];
    const double *sum = p->links[i].high;
    body->m = sum[0];
    for (int k = 0; k < 3; k++) body->h[k] = sum[1 + k];
    for (int r = 0, k = 4; r < 3; r++)
        for (int c = r; c < 3; c++, k++) body->J[4 * r + c] = body->J[4 * c + r] = sum[k];
}

/* The link, then its body by the difference, then the reduced bodies up to the ground. Old terms are found again from
 * what is there, bit by bit as they were added, before anything is written. */
zvStatus zv_model_set_link_inertia(zvModel *copy, int link, const zvInertia *inertia) {
    ZI_REQUIRE(copy && inertia);
    ZI_REQUIRE_INDEX(link, zv_model_nlink(copy));
    ziPayload *p = copy->payload;
    if (!p || copy->link_places[link].inertia != &p->link[link].inertia) return ZV_NOT_SUPPORTED;
    const zvStatus status = check_inertia(inertia);
    if (status < 0) return status;
    const ziLinkPlace *place = &copy->link_places[link];
    const int body = place->body;
    double before[ZI_SUM_WIDTH], after[ZI_SUM_WIDTH], own[2][ZI_SUM_WIDTH];
    zi_inertia_placed(&place->pose, place->inertia, before);
    zi_inertia_placed(&place->pose, inertia, after);
    p->link[link].inertia = *inertia;
    p->link[link].has_inertia = true;
    p->revision++;
    p->touched = 0;
    if (!body) return ZV_OK; /* the ground */
    const ziReducedFrame *frame = copy->tree.reduced ? &copy->tree.reduced->frame[body] : NULL;
    if (frame) own_moments(&p->body[body], frame, own[0]);
    const double mass = p->body[body].m;
    sum_add(&p->whole[0], &p->whole[1], -mass);
    moments_change(&p->links[body], before, after);
    weigh_body(p, body);
    for (int i = body; p->beyond && i > 0; i = copy->tree.body[i].parent) {
        sum_add(&p->beyond[i], &p->beyond_low[i], -mass);
        sum_add(&p->beyond[i], &p->beyond_low[i], p->body[body].m);
    }
    sum_add(&p->whole[0], &p->whole[1], p->body[body].m);
    copy->mass = p->whole[0];
    if (!frame) return ZV_OK;
    own_moments(&p->body[body], frame, own[1]);
    change_reduced(copy, body, own[0], own[1]);
    return ZV_OK;
}
