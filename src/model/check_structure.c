/* Rules about names (present, used once, referring to something) and about the tree that links and joints form. */
#include <stdio.h>

#include "model/check.h"
#include "model/order.h"

static void check_present(ziChecker *c, ziAbout about) {
    if (!about.name || !about.name[0]) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "missing-name", about, "", "give it a name",
                  "expected a name of the %s, found none", about.kind);
    }
}

static void report_twice(ziChecker *c, ziAbout about, const zvMark *first) {
    if (first->line > 0) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "duplicate-name", about, about.name, "rename one of them",
                  "expected a name that is used once, found it twice; first on line %d", first->line);
    } else {
        zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "duplicate-name", about, about.name, "rename one of them",
                  "expected a name that is used once, found it twice");
    }
}

static void check_link_names(ziChecker *c) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->nlink; i++) {
        ziAbout about = zi_about_link(b, i);
        check_present(c, about);
        int first = zi_names_find(&b->link_names, about.name);
        if (first >= 0 && first != (int)i) report_twice(c, about, &b->links[first].mark);
    }
}

static void check_joint_names(ziChecker *c) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->njoint; i++) {
        ziAbout about = zi_about_joint(b, i);
        check_present(c, about);
        int first = zi_names_find(&b->joint_names, about.name);
        if (first >= 0 && first != (int)i) report_twice(c, about, &b->joints[first].mark);
    }
}

/* Loops share one with joints: a joint that is cut is a loop. */
static void check_loop_names(ziChecker *c) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->nloop; i++) {
        ziAbout about = zi_about_loop(b, i);
        check_present(c, about);
        int first = zi_names_find(&b->loop_names, about.name), joint = zi_names_find(&b->joint_names, about.name);
        if (first >= 0 && first != (int)i) report_twice(c, about, &b->loops[first].mark);
        if (joint >= 0) report_twice(c, about, &b->joints[joint].mark);
    }
}

/* Frames share one name space with links: both are frames to the user. */
static void check_frame_names(ziChecker *c) {
    const zvBuilder *b = c->builder;
    ziNames frames = {0};
    for (size_t i = 0; i < b->nframe && !c->stopped; i++) {
        ziAbout about = {"frame", b->frames[i].name, b->frames[i].mark};
        check_present(c, about);
        if (!about.name) continue;
        int link = zi_names_find(&b->link_names, about.name);
        if (link >= 0) report_twice(c, about, &b->links[link].mark);
        int first = zi_names_add(&frames, about.name, (int)i);
        if (first < 0) c->out_of_memory = c->stopped = true;
        if (first >= 0 && first != (int)i) report_twice(c, about, &b->frames[first].mark);
    }
    zi_names_free(&frames);
}

/* Searching all names for each of thousands of unknown ones would be quadratic: only the first few are helped. */
enum { SUGGESTIONS = 16 };

/* The nearer to word of a name and the best so far. */
static const char *nearer(const char *word, const char *name, const char *best) {
    const char *two[2] = {name ? name : "", best};
    const char *found = zv_nearest_name(word, two, best ? 2 : 1);
    return found ? found : best;
}

static const char *nearest_link(ziChecker *c, const char *word, bool frames) {
    const zvBuilder *b = c->builder;
    const char *best = NULL;
    if (c->suggested++ >= SUGGESTIONS) return NULL;
    for (size_t i = 0; i < b->nlink; i++) best = nearer(word, b->links[i].name, best);
    for (size_t i = 0; i < b->nframe && frames; i++) best = nearer(word, b->frames[i].name, best);
    return best;
}

/* frames: it may be a frame as well. */
static void check_known(ziChecker *c, ziAbout about, const char *role, const char *name, bool frames) {
    const zvBuilder *b = c->builder;
    const char *kind = frames ? "" : " link";
    if (!name || !name[0]) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "unknown-link", about, "",
                  frames ? "name a link or frame" : "name a link", "expected %s%s, found none", role, kind);
        return;
    }
    if (zi_names_find(&b->link_names, name) >= 0) return;
    if (frames && zi_names_find(&b->frame_names, name) >= 0) return;
    const char *near = nearest_link(c, name, frames);
    char repair[160] = "correct the name or add the link";
    if (near) snprintf(repair, sizeof repair, "did you mean \"%.128s\"?", near);
    zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "unknown-link", about, name, repair,
              "expected %s%s, found \"%s\", which does not exist", role, kind, name);
}

static void check_link_known(ziChecker *c, ziAbout about, const char *role, const char *name) {
    check_known(c, about, role, name, false);
}

/* Links that joints, frames and shapes name. */
static void check_references(ziChecker *c) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->njoint && !c->stopped; i++) {
        const zvJoint *joint = &b->joints[i];
        ziAbout about = zi_about_joint(b, i);
        check_link_known(c, zi_about_spot(about, joint->parent_spot), "a parent", joint->parent);
        check_link_known(c, zi_about_spot(about, joint->child_spot), "a child", joint->child);
    }
    for (size_t i = 0; i < b->nframe && !c->stopped; i++) {
        check_link_known(c, (ziAbout){"frame", b->frames[i].name, b->frames[i].mark}, "an existing", b->frames[i].link);
    }
    for (size_t i = 0; i < b->nshape && !c->stopped; i++) {
        check_link_known(c, (ziAbout){"shape of link", b->shapes[i].link, b->shapes[i].mark}, "an existing",
                         b->shapes[i].link);
    }
}

/* Ends of loops are links or frames, or the ground under a free base. */
static void check_loop_ends(ziChecker *c) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->nloop && !c->stopped; i++) {
        const zvLoop *loop = &b->loops[i];
        ziAbout about = zi_about_loop(b, i);
        if (loop->kind == ZV_LOOP_COUPLING) continue;
        if (!zi_loop_on_ground(b, loop->parent))
            check_known(c, zi_about_spot(about, loop->parent_spot), "a parent", loop->parent, true);
        if (!zi_loop_on_ground(b, loop->child))
            check_known(c, zi_about_spot(about, loop->child_spot), "a child", loop->child, true);
    }
}

/* Names before references: a missing name explains an unknown one. */
void zi_check_names(ziChecker *c) {
    if (c->builder->nlink == 0) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "no-links", zi_about_robot(c->builder), "", "add at least one link",
                  "expected links in the robot, found none");
    }
    check_link_names(c);
    check_joint_names(c);
    check_frame_names(c);
    check_loop_names(c);
    check_references(c);
    check_loop_ends(c);
}

/* The tree: one root, one joint above every other link, no cycles. */

/* A joint has two different links, and a link one joint above it unless others are cut. */
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
                      "expected two links to join, found \"%s\" joined to itself", name);
        } else if (o->joint_above[child] != (int)j && !zi_order_cuts(b, o, j)) {
            zi_report(
                c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "two-parents", about, name,
                "a tree has one joint above each link; in a native file, joints with \"cut: true\" and \"loops:\" "
                "close loops",
                "expected one joint above the link \"%s\", found two: it is also the child of joint \"%s\"", name,
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
    zi_report(
        c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "cycle", zi_about_joint(b, joint), b->links[link].name,
        "remove or reverse one joint of the cycle, or cut it (native files: \"cut: true\")",
        "expected a tree of joints, found a cycle through link \"%s\"; %d of %d links cannot be reached from a root",
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
              "expected one root, found %d links without a joint above them: %s%s", o->roots, list,
              used >= sizeof list ? " ..." : "");
}

void zi_check_topology(ziChecker *c) {
    check_parents(c);
    if (c->builder->nlink == 0) return;
    check_roots(c);
    check_cycle(c);
}
