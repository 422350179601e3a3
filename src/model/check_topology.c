/* Rules about the tree that links and joints form: one root, one joint above every other link, no cycles. */
#include <stdio.h>

#include "model/check.h"
#include "model/loop.h"

static void check_parents(ziChecker *c) {
    const zvBuilder *b = c->builder;
    const ziOrder *o = c->order;
    for (size_t j = 0; j < b->njoint; j++) {
        int child = o->child_link[j], parent = o->parent_link[j];
        if (child < 0 || parent < 0) continue;
        const char *name = b->joints[j].child;
        ziAbout about = zi_about_spot(zi_about_joint(b, j), b->joints[j].child_spot);
        if (child == parent) {
            zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "self-joint", about, name, "name another parent or child",
                      "it joins the link \"%s\" to itself", name);
        } else if (o->joint_above[child] != (int)j && !zi_order_cuts(b, o, j)) {
            zi_report(
                c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "two-parents", about, name,
                "a tree has one joint above each link; in a native file, joints with \"cut: true\" and \"loops:\" "
                "close loops",
                "the link \"%s\" has two parents: it is also the child of joint \"%s\"", name,
                b->joints[o->joint_above[child]].name);
        }
    }
}

/* A link that no root reaches lies on or below a cycle; going up as many joints as there are links ends on it. */
static void check_cycle(ziChecker *c) {
    const zvBuilder *b = c->builder;
    const ziOrder *o = c->order;
    if (o->placed == (int)b->nlink) return;
    int link = 0;
    while (o->place[link] >= 0) link++;
    for (size_t step = 0; step < b->nlink; step++) link = o->parent_link[o->joint_above[link]];
    size_t joint = (size_t)o->joint_above[link];
    zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "cycle", zi_about_joint(b, joint), b->links[link].name,
              "remove or reverse one joint of the cycle, or cut it (native files: \"cut: true\")",
              "the joints form a cycle through link \"%s\"; %d of %d links cannot be reached from a root",
              b->links[link].name, (int)b->nlink - o->placed, (int)b->nlink);
}

/* What to do about several roots: a joint above one of them may have been cut that was the only one. */
static void root_repair(const ziChecker *c, char *repair, size_t size) {
    const zvBuilder *b = c->builder;
    const ziOrder *o = c->order;
    snprintf(repair, size, "join all but one of them to the others (a fixed joint will do) or remove them");
    for (size_t j = 0; j < b->njoint; j++) {
        int child = o->child_link[j];
        if (!zi_joint_is_cut(&b->joints[j]) || child < 0 || child == o->root || o->joint_above[child] >= 0) continue;
        snprintf(repair, size, "the joint \"%.60s\" is cut, but no other is above \"%.60s\": cut another of its loop",
                 b->joints[j].name ? b->joints[j].name : "", b->links[child].name ? b->links[child].name : "");
        return;
    }
}

/* All roots are named in one finding on the second, so that the message is complete. */
static void check_roots(ziChecker *c) {
    const zvBuilder *b = c->builder;
    const ziOrder *o = c->order;
    if (o->roots < 2) return;
    char list[160] = "", repair[256];
    root_repair(c, repair, sizeof repair);
    size_t used = 0, second = 0;
    for (size_t l = 0; l < b->nlink; l++) {
        if (o->joint_above[l] >= 0) continue;
        if (!second && (int)l != o->root) second = l;
        const char *name = b->links[l].name ? b->links[l].name : "";
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", used ? ", " : "", name);
    }
    zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "several-roots", zi_about_link(b, second), b->links[second].name, repair,
              "%d links have no joint above them, a robot has one root: %s%s", o->roots, list,
              used >= sizeof list ? " ..." : "");
}

void zi_check_topology(ziChecker *c) {
    check_parents(c);
    if (c->builder->nlink == 0) return;
    check_roots(c);
    check_cycle(c);
}
