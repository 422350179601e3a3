/* Newton and Euler on absolute values; see the header. Elastic bodies first: the terms of dynamics/elastic.h and
 * kinematics/attachment.h, letter by letter. */
#include "agree/error_scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kinematics/joint.h"

/* Doubles of an elastic body, and where they lie from `next` on. */
static size_t elastic_doubles(const ziElastic *el) {
    const size_t n = (size_t)el->n, extra = (size_t)el->extra;
    return 6 * (n + extra) + 2 * extra * n + n * n + extra;
}

static void elastic_lay(const ziElastic *el, double *next, ziErrorScaleElastic *x) {
    const size_t n = (size_t)el->n, extra = (size_t)el->extra, all = n + extra;
    double **parts[] = {&x->x, &x->dS, &x->L, &x->dJ, &x->dx, &x->rate, &x->b, &x->s, &x->M, &x->kappa};
    const size_t sizes[] = {all, all, all, all, all, all, extra * n, extra * n, n * n, extra};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *parts[k] = next;
        next += sizes[k];
    }
}

static double length(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* Frobenius norm of a symmetric matrix xx xy xz yy yz zz. */
static double moment(const double *x) {
    return sqrt(x[0] * x[0] + x[3] * x[3] + x[5] * x[5] + 2 * (x[1] * x[1] + x[2] * x[2] + x[4] * x[4]));
}

static double dot(int n, const double *row, const double *x) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(row[j] * x[j]);
    return sum;
}

static double quadratic(int n, const double *G, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; G && i < n; i++) sum += fabs(x[i]) * dot(n, G + (size_t)i * (size_t)n, y);
    return sum;
}

/* Entry (q, p) of J2 and of L1. */
static double second(const ziElastic *el, int q, int p) {
    return moment(el->J2 + 6 * ((size_t)q * (size_t)(el->n + el->extra) + (size_t)p));
}
static double spin(const ziElastic *el, int q, int p) {
    return length(el->L1 + 3 * ((size_t)q * (size_t)(el->n + el->extra) + (size_t)p));
}

/* x, b, s and M */
static void place_shapes(const ziElastic *el, const double *e, ziErrorScaleElastic *x) {
    const int n = el->n;
    for (int i = 0; i < n; i++) x->x[i] = fabs(e[i]);
    for (int i = 0; i < n * n; i++) x->M[i] = fabs(el->rest[i]);
    for (int a = 0; a < el->extra; a++) {
        const double *G = el->G + (size_t)a * (size_t)n * (size_t)n;
        double *s = x->s + a * n;
        x->x[n + a] = 0.5 * quadratic(n, G, e, e);
        for (int i = 0; i < n; i++) {
            x->b[a * n + i] = dot(n, G + (size_t)i * (size_t)n, e);
            s[i] = x->b[a * n + i] + fabs(el->couple[a * n + i]);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) x->M[i * n + j] += s[i] * s[j];
        }
    }
}

static void place_attachments(ziErrorScale *g, const ziElastic *el, const double *e) {
    const ziTree *t = &g->model->tree;
    for (int k = el->attachment; k < el->attachment + el->attachments; k++) {
        const ziAttachment *st = &t->attachment[k];
        double lever = length(st->at) + 0.5 * quadratic(el->n, st->G, e, e);
        for (int i = 0; i < el->n; i++) lever += length(st->d + 3 * i) * fabs(e[i]);
        g->row[t->nb + k].lever = 2 * lever;
    }
}

/* Sizes at the body's elastic coordinates |e|, and levers of its sections. */
static void elastic_place(ziErrorScale *g, int body) {
    const ziBody *b = &g->model->tree.body[body];
    const ziElastic *el = b->elastic;
    ziErrorScaleElastic *x = &g->elastic[body];
    const int n = el->n, all = n + el->extra;
    const double *e = g->q + el->q;
    double J = 0;
    place_shapes(el, e, x);
    for (int k = 0; k < 12; k++) J += b->J[k] * b->J[k];
    x->S = length(b->h);
    x->J = sqrt(J);
    for (int p = 0; p < all; p++) {
        x->dS[p] = length(el->S1 + 3 * p);
        x->L[p] = length(el->L0 + 3 * p);
        x->dJ[p] = moment(el->J1 + 6 * p);
        for (int q = 0; q < all; q++) {
            x->L[p] += spin(el, q, p) * x->x[q];
            x->dJ[p] += second(el, q, p) * x->x[q];
        }
        x->S += x->dS[p] * x->x[p];
        x->J += x->dJ[p] * x->x[p];
    }
    for (int a = n; a < all; a++) {
        for (int i = 0; i < n; i++) {
            const double turn = x->b[(a - n) * n + i];
            x->dS[i] += turn * x->dS[a];
            x->L[i] += turn * x->L[a];
            x->dJ[i] += turn * x->dJ[a];
        }
    }
    place_attachments(g, el, e);
}

/* Motion of its sections, once its own is known. */
static void elastic_carry(ziErrorScale *g, int body) {
    const ziTree *t = &g->model->tree;
    const ziElastic *el = t->body[body].elastic;
    const ziErrorScaleRow *p = &g->row[body];
    const double *e = g->q + el->q, *de = g->v + el->v, *dde = g->a + el->v;
    for (int k = el->attachment; k < el->attachment + el->attachments; k++) {
        const ziAttachment *st = &t->attachment[k];
        ziErrorScaleRow *r = &g->row[t->nb + k];
        double u = quadratic(el->n, st->G, e, de),
               a = quadratic(el->n, st->G, e, dde) + quadratic(el->n, st->G, de, de);
        double w = 0, alpha = 0;
        for (int i = 0; i < el->n; i++) {
            const double turn = st->r ? length(st->r + 3 * i) : 0, shift = length(st->d + 3 * i);
            u += shift * de[i];
            a += shift * dde[i];
            w += turn * de[i];
            alpha += turn * dde[i];
        }
        r->w = p->w + w;
        r->alpha = p->alpha + alpha + p->w * w + w * w;
        r->a = p->a + (p->alpha + p->w * p->w) * r->lever + a + 2 * p->w * u;
    }
}

/* What hangs on the sections goes to the body and works on its elastic coordinates. */
static void gather_sections(ziErrorScale *g, const ziElastic *el, ziErrorScaleRow *body) {
    const ziTree *t = &g->model->tree;
    const double *e = g->q + el->q;
    for (int k = el->attachment; k < el->attachment + el->attachments; k++) {
        const ziAttachment *st = &t->attachment[k];
        const ziErrorScaleRow *r = &g->row[t->nb + k];
        body->f += r->f;
        body->n += r->n + r->lever * r->f;
        for (int i = 0; i < el->n; i++) {
            const double bent = st->G ? dot(el->n, st->G + (size_t)i * (size_t)el->n, e) : 0;
            g->tau[el->v + i] += (length(st->d + 3 * i) + bent) * r->f + (st->r ? length(st->r + 3 * i) * r->n : 0);
        }
    }
}

/* Rates of all shapes, and of L. */
static void set_rates(const ziElastic *el, const double *de, ziErrorScaleElastic *x) {
    const int n = el->n, all = n + el->extra;
    for (int i = 0; i < n; i++) x->dx[i] = de[i];
    for (int a = 0; a < el->extra; a++) {
        x->dx[n + a] = dot(n, x->b + a * n, de);
        x->kappa[a] = quadratic(n, el->G + (size_t)a * (size_t)n * (size_t)n, de, de);
    }
    for (int p = 0; p < all; p++) {
        x->rate[p] = 0;
        for (int q = 0; q < all; q++) x->rate[p] += (spin(el, q, p) + spin(el, p, q)) * x->dx[q];
    }
}

/* f, n of the body and tau of its elastic coordinates: its own, and what its sections bear. stiff: with K e and D de.
 */
static void elastic_forces(ziErrorScale *g, int body, bool stiff) {
    const ziBody *b = &g->model->tree.body[body];
    const ziElastic *el = b->elastic;
    ziErrorScaleElastic *x = &g->elastic[body];
    ziErrorScaleRow *r = &g->row[body];
    const int n = el->n;
    const double *e = g->q + el->q, *de = g->v + el->v, *dde = g->a + el->v;
    const double w = r->w, swing = r->alpha + w * w;
    gather_sections(g, el, r);
    set_rates(el, de, x);
    r->f += b->m * r->a + x->S * swing;
    r->n += x->S * r->a + x->J * swing;
    for (int i = 0; i < n; i++) {
        double *tau = &g->tau[el->v + i];
        r->f += x->dS[i] * (dde[i] + 2 * w * de[i]);
        r->n += x->L[i] * (dde[i] + w * de[i]) + x->dJ[i] * w * de[i];
        *tau += x->dS[i] * r->a + x->L[i] * r->alpha + x->dJ[i] * w * w + w * x->rate[i];
        *tau += dot(n, x->M + i * n, dde);
        if (stiff) *tau += dot(n, el->K + i * n, e) + dot(n, el->D + i * n, de);
        for (int a = 0; a < el->extra; a++)
            *tau += x->b[a * n + i] * w * x->rate[n + a] + x->s[a * n + i] * x->kappa[a];
    }
    for (int p = 0; p < n + el->extra; p++) r->n += x->rate[p] * x->dx[p];
    for (int a = 0; a < el->extra; a++) {
        r->f += x->dS[n + a] * x->kappa[a];
        r->n += x->L[n + a] * x->kappa[a];
    }
}

/* Memory ---------------------------------------------------------------------------------------------- */

static size_t doubles_of(const ziTree *t) {
    size_t count = (size_t)t->nq + 5 * (size_t)t->nv + 4 * (size_t)t->nb + (size_t)t->ne;
    for (int i = 0; i < t->nb; i++)
        if (t->body[i].elastic) count += elastic_doubles(t->body[i].elastic);
    return count;
}

/* One block of numbers for all arrays. */
bool zi_error_scale_create(const zvModel *m, ziErrorScale *g) {
    const ziTree *t = &m->tree;
    const size_t nb = (size_t)t->nb, nv = (size_t)t->nv;
    *g = (ziErrorScale){.model = m};
    g->row = calloc(nb + (size_t)t->ns, sizeof *g->row);
    g->elastic = calloc(nb, sizeof *g->elastic);
    double *next = g->block = calloc(doubles_of(t) + 1, sizeof(double));
    if (!g->row || !g->elastic || !next) return false;
    double **parts[] = {&g->q, &g->v, &g->a, &g->tau, &g->lin, &g->ang, &g->swing, &g->sway, &g->load, &g->extra};
    const size_t sizes[] = {(size_t)t->nq, nv, nv, nv, nv, nv, nb, nb, 2 * nb, (size_t)t->ne};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *parts[k] = next;
        next += sizes[k];
    }
    for (int i = 0; i < t->nb; i++) {
        if (!t->body[i].elastic) continue;
        elastic_lay(t->body[i].elastic, next, &g->elastic[i]);
        next += elastic_doubles(t->body[i].elastic);
    }
    return true;
}

void zi_error_scale_destroy(ziErrorScale *g) {
    free(g->row);
    free(g->elastic);
    free(g->block);
    *g = (ziErrorScale){0};
}

/* Position -------------------------------------------------------------------------------------------- */

static double size_of(vec3 x) { return sqrt(v3_dot(x, x)); }

/* A spline: the terms of its cubic cancel, and those of its curvature, (p'' - t t.p'')/|p'|^2. */
static void spline_sizes(const ziPath *path, double q, double *p, double *d, double *dd) {
    const path_spot at = path_find(path, q);
    const path_frame x = path_frame_at(&at);
    const double *c = at.c, u = at.u;
    const double c0 = length(c), c1 = length(c + 3), c2 = length(c + 6), c3 = length(c + 9);
    *d = x.pace * (c1 + u * (2 * c2 + u * 3 * c3));
    *dd = x.pace * x.pace * (1 + 2 * *d) * (2 * c2 + u * 6 * c3); /* both tangents bring their error along */
    *p = c0 + u * (c1 + u * (c2 + u * c3)) + fabs(at.beyond) * *d;
}

/* Absolute values of a path's position and derivatives. */
static void path_sizes(const ziPath *path, double q, double *p, double *d, double *dd) {
    vec3 at, first, second;
    if (path->kind == ZV_CURVE_SPLINE) {
        spline_sizes(path, q, p, d, dd);
        return;
    }
    path_at(path, q, &at, &first, &second);
    *p = size_of(at) + (path->kind == ZV_CURVE_CIRCLE ? length(path->a) + path->radius : 0);
    *d = size_of(first);
    *dd = size_of(second);
}

/* Columns of a joint and the length it adds. */
static void place_joint(ziErrorScale *g, int i) {
    const ziBody *b = &g->model->tree.body[i];
    const double *q = g->q + b->q;
    double s[ZV_MAX_DOF + 1] = {0}, c[ZV_MAX_DOF + 1] = {0}, moved;
    joint j;
    for (int k = 0; k < b->nq && k < ZV_MAX_DOF; k++) {
        s[k] = sin(q[k]);
        c[k] = cos(q[k]);
    }
    joint_place(b, q, s, c, &j);
    moved = size_of(j.p);
    for (int k = 0; k < b->nv; k++) {
        g->lin[b->v + k] = size_of(j.S[k].lin);
        g->ang[b->v + k] = size_of(j.S[k].ang);
    }
    g->swing[i] = b->columns_move && zi_joint_turns(b->type, b->nv - 1);
    g->sway[i] = zi_joint_columns_ride(b->type) && zi_joint_slides(b->type, 0);
    if (zi_joint_needs(b->type, ZI_JOINT_PATH)) path_sizes(&b->data->path, q[0], &moved, &g->lin[b->v], &g->sway[i]);
    /* twice: there and back, where a displacement in the joint takes back the offset */
    g->row[i].lever = 2 * (length(b->r) + moved);
}

void zi_error_scale_place(ziErrorScale *g, const double *q) {
    const ziTree *t = &g->model->tree;
    const ziCoupling *c = &g->model->coupling;
    for (int i = 0; i < t->nq; i++) g->q[i] = c->count ? c->q_ratio[i] * q[c->q_master[i]] + c->q_offset[i] : q[i];
    for (int i = 1; i < t->nb; i++) {
        place_joint(g, i);
        if (t->body[i].elastic) elastic_place(g, i);
    }
}

/* Motion and forces ----------------------------------------------------------------------------------- */

/* A body from the row it sits on: carried_bias and joint_bias of kinematics/outward.h. */
static void move_body(ziErrorScale *g, int i) {
    const ziBody *b = &g->model->tree.body[i];
    const ziErrorScaleRow *p = &g->row[b->base];
    ziErrorScaleRow *r = &g->row[i];
    double w = 0, u = 0, alpha = 0, a = 0;
    for (int k = b->v; k < b->v + b->nv; k++) {
        w += g->ang[k] * g->v[k];
        u += g->lin[k] * g->v[k];
        alpha += g->ang[k] * g->a[k];
        a += g->lin[k] * g->a[k];
    }
    const bool path = zi_joint_needs(b->type, ZI_JOINT_PATH);
    if (!path && g->sway[i] > 0) a += w * u;
    if (path) a += g->sway[i] * g->v[b->v] * g->v[b->v];
    r->w = p->w + w;
    r->alpha = p->alpha + alpha + p->w * w + g->swing[i] * w * w;
    r->a = p->a + (p->alpha + p->w * p->w) * r->lever + a + 2 * p->w * u;
}

static void weigh_rigid(ziErrorScale *g, int i) {
    const ziBody *b = &g->model->tree.body[i];
    ziErrorScaleRow *r = &g->row[i];
    const double h = length(b->h), swing = r->alpha + r->w * r->w;
    double J = 0;
    for (int k = 0; k < 12; k++) J += b->J[k] * b->J[k];
    r->f += b->m * r->a + h * swing;
    r->n += h * r->a + sqrt(J) * swing;
}

static void hand_down(ziErrorScale *g, int i) {
    const ziTree *t = &g->model->tree;
    const ziBody *b = &t->body[i];
    const ziErrorScaleRow *r = &g->row[i];
    const double moment = r->n + r->lever * r->f;
    for (int k = b->v; k < b->v + b->nv; k++)
        g->tau[k] += g->lin[k] * r->f + g->ang[k] * moment + t->armature[k] * g->a[k];
    g->row[b->base].f += r->f;
    g->row[b->base].n += moment;
}

/* tau of the motion in g->v, g->a; weight: that of the ground, which is pushed up by it. */
static void sweep(ziErrorScale *g, double weight, bool stiff) {
    const ziTree *t = &g->model->tree;
    g->row[0] = (ziErrorScaleRow){.a = weight};
    for (int i = 1; i < t->nb; i++) {
        move_body(g, i);
        if (t->body[i].elastic) elastic_carry(g, i);
    }
    for (int i = 0; i < t->nb + t->ns; i++) g->row[i].f = g->row[i].n = 0;
    memset(g->tau, 0, (size_t)t->nv * sizeof *g->tau);
    for (int i = t->nb - 1; i > 0; i--) {
        g->row[i].f += g->load[2 * i];
        g->row[i].n += g->load[2 * i + 1];
        if (t->body[i].elastic)
            elastic_forces(g, i, stiff);
        else
            weigh_rigid(g, i);
        hand_down(g, i);
    }
}

/* From the model's coordinates to the tree's, absolute values. */
static void expand(const zvModel *m, const double *x, double *tree) {
    const ziCoupling *c = &m->coupling;
    for (int i = 0; i < m->tree.nv; i++)
        tree[i] = !x ? 0 : c->count ? fabs(c->v_ratio[i] * x[c->v_master[i]]) : fabs(x[i]);
}

static void contract(const zvModel *m, const double *tree, double *x) {
    const ziCoupling *c = &m->coupling;
    for (int i = 0; i < m->nv; i++) x[i] = 0;
    for (int i = 0; i < m->tree.nv; i++)
        x[c->count ? c->v_master[i] : i] += c->count ? fabs(c->v_ratio[i]) * tree[i] : tree[i];
}

/* External forces about the origins of bodies, then those of elastic coordinates. A link of an elastic body is its
 * root. */
static void take_load(ziErrorScale *g, const double *fext) {
    const zvModel *m = g->model;
    memset(g->load, 0, 2 * (size_t)m->tree.nb * sizeof *g->load);
    for (int l = 0; fext && l < m->nlink; l++) {
        const int i = m->link_places[l].body;
        const double push = length(fext + 6 * l);
        g->load[2 * i] += push;
        g->load[2 * i + 1] += length(fext + 6 * l + 3) + length(m->link_places[l].pose.p) * push;
    }
    for (int k = 0; k < m->tree.ne; k++) g->extra[k] = fext ? fabs(fext[6 * m->nlink + k]) : 0;
}

static void add_elastic_load(ziErrorScale *g) {
    const ziTree *t = &g->model->tree;
    for (int i = 1, next = 0; i < t->nb; i++) {
        const ziElastic *el = t->body[i].elastic;
        for (int k = 0; el && k < el->n; k++) g->tau[el->v + k] += g->extra[next++];
    }
}

void zi_error_scale_forces(ziErrorScale *g, const double *v, const double *a, const double *fext, double *tau) {
    expand(g->model, v, g->v);
    expand(g->model, a, g->a);
    take_load(g, fext);
    sweep(g, length(g->model->tree.gravity), true);
    add_elastic_load(g);
    contract(g->model, g->tau, tau);
}

/* Column by column, as forces of a unit acceleration without gravity. */
void zi_error_scale_mass(ziErrorScale *g, double *S) {
    const zvModel *m = g->model;
    const ziTree *t = &m->tree;
    const size_t nv = (size_t)m->nv;
    memset(g->v, 0, (size_t)t->nv * sizeof *g->v);
    take_load(g, NULL);
    for (int j = 0; j < m->nv; j++) {
        for (int i = 0; i < t->nv; i++)
            g->a[i] = !m->coupling.count ? i == j : m->coupling.v_master[i] == j ? fabs(m->coupling.v_ratio[i]) : 0;
        sweep(g, 0, false);
        contract(m, g->tau, S + (size_t)j * nv);
    }
    for (size_t i = 0; i < nv; i++) { /* the larger of two estimates of one number */
        for (size_t j = 0; j < i; j++) S[i * nv + j] = S[j * nv + i] = fmax(S[i * nv + j], S[j * nv + i]);
    }
}
