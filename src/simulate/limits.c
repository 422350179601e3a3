/* Limits of the model's joints, looked at after every step: passing one is told, whatever the scenario makes of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "actuate/element.h"
#include "model/coordinate.h"
#include "simulate/run.h"

static const double touch = 1e-9; /* of the limit, and of 1 for positions: rounding is no passing */

/* The freedoms of a joint that have any limit. */
static void add_joint(ziLimits *l, const ziSystem *s, int joint) {
    const zvModel *model = s->model;
    const zvJoint *own = zv_model_joint(model, joint);
    const ziFollow law = zi_joint_follow(model, joint);
    const bool follows = zv_model_joint_place(model, joint).mimic >= 0;
    if (law.ratio == 0) return;
    for (int k = 0; k < zv_joint_type_nv(own->type); k++) {
        const zvDof *of = &own->dof[k];
        const int dof = law.dof + k;
        double bound = follows ? INFINITY : zi_drives_own_limit(s->drives, dof);
        if (of->effort > 0 && bound > of->effort) bound = INFINITY;
        if (!of->has_limits && !(of->velocity > 0) && !(of->effort > 0) && !isfinite(bound)) continue;
        l->list[l->count++] = (ziLimit){.joint = joint,
                                        .part = k,
                                        .dof = dof,
                                        .coordinate = s->coordinate[dof],
                                        .ratio = law.ratio,
                                        .offset = law.offset,
                                        .follows = follows,
                                        .own = bound};
        if ((!(of->effort > 0) && !isfinite(bound)) || follows || !zi_drives_act_on(s->drives, dof)) continue;
        l->efforts = true;
        l->solves |= zv_drives_prescribes(s->drives, dof);
    }
}

/* All joints with limits, followers by their own; false when out of memory. */
bool zi_limits_create(ziLimits *l, ziSystem *s) {
    size_t most = 0;
    *l = (ziLimits){0};
    for (int i = 0; i < zv_model_njoint(s->model); i++)
        most += (size_t)zv_joint_type_nv(zv_model_joint(s->model, i)->type);
    l->list = zi_arena_alloc(&s->arena, (most + 1) * sizeof *l->list);
    if (!l->list) return false;
    for (int i = 0; i < zv_model_njoint(s->model); i++) add_joint(l, s, i);
    return true;
}

static const zvDof *numbers_of(const ziSystem *s, const ziLimit *at) {
    return &zv_model_joint(s->model, at->joint)->dof[at->part];
}

/* How far q and v of y (or of the state shown) are beyond a limit; *value is what is compared, *limit with what. */
static double beyond(const ziSystem *s, const ziLimit *at, zvLimitKind kind, const double *q, const double *v,
                     double *value, double *limit) {
    const zvDof *of = numbers_of(s, at);
    *value = *limit = 0;
    if (kind == ZV_LIMIT_POSITION) {
        if (!of->has_limits || at->coordinate < 0) return 0;
        *value = at->ratio * q[at->coordinate] + at->offset;
        *limit = *value > of->upper ? of->upper : of->lower;
        return fmax(*value - of->upper, of->lower - *value) - touch * (1 + fabs(*limit));
    }
    if (kind == ZV_LIMIT_VELOCITY)
        *value = at->ratio * v[at->dof], *limit = of->velocity;
    else if (!at->follows) {
        *value = zv_efforts_demand(s->efforts, at->dof) + zi_efforts_cut(s->efforts, at->dof);
        *limit = isfinite(at->own) ? at->own : of->effort;
    }
    return *limit > 0 ? fabs(*value) - *limit * (1 + touch) : 0;
}

/* When, within the last step, it was passed: by halving, where the method looks inside its steps. */
static double first_time(ziRun *r, const ziLimit *at, zvLimitKind kind) {
    enum { HALVINGS = 40 };
    double value, limit, low, high = r->t;
    if (!r->integrator || kind == ZV_LIMIT_EFFORT || !zv_integrator_interpolates(r->integrator)) return r->t;
    low = zv_integrator_time_before(r->integrator);
    for (int i = 0; i < HALVINGS && low < high; i++) {
        const double middle = 0.5 * (low + high);
        zv_integrator_at(r->integrator, middle, r->inside);
        if (beyond(r->system, at, kind, r->inside, r->inside + r->system->at_v, &value, &limit) > 0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Efforts of prescribed motions follow from the dynamics, all others are known before. */
static bool find_efforts(ziRun *r) {
    ziSystem *s = r->system;
    if (!r->limits.efforts) return false;
    if (r->limits.solves) return zi_system_accelerate(s) >= 0;
    return zi_drives_push(s->drives, s->efforts, s->work, zi_system_clock(s, s->t), s->q, s->v, s->z, s->modes) >= 0;
}

/* Each kind of each limit; what was passed furthest stays. */
void zi_limits_look(ziRun *r) {
    ziSystem *s = r->system;
    if (r->limits.count == 0) return;
    const bool efforts = find_efforts(r);
    for (int i = 0; i < r->limits.count; i++) {
        ziLimit *at = &r->limits.list[i];
        for (int k = 0; k < ZI_LIMIT_KINDS; k++) {
            double value, limit;
            ziLimitPass *pass = &at->passes[k];
            if (k == ZV_LIMIT_EFFORT && !efforts) continue;
            const double excess = beyond(s, at, (zvLimitKind)k, s->q, s->v, &value, &limit);
            if (!(excess > 0)) continue;
            if (pass->excess == 0) pass->first = first_time(r, at, (zvLimitKind)k);
            if (excess > pass->excess) *pass = (ziLimitPass){pass->first, r->t, value, limit, excess};
        }
    }
}

/* Words ------------------------------------------------------------------------------------------------ */

static const char *limit_label(const ziSystem *s, const ziLimit *at, char *buffer, size_t size) {
    const zvJoint *joint = zv_model_joint(s->model, at->joint);
    const char *part = zv_joint_type_nv(joint->type) > 1 ? zv_joint_type_v_part(joint->type, at->part) : NULL;
    snprintf(buffer, size, "%.100s%s%s", joint->name, part ? "." : "", part ? part : "");
    return buffer;
}

/* One sentence: what was passed, by how much, when, and what holds it. */
static void limit_words(const ziSystem *s, const ziLimit *at, const zvLimitPass *p, char *text, size_t size) {
    const zvJointType type = zv_model_joint(s->model, at->joint)->type;
    static const zvQuantity quantities[] = {ZV_QUANTITY_POSITION, ZV_QUANTITY_VELOCITY, ZV_QUANTITY_FORCE};
    const char *unit = zv_joint_type_v_unit(type, at->part, quantities[p->kind]);
    char when[80];
    if (p->first < p->t)
        snprintf(when, sizeof when, "at t = %.6g s, first at t = %.6g s", p->t, p->first);
    else
        snprintf(when, sizeof when, "at t = %.6g s", p->t);
    const char *remedy =
        p->first > s->scenario->start ? "limits: stop would hold it there" : "the run starts beyond it";
    if (p->kind == ZV_LIMIT_POSITION)
        snprintf(text, size, "joint \"%s\" passed its %s limit %.6g %s by %.3g %s %s; %s", p->joint,
                 p->value > p->limit ? "upper" : "lower", p->limit, unit, p->excess, unit, when, remedy);
    else if (p->kind == ZV_LIMIT_VELOCITY)
        snprintf(text, size, "joint \"%s\" moved at %.6g %s, beyond its velocity limit of %.6g %s by %.3g %s %s",
                 p->joint, p->value, unit, p->limit, unit, p->excess, unit, when);
    else
        snprintf(text, size,
                 "the drives of joint \"%s\" asked for %.6g %s, beyond %s limit of %.6g %s by %.3g "
                 "%s %s; %s",
                 p->joint, p->value, unit, p->limit == numbers_of(s, at)->effort ? "its effort" : "their own", p->limit,
                 unit, p->excess, unit, when,
                 p->saturated ? "they were saturated" : "effort: saturate would limit them");
}

int zi_limits_passed(const ziRun *r) {
    int count = 0;
    for (int i = 0; i < r->limits.count; i++)
        for (int k = 0; k < ZI_LIMIT_KINDS; k++) count += r->limits.list[i].passes[k].excess > 0;
    return count;
}

/* Joints in model order; position, velocity, effort of each. */
bool zi_limits_list(const ziRun *r, ziArena *arena, zvLimitPass *list) {
    const ziSystem *s = r->system;
    for (int i = 0; i < r->limits.count; i++) {
        const ziLimit *at = &r->limits.list[i];
        for (int k = 0; k < ZI_LIMIT_KINDS; k++) {
            const ziLimitPass *pass = &at->passes[k];
            char label[160], text[400];
            if (!(pass->excess > 0)) continue;
            zvLimitPass *p = list++;
            *p = (zvLimitPass){.joint = zi_arena_text(arena, limit_label(s, at, label, sizeof label)),
                               .kind = (zvLimitKind)k,
                               .first = pass->first,
                               .t = pass->t,
                               .value = pass->value,
                               .limit = pass->limit,
                               .excess = fabs(pass->value - pass->limit)};
            if (k > ZV_LIMIT_POSITION) p->excess = fabs(pass->value) - pass->limit;
            p->saturated = k == ZV_LIMIT_EFFORT && (isfinite(at->own) || zi_drives_saturate_at(s->drives, at->dof));
            if (!p->joint) return false;
            limit_words(s, at, p, text, sizeof text);
            if (!(p->text = zi_arena_text(arena, text))) return false;
        }
    }
    return true;
}

const char *zv_limit_kind_word(zvLimitKind kind) {
    static const char *const words[] = {"position", "velocity", "effort"};
    return words[kind];
}
