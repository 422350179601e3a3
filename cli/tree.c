/* The tree of links as a drawing, a line per link. Links come depth-first, so one flag per level is enough to know
 * which vertical strokes go on; very deep levels are not indented further. */
#include "tree.h"

#include <stdlib.h>

enum { DEEPEST_INDENT = 32 };

typedef struct Branch {
    int depth;       /* 0 for the root */
    bool last;       /* no sibling follows */
    bool child_seen; /* a later child of this link was met, going backwards */
} Branch;

static int parent_of(const zvModel *model, int link) {
    const int joint = zv_model_link_joint(model, link);
    return joint < 0 ? -1 : zv_model_joint_place(model, joint).parent;
}

static void measure(const zvModel *model, Branch *branches) {
    const int count = zv_model_nlink(model);
    for (int link = 0; link < count; link++) {
        const int parent = parent_of(model, link);
        branches[link].depth = parent < 0 ? 0 : branches[parent].depth + 1;
    }
    for (int link = count - 1; link > 0; link--) {
        const int parent = parent_of(model, link);
        if (parent < 0) continue;
        branches[link].last = !branches[parent].child_seen;
        branches[parent].child_seen = true;
    }
}

static void draw_joint(const zvModel *model, int link, Text *out) {
    const int joint = zv_model_link_joint(model, link);
    if (joint < 0) return;
    const zvJoint *above = zv_model_joint(model, joint);
    const zvJointPlace place = zv_model_joint_place(model, joint);
    text_puts(out, "  <- ");
    text_name(out, above->name);
    text_printf(out, ", %s", zv_joint_type_word(above->type));
    if (place.nq == 1) text_printf(out, ", q[%d]", place.q_index);
    if (place.nq > 1) text_printf(out, ", q[%d..%d]", place.q_index, place.q_index + place.nq - 1);
    if (place.mimic >= 0) {
        text_puts(out, ", follows ");
        text_name(out, zv_model_joint(model, place.mimic)->name);
    }
}

static void draw_link(const zvModel *model, int link, const Branch *branch, const bool *open, Text *out) {
    for (int level = 1; level < branch->depth && level < DEEPEST_INDENT; level++)
        text_puts(out, open[level] ? "│  " : "   ");
    if (branch->depth) text_puts(out, branch->last ? "└─ " : "├─ ");
    if (branch->depth > DEEPEST_INDENT) text_printf(out, "(level %d) ", branch->depth);
    text_name(out, zv_model_link(model, link)->name);
    draw_joint(model, link, out);
    text_puts(out, "\n");
}

void tree_draw(const zvModel *model, Text *out) {
    const int count = zv_model_nlink(model);
    bool open[DEEPEST_INDENT] = {false};
    Branch *branches = calloc((size_t)count + 1, sizeof *branches);
    if (!branches) {
        out->failed = true;
        return;
    }
    measure(model, branches);
    for (int link = 0; link < count; link++) {
        draw_link(model, link, &branches[link], open, out);
        if (branches[link].depth < DEEPEST_INDENT) open[branches[link].depth] = !branches[link].last;
    }
    free(branches);
}
