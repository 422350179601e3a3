/* Masses against the volume of meshes. What a hull of osmium could not weigh is in grams, what a surface full of air
 * weighs more than is in tonnes, or the mesh is in millimetres. Links with boxes, cylinders and spheres are judged by
 * these (zv_check). */
#include "verbs/check_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/parts.h"
#include "zveno/mesh.h"

static const double densest = 25000, lightest = 1; /* kg/m^3, as of the library's rule */

/* What the meshes of a link enclose, visual ones or those for collisions. */
typedef struct LinkVolume {
    double inside[2], hull[2];
    bool incomplete[2], plain; /* a mesh is missing; there are shapes of known size */
} LinkVolume;

typedef struct MeshCheck {
    PageMeshSet set;
    int missing;
    char first[256];
} MeshCheck;

/* What the mesh of a shape encloses, or that it is missing. */
static void weigh_shape(MeshCheck *check, const zvShape *shape, LinkVolume *v) {
    zvMesh mesh = {0};
    double inside, hull;
    zvError error;
    if (shape->kind != ZV_SHAPE_MESH) {
        v->plain = true;
        return;
    }
    char *path = page_mesh_path(&check->set, shape);
    if (!path && !check->missing++) snprintf(check->first, sizeof check->first, "%s", shape->mesh ? shape->mesh : "");
    if (!path || zv_mesh_read_file(path, &mesh, &error) < 0 ||
        zv_mesh_volume(&mesh, shape->size, &inside, &hull, &error) < 0) {
        v->incomplete[shape->collision] = true;
    } else {
        v->inside[shape->collision] += inside;
        v->hull[shape->collision] += hull;
    }
    zv_mesh_free(&mesh);
    free(path);
}

/* One finding of the rule. */
static void report(const zvLink *link, double density, const char *repair, zvFindingSink sink, void *context) {
    char element[160], token[32], why[256];
    snprintf(element, sizeof element, "link \"%s\"", link->name);
    snprintf(token, sizeof token, "%.6g", link->inertia.mass);
    snprintf(why, sizeof why,
             "expected the density of some material, found %.3g kg/m^3 by its mass of %.6g kg and the volume of its "
             "meshes",
             density, link->inertia.mass);
    zvFinding finding = {.severity = ZV_SEVERITY_WARNING, .status = ZV_PHYSICS, .rule = "mesh-density"};
    finding.element = element, finding.token = token, finding.why = why, finding.repair = repair;
    finding.mark = link->mark, finding.count = 1, finding.others = "";
    sink(context, &finding);
}

/* Of visual and collision meshes those that accuse less. */
static void judge(const zvLink *link, const LinkVolume *v, double robot, zvFindingSink sink, void *context) {
    const double mass = link->inertia.mass;
    double heavy = INFINITY, light = 0;
    if (v->plain || !(mass > 1e-3 * robot)) return;
    for (int k = 0; k < 2; k++) {
        if (v->incomplete[k]) return;
        if (v->hull[k] > 0) heavy = fmin(heavy, mass / v->hull[k]);
        if (v->inside[k] > 0 && v->inside[k] <= 1.001 * v->hull[k]) light = fmax(light, mass / v->inside[k]);
    }
    if (heavy < INFINITY && heavy > densest)
        report(link, heavy, "check the mass (was it written in grams?) and the scale of its meshes", sink, context);
    else if (light > 0 && light < lightest)
        report(link, light, "check the mass and the scale of its meshes (in millimetres: 0.001 0.001 0.001)", sink,
               context);
}

/* All missing files in one note. */
static void tell_missing(const MeshCheck *check, const Args *args, zvFindingSink sink, void *context) {
    char why[400], many[64] = "a mesh is not found:";
    if (!check->missing) return;
    if (check->missing > 1) snprintf(many, sizeof many, "%d meshes are not found, such as", check->missing);
    snprintf(why, sizeof why, "%s \"%s\"; pictures and densities do without", many, check->first);
    const zvFinding finding = {.severity = ZV_SEVERITY_NOTE,
                               .status = ZV_IO,
                               .rule = "meshes-not-found",
                               .element = "robot",
                               .token = check->first,
                               .why = why,
                               .repair = "--meshes DIR and --package NAME=DIR tell where they are",
                               .mark = {args->operand, 0, 0},
                               .count = 1,
                               .others = ""};
    sink(context, &finding);
}

/* Each file is read once for each shape that shows it; links by their index in the builder. */
Code check_meshes(const Args *args, const Robot *robot, zvFindingSink sink, void *context) {
    zvBuilder *b = robot->builder;
    const PageMeshes where = {.model = args->operand,
                              .folders = args->meshes,
                              .folder_count = args->mesh_count,
                              .packages = args->packages,
                              .package_count = args->package_count};
    MeshCheck check = {.set = {.where = &where}};
    LinkVolume *volumes = calloc((size_t)zv_builder_nlink(b) + 1, sizeof *volumes);
    double mass = 0;
    if (!volumes) return complain_memory();
    for (int i = 0; i < zv_builder_nshape(b); i++) {
        const int link = zv_builder_find_link(b, zv_builder_shape(b, i)->link);
        if (link >= 0) weigh_shape(&check, zv_builder_shape(b, i), &volumes[link]);
    }
    for (int i = 0; i < zv_builder_nlink(b); i++) mass += zv_builder_link(b, i)->inertia.mass;
    for (int i = 0; i < zv_builder_nlink(b); i++) judge(zv_builder_link(b, i), &volumes[i], mass, sink, context);
    tell_missing(&check, args, sink, context);
    free(volumes);
    return check.set.failed ? complain_memory() : CODE_DONE;
}
