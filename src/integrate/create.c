/* Creation: options are checked, defaults filled in, memory taken. */
#include <math.h>
#include <stdlib.h>

#include "integrate/method.h"

static const zvMark nowhere = {0};

static const zvIntegrationMethod *choose_method(const char *name, zvError *error) {
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    if (!name) return rows;
    const zvIntegrationMethod *row = zv_integration_method_find(name);
    if (row) return row;
    if (zi_method_is_absent(name)) {
        zv_fail(
            error, ZV_NOT_SUPPORTED, nowhere, name,
            "%s needs SUNDIALS, which this build lacks; choose rk4, euler or newmark, or build with ZVENO_SUNDIALS=ON",
            name);
        return NULL;
    }
    const char *names[16];
    for (size_t i = 0; i < count && i < 16; i++) names[i] = rows[i].name;
    const char *meant = zv_nearest_name(name, names, count);
    if (meant) {
        zv_fail(error, ZV_NAME, nowhere, name, "no integration method \"%.40s\"; did you mean %s?", name, meant);
    } else {
        zv_fail(error, ZV_NAME, nowhere, name, "no integration method \"%.40s\" in this build; there are %s", name,
                count == 4 ? "rk4, euler, newmark, generalized-alpha"
                           : "adams, bdf, erk, dirk, rk4, euler, newmark, generalized-alpha");
    }
    return NULL;
}

static zvStatus bad_number(zvError *error, const char *what, double value, const char *wanted) {
    return zv_fail(error, ZV_NUMBER, nowhere, what, "%s = %g: %s", what, value, wanted);
}

static zvStatus check_tolerances(const zvIntegrationOptions *o, int size, zvError *error) {
    if (!(o->rtol > 0 && o->rtol < 1)) return bad_number(error, "rtol", o->rtol, "must lie between 0 and 1");
    if (!(o->atol >= 0 && isfinite(o->atol))) return bad_number(error, "atol", o->atol, "must not be negative");
    for (int i = 0; o->scale && i < size; i++) {
        if (!(o->scale[i] >= 0 && isfinite(o->scale[i]))) {
            return bad_number(error, "scale", o->scale[i], "factors of atol must not be negative");
        }
    }
    return ZV_OK;
}

static zvStatus check_sizes(const zvOde *ode, zvError *error) {
    if (ode->size < 0) return zv_fail(error, ZV_SIZE, nowhere, "size", "a system of %d unknowns", ode->size);
    if (ode->quadratures >= 0 && ode->quadratures <= ode->size) return ZV_OK;
    return zv_fail(error, ZV_SIZE, nowhere, "quadratures", "%d quadratures among %d unknowns", ode->quadratures,
                   ode->size);
}

static zvStatus check_options(const zvIntegrationMethod *m, const zvIntegrationOptions *o, int size, zvError *error) {
    if (o->order != 0 && (o->order < m->least_order || o->order > m->greatest_order)) {
        return m->least_order == m->greatest_order
                   ? zv_fail(error, ZV_NUMBER, nowhere, "order", "%s has order %d only, not %d", m->name,
                             m->least_order, o->order)
                   : zv_fail(error, ZV_NUMBER, nowhere, "order", "%s has orders %d to %d, not %d", m->name,
                             m->least_order, m->greatest_order, o->order);
    }
    if (!(o->step >= 0 && isfinite(o->step))) return bad_number(error, "step", o->step, "must be positive");
    if (!(o->max_step >= 0)) return bad_number(error, "max_step", o->max_step, "must be positive, or 0 for none");
    if (o->max_steps < 0) {
        return bad_number(error, "max_steps", (double)o->max_steps, "must be positive, or 0 for none");
    }
    return zv_integration_is_fixed(o) ? ZV_OK : check_tolerances(o, size, error);
}

static int take_arrays(zvIntegrator *in, const double *scale, double atol) {
    size_t bytes = (size_t)in->size * sizeof(double);
    in->y = zi_arena_alloc(&in->arena, bytes);
    in->y_from = zi_arena_alloc(&in->arena, bytes);
    in->atol = zi_arena_alloc(&in->arena, bytes);
    if (!in->y || !in->y_from || !in->atol || !zi_events_create(in) || !zi_advice_create(in)) return 0;
    for (int i = 0; i < in->size; i++) in->atol[i] = in->ode.size == 0 ? 1 : scale ? atol * scale[i] : atol;
    return 1;
}

zvIntegrator *zv_integrator_create(const zvOde *ode, const zvIntegrationOptions *o, zvError *error) {
    const zvIntegrationMethod *method = choose_method(o->method, error);
    if (!method || check_sizes(ode, error) < 0 || check_options(method, o, ode->size, error) < 0) return NULL;
    zvIntegrator *in = calloc(1, sizeof *in);
    if (!in) {
        zv_fail(error, ZV_MEMORY, nowhere, "", "out of memory for an integrator");
        return NULL;
    }
    in->method = method;
    in->stepper = zi_stepper_of(method);
    in->ode = *ode;
    in->size = ode->size > 0 ? ode->size : 1;
    in->order = o->order ? o->order : method->usual_order;
    in->rtol = o->rtol;
    in->step = o->step > 0 || !zv_integration_is_fixed(o) ? o->step : 1e-3;
    in->structural = o->structural ? *o->structural : zv_structural_default();
    in->max_step = isfinite(o->max_step) ? o->max_step : 0;
    in->max_steps = o->max_steps;
    zvStatus status = ZV_OK;
    if (!take_arrays(in, o->scale, o->atol)) {
        status = zv_fail(error, ZV_MEMORY, nowhere, "", "out of memory for %d unknowns", ode->size);
    } else {
        status = in->stepper->create(in, error);
    }
    if (status >= 0) return in;
    zv_integrator_destroy(in);
    return NULL;
}

void zv_integrator_destroy(zvIntegrator *in) {
    if (!in) return;
    in->stepper->destroy(in);
    zi_arena_free(&in->arena);
    free(in);
}
