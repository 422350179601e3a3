/* Builder: defaults of the description structs, growing lists of them with their texts, locking of joints. */
#include "model/builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "model/elastic.h"
#include "model/joint_spring.h"
#include "model/joint_type.h"
#include "model/tree.h"
#include "zveno/builder.h"

zvLink zv_link_default(const char *name) { return (zvLink){.name = name}; }

/* Numbers that make a valid joint of any type. */
zvJoint zv_joint_default(const char *name, zvJointType type, const char *parent, const char *child) {
    return (zvJoint){
        .name = name,
        .type = type,
        .parent = parent,
        .child = child,
        .origin = zv_pose_identity(),
        .axis = {0, 0, 1},
        .axis2 = {1, 0, 0},
        .curve = {.kind = ZV_CURVE_LINE, .direction = {1, 0, 0}, .normal = {0, 0, 1}, .start = {1, 0, 0}, .radius = 1},
        .ratio = 1,
        .child_origin = zv_pose_identity()};
}

zvFrame zv_frame_default(const char *name, const char *link) {
    return (zvFrame){.name = name, .link = link, .pose = zv_pose_identity()};
}

zvShape zv_shape_default(const char *link, zvShapeKind kind) {
    return (zvShape){
        .link = link, .kind = kind, .pose = zv_pose_identity(), .size = {1, 1, 1}, .color = {0.7, 0.7, 0.7, 1}};
}

/* Axes and curve as those of a joint's default. */
zvLoop zv_loop_default(const char *name, zvLoopKind kind, zvJointType type, const char *parent, const char *child) {
    zvJoint joint = zv_joint_default(name, type, parent, child);
    return (zvLoop){.name = name,
                    .kind = kind,
                    .type = type,
                    .parent = parent,
                    .child = child,
                    .origin = zv_pose_identity(),
                    .child_origin = zv_pose_identity(),
                    .axis = {0, 0, 1},
                    .axis2 = {1, 0, 0},
                    .curve = joint.curve};
}

static zvStatus no_memory(zvError *error, zvMark mark) {
    return zv_fail(error, ZV_MEMORY, mark, "", "out of memory while building the model");
}

/* An empty description: "robot", fixed base, gravity downwards. */
zvBuilder *zv_builder_create(zvError *error) {
    zvBuilder *b = calloc(1, sizeof *b);
    if (!b) {
        no_memory(error, (zvMark){0});
        return NULL;
    }
    b->name = "robot";
    b->gravity[2] = -9.81;
    b->mimic_coupled = true;
    return b;
}

/* Names, lists, and the arena that holds every text. */
void zv_builder_destroy(zvBuilder *b) {
    if (!b) return;
    zi_names_free(&b->link_names);
    zi_names_free(&b->joint_names);
    zi_names_free(&b->frame_names);
    zi_names_free(&b->loop_names);
    free(b->links);
    free(b->joints);
    free(b->frames);
    free(b->shapes);
    free(b->loops);
    free(b->remarks);
    free(b->packages);
    zi_arena_free(&b->texts);
    free(b);
}

/* Replaces each text by a copy kept in the builder; false when out of memory. */
static bool keep_text(zvBuilder *b, const char **text) {
    if (!*text) return true;
    *text = zi_arena_text(&b->texts, *text);
    return *text != NULL;
}

const char *zv_builder_keep(zvBuilder *b, const char *text) {
    ZI_REQUIRE(b);
    return zi_arena_text(&b->texts, text);
}

/* File names repeat on every element of a file: the last one is shared. */
static bool keep_file(zvBuilder *b, zvMark *mark, const char *last) {
    if (mark->file && last && strcmp(mark->file, last) == 0) {
        mark->file = last;
        return true;
    }
    return keep_text(b, &mark->file);
}

static const char *last_file(const zvBuilder *b) {
    if (b->nlink && b->links[b->nlink - 1].mark.file) return b->links[b->nlink - 1].mark.file;
    return b->njoint ? b->joints[b->njoint - 1].mark.file : NULL;
}

static bool any_inertia(const zvInertia *inertia) {
    const double *com = inertia->com, *m = inertia->moment;
    return inertia->mass != 0 || com[0] != 0 || com[1] != 0 || com[2] != 0 || m[0] != 0 || m[1] != 0 || m[2] != 0 ||
           m[3] != 0 || m[4] != 0 || m[5] != 0;
}

/* Appends a copy of the link with its own strings, file name and elastic data; any inertia that is not zero counts as
 * given. */
zvStatus zv_builder_add_link(zvBuilder *b, const zvLink *link, zvError *error) {
    ZI_REQUIRE(b && link);
    zvLink copy = *link;
    copy.has_inertia = copy.has_inertia || any_inertia(&copy.inertia);
    if (!zi_grow(&b->links, b->nlink, &b->links_capacity, sizeof copy) || !keep_text(b, &copy.name) ||
        !keep_file(b, &copy.mark, last_file(b)) || !zi_elastic_copy(&b->texts, &copy) ||
        (copy.name && zi_names_add(&b->link_names, copy.name, (int)b->nlink) < 0)) {
        return no_memory(error, link->mark);
    }
    b->links[b->nlink++] = copy;
    return ZV_OK;
}

/* Points of a spline are copied; a curve of another kind has none. */
static bool keep_points(zvBuilder *b, zvCurve *curve) {
    if (curve->kind != ZV_CURVE_SPLINE || curve->count <= 0 || !curve->points) {
        curve->points = NULL;
        curve->count = 0;
        return true;
    }
    size_t size = 3 * (size_t)curve->count * sizeof(double);
    double *copy = zi_arena_alloc(&b->texts, size);
    if (copy) memcpy(copy, curve->points, size);
    curve->points = copy;
    return copy != NULL;
}

static bool keep_matrices(zvBuilder *b, zvJointType type, const double **stiffness, const double **damping) {
    const int n = zv_joint_type_nv(type);
    return zi_matrix_copy(&b->texts, n, stiffness) && zi_matrix_copy(&b->texts, n, damping);
}

static bool keep_flexible(zvBuilder *b, const zvFlexibleJoint **flexible) {
    if (!*flexible) return true;
    zvFlexibleJoint *copy = zi_arena_alloc(&b->texts, sizeof *copy);
    if (copy) *copy = **flexible;
    *flexible = copy;
    return copy != NULL;
}

/* Appends a copy of the joint with its own strings, file name and curve points, and indexes its name. */
/* Types come from programs as plain numbers; everything after the builder looks them up in a table. */
static zvStatus check_type(zvJointType type, zvMark mark, const char *name, zvError *error) {
    if ((int)type >= 0 && (int)type < ZV_JOINT_TYPES) return ZV_OK;
    return zv_fail(error, ZV_SCHEMA, mark, name, "expected a type of joint (zvJointType, 0 to %d) of \"%s\", found %d",
                   ZV_JOINT_TYPES - 1, name ? name : "", (int)type);
}

/* Texts and points are copied; names are looked up later. */
zvStatus zv_builder_add_joint(zvBuilder *b, const zvJoint *joint, zvError *error) {
    ZI_REQUIRE(b && joint);
    const zvStatus known = check_type(joint->type, joint->mark, joint->name, error);
    if (known < 0) return known;
    zvJoint copy = *joint;
    if (!zi_grow(&b->joints, b->njoint, &b->joints_capacity, sizeof copy) || !keep_text(b, &copy.name) ||
        !keep_text(b, &copy.parent) || !keep_text(b, &copy.child) || !keep_text(b, &copy.mimic) ||
        !keep_points(b, &copy.curve) || !keep_matrices(b, copy.type, &copy.stiffness_matrix, &copy.damping_matrix) ||
        !keep_flexible(b, &copy.flexible) || !keep_file(b, &copy.mark, last_file(b)) ||
        (copy.name && zi_names_add(&b->joint_names, copy.name, (int)b->njoint) < 0)) {
        return no_memory(error, joint->mark);
    }
    b->joints[b->njoint++] = copy;
    return ZV_OK;
}

zvStatus zv_builder_add_frame(zvBuilder *b, const zvFrame *frame, zvError *error) {
    ZI_REQUIRE(b && frame);
    zvFrame copy = *frame;
    if (!zi_grow(&b->frames, b->nframe, &b->frames_capacity, sizeof copy) || !keep_text(b, &copy.name) ||
        !keep_text(b, &copy.link) || !keep_file(b, &copy.mark, last_file(b)) ||
        (copy.name && zi_names_add(&b->frame_names, copy.name, (int)b->nframe) < 0)) {
        return no_memory(error, frame->mark);
    }
    b->frames[b->nframe++] = copy;
    return ZV_OK;
}

zvStatus zv_builder_add_shape(zvBuilder *b, const zvShape *shape, zvError *error) {
    ZI_REQUIRE(b && shape);
    zvShape copy = *shape;
    if (!zi_grow(&b->shapes, b->nshape, &b->shapes_capacity, sizeof copy) || !keep_text(b, &copy.name) ||
        !keep_text(b, &copy.link) || !keep_text(b, &copy.mesh) || !keep_file(b, &copy.mark, last_file(b))) {
        return no_memory(error, shape->mark);
    }
    b->shapes[b->nshape++] = copy;
    return ZV_OK;
}

/* Terms of a coupling and the names in them are copied. */
static bool keep_terms(zvBuilder *b, zvLoop *loop) {
    if (loop->term_count <= 0 || !loop->terms) {
        loop->terms = NULL;
        loop->term_count = 0;
        return true;
    }
    size_t count = (size_t)loop->term_count;
    zvLoopTerm *copy = zi_arena_alloc(&b->texts, count * sizeof *copy);
    if (!copy) return false;
    memcpy(copy, loop->terms, count * sizeof *copy);
    loop->terms = copy;
    for (size_t i = 0; i < count; i++) {
        if (!keep_text(b, &copy[i].joint)) return false;
    }
    return true;
}

/* Appends a copy of the loop with its own strings, curve points, coupling terms and file name, and indexes its name. */
zvStatus zv_builder_add_loop(zvBuilder *b, const zvLoop *loop, zvError *error) {
    ZI_REQUIRE(b && loop);
    const zvStatus known = check_type(loop->type, loop->mark, loop->name, error);
    if (known < 0) return known;
    zvLoop copy = *loop;
    if (!zi_grow(&b->loops, b->nloop, &b->loops_capacity, sizeof copy) || !keep_text(b, &copy.name) ||
        !keep_text(b, &copy.parent) || !keep_text(b, &copy.child) || !keep_points(b, &copy.curve) ||
        !keep_terms(b, &copy) || !keep_matrices(b, copy.type, &copy.stiffness_matrix, &copy.damping_matrix) ||
        !keep_file(b, &copy.mark, last_file(b)) ||
        (copy.name && zi_names_add(&b->loop_names, copy.name, (int)b->nloop) < 0)) {
        return no_memory(error, loop->mark);
    }
    b->loops[b->nloop++] = copy;
    return ZV_OK;
}

zvStatus zv_builder_add_remark(zvBuilder *b, const zvRemark *remark, zvError *error) {
    ZI_REQUIRE(b && remark);
    zvRemark copy = *remark;
    if (!zi_grow(&b->remarks, b->nremark, &b->remarks_capacity, sizeof copy) || !keep_text(b, &copy.rule) ||
        !keep_text(b, &copy.kind) || !keep_text(b, &copy.name) || !keep_text(b, &copy.token) ||
        !keep_text(b, &copy.why) || !keep_text(b, &copy.repair) || !keep_file(b, &copy.mark, last_file(b))) {
        return no_memory(error, remark->mark);
    }
    b->remarks[b->nremark++] = copy;
    return ZV_OK;
}

zvStatus zv_builder_set_package(zvBuilder *b, const char *name, const char *folder, zvError *error) {
    ZI_REQUIRE(b && name && folder);
    ziPackage copy = {name, folder};
    if (!zi_grow(&b->packages, b->npackage, &b->packages_capacity, sizeof copy) || !keep_text(b, &copy.name) ||
        !keep_text(b, &copy.folder))
        return no_memory(error, (zvMark){0});
    b->packages[b->npackage++] = copy;
    return ZV_OK;
}

zvStatus zv_builder_set_name(zvBuilder *b, const char *name, zvError *error) {
    ZI_REQUIRE(b);
    const char *copy = zi_arena_text(&b->texts, name);
    if (!copy) return no_memory(error, (zvMark){0});
    b->name = copy;
    return ZV_OK;
}

zvStatus zi_builder_mark(zvBuilder *b, zvMark robot, const zvMark *gravity, zvError *error) {
    if (!keep_file(b, &robot, last_file(b))) return no_memory(error, robot);
    b->mark = b->gravity_mark = robot;
    if (gravity) b->gravity_mark.line = gravity->line, b->gravity_mark.column = gravity->column;
    return ZV_OK;
}

/* Kept in the builder; the last mark of a key counts, as what is read later takes the place of what was there. */
zvStatus zi_builder_mark_key(zvBuilder *b, const char *joint, const char *key, zvMark mark, zvError *error) {
    ziKeyMark *entry = zi_arena_alloc(&b->texts, sizeof *entry);
    if (!entry) return no_memory(error, mark);
    *entry = (ziKeyMark){.joint = joint, .key = key, .mark = mark, .before = b->key_marks};
    if (!keep_text(b, &entry->joint) || !keep_file(b, &entry->mark, last_file(b))) return no_memory(error, mark);
    b->key_marks = entry;
    return ZV_OK;
}

zvMark zi_builder_key_mark(const zvBuilder *b, const char *joint, const char *key, zvMark otherwise) {
    const ziKeyMark *entry = b->key_marks;
    while (entry && (strcmp(entry->joint, joint) != 0 || strcmp(entry->key, key) != 0)) entry = entry->before;
    return entry ? entry->mark : otherwise;
}

void zv_builder_set_gravity(zvBuilder *b, const double g[3]) {
    ZI_REQUIRE(b && g);
    memcpy(b->gravity, g, sizeof b->gravity);
}
void zv_builder_set_free_base(zvBuilder *b, bool free_base) {
    ZI_REQUIRE(b);
    b->free_base = free_base;
}
void zv_builder_set_mimic_coupled(zvBuilder *b, bool coupled) {
    ZI_REQUIRE(b);
    b->mimic_coupled = coupled;
}
void zv_builder_set_cutting(zvBuilder *b, bool cuts) {
    ZI_REQUIRE(b);
    b->cuts = cuts;
}

const char *zv_builder_name(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return b->name;
}
void zv_builder_gravity(const zvBuilder *b, double g[3]) {
    ZI_REQUIRE(b && g);
    memcpy(g, b->gravity, sizeof b->gravity);
}
int zv_builder_nlink(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return (int)b->nlink;
}
int zv_builder_njoint(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return (int)b->njoint;
}
int zv_builder_nframe(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return (int)b->nframe;
}
int zv_builder_nshape(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return (int)b->nshape;
}
int zv_builder_nloop(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return (int)b->nloop;
}
int zv_builder_nremark(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return (int)b->nremark;
}
const zvRemark *zv_builder_remark(const zvBuilder *b, int remark) {
    ZI_REQUIRE(b);
    ZI_REQUIRE_INDEX(remark, zv_builder_nremark(b));
    return &b->remarks[remark];
}
zvLink *zv_builder_link(zvBuilder *b, int link) {
    ZI_REQUIRE(b);
    ZI_REQUIRE_INDEX(link, zv_builder_nlink(b));
    return &b->links[link];
}
zvJoint *zv_builder_joint(zvBuilder *b, int joint) {
    ZI_REQUIRE(b);
    ZI_REQUIRE_INDEX(joint, zv_builder_njoint(b));
    return &b->joints[joint];
}
zvFrame *zv_builder_frame(zvBuilder *b, int frame) {
    ZI_REQUIRE(b);
    ZI_REQUIRE_INDEX(frame, zv_builder_nframe(b));
    return &b->frames[frame];
}
zvShape *zv_builder_shape(zvBuilder *b, int shape) {
    ZI_REQUIRE(b);
    ZI_REQUIRE_INDEX(shape, zv_builder_nshape(b));
    return &b->shapes[shape];
}
zvLoop *zv_builder_loop(zvBuilder *b, int loop) {
    ZI_REQUIRE(b);
    ZI_REQUIRE_INDEX(loop, zv_builder_nloop(b));
    return &b->loops[loop];
}
int zv_builder_find_link(const zvBuilder *b, const char *name) {
    ZI_REQUIRE(b && name);
    return zi_names_find(&b->link_names, name);
}
int zv_builder_find_joint(const zvBuilder *b, const char *name) {
    ZI_REQUIRE(b && name);
    return zi_names_find(&b->joint_names, name);
}
bool zv_builder_free_base(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return b->free_base;
}
bool zv_builder_mimic_coupled(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return b->mimic_coupled;
}
bool zv_builder_cutting(const zvBuilder *b) {
    ZI_REQUIRE(b);
    return b->cuts;
}

/* What belongs to its motion goes. */
void zv_builder_lock_joint(zvBuilder *builder, int index) {
    ZI_REQUIRE(builder);
    zvJoint *joint = zv_builder_joint(builder, index);
    if (zi_joint_needs(joint->type, ZI_JOINT_PATH)) { /* at zero the others stand in their joint frame */
        zvPose start = zv_pose_identity();
        zi_path_start(&joint->curve, start.p);
        joint->origin = zv_pose_compose(&joint->origin, &start);
    }
    joint->type = ZV_JOINT_FIXED;
    joint->stiffness_matrix = joint->damping_matrix = NULL;
    joint->flexible = NULL;
    joint->mimic = NULL;
}
