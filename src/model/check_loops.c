/* Rules about loops: that they close something, couplings whose joints exist, joints that are cut, and the frames that
 * loops and cut joints add to the robot. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/elastic.h"
#include "model/joint_type.h"
#include "model/order.h"

enum { MOST_TERMS = 10000 };
enum { SUGGESTIONS = 16 }; /* findings that come with a suggestion: each costs a look at every name */

static const char *text_of(const char *text) { return text ? text : ""; }

/* The link at the top of the rigid part that each belongs to, -1 where no root reaches it. An elastic link is a part by
 * itself. */
static void find_heads(const ziChecker *c, int *head) {
    const zvBuilder *b = c->builder;
    const ziOrder *o = c->order;
    for (size_t l = 0; l < b->nlink; l++) head[l] = -1;
    for (int k = 0; k < o->placed; k++) {
        int link = o->sequence[k], joint = o->joint_above[link], parent = joint >= 0 ? o->parent_link[joint] : -1;
        bool rigid = joint >= 0 && zi_joint_fixed(b->joints[joint].type) && !zi_link_modes(&b->links[link]) &&
                     !zi_link_modes(&b->links[parent]);
        head[link] = rigid ? head[parent] : link;
    }
}

static bool same_section(const zvLink *link, const zvPose *a, const zvPose *b) {
    ziSection first, second;
    if (!zi_link_section(link, a->p, &first) || !zi_link_section(link, b->p, &second)) return false;
    return zi_same_section(link, &first, &second);
}

/* Both ends on what does not move in itself. */
static void check_self(ziChecker *c, const int *head, const zvLoop *loop, ziAbout about) {
    const zvBuilder *b = c->builder;
    zvPose at_parent, at_child;
    int parent = zi_loop_end(b, loop->parent, &loop->origin, &at_parent);
    int child = zi_loop_end(b, loop->child, &loop->child_origin, &at_child);
    bool ground = zi_loop_on_ground(b, loop->parent) && zi_loop_on_ground(b, loop->child);
    if (!ground) {
        if (parent < 0 || child < 0 || head[parent] < 0 || head[parent] != head[child]) return;
        const zvLink *link = &b->links[head[parent]];
        if (zi_link_modes(link) > 0 && !same_section(link, &at_parent, &at_child)) return;
        ground = head[parent] == c->order->root && !b->free_base;
    }
    zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "self-loop", zi_about_spot(about, loop->child_spot), loop->child,
              "name another parent or child, or remove it",
              "expected ends that can move against each other, found \"%s\" and \"%s\" both on %s",
              text_of(loop->parent), text_of(loop->child), ground ? "the ground" : "one rigid part");
}

/* Whether springs or dampers act in the joint of a loop. */
static bool holds_by_springs(const zvLoop *loop) {
    bool any = loop->stiffness_matrix || loop->damping_matrix;
    for (int k = 0; k < zv_joint_type_nv(loop->type); k++)
        any = any || loop->dof[k].stiffness != 0 || loop->dof[k].damping != 0;
    return any;
}

/* A loop's joint closes something, and only one freedom can be driven. */
static void check_type(ziChecker *c, const zvLoop *loop, ziAbout about) {
    const char *word = zv_joint_type_word(loop->type);
    if (zi_joint_free(loop->type) && !holds_by_springs(loop)) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "free-loop", about, word,
                  "remove it, give it a spring or damping (a bushing), or name the type of the joint between the two",
                  "expected a joint that closes something, found a free one without springs, which allows every motion");
    }
    if (loop->driven && zv_joint_type_nv(loop->type) != 1) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "driven-type", about, word,
                  "drive a revolute, continuous, prismatic, helical or curve joint; a rod's length is moved by a "
                  "motion drive with loop: NAME in the scenario",
                  "expected a joint of one degree of freedom to drive, found a %s joint with %d", word,
                  zv_joint_type_nv(loop->type));
    }
}

static void check_rod(ziChecker *c, const zvLoop *loop, ziAbout about) {
    if (!(loop->length <= 0)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", loop->length);
    zi_report(c, ZI_WEIGH_FATAL, ZV_NUMBER, "rod-length", about, token,
              "give the distance between its ends in metres; ends that meet are a spherical joint",
              "expected a positive length of the rod, found %s m", token);
}

/* A coupling names a joint that is none: perhaps a loop, perhaps misspelt. */
static void report_unknown(ziChecker *c, const char *name, ziAbout about, int *suggestions) {
    if (name && zi_names_find(&c->builder->loop_names, name) >= 0) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "unknown-joint", about, name, "name a joint of the tree",
                  "expected a joint of the tree to couple, found the loop \"%s\", which has no coordinate there", name);
        return;
    }
    const char *near = name && (*suggestions)-- > 0 ? zi_nearest_joint(c->builder, SIZE_MAX, name) : NULL;
    char repair[160] = "correct the name or add the joint";
    if (near) snprintf(repair, sizeof repair, "did you mean \"%.128s\"?", near);
    zi_report(c, ZI_WEIGH_FATAL, ZV_NAME, "unknown-joint", about, text_of(name), repair,
              "expected a joint to couple, found \"%s\", which does not exist", text_of(name));
}

/* stamp: njoint, the last loop that has each joint as a term, counted from 1. */
static void check_term(ziChecker *c, const zvLoopTerm *term, int loop, ziAbout about, int *stamp, int *suggestions) {
    const zvBuilder *b = c->builder;
    int joint = zi_names_find(&b->joint_names, term->joint);
    if (joint < 0) {
        report_unknown(c, term->joint, about, suggestions);
        return;
    }
    const zvJoint *own = &b->joints[joint];
    if (zv_joint_type_nv(own->type) != 1) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "coupling-type", about, own->name,
                  "only joints of one degree of freedom can be coupled",
                  "expected a joint of one degree of freedom to couple, found the %s joint \"%s\" with %d",
                  zv_joint_type_word(own->type), own->name, zv_joint_type_nv(own->type));
    } else if (!isnan(c->held[joint])) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "coupling-type", about, own->name,
                  "leave the term out, or let the joint move",
                  "expected a joint that moves to couple, found \"%s\", which follows a fixed one", own->name);
    } else if (stamp[joint] == loop) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "coupling-twice", about, own->name, "add their ratios up in one term",
                  "expected every joint once among its terms, found \"%s\" twice", own->name);
    } else if (zi_order_cuts(b, c->order, (size_t)joint)) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "cut-joint", about, own->name, "cut another joint of its loop",
                  "expected a joint of the tree to couple, found \"%s\", which is cut and has no coordinate",
                  own->name);
    }
    stamp[joint] = loop;
    if (term->ratio != 0) return;
    zi_report(c, ZI_WEIGH_FATAL, ZV_NUMBER, "coupling-ratio", about, "0", "give the ratio, or leave the term out",
              "expected ratios other than 0, found 0 for the joint \"%s\", which takes no part", own->name);
}

/* A coupling has terms, not absurdly many, each a joint of its own. */
static void check_coupling(ziChecker *c, const zvLoop *loop, int number, ziAbout about, int *stamp, int *suggestions) {
    char token[32];
    snprintf(token, sizeof token, "%d", loop->term_count);
    if (loop->term_count <= 0) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "coupling-empty", about, "", "give its terms: joints and their ratios",
                  "expected terms of the coupling, found none");
    } else if (loop->term_count > MOST_TERMS) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SIZE, "coupling-size", about, token, "couple fewer joints at a time",
                  "expected at most %d terms of the coupling, found %s", MOST_TERMS, token);
        return;
    }
    for (int i = 0; i < loop->term_count && !c->stopped; i++) {
        check_term(c, &loop->terms[i], number, about, stamp, suggestions);
    }
}

static size_t count_cuts(const ziChecker *c) {
    size_t count = 0;
    for (size_t j = 0; j < c->builder->njoint; j++) count += zi_order_cuts(c->builder, c->order, j);
    return count;
}

/* Joints that are cut and have their two links on one rigid part. */
static void check_cut_selves(ziChecker *c, const int *head) {
    const zvBuilder *b = c->builder;
    for (size_t j = 0; j < b->njoint && !c->stopped; j++) {
        zvLoop loop = zi_loop_of_joint(&b->joints[j]);
        bool self = c->order->parent_link[j] == c->order->child_link[j]; /* told by the rules of the tree */
        if (!self && zi_order_cuts(b, c->order, j)) check_self(c, head, &loop, zi_about_joint(b, j));
    }
}

/* Heads of rigid parts once, then every loop by its kind. */
void zi_check_loops(ziChecker *c) {
    const zvBuilder *b = c->builder;
    if (c->stopped || b->nloop + count_cuts(c) == 0) return;
    int *head = malloc((b->nlink + 1) * sizeof *head), *stamp = calloc(b->njoint + 1, sizeof *stamp);
    if (!head || !stamp) {
        free(head);
        free(stamp);
        c->out_of_memory = c->stopped = true;
        return;
    }
    int suggestions = SUGGESTIONS;
    find_heads(c, head);
    check_cut_selves(c, head);
    for (size_t i = 0; i < b->nloop && !c->stopped; i++) {
        const zvLoop *loop = &b->loops[i];
        ziAbout about = zi_about_loop(b, i);
        if (loop->kind == ZV_LOOP_COUPLING) {
            check_coupling(c, loop, (int)i + 1, about, stamp, &suggestions);
            continue;
        }
        check_self(c, head, loop, about);
        if (loop->kind == ZV_LOOP_JOINT) check_type(c, loop, about);
        if (loop->kind == ZV_LOOP_ROD) check_rod(c, loop, about);
    }
    free(head);
    free(stamp);
}

/* Joints that are cut, and the frames added. */

/* What a loop cannot keep of a joint: all of it, "limits, friction and armature". Returns how many things it is. */
static int list_lost(const zvJoint *joint, char *text, size_t size) {
    enum { KINDS = 6, GEAR = KINDS - 1 };
    static const char *const words[KINDS] = {"limits",       "armature",       "friction",
                                             "effort limit", "velocity limit", "flexible gear"};
    bool has[KINDS] = {[GEAR] = joint->flexible != NULL};
    int count = 0, named = 0;
    for (int i = 0; i < zv_joint_type_nv(joint->type); i++) {
        const zvDof *d = &joint->dof[i];
        const bool own[GEAR] = {d->has_limits, d->armature != 0, d->friction != 0, d->effort != 0, d->velocity != 0};
        for (int k = 0; k < GEAR; k++) has[k] = has[k] || own[k];
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

/* What a cut joint has and a loop cannot keep is told, not dropped silently. */
static void check_data(ziChecker *c, const zvJoint *joint, ziAbout about) {
    char lost[80];
    const int count = list_lost(joint, lost, sizeof lost);
    if (zi_joint_free(joint->type)) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "free-loop", about, "free", "remove it, or cut another joint",
                  "expected a joint that closes its loop, found a free one, which allows every motion");
    }
    if (count == 0) return;
    zi_report(c, ZI_WEIGH_WARNING, ZV_SCHEMA, "cut-joint-data", about, lost,
              "cut another joint of its loop (\"cut: true\"), or remove what is left out; damping and springs are kept",
              "expected no %s of a joint that closes a loop, found some: left out", lost);
}

static void report_relation(ziChecker *c, size_t joint, const char *follower, const char *master) {
    zi_report(
        c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "cut-joint", zi_about_joint(c->builder, joint), master,
        "cut another joint of its loop (\"cut: true\"), or couple the joints of the tree by a loop",
        "expected a joint of the tree, since \"%s\" follows \"%s\", found one that closes a loop and has no coordinate",
        follower, master);
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
                  "expected a name of its own for its frame, found \"%s\", which a %s of the robot has", name,
                  link ? "link" : "frame");
    }
    free(name);
}

/* Frames that loops and cut joints add must have names that are free. */
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
