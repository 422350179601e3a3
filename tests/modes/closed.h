/* A model of closed loops from a text, and its modes about an equilibrium. */
#ifndef ZV_TESTS_MODES_CLOSED_H
#define ZV_TESTS_MODES_CLOSED_H

#include "modes/stand.h"
#include "simulate/runs.h"
#include "zveno/loops.h"

typedef struct Closed {
    zvScenario *scenario;
    const zvModel *model;
    zvWork *work;
    int nq, nv, count;
    double q[64], shapes[64 * 64];
    zvMode modes[64];
} Closed;

static inline Closed closed_of(const char *model) {
    Closed c = {.scenario = scenario_of("{zveno_scenario: 1, duration: 1, model: %s}", model)};
    zvError error = {0};
    c.model = zv_scenario_model(c.scenario);
    c.work = zv_work_create(c.model, &error);
    c.nq = zv_model_nq(c.model);
    c.nv = zv_model_nv(c.model);
    assert_true(c.work && c.nv <= 64);
    zv_neutral(c.model, c.q);
    return c;
}

static inline void closed_free(Closed *c) {
    zv_work_destroy(c->work);
    zv_scenario_destroy(c->scenario);
}

static inline void settle(Closed *c, zvRest *rest) {
    zvError error = {0};
    rest->q = c->q;
    if (zv_equilibrium(c->model, c->work, rest, 1, c->q, &error) < 0) fail_msg("%s", error.text);
    if (zv_modes(c->model, c->work, rest, c->modes, c->shapes, &c->count, &error) < 0) fail_msg("%s", error.text);
}

#endif
