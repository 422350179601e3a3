/* Elastic bodies on absolute values: the terms of dynamics/elastic.h and kinematics/attachment.h, letter by letter. */
#include <math.h>

#include "agree/error_scale.h"

size_t zi_error_scale_elastic_room(const ziElastic *el) {
    const size_t n = (size_t)el->n, extra = (size_t)el->extra;
    return 6 * (n + extra) + 2 * extra * n + n * n + extra;
}

void zi_error_scale_elastic_lay(const ziElastic *el, double *next, ziErrorScaleElastic *x) {
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

void zi_error_scale_elastic_place(ziErrorScale *g, int body) {
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

void zi_error_scale_elastic_carry(ziErrorScale *g, int body) {
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
static void gather(ziErrorScale *g, const ziElastic *el, ziErrorScaleRow *body) {
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

void zi_error_scale_elastic_forces(ziErrorScale *g, int body, bool stiff) {
    const ziBody *b = &g->model->tree.body[body];
    const ziElastic *el = b->elastic;
    ziErrorScaleElastic *x = &g->elastic[body];
    ziErrorScaleRow *r = &g->row[body];
    const int n = el->n;
    const double *e = g->q + el->q, *de = g->v + el->v, *dde = g->a + el->v;
    const double w = r->w, swing = r->alpha + w * w;
    gather(g, el, r);
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
