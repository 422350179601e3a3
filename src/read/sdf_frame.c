/* Values and poses of SDF: texts of elements, and frames by name. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/sdf.h"

static const char blanks[] = " \t\r\n";
static const double pi = 3.14159265358979323846;

zvStatus zi_sdf_numbers(const ziSdf *s, const ziXmlElement *element, int least, int most, double *values, int *count) {
    char advice[64];
    snprintf(advice, sizeof advice, "write %d number%s between the tags", least, least == 1 ? "" : "s");
    const ziXmlCount wanted = {least, most, advice};
    const ziXmlAttribute text = {.name = element->name, .value = element->text, element->text_mark, element->text_mark};
    return zi_xml_numbers(element, &text, &wanted, values, count, s->u.error);
}

zvStatus zi_sdf_number(const ziSdf *s, const ziXmlElement *parent, const char *child, double *value) {
    const ziXmlElement *e = parent ? zi_urdf_first(parent, child) : NULL;
    return e ? zi_sdf_numbers(s, e, 1, 1, value, NULL) : ZV_OK;
}

const char *zi_sdf_text(ziSdf *s, const ziXmlElement *parent, const char *child) {
    const ziXmlElement *e = parent ? zi_urdf_first(parent, child) : NULL;
    return e ? zi_sdf_own_text(s, e) : NULL;
}

const char *zi_sdf_own_text(ziSdf *s, const ziXmlElement *e) {
    const char *text = e->text + strspn(e->text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1])) length--;
    char *copy = zi_arena_alloc(&s->arena, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

/* Six numbers with roll, pitch and yaw, or seven with a quaternion x y z w. */
zvStatus zi_sdf_pose(ziSdf *s, const ziXmlElement *parent, zvPose *pose, const char **relative) {
    const ziXmlElement *e = zi_urdf_first(parent, "pose");
    double n[7] = {0};
    int count = 0;
    *pose = zv_pose_identity();
    *relative = NULL;
    if (!e) return ZV_OK;
    const ziXmlAttribute *to = zi_xml_attribute(e, "relative_to"), *form = zi_xml_attribute(e, "rotation_format");
    const ziXmlAttribute *degrees = zi_xml_attribute(e, "degrees"), *old = zi_xml_attribute(e, "frame");
    if (!to) to = old;
    if (to && to->value[0]) *relative = to->value;
    if (e->text[strspn(e->text, blanks)] == '\0') return ZV_OK;
    const bool quaternion = form && strcmp(form->value, "quat_xyzw") == 0;
    zvStatus status = zi_sdf_numbers(s, e, quaternion ? 7 : 6, quaternion ? 7 : 6, n, &count);
    if (status != ZV_OK) return status;
    if (quaternion) {
        double length = 0;
        for (int i = 3; i < 7; i++) length += n[i] * n[i];
        if (!(length > 0))
            return zv_fail(s->u.error, ZV_NUMBER, e->text_mark, "pose",
                           "<pose>: expected a quaternion x y z w, found zeros; write 0 0 0 1");
        memcpy(pose->p, n, sizeof pose->p);
        const double w = n[6], wxyz[4] = {w, n[3], n[4], n[5]};
        double unit[4];
        for (int i = 0; i < 4; i++) unit[i] = wxyz[(i + 1) % 4] / sqrt(length);
        zi_quaternion_rotation(unit, pose->R);
        return ZV_OK;
    }
    if (degrees && strcmp(degrees->value, "true") == 0)
        for (int i = 3; i < 6; i++) n[i] *= pi / 180;
    *pose = zv_pose_from_rpy(n, n + 3);
    return ZV_OK;
}

/* Frames by name ------------------------------------------------------------------------------------ */

static zvStatus refuse_name(ziSdf *s, const ziXmlElement *element, const char *name) {
    const char *known[256];
    size_t count = 0;
    for (size_t i = 0; i < s->count && count < 256; i++) known[count++] = s->frames[i].name;
    const char *near = zv_nearest_name(name, known, count);
    return zv_fail(s->u.error, ZV_NAME, element->mark, name,
                   "<%s>: expected a link, joint, frame or model of its model, found \"%.60s\"%s%.60s%s", element->name,
                   name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

zvStatus zi_sdf_find(ziSdf *s, const ziXmlElement *element, int from, const char *name, int *frame) {
    char full[1024];
    if (strcmp(name, "world") == 0 || strcmp(name, "__root__") == 0) return *frame = 0, ZV_OK;
    if (strcmp(name, "__model__") == 0) return *frame = s->frames[from].model, ZV_OK;
    if (snprintf(full, sizeof full, "%s%s", s->frames[from].scope, name) >= (int)sizeof full)
        return refuse_name(s, element, name);
    const int found = zi_names_find(&s->names, full);
    *frame = found >= 0 ? found : 0;
    return found >= 0 ? ZV_OK : refuse_name(s, element, name);
}

/* What a frame stands in: by name, else the usual one; of joints the child, of frames what they are attached to. */
static zvStatus base_of(ziSdf *s, int index, int *base) {
    const ziSdfFrame *f = &s->frames[index];
    if (f->relative) return zi_sdf_find(s, f->element, index, f->relative, base);
    *base = f->usual;
    if (f->kind == ZI_SDF_FRAME) {
        const ziXmlAttribute *attached = zi_xml_attribute(f->element, "attached_to");
        if (attached && attached->value[0]) return zi_sdf_find(s, f->element, index, attached->value, base);
        if (*base < 0) *base = f->model;
    }
    if (f->kind != ZI_SDF_JOINT) return ZV_OK;
    const char *child = zi_sdf_text(s, f->element, "child");
    return zi_sdf_find(s, f->element, index, child ? child : "", base);
}

enum { LONGEST = 1000 }; /* of poses relative to each other */

/* Up to a frame that is known; a second visit on the way is a ring. */
static zvStatus resolve_at(ziSdf *s, int index, int depth) {
    int base = 0;
    if (s->frames[index].state == 2) return ZV_OK;
    if (s->frames[index].state == 1 || depth == LONGEST)
        return zv_fail(s->u.error, ZV_TOPOLOGY, s->frames[index].element->mark, s->frames[index].name,
                       "<%s>: expected a pose that leads to the world, found that of \"%.60s\" relative to itself%s",
                       s->frames[index].element->name, s->frames[index].name,
                       s->frames[index].state == 1 ? " through others" : ", or too many of them");
    s->frames[index].state = 1;
    zvStatus status = base_of(s, index, &base);
    if (status == ZV_OK) status = resolve_at(s, base, depth + 1);
    if (status != ZV_OK) return status;
    s->frames[index].base = base;
    s->frames[index].level = s->frames[base].level + 1;
    s->frames[index].world = zv_pose_compose(&s->frames[base].world, &s->frames[index].raw);
    s->frames[index].state = 2;
    return ZV_OK;
}

zvStatus zi_sdf_resolve(ziSdf *s, int frame) { return resolve_at(s, frame, 0); }

/* Pose of a frame in a model that holds it, along what poses are relative to. */
static zvStatus pose_in_model(ziSdf *s, int frame, int model, zvPose *pose) {
    *pose = zv_pose_identity();
    zvStatus status = ZV_OK;
    int at = frame;
    for (int steps = 0; at != model && at != 0 && steps < LONGEST && status == ZV_OK; steps++) {
        *pose = zv_pose_compose(&s->frames[at].raw, pose);
        status = base_of(s, at, &at);
    }
    if (status != ZV_OK || at == model) return status;
    return zv_fail(s->u.error, ZV_TOPOLOGY, s->frames[frame].element->mark, s->frames[frame].name,
                   "placement_frame: expected a frame whose pose leads to its model, found \"%.60s\"",
                   s->frames[frame].name);
}

/* A name within a model, as what stands in it says it. */
static zvStatus find_within(ziSdf *s, int model, const char *name, int *frame) {
    for (size_t i = (size_t)model + 1; i < s->count; i++) {
        const ziSdfFrame *f = &s->frames[i];
        if (f->model == model && strcmp(f->name + strlen(f->scope), name) == 0) return *frame = (int)i, ZV_OK;
    }
    return refuse_name(s, s->frames[model].element, name);
}

/* The inner ones first: what is written is the pose of a frame, from now on it is that of the model. */
zvStatus zi_sdf_place_models(ziSdf *s) {
    zvStatus status = ZV_OK;
    for (size_t i = s->count; i-- > 1 && status == ZV_OK;) {
        int frame = 0;
        zvPose pose;
        if (s->frames[i].kind != ZI_SDF_MODEL || !s->frames[i].placed || !*s->frames[i].placed) continue;
        status = find_within(s, (int)i, s->frames[i].placed, &frame);
        if (status == ZV_OK) status = pose_in_model(s, frame, (int)i, &pose);
        if (status != ZV_OK) return status;
        pose = zi_pose_inverse(&pose);
        s->frames[i].raw = zv_pose_compose(&s->frames[i].raw, &pose);
    }
    return status;
}

/* The first link of a model and of those in it, or the one that it names. */
static int first_link(ziSdf *s, int model) {
    ziSdfFrame *m = &s->frames[model];
    const ziXmlAttribute *named = zi_xml_attribute(m->element, "canonical_link");
    const char *canonical = named && named->value[0] ? named->value : NULL;
    if (m->first >= 0) return m->first;
    m->first = 0;
    for (size_t i = (size_t)model + 1; i < s->count && m->first == 0; i++) {
        int above = s->frames[i].model;
        if (s->frames[i].kind != ZI_SDF_LINK) continue;
        if (canonical && (above != model || strcmp(s->frames[i].name + strlen(s->frames[i].scope), canonical) != 0))
            continue;
        while (above > model) above = s->frames[above].model;
        if (above == model) m->first = (int)i;
    }
    return m->first;
}

/* Through frames and what they are attached to. */
zvStatus zi_sdf_link_of(ziSdf *s, int frame, int *link) {
    zvStatus status = ZV_OK;
    int at = frame;
    for (int steps = 0; steps < LONGEST && status == ZV_OK; steps++) {
        const ziSdfFrame *f = &s->frames[at];
        if (f->kind == ZI_SDF_LINK || f->kind == ZI_SDF_WORLD) return *link = at, ZV_OK;
        if (f->kind == ZI_SDF_MODEL) return *link = first_link(s, at), ZV_OK;
        const ziXmlAttribute *attached = f->kind == ZI_SDF_FRAME ? zi_xml_attribute(f->element, "attached_to") : NULL;
        const char *name = attached && attached->value[0] ? attached->value
                           : f->kind == ZI_SDF_JOINT      ? zi_sdf_text(s, f->element, "child")
                                                          : "__model__";
        status = zi_sdf_find(s, f->element, at, name ? name : "", &at);
    }
    if (status != ZV_OK) return status;
    return zv_fail(s->u.error, ZV_TOPOLOGY, s->frames[frame].element->mark, s->frames[frame].name,
                   "expected a frame that is attached to a link in the end, found \"%.60s\" attached to itself",
                   s->frames[frame].name);
}

/* Through the nearest frame that both stand in: what is written relative to the other one is taken as it is written. */
zvPose zi_sdf_between(const ziSdf *s, int outer, int inner) {
    zvPose a = zv_pose_identity(), b = zv_pose_identity();
    int from = outer, to = inner;
    while (from != to) {
        const bool first = s->frames[from].level >= s->frames[to].level;
        const ziSdfFrame *f = &s->frames[first ? from : to];
        zvPose *chain = first ? &a : &b;
        *chain = zv_pose_compose(&f->raw, chain);
        *(first ? &from : &to) = f->base;
    }
    if (from == outer) return b;
    const zvPose back = zi_pose_inverse(&a);
    return zv_pose_compose(&back, &b);
}

zvStatus zi_sdf_pose_in(ziSdf *s, const ziXmlElement *element, int link, zvPose *pose) {
    const char *relative;
    int base = link;
    zvStatus status = zi_sdf_pose(s, element, pose, &relative);
    if (status == ZV_OK && relative) status = zi_sdf_find(s, element, link, relative, &base);
    if (status == ZV_OK) status = zi_sdf_resolve(s, base);
    if (status != ZV_OK || base == link) return status;
    const zvPose between = zi_sdf_between(s, link, base);
    *pose = zv_pose_compose(&between, pose);
    return ZV_OK;
}
