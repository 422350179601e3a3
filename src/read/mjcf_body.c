/* <worldbody> of an MJCF file: bodies within bodies, with frames that move what is in them and replicates that repeat
 * it. */
#include "read/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_GROWN = 200000 }; /* elements of bodies, copies included */

/* Where an element is read: the body that carries it, its frame there, its class, and what copies add to names. What
 * belongs to a body is read before the bodies in it, so that its joints stand together. */
typedef struct Place {
    int body;
    zvPose frame;
    int class;
    const char *suffix; /* "" but in copies */
    bool bodies;        /* only those within */
} Place;

static zvStatus read_children(ziMjcf *m, const ziXmlElement *element, const Place *place);

/* The name that is written, with what a copy adds to it; NULL where none is. */
static zvStatus read_name(ziMjcf *m, const ziXmlElement *element, const Place *place, const char **name) {
    const ziXmlAttribute *written = zi_xml_attribute(element, "name");
    *name = NULL;
    if (!written || !written->value[0]) return ZV_OK;
    *name = place->suffix[0] ? zi_mjcf_print(m, "%s%s", written->value, place->suffix) : written->value;
    return *name ? ZV_OK : zi_mjcf_memory(m, element);
}

/* Notes a name under which others refer to an element; twice the same is an error. */
static zvStatus note_name(ziMjcf *m, ziNames *names, const ziXmlElement *element, const char *name, int index) {
    if (!name) return ZV_OK;
    if (zi_names_find(names, name) >= 0)
        return zi_mjcf_fail(m, ZV_NAME, element, "name", "<%s>: expected a name of its own, found \"%.60s\" again",
                            element->name, name);
    return zi_names_add(names, name, index) < 0 ? zi_mjcf_memory(m, element) : ZV_OK;
}

static zvStatus count_element(ziMjcf *m, const ziXmlElement *element) {
    if (++m->grown <= MOST_GROWN) return ZV_OK;
    return zi_mjcf_fail(m, ZV_SIZE, element, NULL,
                        "expected at most %d elements of bodies, found more; a <replicate> counts too high?",
                        MOST_GROWN);
}

/* Joints of one body follow each other; another of them in a frame between bodies would break the row. */
static zvStatus take_joint(ziMjcf *m, const ziXmlElement *element, const Place *place) {
    if (place->body == 0)
        return zi_mjcf_fail(m, ZV_TOPOLOGY, element, NULL,
                            "<%s>: expected a joint in a <body>, found one in <worldbody>, which does not move",
                            element->name);
    ziMjcfItem item = {element, "joint", place->class};
    zvStatus status = zi_mjcf_class(m, element, "class", place->class, &item.class);
    if (status == ZV_OK) status = zi_mjcf_joint(m, item, &place->frame, place->body);
    if (status != ZV_OK) return status;
    const int index = (int)m->njoint - 1;
    status = read_name(m, element, place, &m->joints[index].name);
    return status != ZV_OK ? status : note_name(m, &m->joint_names, element, m->joints[index].name, index);
}

/* A named place; one without a name cannot be asked for. Laid along a line it stands in its middle. */
static zvStatus take_site(ziMjcf *m, const ziXmlElement *element, const Place *place) {
    ziMjcfItem item = {element, "site", place->class};
    ziMjcfSite site = {.element = element, .body = place->body};
    double line[6];
    int count = 0;
    zvStatus status = zi_mjcf_class(m, element, "class", place->class, &item.class);
    if (status == ZV_OK) status = zi_mjcf_pose(m, item, &site.pose);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "fromto", 6, 6, line, &count);
    if (status == ZV_OK) status = read_name(m, element, place, &site.name);
    if (status != ZV_OK || !site.name) return status;
    if (count == 6) {
        const double z[3] = {line[0] - line[3], line[1] - line[4], line[2] - line[5]};
        for (int i = 0; i < 3; i++) site.pose.p[i] = 0.5 * (line[i] + line[3 + i]);
        if (hypot(hypot(z[0], z[1]), z[2]) > 0) zi_mjcf_from_z(z, site.pose.R);
    }
    site.pose = zv_pose_compose(&place->frame, &site.pose);
    if (!zi_grow(&m->sites, m->nsite, &m->site_room, sizeof *m->sites)) return zi_mjcf_memory(m, element);
    m->sites[m->nsite] = site;
    return note_name(m, &m->site_names, element, site.name, (int)m->nsite++);
}

static zvStatus take_geom(ziMjcf *m, const ziXmlElement *element, const Place *place) {
    ziMjcfItem item = {element, "geom", place->class};
    zvStatus status = zi_mjcf_class(m, element, "class", place->class, &item.class);
    if (status == ZV_OK) status = zi_mjcf_geom(m, item, &place->frame, place->body);
    return status != ZV_OK ? status : read_name(m, element, place, &m->geoms[m->ngeom - 1].name);
}

/* A body and all within it; its joints follow each other in the list. */
static zvStatus take_body(ziMjcf *m, const ziXmlElement *element, const Place *place) {
    const ziMjcfItem item = {element, "body", -1};
    ziMjcfBody body = {.element = element, .parent = place->body, .first_joint = (int)m->njoint};
    Place inside = {(int)m->nbody, zv_pose_identity(), place->class, place->suffix, false};
    zvStatus status = zi_mjcf_pose(m, item, &body.pose);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "gravcomp", &body.gravcomp);
    if (status == ZV_OK) status = read_name(m, element, place, &body.name);
    if (status == ZV_OK) status = zi_mjcf_class(m, element, "childclass", place->class, &inside.class);
    if (status != ZV_OK) return status;
    body.pose = zv_pose_compose(&place->frame, &body.pose);
    body.world = zv_pose_compose(&m->bodies[place->body].world, &body.pose);
    if (body.name && strcmp(body.name, "world") == 0)
        return zi_mjcf_fail(m, ZV_NAME, element, "name",
                            "<body>: expected another name than \"world\", which is that of <worldbody>");
    if (!zi_grow(&m->bodies, m->nbody, &m->body_room, sizeof *m->bodies)) return zi_mjcf_memory(m, element);
    m->bodies[m->nbody] = body;
    status = note_name(m, &m->body_names, element, body.name, (int)m->nbody++);
    if (status == ZV_OK) status = read_children(m, element, &inside);
    m->bodies[inside.body].njoint = (int)m->njoint - body.first_joint;
    inside.bodies = true;
    return status != ZV_OK ? status : read_children(m, element, &inside);
}

static zvStatus take_inertial(ziMjcf *m, const ziXmlElement *element, const Place *place) {
    ziMjcfBody *body = &m->bodies[place->body];
    if (body->inertial)
        return zi_mjcf_fail(m, ZV_SCHEMA, element, NULL,
                            "<body>: expected one <inertial>, found a second beside that of line %d; remove one of the "
                            "two",
                            body->inertial->mark.line);
    body->inertial = element;
    return ZV_OK;
}

/* What stands in a frame is moved by it, and takes its class. */
static zvStatus read_frame(ziMjcf *m, const ziXmlElement *element, const Place *place) {
    const ziMjcfItem item = {element, "frame", -1};
    Place inside = *place;
    zvPose pose;
    zvStatus status = zi_mjcf_pose(m, item, &pose);
    if (status == ZV_OK) status = zi_mjcf_class(m, element, "childclass", place->class, &inside.class);
    if (status != ZV_OK) return status;
    inside.frame = zv_pose_compose(&place->frame, &pose);
    return read_children(m, element, &inside);
}

/* Copy k is turned by k times the angles of euler, and stands `offset` from the one before it, in its axes. Its names
 * end with the number k in as many digits as the greatest has. */
static zvStatus copy_children(ziMjcf *m, const ziXmlElement *element, const Place *place, int count,
                              const double offset[3], const double euler[3]) {
    const ziXmlAttribute *written = zi_xml_attribute(element, "sep");
    const int digits = snprintf(NULL, 0, "%d", count - 1);
    zvPose at = zv_pose_identity();
    zvStatus status = ZV_OK;
    for (int k = 0; k < count && status == ZV_OK; k++) {
        const double angles[3] = {k * euler[0], k * euler[1], k * euler[2]};
        Place inside = *place;
        zi_mjcf_euler(m, angles, at.R);
        inside.frame = zv_pose_compose(&place->frame, &at);
        inside.suffix = zi_mjcf_print(m, "%s%0*d%s", written ? written->value : "", digits, k, place->suffix);
        if (!inside.suffix) return zi_mjcf_memory(m, element);
        if ((status = count_element(m, element)) == ZV_OK) status = read_children(m, element, &inside);
        zvPose step = zv_pose_identity();
        memcpy(step.p, offset, sizeof step.p);
        at = zv_pose_compose(&at, &step);
    }
    return status;
}

/* Its numbers are checked before the first copy, since counts multiply. */
static zvStatus read_replicate(ziMjcf *m, const ziXmlElement *element, const Place *place) {
    const ziMjcfItem item = {element, "replicate", -1};
    double count = 0, offset[3] = {0, 0, 0}, euler[3] = {0, 0, 0};
    zvStatus status = zi_mjcf_number(m, item, "count", &count);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "offset", 3, 3, offset, NULL);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "euler", 3, 3, euler, NULL);
    if (status != ZV_OK) return status;
    if (!(count >= 1 && count <= MOST_GROWN) || count != floor(count))
        return zi_mjcf_fail(m, ZV_NUMBER, element, "count",
                            "count of <replicate>: expected a whole number from 1 to %d, found another", MOST_GROWN);
    return copy_children(m, element, place, (int)count, offset, euler);
}

typedef zvStatus Part(ziMjcf *m, const ziXmlElement *element, const Place *place);

typedef enum Turn { WITH_ITS_BODY, AS_BODY, BOTH } Turn;

typedef struct PartKind {
    const char *word;
    Part *read;
    Turn turn;
} PartKind;

static const PartKind parts[] = {{"body", take_body, AS_BODY},
                                 {"joint", take_joint, WITH_ITS_BODY},
                                 {"freejoint", take_joint, WITH_ITS_BODY},
                                 {"geom", take_geom, WITH_ITS_BODY},
                                 {"site", take_site, WITH_ITS_BODY},
                                 {"inertial", take_inertial, WITH_ITS_BODY},
                                 {"frame", read_frame, BOTH},
                                 {"replicate", read_replicate, BOTH}};

/* The elements whose turn it is. Nesting is bounded by that of XML. */
static zvStatus read_children(ziMjcf *m, const ziXmlElement *element, const Place *place) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = element->first; e; e = e->next) {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (strcmp(parts[i].word, e->name) != 0) continue;
            if (parts[i].turn != BOTH && (parts[i].turn == AS_BODY) != place->bodies) continue;
            if (status == ZV_OK) status = count_element(m, e);
            if (status == ZV_OK) status = parts[i].read(m, e, place);
        }
    }
    return status;
}

/* All worldbody sections are one body, the ground. */
zvStatus zi_mjcf_bodies(ziMjcf *m) {
    if (!zi_grow(&m->bodies, m->nbody, &m->body_room, sizeof *m->bodies) ||
        zi_names_add(&m->body_names, "world", 0) < 0)
        return zi_mjcf_memory(m, NULL);
    m->bodies[m->nbody++] =
        (ziMjcfBody){.name = "world", .element = m->root, .parent = -1, .world = zv_pose_identity()};
    zvStatus status = ZV_OK;
    for (int turn = 0; turn < 2; turn++) {
        for (const ziXmlElement *e = m->root->first; e && status == ZV_OK; e = e->next) {
            Place place = {0, zv_pose_identity(), 0, "", turn == 1};
            if (strcmp(e->name, "worldbody") != 0) continue;
            m->bodies[0].element = e;
            status = zi_mjcf_class(m, e, "childclass", 0, &place.class);
            if (status == ZV_OK) status = read_children(m, e, &place);
        }
    }
    return status;
}
