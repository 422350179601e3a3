/* A plain march through time: Runge-Kutta steps of order 4 over (q, v, z, work of all accounts), events found by
 * bisecting the last step. For robots without quaternions. */
#ifndef ZV_TESTS_ACTUATE_MARCH_H
#define ZV_TESTS_ACTUATE_MARCH_H

#include <math.h>
#include <string.h>

#include "zveno/zveno.h"

enum { MARCH_MAX = 32, MARCH_MODES = 8 };

typedef struct March {
    const zvModel *model;
    const zvDrives *drives;
    zvWork *work;
    zvEfforts *efforts;
    int nv, nstate, nmode, size;
    double t, y[MARCH_MAX]; /* q, v, z, work */
    unsigned char modes[MARCH_MODES];
} March;

static inline double *march_q(March *m) { return m->y; }
static inline double *march_v(March *m) { return m->y + m->nv; }
static inline double *march_z(March *m) { return m->y + 2 * m->nv; }
static inline double march_work(const March *m) { return m->y[m->size - 1]; }

static inline March march_open(const zvModel *model, const zvDrives *drives, const double *q, const double *v,
                               bool equilibrium) {
    March m = {.model = model, .drives = drives, .nv = zv_model_nv(model), .nstate = zv_drives_nstate(drives)};
    m.nmode = zv_drives_nmode(drives);
    m.size = 2 * m.nv + m.nstate + 1;
    m.work = zv_work_create(model, NULL);
    m.efforts = zv_efforts_create(drives, NULL);
    memcpy(march_q(&m), q, (size_t)m.nv * sizeof *q);
    memcpy(march_v(&m), v, (size_t)m.nv * sizeof *v);
    zv_drives_initial(drives, m.efforts, m.work, q, v, equilibrium, march_z(&m));
    zv_drives_settle(drives, m.efforts, m.work, 0, march_q(&m), march_v(&m), march_z(&m), m.modes);
    return m;
}

static inline void march_close(March *m) {
    zv_efforts_destroy(m->efforts);
    zv_work_destroy(m->work);
}

/* Imposes what is prescribed on y, evaluates, and gives the rate of y; false when that fails. */
static inline bool march_rate(March *m, double t, double *y, double *dy) {
    double *q = y, *v = y + m->nv, *z = y + 2 * m->nv;
    zv_drives_impose(m->drives, m->efforts, t, m->modes, q, v);
    if (zv_drives_accelerate(m->drives, m->efforts, m->work, t, q, v, z, m->modes) < 0) return false;
    for (int i = 0; i < m->nv; i++) {
        dy[i] = v[i];
        dy[m->nv + i] = m->efforts->a[i];
    }
    for (int i = 0; i < m->nstate; i++) dy[2 * m->nv + i] = m->efforts->rate[i];
    double power = 0;
    for (int i = 0; i < zv_drives_naccount(m->drives); i++) power += m->efforts->power[i];
    dy[m->size - 1] = power;
    return true;
}

static inline bool march_step(March *m, double h, double *out) {
    double k[4][MARCH_MAX], y[MARCH_MAX];
    const double at[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < m->size; i++) y[i] = m->y[i] + (s ? at[s] * h * k[s - 1][i] : 0);
        if (!march_rate(m, m->t + at[s] * h, y, k[s])) return false;
    }
    for (int i = 0; i < m->size; i++) out[i] = m->y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    zv_drives_impose(m->drives, m->efforts, m->t + h, m->modes, out, out + m->nv);
    return true;
}

/* The event that has ended its mode at (t, y), or -1. */
static inline int march_event(March *m, double t, double *y) {
    double g[MARCH_MODES], dy[MARCH_MAX];
    if (m->nmode == 0 || !march_rate(m, t, y, dy)) return -1;
    zv_drives_events(m->drives, m->efforts, y + m->nv, m->modes, g);
    for (int i = 0; i < m->nmode; i++) {
        if (g[i] < 0) return i;
    }
    return -1;
}

/* One step of h, or up to the first event in it, which is located and carried out: *what tells it, else NULL. */
static inline bool march_on(March *m, double h, int *event, const char **what) {
    double y[MARCH_MAX];
    *what = NULL;
    if (!march_step(m, h, y)) return false;
    *event = march_event(m, m->t + h, y);
    if (*event >= 0) {
        double inside = 0, outside = h;
        for (int i = 0; i < 80 && inside < outside; i++) {
            double middle = 0.5 * (inside + outside);
            if (!march_step(m, middle, y)) return false;
            int now = march_event(m, m->t + middle, y);
            if (now >= 0) *event = now;
            *(now >= 0 ? &outside : &inside) = middle;
        }
        h = outside;
        if (!march_step(m, h, y)) return false;
    }
    memcpy(m->y, y, (size_t)m->size * sizeof *y);
    m->t += h;
    if (*event < 0) return true;
    return zv_drives_switch(m->drives, m->efforts, m->work, *event, m->t, march_q(m), march_v(m), march_z(m), m->modes,
                            what) >= 0;
}

/* Kinetic, potential and stored energy. */
static inline double march_energy(March *m) {
    double kinetic, potential, stored[MARCH_MAX];
    zv_energy(m->model, m->work, march_q(m), march_v(m), &kinetic, &potential);
    zv_drives_stored(m->drives, m->work, march_q(m), march_v(m), march_z(m), stored);
    double sum = kinetic + potential;
    for (int i = 0; i < zv_drives_nstore(m->drives); i++) sum += stored[i];
    return sum;
}

#endif
