/* Rules about proportions: slips of units are powers of ten, and powers of ten show.
 *
 * The radius of gyration sqrt(C / m) of a body (C its largest principal moment) is a fraction of its size, for rods and
 * boxes 0.3 to 0.6. A link is compared with what the description shows of its size; where that is nothing, it is left
 * alone, and where it is vague (meshes, no shapes) the robot's usual offset counts as well. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/check.h"
#include "model/elastic.h"
#include "model/joint_type.h"
#include "model/measure.h"

static const double most_gyration = 3;          /* of the size */
static const double least_gyration = 1.0 / 300; /* of the size */
static const double usual_gyration = 0.4;       /* of the size */
static const double negligible_mass = 1e-3;     /* of the robot: lighter links are ballast for some formula */
static const double farthest_com = 4;           /* sizes from the origin: three beyond the link */
static const double densest = 25000;            /* kg/m^3; osmium has 22590 */
static const double densest_link = 30000;       /* kg/m^3 of the cube of its size: a solid block of platinum has less */
static const double stick_figure = 10;          /* a picture alone may be this much too thin */
static const double lightest = 1;               /* kg/m^3; air has 1.2 */
static const double longest_offset = 50;        /* m */
static const double offset_ratio = 100;         /* to the median of the robot */
static const double least_suspect = 2;          /* m; shorter offsets are ordinary whatever the others are */
static const double strongest_gravity = 300;    /* m/s^2; 9810 mm/s^2 is more */

enum { FEWEST_OFFSETS = 3 }; /* that make a median */

typedef struct scale {
    double mass;   /* of all links */
    double median; /* usual joint offset */
    size_t offsets;
} scale;

/* The power of ten that would make the moments usual. */
static double power_missing(double gyration, double size) { return 2 * log10(usual_gyration * size / gyration); }

/* What a moment that is too large by some power of ten was probably written in. */
typedef struct slip {
    int power;
    const char *unit;
} slip;

static slip nearest_slip(double power) {
    static const slip slips[] = {
        {-3, "g m^2 (or the mass in tonnes)"}, {-4, "kg cm^2"}, {-6, "kg mm^2"}, {-7, "g cm^2"}, {-9, "g mm^2"}};
    slip best = slips[0];
    for (size_t i = 1; i < sizeof slips / sizeof *slips; i++) {
        if (fabs(slips[i].power - power) < fabs(best.power - power)) best = slips[i];
    }
    return best;
}

static void report_gyration(ziChecker *c, ziAbout about, const char *rule, const char *repair, double largest,
                            double gyration, double size) {
    char token[32];
    snprintf(token, sizeof token, "%.6g", largest);
    zi_report(c, ZI_WEIGH_WARNING, ZV_PHYSICS, rule, about, token, repair,
              "expected moments about 1e%.0f times what they are, found a radius of gyration of %.3g m in a link about "
              "%.3g m large",
              floor(power_missing(gyration, size) + 0.5), gyration, size);
}

static void report_too_large(ziChecker *c, ziAbout about, double largest, double gyration, double size) {
    double power = power_missing(gyration, size);
    slip s = nearest_slip(power);
    char unit[96];
    snprintf(unit, sizeof unit, "if the moments were written in %s, multiply them by 1e%d", s.unit, s.power);
    const char *again =
        "take the moments from the drawing again, about the centre of mass and in kg m^2; the inertia of "
        "a rotor belongs to the armature of the joint";
    bool likely = fabs(s.power - power) < 0.75;
    report_gyration(c, about, "inertia-too-large", likely ? unit : again, largest, gyration, size);
}

static void report_too_small(ziChecker *c, ziAbout about, double largest, double gyration, double size) {
    const char *grams = "take the moments from the drawing again; was the mass written in grams?";
    const char *twice = "take the moments from the drawing again; were they converted to kg m^2 twice?";
    bool few = power_missing(gyration, size) < 5;
    report_gyration(c, about, "inertia-too-small", few ? grams : twice, largest, gyration, size);
}

/* For what must not be too large, a size that is rather too large itself. */
static double generous_size(const ziExtent *e, const scale *s) {
    double local = fmax(e->body, e->above);
    bool vague = e->mesh || (e->volume[0] <= 0 && e->volume[1] <= 0);
    return local > 0 && vague ? fmax(local, s->median) : local;
}

static void check_gyration(ziChecker *c, const zvLink *link, ziAbout about, const ziExtent *e, const scale *s) {
    double principal[3], size = generous_size(e, s);
    zi_principal_moments(link->inertia.moment, principal);
    if (!(principal[2] > 0) || !isfinite(principal[2])) return;
    double gyration = sqrt(principal[2] / link->inertia.mass);
    if (size > 0 && gyration > most_gyration * size) {
        report_too_large(c, about, principal[2], gyration, size);
    } else if (gyration < least_gyration * e->body) {
        report_too_small(c, about, principal[2], gyration, e->body);
    }
}

/* A centre of mass far outside of the link: another unit or another frame. */
static void check_com(ziChecker *c, const zvLink *link, ziAbout about, const ziExtent *e, const scale *s) {
    const double *com = link->inertia.com;
    double distance = hypot(hypot(com[0], com[1]), com[2]), size = generous_size(e, s);
    if (!(size > 0) || !(distance > farthest_com * size)) return;
    char token[96];
    snprintf(token, sizeof token, "%.6g %.6g %.6g", com[0], com[1], com[2]);
    zi_report(
        c, ZI_WEIGH_WARNING, ZV_PHYSICS, "com-outside", about, token,
        distance > 100 * size ? "write metres: was it given in millimetres?"
                              : "check the centre of mass, its unit (m) and its frame (the link's own)",
        "expected its centre of mass within the link, which is about %.3g m large, found it %.3g m from its origin",
        size, distance);
}

static void report_density(ziChecker *c, ziAbout about, double mass, double volume, const char *repair) {
    char token[32];
    snprintf(token, sizeof token, "%.6g", mass);
    zi_report(
        c, ZI_WEIGH_WARNING, ZV_PHYSICS, "density", about, token, repair,
        "expected the density of some material, found %.3g kg/m^3 by its mass of %.6g kg and the volume of its shapes",
        mass / volume, mass);
}

/* Mass over the volume of the shapes, visual or collision, whichever accuses less. */
static void check_density(ziChecker *c, const zvLink *link, ziAbout about, const ziExtent *e) {
    const char *grams = "check the mass (was it written in grams?) and the sizes of its shapes (m)";
    const char *tonnes = "check the mass (was it written in tonnes?) and the sizes of its shapes (in millimetres?)";
    double larger = fmax(e->volume[0], e->volume[1]), smaller = fmin(e->volume[0], e->volume[1]);
    double mass = link->inertia.mass, most = e->volume[1] > 0 ? densest : stick_figure * densest;
    if (smaller <= 0) smaller = larger;
    if (!(smaller > 0)) return;
    if (mass / larger > most && !e->mesh) {
        report_density(c, about, mass, larger, grams);
    } else if (mass / smaller < lightest) {
        report_density(c, about, mass, smaller, tonnes);
    }
}

/* Without boxes, cylinders and spheres there is no volume; the cube of a generous size is more than any. The radius of
 * gyration tells the size of a body whose mass and moments were written in the same wrong unit. */
static void check_bulk(ziChecker *c, const zvLink *link, ziAbout about, const ziExtent *e, const scale *s) {
    const double *com = link->inertia.com;
    double principal[3], mass = link->inertia.mass, size = generous_size(e, s);
    if (!(size > 0) || e->volume[0] > 0 || e->volume[1] > 0) return;
    zi_principal_moments(link->inertia.moment, principal);
    if (principal[2] > 0) size = fmax(size, sqrt(principal[2] / mass) / usual_gyration);
    size = fmax(size, hypot(hypot(com[0], com[1]), com[2]));
    if (!(mass > densest_link * size * size * size)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", mass);
    zi_report(c, ZI_WEIGH_WARNING, ZV_PHYSICS, "mass-too-large", about, token,
              "write the mass in kilograms: was it given in grams?",
              "expected less than the mass of a solid block of metal about %.3g m large, found %.6g kg", size, mass);
}

/* A link of next to no mass whose numbers fit no body was given some so that a program takes it. */
static bool is_placeholder(void *context, const zvFinding *finding) {
    (void)finding;
    *(bool *)context = true;
    return true;
}

static void check_body(ziChecker *c, const zvLink *link, ziAbout about, const ziExtent *e, const scale *s) {
    check_gyration(c, link, about, e, s);
    check_com(c, link, about, e, s);
    check_density(c, link, about, e);
    check_bulk(c, link, about, e, s);
}

/* The rules decide whether it fits; one note stands for whatever they say. */
static void check_light(ziChecker *c, const zvLink *link, ziAbout about, const ziExtent *e, const scale *s) {
    bool odd = false;
    ziChecker trial = *c;
    trial.sink = is_placeholder, trial.context = &odd;
    check_body(&trial, link, about, e, s);
    if (!odd) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", link->inertia.mass);
    zi_report(
        c, ZI_WEIGH_NOTE, ZV_PHYSICS, "placeholder", zi_about_spot(about, link->mass_spot), token,
        "nothing to do: it hardly moves anything; or leave its inertia out",
        "expected the inertia of a body of its size, found %.6g kg of the robot's %.6g kg and numbers that fit no "
        "body of its size: a placeholder",
        link->inertia.mass, s->mass);
}

/* Every link that has mass, with what its beam or nodes add. */
static void check_links(ziChecker *c, const ziExtent *extents, const scale *s) {
    const zvBuilder *b = c->builder;
    for (size_t i = 0; i < b->nlink && !c->stopped; i++) {
        zvLink link = b->links[i];
        link.inertia = zi_link_inertia(&b->links[i]); /* its beam counts as well */
        if (!(link.inertia.mass > 0)) continue;
        ziAbout about = zi_about_link(b, i);
        if (link.inertia.mass < negligible_mass * s->mass)
            check_light(c, &link, about, &extents[i], s);
        else
            check_body(c, &link, about, &extents[i], s);
    }
}

/* Where a robot stands says nothing about its size: a fixed joint on the root only places it. */
static bool only_places(const ziChecker *c, size_t joint) {
    return zi_joint_fixed(c->builder->joints[joint].type) && c->order->parent_link[joint] == c->order->root;
}

/* Joint origins far away, or far beyond what is usual in this robot. */
static void check_offsets(ziChecker *c, const scale *s) {
    const zvBuilder *b = c->builder;
    for (size_t j = 0; j < b->njoint && !c->stopped; j++) {
        double offset = zi_pose_offset(&b->joints[j].origin);
        bool unlike = s->offsets >= FEWEST_OFFSETS && offset > offset_ratio * s->median && offset > least_suspect;
        if (!(offset > longest_offset || unlike) || only_places(c, j)) continue;
        char token[32];
        snprintf(token, sizeof token, "%.6g", offset);
        zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "offset-unit", zi_about_joint(b, j), token,
                  "write metres: was the origin given in millimetres?",
                  "expected an offset near the usual %.3g m of this robot, found its origin %.6g m from the parent's",
                  s->median, offset);
    }
}

static void check_gravity(ziChecker *c) {
    const double *g = c->builder->gravity;
    double size = hypot(hypot(g[0], g[1]), g[2]);
    if (!(size > strongest_gravity)) return;
    char token[32];
    snprintf(token, sizeof token, "%.6g", size);
    zi_report(c, ZI_WEIGH_WARNING, ZV_NUMBER, "gravity-unit", zi_about_gravity(c->builder), token,
              "write m/s^2: on Earth 9.81", "expected gravity as on a planet, found %.6g m/s^2", size);
}

/* Sizes and the usual offset of the whole robot first: links are compared with them. */
void zi_check_proportions(ziChecker *c) {
    scale s = {0};
    ziExtent *extents = zi_extents_make(c->builder, c->order);
    if (!extents || !zi_median_offset(c->builder, &s.median, &s.offsets)) {
        free(extents);
        c->out_of_memory = c->stopped = true;
        return;
    }
    for (size_t i = 0; i < c->builder->nlink; i++) s.mass += fabs(zi_link_mass(&c->builder->links[i]));
    check_gravity(c);
    check_links(c, extents, &s);
    check_offsets(c, &s);
    free(extents);
}
