/* Rules about joints that follow others: the master exists, both have one freedom, nobody follows himself. */
#include <stdio.h>
#include <stdlib.h>

#include "model/check.h"

enum { SUGGESTIONS = 16 }; /* findings that come with a suggestion: each costs a look at every name */

const char *zi_nearest_joint(const zvBuilder *b, size_t not, const char *word) {
    const char *best = NULL;
    for (size_t i = 0; i < b->njoint; i++) { /* one at a time keeps the nearest so far among two */
        if (i == not || zv_joint_type_nv(b->joints[i].type) != 1) continue;
        const char *two[2] = {b->joints[i].name ? b->joints[i].name : "", best};
        const char *near = zv_nearest_name(word, two, best ? 2 : 1);
        if (near) best = near;
    }
    return best;
}

static void report_unknown(ziChecker *c, size_t joint, int *suggestions) {
    const zvBuilder *b = c->builder;
    const char *name = b->joints[joint].mimic;
    const char *near = (*suggestions)-- > 0 ? zi_nearest_joint(b, joint, name) : NULL;
    char repair[160] = "correct the name or remove the mimic";
    if (near) snprintf(repair, sizeof repair, "did you mean \"%.128s\"?", near);
    zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "unknown-mimic",
              zi_about_spot(zi_about_joint(b, joint), b->joints[joint].mimic_spot), name, repair,
              "it follows the joint \"%s\", which does not exist", name);
}

static void check_type(ziChecker *c, size_t joint, int master) {
    const zvBuilder *b = c->builder;
    const zvJoint *wrong = NULL, *own = &b->joints[joint];
    if (zv_joint_type_nv(own->type) != 1) wrong = own;
    if (!wrong && zv_joint_type_nv(b->joints[master].type) != 1) wrong = &b->joints[master];
    if (!wrong) return;
    zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "mimic-type",
              zi_about_spot(zi_about_joint(b, joint), b->joints[joint].mimic_spot), own->mimic,
              "only joints of one degree of freedom can follow and be followed",
              "it follows \"%s\", but the %s joint \"%s\" has %d degrees of freedom", own->mimic,
              zv_joint_type_word(wrong->type), wrong->name ? wrong->name : "", zv_joint_type_nv(wrong->type));
}

static void check_ratio(ziChecker *c, size_t joint) {
    const zvBuilder *b = c->builder;
    if (b->joints[joint].ratio != 0) return;
    zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "mimic-ratio", zi_about_joint(b, joint), "0",
              "give the ratio of the motions, or make the joint fixed",
              "it follows \"%s\" with ratio 0, so it never moves", b->joints[joint].mimic);
}

static void report_ring(ziChecker *c, const int *master, int joint) {
    const zvBuilder *b = c->builder;
    ziAbout about = zi_about_spot(zi_about_joint(b, (size_t)joint), b->joints[joint].mimic_spot);
    if (master[joint] == joint) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "mimic-cycle", about, b->joints[joint].mimic,
                  "name the joint that it should follow", "it follows itself");
        return;
    }
    int count = 1;
    for (int j = master[joint]; j != joint; j = master[j]) count++;
    zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "mimic-cycle", about, b->joints[joint].mimic,
              "let one joint of the ring go free", "it follows \"%s\", and so on around a ring of %d joints",
              b->joints[joint].mimic, count);
}

/* Each walk from follower to master stamps its joints; meeting its own stamp it has gone round. O(n). */
static void check_rings(ziChecker *c, const int *master, int *stamp) {
    int count = (int)c->builder->njoint;
    for (int i = 0; i < count; i++) stamp[i] = -1;
    for (int i = 0; i < count; i++) {
        int j = i;
        for (; j >= 0 && stamp[j] < 0; j = master[j]) stamp[j] = i;
        if (j >= 0 && stamp[j] == i) report_ring(c, master, j);
    }
}

void zi_check_mimic(ziChecker *c) {
    const zvBuilder *b = c->builder;
    if (b->njoint == 0) return;
    int *master = malloc(2 * b->njoint * sizeof *master);
    if (!master) {
        c->out_of_memory = c->stopped = true;
        return;
    }
    int suggestions = SUGGESTIONS;
    for (size_t i = 0; i < b->njoint; i++) {
        const char *name = b->joints[i].mimic;
        master[i] = zi_names_find(&b->joint_names, name);
        if (!name || c->stopped) continue;
        if (master[i] < 0) {
            report_unknown(c, i, &suggestions);
        } else {
            check_type(c, i, master[i]);
            check_ratio(c, i);
        }
    }
    check_rings(c, master, master + b->njoint);
    free(master);
}
