/* Limit events: each limit of each joint named, those of coupled followers too, is an event of its own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/scenario_events.h"

/* A coordinate with limits: ratio q + offset of a freedom of the model; ratio 1, offset 0 but for followers. */
typedef struct Watched {
    int joint, part; /* the joint with the limits, and which of its freedoms */
    int dof;
    double ratio, offset;
} Watched;

typedef struct Watch {
    ziEventText *event;
    Watched *list;
    int count;
} Watch;

/* The freedoms of a joint, which may follow another that follows another. */
static void watch_joint(Watch *watch, int joint) {
    const zvModel *model = watch->event->reader->scenario->model;
    zvJointPlace place = zv_model_joint_place(model, joint);
    Watched w = {.joint = joint, .ratio = 1};
    while (place.mimic >= 0) {
        const zvJoint *j = zv_model_joint(model, joint);
        w.offset += w.ratio * j->offset;
        w.ratio *= j->ratio;
        joint = place.mimic;
        place = zv_model_joint_place(model, joint);
    }
    if (w.ratio == 0) return; /* it never moves */
    for (w.part = 0; w.part < place.nv; w.part++) {
        w.dof = place.v_index + w.part;
        watch->list[watch->count++] = w;
    }
}

static void watch_freedoms(Watch *watch, const ziFreedoms *freedoms) {
    const ziScenarioReader *reader = watch->event->reader;
    for (int i = 0; i < freedoms->count; i++) {
        const int dof = freedoms->dofs[i], joint = reader->owners[dof];
        const int part = dof - zv_model_joint_place(reader->scenario->model, joint).v_index;
        watch->list[watch->count++] = (Watched){joint, part, dof, 1, 0};
    }
}

/* The coupled follower that a node names, or -1. */
static int follower_of(const zvModel *model, const zvNode *node) {
    const int joint = node && node->kind == ZV_NODE_SCALAR ? zv_model_find_joint(model, node->text) : -1;
    return joint >= 0 && zv_model_joint_place(model, joint).mimic >= 0 ? joint : -1;
}

static zvStatus watch_named(Watch *watch, const zvNode *node) {
    ziScenarioReader *reader = watch->event->reader;
    const int follower = follower_of(reader->scenario->model, node), before = watch->count;
    ziFreedoms freedoms;
    if (follower >= 0) {
        watch_joint(watch, follower);
    } else {
        const char *name = NULL;
        zvStatus status = zv_node_text(node, "a joint", &name, reader->error);
        if (status >= 0) status = zi_scenario_freedom(reader, name, node->mark, "joint", &freedoms);
        if (status < 0) return status;
        for (int i = 0; i < freedoms.count; i++) { /* the list has room for each freedom once */
            for (int k = 0; k < before; k++)
                if (watch->list[k].dof == freedoms.dofs[i] && watch->list[k].joint == reader->owners[freedoms.dofs[i]])
                    return zv_fail(reader->error, ZV_NAME, node->mark, name,
                                   "joint \"%.60s\" is named twice; remove one", name);
        }
        watch_freedoms(watch, &freedoms);
        return ZV_OK;
    }
    for (int k = 0; k < before; k++)
        if (watch->list[k].joint == follower)
            return zv_fail(reader->error, ZV_NAME, node->mark, node->text, "joint \"%.60s\" is named twice; remove one",
                           node->text);
    return ZV_OK;
}

/* Lists without followers are read as those of drives are. */
static zvStatus fill_watch(Watch *watch) {
    ziScenarioReader *reader = watch->event->reader;
    const zvModel *model = reader->scenario->model;
    const ziElement *element = &watch->event->element;
    const zvNode *one = zv_node_get(element->node, "joint"), *list = zv_node_get(element->node, "joints");
    if (one && !list && follower_of(model, one) >= 0) return watch_named(watch, one);
    bool followers = false;
    for (int i = 0; list && list->kind == ZV_NODE_LIST && i < list->count; i++)
        followers = followers || follower_of(model, list->items[i]) >= 0;
    if (followers && !one) {
        zvStatus status = ZV_OK;
        for (int i = 0; status >= 0 && i < list->count; i++) status = watch_named(watch, list->items[i]);
        return status;
    }
    ziFreedoms freedoms;
    const zvStatus status = zi_scenario_freedoms(reader, element, false, &freedoms);
    if (status < 0) return status;
    watch_freedoms(watch, &freedoms);
    const bool all = list && list->kind == ZV_NODE_SCALAR;
    for (int i = 0; all && i < zv_model_njoint(model); i++)
        if (zv_model_joint_place(model, i).mimic >= 0) watch_joint(watch, i);
    return ZV_OK;
}

static const char *label_of(const ziScenarioReader *reader, const Watched *w, char *buffer, size_t size) {
    const zvJoint *joint = zv_model_joint(reader->scenario->model, w->joint);
    if (reader->owners[w->dof] == w->joint) return reader->v_labels[w->dof];
    const char *part = zv_joint_type_nv(joint->type) > 1 ? zv_joint_type_v_part(joint->type, w->part) : NULL;
    snprintf(buffer, size, "%.60s%s%s", joint->name, part ? "." : "", part ? part : "");
    return buffer;
}

static zvStatus add_limit(ziEventText *event, const Watched *w, int side, bool several) {
    static const char *const words[] = {"lower", "upper"};
    ziScenarioReader *reader = event->reader;
    const zvScenario *scenario = reader->scenario;
    const zvDof *limits = &zv_model_joint(scenario->model, w->joint)->dof[w->part];
    char text[100], name[200], why[200];
    const char *label = label_of(reader, w, text, sizeof text), *given = event->element.name;
    if (given && !several)
        snprintf(name, sizeof name, "%.100s %s", given, words[side > 0]);
    else
        snprintf(name, sizeof name, "%.80s %.80s %s", given ? given : "limit", label, words[side > 0]);
    ziEventSpec *spec = &event->spec;
    spec->q_index = reader->coordinates[w->dof];
    spec->v_index = w->dof;
    spec->side = side;
    spec->ratio = w->ratio;
    spec->offset = w->offset;
    spec->value = side > 0 ? limits->upper : limits->lower;
    const double at = w->ratio * scenario->q[spec->q_index] + w->offset, gap = side * (spec->value - at);
    const double near = ZI_EVENT_TOUCH * (1 + fabs(spec->value));
    /* one that touches at rest is judged by the forces, by the run */
    if (gap < -near || (gap <= near && side * w->ratio * scenario->v[w->dof] > 0)) {
        const zvNode *one = zv_node_get(event->element.node, "joint");
        snprintf(why, sizeof why, "joint \"%.60s\" begins at %g, and its %s limit is %g", label, at, words[side > 0],
                 spec->value);
        return zi_event_at_once(event, one ? one : event->element.node, name, why);
    }
    return zi_event_add(event, name);
}

static zvStatus no_limits(const ziEventText *event) {
    const zvNode *one = zv_node_get(event->element.node, "joint"), *list = zv_node_get(event->element.node, "joints");
    return zv_fail(event->reader->error, ZV_SCHEMA, (one ? one : list)->mark, one && one->text ? one->text : "joints",
                   "%s no limits in the model; add limits: {lower, upper} there, or watch it with type: threshold",
                   one ? "the joint has" : "these joints have");
}

zvStatus zi_event_limits(ziEventText *event) {
    ziScenarioReader *reader = event->reader;
    const zvModel *model = reader->scenario->model;
    size_t most = 0;
    for (int i = 0; i < zv_model_njoint(model); i++) most += (size_t)zv_joint_type_nv(zv_model_joint(model, i)->type);
    Watch watch = {.event = event, .list = zi_scenario_scratch(reader, most, sizeof *watch.list)};
    if (!watch.list) return ZV_MEMORY;
    zvStatus status = fill_watch(&watch);
    if (status < 0) return status;
    int found = 0;
    for (int i = 0; i < watch.count; i++) {
        const Watched *w = &watch.list[i];
        if (!zv_model_joint(model, w->joint)->dof[w->part].has_limits || reader->coordinates[w->dof] < 0) continue;
        found++;
        if ((status = add_limit(event, w, -1, watch.count > 1)) < 0) return status;
        if ((status = add_limit(event, w, +1, watch.count > 1)) < 0) return status;
    }
    return found ? ZV_OK : no_limits(event);
}
