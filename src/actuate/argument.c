/* Checks of what elements are given. Texts name the element, what is wrong and what to do. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "actuate/element.h"

static zvStatus refuse_number(const ziElement *e, const char *what, double value, const char *remedy, zvError *error) {
    char token[32];
    snprintf(token, sizeof token, "%g", value);
    if (!e->label)
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, token, "%s of %s \"%s\" is %s; %s", what, e->kind->word, e->name,
                       token, remedy);
    return zv_fail(error, ZV_NUMBER, (zvMark){0}, token, "%s of %s \"%s\" on \"%s\" is %s; %s", what, e->kind->word,
                   e->name, e->label, token, remedy);
}

zvStatus zi_check_finite(const ziElement *e, const char *what, double value, zvError *error) {
    return isfinite(value) ? ZV_OK : refuse_number(e, what, value, "give a finite number", error);
}

zvStatus zi_check_not_negative(const ziElement *e, const char *what, double value, zvError *error) {
    return isfinite(value) && value >= 0 ? ZV_OK : refuse_number(e, what, value, "give zero or more", error);
}

zvStatus zi_check_positive(const ziElement *e, const char *what, double value, zvError *error) {
    return isfinite(value) && value > 0 ? ZV_OK : refuse_number(e, what, value, "give more than zero", error);
}

zvStatus zi_check_law(const ziElement *e, const char *what, const zvLaw *law, int width, zvError *error) {
    if (!law)
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, e->name, "%s \"%s\" has no %s; give one", e->kind->word, e->name,
                       what);
    if (width < 1)
        return zv_fail(error, ZV_SIZE, (zvMark){0}, e->name,
                       "%s \"%s\" acts on no degree of freedom; give at least one", e->kind->word, e->name);
    if (zv_law_width(law) == width) return ZV_OK;
    return zv_fail(error, ZV_SIZE, (zvMark){0}, e->name,
                   "law of wrong dimension: the %s of %s \"%s\" has %d %s, but %d %s needed", what, e->kind->word,
                   e->name, zv_law_width(law), zv_law_width(law) == 1 ? "entry" : "entries", width,
                   width == 1 ? "is" : "are");
}

zvStatus zi_check_coordinate(const zvDrives *d, const ziElement *e, int dof, zvError *error) {
    if (d->freedoms[dof].coordinate >= 0) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, d->freedoms[dof].label,
                   "%s \"%s\" needs a position of \"%s\", which is turned by a quaternion and has none; act on its "
                   "velocity or force instead",
                   e->kind->word, e->name, d->freedoms[dof].label);
}

zvStatus zi_keep_gains(zvDrives *d, const ziElement *e, const char *what, const double *gains, int count,
                       const double **kept, zvError *error) {
    double *copy = zi_arena_alloc(&d->arena, (size_t)count * sizeof *copy); /* zeroed */
    if (!copy) return zv_fail(error, ZV_MEMORY, (zvMark){0}, e->name, "out of memory while adding a %s", e->kind->word);
    *kept = copy;
    for (int k = 0; gains && k < count; k++) {
        zvStatus status = zi_check_finite(e, what, gains[k], error);
        if (status < 0) return status;
        copy[k] = gains[k];
    }
    return ZV_OK;
}

zvStatus zi_keep_limits(zvDrives *d, const ziElement *e, const double *limit, const double **kept, zvError *error) {
    double *copy = zi_arena_alloc(&d->arena, (size_t)e->count * sizeof *copy);
    if (!copy) return zv_fail(error, ZV_MEMORY, (zvMark){0}, e->name, "out of memory while adding a %s", e->kind->word);
    *kept = copy;
    for (int k = 0; k < e->count; k++) {
        copy[k] = limit ? limit[k] : INFINITY;
        if (!(copy[k] > 0))
            return zv_fail(error, ZV_NUMBER, (zvMark){0}, e->name,
                           "limit of %s \"%s\" for \"%s\" is %g; give the greatest force, more than zero",
                           e->kind->word, e->name, d->freedoms[e->dofs[k]].label, copy[k]);
    }
    return ZV_OK;
}
