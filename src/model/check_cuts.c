/* Rules about joints that are cut, and about the frames that loops and they add to the robot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"

/* What a loop cannot keep of a joint: all of it, "limits, friction and armature". Returns how many things it is. */
static int list_lost(const zvJoint *joint, char *text, size_t size) {
    enum { KINDS = 5 };
    static const char *const words[KINDS] = {"limits", "armature", "friction", "effort limit", "velocity limit"};
    bool has[KINDS] = {false};
    int count = 0, named = 0;
    for (int i = 0; i < zv_joint_type_nv(joint->type); i++) {
        const zvDof *d = &joint->dof[i];
        const bool own[KINDS] = {d->has_limits, d->armature != 0, d->friction != 0, d->effort != 0, d->velocity != 0};
        for (int k = 0; k < KINDS; k++) has[k] = has[k] || own[k];
    }
    for (int k = 0; k < KINDS; k++) count += has[k];
    text[0] = '\0';
    for (int k = 0; k < KINDS; k++) {
        if (!has[k]) continue;
        const size_t used = strlen(text);
        const char *join = named == 0 ? "" : named + 1 == count ? " and " : ", ";
        snprintf(text + used, size - used, "%s%s", join, words[k]);
        named++;
    }
    return count;
}

static void check_data(ziChecker *c, const zvJoint *joint, ziAbout about) {
    char lost[80];
    const int count = list_lost(joint, lost, sizeof lost);
    if (joint->type == ZV_JOINT_FREE) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "free-loop", about, "free", "remove it, or cut another joint",
                  "it closes a loop, but a free joint allows every motion: it closes nothing");
    }
    if (count == 0) return;
    const bool several = count > 1 || strcmp(lost, "limits") == 0;
    zi_report(c, ZI_WEIGH_WARNING, ZV_SCHEMA, "cut-joint-data", about, lost,
              "cut another joint of its loop (\"cut: true\"), or remove what is left out; damping and springs are kept",
              "it closes a loop, where its %s %s left out", lost, several ? "are" : "is");
}

static void report_relation(ziChecker *c, size_t joint, const char *follower, const char *master) {
    zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "cut-joint", zi_about_joint(c->builder, joint), master,
              "cut another joint of its loop (\"cut: true\"), or couple the joints of the tree by a loop",
              "it closes a loop and has no coordinate, but \"%s\" follows \"%s\"", follower, master);
}

/* A joint that follows another, or is followed, has to stay in the tree. */
static void check_mimics(ziChecker *c) {
    const zvBuilder *b = c->builder;
    for (size_t j = 0; j < b->njoint && b->mimic_coupled && !c->stopped; j++) {
        const zvJoint *joint = &b->joints[j];
        int master = zi_names_find(&b->joint_names, joint->mimic);
        if (!joint->name || master < 0) continue;
        if (zi_order_cuts(b, c->order, j))
            report_relation(c, j, joint->name, joint->mimic);
        else if (zi_order_cuts(b, c->order, (size_t)master))
            report_relation(c, (size_t)master, joint->name, joint->mimic);
    }
}

/* The frame NAME.parent or NAME.child must not be there already. */
static void check_frame(ziChecker *c, ziAbout about, const char *suffix) {
    const zvBuilder *b = c->builder;
    if (!about.name || c->stopped) return;
    size_t size = strlen(about.name) + strlen(suffix) + 1;
    char *name = malloc(size);
    if (!name) {
        c->out_of_memory = c->stopped = true;
        return;
    }
    snprintf(name, size, "%s%s", about.name, suffix);
    bool link = zi_names_find(&b->link_names, name) >= 0;
    if (link || zi_names_find(&b->frame_names, name) >= 0) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "loop-frame", about, name, "rename one of the two",
                  "its frame is called \"%s\" like a %s of the robot", name, link ? "link" : "frame");
    }
    free(name);
}

void zi_check_cuts(ziChecker *c) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->nloop && !c->stopped; i++) {
        if (b->loops[i].kind == ZV_LOOP_COUPLING) continue;
        check_frame(c, zi_about_loop(b, i), ".parent");
        check_frame(c, zi_about_loop(b, i), ".child");
    }
    for (size_t j = 0; j < b->njoint && !c->stopped; j++) {
        if (!zi_order_cuts(b, c->order, j)) continue;
        check_data(c, &b->joints[j], zi_about_joint(b, j));
        check_frame(c, zi_about_joint(b, j), ".parent");
        check_frame(c, zi_about_joint(b, j), ".child");
    }
    check_mimics(c);
}
