/* Writer of loops (write_joints.h). Of a freedom a loop has damping and spring only. */
#include <string.h>

#include "read/write_joints.h"

static void put_places(ziEmitter *emitter, const zvLoop *loop) {
    zi_put_text(emitter, "parent", loop->parent);
    zi_put_text(emitter, "child", loop->child);
    zi_put_pose(emitter, "origin", &loop->origin);
    zi_put_pose(emitter, "child_origin", &loop->child_origin);
}

static void put_freedoms(ziEmitter *emitter, const zvLoop *loop) {
    zvDof dofs[ZV_MAX_DOF] = {0};
    for (int i = 0; i < zv_joint_type_nv(loop->type); i++) {
        const zvDof *dof = &loop->dof[i];
        dofs[i] = (zvDof){.damping = dof->damping, .stiffness = dof->stiffness, .rest = dof->rest};
    }
    zi_put_dofs(emitter, loop->type, dofs);
}

static void put_joint_loop(ziEmitter *emitter, const zvLoop *loop) {
    zvLoop plain = zv_loop_default(NULL, ZV_LOOP_JOINT, loop->type, NULL, NULL);
    zi_put_word(emitter, "type", zv_joint_type_word(loop->type));
    put_places(emitter, loop);
    if (memcmp(loop->axis, plain.axis, sizeof plain.axis) != 0) zi_put_numbers(emitter, "axis", loop->axis, 3);
    if (loop->type == ZV_JOINT_UNIVERSAL) zi_put_numbers(emitter, "axis2", loop->axis2, 3);
    if (loop->type == ZV_JOINT_HELICAL) zi_put_number(emitter, "pitch", loop->pitch);
    if (loop->type == ZV_JOINT_CURVE) zi_put_curve(emitter, &loop->curve);
    if (loop->type == ZV_JOINT_CURVE && loop->ball) zi_put_word(emitter, "ball", "true");
    put_freedoms(emitter, loop);
    if (!loop->driven) return;
    zi_put_word(emitter, "driven", "true");
    zi_put_nonzero(emitter, "value", loop->value);
}

static void put_coupling(ziEmitter *emitter, const zvLoop *loop) {
    zi_put_word(emitter, "type", "coupling");
    zi_emit_key(emitter, "terms");
    zi_emit_open(emitter);
    for (int i = 0; i < loop->term_count; i++) {
        const char *joint = loop->terms[i].joint;
        zi_emit_name_key(emitter, joint ? joint : "");
        zi_emit_number(emitter, loop->terms[i].ratio);
    }
    zi_emit_close(emitter);
    zi_put_nonzero(emitter, "offset", loop->offset);
}

static void put_loop(ziEmitter *emitter, const zvLoop *loop) {
    zi_emit_about(emitter, "loop", loop->name, loop->mark);
    zi_emit_item(emitter);
    zi_put_text(emitter, "name", loop->name);
    switch (loop->kind) {
    case ZV_LOOP_JOINT: put_joint_loop(emitter, loop); break;
    case ZV_LOOP_ROD:
        zi_put_word(emitter, "type", "rod");
        put_places(emitter, loop);
        zi_put_number(emitter, "length", loop->length);
        break;
    case ZV_LOOP_COUPLING: put_coupling(emitter, loop); break;
    }
}

void zi_write_loops(ziEmitter *emitter, zvBuilder *builder) {
    if (zv_builder_nloop(builder) == 0) return;
    zi_emit_list_begin(emitter, "loops");
    for (int i = 0; i < zv_builder_nloop(builder); i++) put_loop(emitter, zv_builder_loop(builder, i));
    zi_emit_list_end(emitter);
}
