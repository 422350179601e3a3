/* Rules about elastic links: descriptions that make sense, a ground that does not bend, joints and frames only where
 * the link has a section that carries them, and names that mean one thing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beam/modes.h"
#include "model/check.h"
#include "model/elastic.h"
#include "model/order.h"

/* Beam or modal data, not both, and without a fault; returns whether other rules may look at it. */
static bool check_description(ziChecker *c, const zvLink *link, ziAbout about) {
    if (link->beam && link->modal) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "elastic", about, "modal", "keep one of them",
                  "expected a beam or modal data, found both");
        return false;
    }
    const zvInertia *own = &link->inertia;
    ziBeamFault fault =
        link->beam ? zi_beam_fault(link->beam) : zi_modal_fault(link->modal, own->mass, own->com, own->moment);
    if (!fault.key) return true;
    if (fault.memory) {
        c->out_of_memory = c->stopped = true;
        return false;
    }
    zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "elastic", about, fault.token, fault.repair, "%s: %s", fault.key,
              fault.why);
    return false;
}

static void check_root(ziChecker *c, size_t link, ziAbout about) {
    if (c->builder->free_base || c->order->joint_above[link] >= 0) return;
    zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "elastic-root", about, about.name,
              "add a ground link and join this one to it by a fixed joint, or free the base",
              "expected a rigid root, since it stands for the ground, found an elastic one");
}

static void list_interfaces(const zvModal *modal, char *list, size_t size) {
    size_t used = (size_t)snprintf(list, size, "put it on an interface of the link:");
    for (int i = 0; i < modal->interface_count && used < size; i++) {
        const zvModalInterface *x = &modal->interfaces[i];
        used += (size_t)snprintf(list + used, size - used, "%s \"%.40s\" (%.9g %.9g %.9g)", i ? "," : "",
                                 x->name ? x->name : "", x->at[0], x->at[1], x->at[2]);
    }
    if (modal->interface_count == 0) snprintf(list, size, "give the modal data an interface there");
}

/* A point of an elastic link that has to carry something; about tells what, place what the point is to it. */
static void check_point(ziChecker *c, const zvLink *link, const double p[3], ziAbout about, const char *place) {
    ziSection section;
    char token[96], list[256];
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || zi_link_section(link, p, &section)) return;
    if (link->modal) {
        snprintf(token, sizeof token, "%.9g %.9g %.9g", p[0], p[1], p[2]);
        list_interfaces(link->modal, list, sizeof list);
        zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "elastic-attachment", about, token, list,
                  "expected its %s at an interface of the elastic link \"%s\", found (%s)", place, link->name, token);
        return;
    }
    double length = link->beam->length, x = zi_beam_along(link->beam, p);
    snprintf(token, sizeof token, "%.9g", x);
    zi_report(c, ZI_WEIGH_FATAL, ZV_TOPOLOGY, "elastic-attachment", about, token,
              "x is counted along the beam from its root, 0 to its length",
              "expected its %s on the beam \"%s\", x = 0 to %.9g m, found x = %s m", place, link->name, length, token);
}

/* The link of this index when it is elastic and its description is valid. */
static const zvLink *carrier(const ziChecker *c, const bool *valid, int link) {
    return link >= 0 && valid[link] && zi_link_modes(&c->builder->links[link]) > 0 ? &c->builder->links[link] : NULL;
}

/* A joint far from the axis of its beam: lawful, but more often the beam was laid along the wrong axis of its link. */
static void check_lever(ziChecker *c, const zvLink *link, const double p[3], ziAbout about) {
    ziSection section;
    char token[96];
    if (!link->beam || !zi_link_section(link, p, &section)) return;
    const double length = link->beam->length, *at = section.at;
    const double off = hypot(hypot(p[0] - at[0], p[1] - at[1]), p[2] - at[2]);
    if (!(off > length / 4)) return;
    snprintf(token, sizeof token, "%.9g %.9g %.9g", p[0], p[1], p[2]);
    zi_report(c, ZI_WEIGH_WARNING, ZV_TOPOLOGY, "elastic-off-axis", about, token,
              "check axis and start of the beam: it goes along x of its link unless told otherwise",
              "expected its origin on the axis of the beam \"%s\" (length %.9g m), found it %.9g m off, on the section "
              "at x = %.9g m",
              link->name, length, off, section.x);
}

/* Whether the link has an elastic coordinate of this name. */
static bool has_part(const zvLink *link, const char *part) {
    char text[24];
    for (int k = 0; k < zi_link_modes(link); k++) {
        const char *own = link->modal && link->modal->names ? link->modal->names[k] : NULL;
        if (link->beam) own = zi_beam_part(link->beam, k, text);
        if (!own) {
            snprintf(text, sizeof text, "mode%d", k + 1);
            own = text;
        }
        if (strcmp(own, part) == 0) return true;
    }
    return false;
}

/* Coordinates of a joint go by its name, those of an elastic link by LINK.PART. */
static void check_name(ziChecker *c, const bool *valid, ziAbout about) {
    const ziNames *links = &c->builder->link_names;
    const char *dot = about.name ? strrchr(about.name, '.') : NULL; /* parts have none */
    if (!about.name) return;
    if (carrier(c, valid, zi_names_find(links, about.name))) {
        zi_report(c, ZI_WEIGH_ERROR, ZV_NAME, "elastic-name", about, about.name, "rename the joint or the link",
                  "expected a name that no elastic link has, found one: coordinates of both would be called alike");
        return;
    }
    if (!dot) return;
    const size_t length = (size_t)(dot - about.name);
    char *name = malloc(length + 1);
    if (!name) {
        c->out_of_memory = c->stopped = true;
        return;
    }
    memcpy(name, about.name, length);
    name[length] = 0;
    const zvLink *link = carrier(c, valid, zi_names_find(links, name));
    free(name);
    if (link && has_part(link, dot + 1))
        zi_report(c, ZI_WEIGH_ERROR, ZV_NAME, "elastic-name", about, about.name, "rename the joint",
                  "expected a name that no coordinate has, found one of the elastic link \"%s\"", link->name);
}

/* Joints and frames on elastic links sit where the link has a section. */
static void check_carried(ziChecker *c, const bool *valid) {
    const zvBuilder *b = c->builder;
    for (size_t j = 0; j < b->njoint && !c->stopped; j++) {
        const zvLink *link = carrier(c, valid, c->order->parent_link[j]);
        check_name(c, valid, zi_about_joint(b, j));
        if (!link || c->stopped) continue;
        check_point(c, link, b->joints[j].origin.p, zi_about_joint(b, j), "origin");
        if (!c->stopped) check_lever(c, link, b->joints[j].origin.p, zi_about_joint(b, j));
    }
    for (size_t i = 0; i < b->nframe && !c->stopped; i++) {
        const zvFrame *frame = &b->frames[i];
        const zvLink *link = carrier(c, valid, zi_names_find(&b->link_names, frame->link));
        if (link) check_point(c, link, frame->pose.p, (ziAbout){"frame", frame->name, frame->mark}, "place");
    }
}

static void check_end(ziChecker *c, const bool *valid, ziAbout about, const char *name, const zvPose *origin,
                      const char *place) {
    zvPose pose;
    const zvLink *link = c->stopped ? NULL : carrier(c, valid, zi_loop_end(c->builder, name, origin, &pose));
    if (link) check_point(c, link, pose.p, about, place);
}

/* Both ends of loops, and the children of joints that are cut. */
static void check_ends(ziChecker *c, const bool *valid) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->nloop && !c->stopped; i++) {
        const zvLoop *loop = &b->loops[i];
        if (loop->kind == ZV_LOOP_COUPLING) continue;
        check_end(c, valid, zi_about_loop(b, i), loop->parent, &loop->origin, "origin");
        check_end(c, valid, zi_about_loop(b, i), loop->child, &loop->child_origin, "child_origin");
    }
    for (size_t j = 0; j < b->njoint && !c->stopped; j++) {
        const zvPose child = zi_joint_child_origin(&b->joints[j]);
        if (zi_order_cuts(b, c->order, j))
            check_end(c, valid, zi_about_joint(b, j), b->joints[j].child, &child, "end in the child");
    }
}

/* Descriptions first: only those that are valid are asked for sections. */
void zi_check_elastic(ziChecker *c) {
    const zvBuilder *b = c->builder;
    bool *valid = NULL;
    for (size_t i = 0; i < b->nlink && !c->stopped; i++) {
        const zvLink *link = &b->links[i];
        if (!link->beam && !link->modal) continue;
        if (!valid) valid = calloc(b->nlink, sizeof *valid);
        if (!valid) {
            c->out_of_memory = c->stopped = true;
            return;
        }
        ziAbout about = zi_about_spot(zi_about_link(b, i), link->elastic_spot);
        valid[i] = check_description(c, link, about);
        if (valid[i] && zi_link_modes(link) > 0) check_root(c, i, about);
    }
    if (valid) check_carried(c, valid);
    if (valid) check_ends(c, valid);
    free(valid);
}
