/* What the writers of URDF and MJCF share (write_xml.h). */
#include "read/write_xml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/axis.h"
#include "model/check.h"
#include "model/elastic.h"
#include "model/joint_type.h"

static void fail_memory(ziXmlWriter *w) {
    if (w->out.status >= 0)
        w->out.status = zv_fail(w->out.error, ZV_MEMORY, (zvMark){0}, "", "out of memory while writing the robot");
}

static void take_name(ziXmlWriter *w, ziNames *taken, const char *name) {
    if (zi_names_add(taken, name, 0) < 0) fail_memory(w);
}

/* All that is named in the description keeps its name. */
static void take_names(ziXmlWriter *w) {
    const zvBuilder *b = w->builder;
    for (size_t i = 0; i < b->nlink; i++) take_name(w, &w->links, b->links[i].name);
    for (size_t i = 0; i < b->nframe; i++) take_name(w, &w->links, b->frames[i].name);
    for (size_t i = 0; i < b->njoint; i++) take_name(w, &w->joints, b->joints[i].name);
    for (size_t i = 0; i < b->nloop; i++) take_name(w, &w->joints, b->loops[i].name);
}

/* Lists of the shapes of each link, in their order. */
static void list_shapes(ziXmlWriter *w) {
    const zvBuilder *b = w->builder;
    w->first_shape = zi_xml_keep(w, (b->nlink + 1) * sizeof *w->first_shape);
    w->next_shape = zi_xml_keep(w, (b->nshape + 1) * sizeof *w->next_shape);
    if (!w->first_shape || !w->next_shape) return;
    for (size_t i = 0; i < b->nlink; i++) w->first_shape[i] = -1;
    for (int i = (int)b->nshape - 1; i >= 0; i--) {
        const int link = zi_names_find(&b->link_names, b->shapes[i].link);
        if (link < 0) continue;
        w->next_shape[i] = w->first_shape[link];
        w->first_shape[link] = i;
    }
}

/* A description that freezing would refuse has no tree to write. */
zvStatus zi_xml_writer_begin(ziXmlWriter *w, const char *format, const zvBuilder *builder, zvTextSink sink,
                             void *context, zvLossSink lost, void *lost_context, zvError *error) {
    *w = (ziXmlWriter){.builder = builder, .lost = lost, .lost_context = lost_context, .format = format};
    zi_emit_begin(&w->out, sink, context, error);
    if (!zi_order_make(builder, &w->order))
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while writing the robot");
    const zvStatus status = zi_first_fatal(builder, &w->order, error);
    if (status < 0) {
        zi_order_free(&w->order);
        return status;
    }
    take_names(w);
    list_shapes(w);
    return w->out.status < 0 ? zi_xml_writer_end(w) : ZV_OK;
}

zvStatus zi_xml_writer_end(ziXmlWriter *w) {
    const zvStatus status = zi_emit_end(&w->out);
    zi_names_free(&w->links);
    zi_names_free(&w->joints);
    zi_arena_free(&w->texts);
    zi_order_free(&w->order);
    return status;
}

/* Elements and attributes ------------------------------------------------------------------------- */

static void close_start(ziXmlWriter *w) {
    if (w->open) zi_emit_raw(&w->out, ">");
    w->open = false;
}

static void begin_line(ziXmlWriter *w) {
    zi_emit_raw(&w->out, "\n");
    for (int i = 0; i < w->depth; i++) zi_emit_raw(&w->out, "  ");
}

void zi_xml_start(ziXmlWriter *w, const char *element) {
    close_start(w);
    begin_line(w);
    zi_emit_raw(&w->out, "<");
    zi_emit_raw(&w->out, element);
    w->open = true;
    w->depth++;
}

/* <element/> where nothing stands in it. */
void zi_xml_end(ziXmlWriter *w, const char *element) {
    w->depth--;
    if (w->open) {
        zi_emit_raw(&w->out, "/>");
    } else {
        begin_line(w);
        zi_emit_raw(&w->out, "</");
        zi_emit_raw(&w->out, element);
        zi_emit_raw(&w->out, ">");
    }
    w->open = false;
}

/* Characters that mean something in XML are written by name; control characters cannot be written at all. */
static void put_escaped(ziXmlWriter *w, const char *text) {
    char one[2] = {0};
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 && w->out.status >= 0)
            w->out.status = zv_fail(w->out.error, ZV_NAME, w->out.mark, text,
                                    "a text of %s \"%.60s\" has a control character, which XML cannot have; rename it",
                                    w->out.kind, w->out.name);
        one[0] = *c;
        zi_emit_raw(&w->out, *c == '&'   ? "&amp;"
                             : *c == '<' ? "&lt;"
                             : *c == '>' ? "&gt;"
                             : *c == '"' ? "&quot;"
                                         : one);
    }
}

static void begin_attribute(ziXmlWriter *w, const char *attribute) {
    zi_emit_raw(&w->out, " ");
    zi_emit_raw(&w->out, attribute);
    zi_emit_raw(&w->out, "=\"");
}

void zi_xml_text(ziXmlWriter *w, const char *attribute, const char *text) {
    begin_attribute(w, attribute);
    put_escaped(w, text);
    zi_emit_raw(&w->out, "\"");
}

void zi_xml_values(ziXmlWriter *w, const char *attribute, const double *values, int count) {
    begin_attribute(w, attribute);
    for (int i = 0; i < count; i++) {
        if (i > 0) zi_emit_raw(&w->out, " ");
        zi_emit_digits(&w->out, values[i]);
    }
    zi_emit_raw(&w->out, "\"");
}

void zi_xml_value(ziXmlWriter *w, const char *attribute, double value) { zi_xml_values(w, attribute, &value, 1); }

void zi_xml_nonzero(ziXmlWriter *w, const char *attribute, double value) {
    if (value != 0) zi_xml_value(w, attribute, value);
}

void zi_xml_content(ziXmlWriter *w, double value) {
    close_start(w);
    begin_line(w);
    zi_emit_digits(&w->out, value);
}

void zi_xml_one(ziXmlWriter *w, const char *element, const char *attribute, const char *text) {
    zi_xml_start(w, element);
    zi_xml_text(w, attribute, text);
    zi_xml_end(w, element);
}

/* Names, losses ------------------------------------------------------------------------------------- */

void *zi_xml_keep(ziXmlWriter *w, size_t size) {
    void *memory = zi_arena_alloc(&w->texts, size);
    if (!memory) fail_memory(w);
    return memory;
}

/* "NAME_PART", "NAME_PART_2" ...; without a part "NAME", "NAME_2" ... */
const char *zi_xml_name(ziXmlWriter *w, ziNames *taken, const char *name, const char *part) {
    const size_t size = strlen(name) + strlen(part) + 32;
    char *text = zi_xml_keep(w, size);
    if (!text) return "";
    snprintf(text, size, "%s%s%s", name, *part ? "_" : "", part);
    for (int n = 2; zi_names_find(taken, text) >= 0; n++)
        snprintf(text, size, "%s%s%s_%d", name, *part ? "_" : "", part, n);
    if (zi_names_add(taken, text, 0) < 0) fail_memory(w);
    return text;
}

/* About the element that is being written. */
void zi_xml_lost(ziXmlWriter *w, bool dynamics, const char *what, const char *why, const char *repair) {
    const zvRemark loss = {dynamics ? ZV_SEVERITY_WARNING : ZV_SEVERITY_NOTE,
                           ZV_NOT_SUPPORTED,
                           "not-written",
                           w->out.kind,
                           w->out.name,
                           what,
                           why,
                           repair,
                           w->out.mark};
    if (w->lost) w->lost(w->lost_context, &loss);
}

void zi_xml_refuse(ziXmlWriter *w, const char *token, const char *why) {
    if (w->out.status < 0) return;
    w->out.status = zv_fail(w->out.error, ZV_NOT_SUPPORTED, w->out.mark, token,
                            "%s \"%.60s\" cannot be written as %s: %s; write the native format, or change it",
                            w->out.kind, w->out.name, w->format, why);
}

/* Joints and links ---------------------------------------------------------------------------------- */

static ziJointPart part_of(ziXmlWriter *w, const zvJoint *joint, bool slides, const double axis[3], int dof) {
    const char *word = zi_joint_types[joint->type].v_parts[dof];
    ziJointPart part = {.slides = slides, .dof = &joint->dof[dof]};
    part.name = word ? zi_xml_name(w, &w->joints, joint->name, word) : joint->name;
    memcpy(part.axis, axis, sizeof part.axis);
    return part;
}

/* The screw's advance follows its angle. */
static ziJointPart advance_of(ziXmlWriter *w, const zvJoint *joint) {
    ziJointPart part = {.name = zi_xml_name(w, &w->joints, joint->name, "advance"), .slides = true};
    memcpy(part.axis, joint->axis, sizeof part.axis);
    return part;
}

/* Slides and turns in the order of the freedoms. */
int zi_joint_parts(ziXmlWriter *w, const zvJoint *joint, ziJointPart parts[3]) {
    double Q[9], columns[3][3];
    switch (joint->type) {
    case ZV_JOINT_REVOLUTE:
    case ZV_JOINT_CONTINUOUS: parts[0] = part_of(w, joint, false, joint->axis, 0); return 1;
    case ZV_JOINT_PRISMATIC: parts[0] = part_of(w, joint, true, joint->axis, 0); return 1;
    case ZV_JOINT_HELICAL:
        parts[0] = part_of(w, joint, false, joint->axis, 0);
        parts[1] = advance_of(w, joint);
        return 2;
    case ZV_JOINT_CYLINDRICAL:
        parts[0] = part_of(w, joint, true, joint->axis, 0);
        parts[1] = part_of(w, joint, false, joint->axis, 1);
        return 2;
    case ZV_JOINT_UNIVERSAL:
        parts[0] = part_of(w, joint, false, joint->axis, 0);
        parts[1] = part_of(w, joint, false, joint->axis2, 1);
        return 2;
    case ZV_JOINT_PLANAR:
        zi_axis_frame(joint->axis, Q);
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++) columns[k][i] = Q[3 * i + k];
            parts[k] = part_of(w, joint, k < 2, columns[k], k);
        }
        return 3;
    case ZV_JOINT_CURVE:
        if (joint->curve.kind == ZV_CURVE_LINE) {
            parts[0] = part_of(w, joint, true, joint->curve.direction, 0);
            return 1;
        }
        zi_xml_refuse(w, "curve", "it has no joint along a curve");
        return 0;
    default: return 0;
    }
}

static bool same(double a, double b) { return a == b; }

/* The first freedom's numbers where all have them. */
zvDof zi_joint_common(ziXmlWriter *w, const zvJoint *joint, int count) {
    zvDof dof = joint->dof[0];
    bool all = true, at_zero = true;
    for (int k = 0; k < count; k++) {
        const zvDof *d = &joint->dof[k];
        all = all && same(d->damping, dof.damping) && same(d->friction, dof.friction) &&
              same(d->armature, dof.armature) && same(d->stiffness, dof.stiffness);
        at_zero = at_zero && (d->rest == 0 || d->stiffness == 0);
    }
    dof.rest = 0;
    if (!all) {
        zi_xml_lost(w, true, "dofs", "its freedoms have different numbers; all get those of the first",
                    "keep the native file");
    }
    if (!at_zero) zi_xml_lost(w, true, "rest", "its springs rest at another pose than q = 0", "keep the native file");
    return dof;
}

void zi_joint_losses(ziXmlWriter *w, const zvJoint *joint) {
    if (joint->flexible)
        zi_xml_lost(w, true, "flexible", "its gear is rigid there: motor and spring are left out",
                    "keep the native file for simulations");
    if (joint->stiffness_matrix || joint->damping_matrix)
        zi_xml_lost(w, true, "matrix", "its matrices of stiffness and damping are left out", "keep the native file");
}

void zi_loop_losses(ziXmlWriter *w, const zvLoop *loop) {
    bool any = loop->stiffness_matrix || loop->damping_matrix;
    for (int k = 0; k < zv_joint_type_nv(loop->type); k++)
        any = any || loop->dof[k].damping != 0 || loop->dof[k].stiffness != 0;
    if (any) zi_xml_lost(w, true, "forces", "its springs and dampers are left out", "keep the native file");
}

zvInertia zi_link_rigid(ziXmlWriter *w, const zvLink *link) {
    if (zi_link_modes(link) > 0)
        zi_xml_lost(w, true, "elastic", "the link is rigid there, as it is undeformed", "keep the native file");
    return zi_link_inertia(link);
}
