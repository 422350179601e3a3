/* Inertia of the bodies of an MJCF file: as written, or of their geoms, then within the bounds of the compiler.
 *
 * Moments per mass of bodies of uniform density and of their thin surfaces are those of the textbooks; the surface of
 * an ellipsoid has the area of Thomsen's formula and the moments of a layer of even thickness on its axes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linalg/jacobi.h"
#include "read/mjcf.h"

static const double pi = 3.14159265358979323846;

/* Volume or area, and moments of a unit mass about the axes of the geom. */
typedef struct Form {
    double size, moment[3];
} Form;

static Form box_form(const double h[3], bool shell) {
    const double area[3] = {8 * h[1] * h[2], 8 * h[0] * h[2], 8 * h[0] * h[1]}; /* of both faces */
    Form f = {.size = shell ? area[0] + area[1] + area[2] : 8 * h[0] * h[1] * h[2]};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double jj = h[j] * h[j], kk = h[k] * h[k];
        f.moment[i] = (jj + kk) / 3;
        if (shell) f.moment[i] = (area[i] * (jj + kk) / 3 + area[j] * (jj + kk / 3) + area[k] * (jj / 3 + kk)) / f.size;
    }
    return f;
}

/* The layer is 1 micrometre thick, as the format's own program takes it: solid less solid. */
static Form ellipsoid_form(const double h[3], bool shell) {
    const double layer = 1e-6, outer[3] = {h[0] + layer, h[1] + layer, h[2] + layer};
    const double inside = h[0] * h[1] * h[2], all = outer[0] * outer[1] * outer[2];
    const double mean =
        (pow(h[0] * h[1], 1.6075) + pow(h[1] * h[2], 1.6075) + pow(h[0] * h[2], 1.6075)) / 3; /* [Thomsen 2004] */
    Form f = {.size = shell ? 4 * pi * pow(mean, 1 / 1.6075) : 4 * pi / 3 * inside};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double square = h[j] * h[j] + h[k] * h[k], wider = outer[j] * outer[j] + outer[k] * outer[k];
        f.moment[i] = shell ? (all * wider - inside * square) / (all - inside) / 5 : square / 5;
    }
    return f;
}

static Form ball_form(double r, bool shell) {
    const double moment = (shell ? 2.0 / 3 : 2.0 / 5) * r * r;
    return (Form){shell ? 4 * pi * r * r : 4 * pi / 3 * r * r * r, {moment, moment, moment}};
}

/* The middle is a tube or a solid cylinder, the ends are two halves of a ball. */
static Form capsule_form(double r, double half, bool shell) {
    const double h = 2 * half;
    const double middle = shell ? 2 * pi * r * h : pi * r * r * h,
                 ends = shell ? 4 * pi * r * r : 4 * pi / 3 * r * r * r;
    const double size = middle + ends, m = middle / size, e = ends / size;
    const double ball = (shell ? 2.0 / 3 : 2.0 / 5) * r * r, lever = (shell ? 1.0 / 2 : 3.0 / 8) * r * h + h * h / 4;
    const double along = (shell ? 1 : 0.5) * r * r, across = along / 2 + h * h / 12;
    return (Form){size, {m * across + e * (ball + lever), m * across + e * (ball + lever), m * along + e * ball}};
}

static Form cylinder_form(double r, double half, bool shell) {
    const double h = 2 * half, side = 2 * pi * r * h, ends = 2 * pi * r * r, rr = r * r;
    if (!shell) return (Form){pi * rr * h, {rr / 4 + h * h / 12, rr / 4 + h * h / 12, rr / 2}};
    const double s = side / (side + ends), e = ends / (side + ends);
    const double across = s * (rr / 2 + h * h / 12) + e * (rr / 4 + h * h / 4);
    return (Form){side + ends, {across, across, s * rr + e * rr / 2}};
}

static Form form_of(ziMjcfGeomType type, const double size[3], bool shell) {
    switch (type) {
    case ZI_MJCF_SPHERE: return ball_form(size[0], shell);
    case ZI_MJCF_CAPSULE: return capsule_form(size[0], size[1], shell);
    case ZI_MJCF_ELLIPSOID: return ellipsoid_form(size, shell);
    case ZI_MJCF_CYLINDER: return cylinder_form(size[0], size[1], shell);
    case ZI_MJCF_BOX: return box_form(size, shell);
    default: return (Form){0};
    }
}

static void square_of(const double moment[6], double A[9]) {
    const double full[9] = {moment[0], moment[1], moment[2], moment[1], moment[3],
                            moment[4], moment[2], moment[4], moment[5]};
    memcpy(A, full, sizeof full);
}

/* R A R^T of a symmetric A, to xx xy xz yy yz zz. */
static void turned(const double R[9], const double A[9], double moment[6]) {
    int n = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++, n++) {
            moment[n] = 0;
            for (int k = 0; k < 9; k++) moment[n] += R[3 * i + k / 3] * A[k] * R[3 * j + k % 3];
        }
    }
}

/* Principal moments, the greatest first, and axes as columns; right-handed. */
static void principal(const double moment[6], double value[3], double axes[9]) {
    double A[9], Vt[9];
    int order[3] = {0, 1, 2};
    square_of(moment, A);
    jacobi_eigen(3, A, Vt);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            if (A[4 * order[j]] >= A[4 * order[j + 1]]) continue;
            const int swap = order[j];
            order[j] = order[j + 1];
            order[j + 1] = swap;
        }
    }
    for (int i = 0; i < 3; i++) value[i] = A[4 * order[i]];
    const double *x = Vt + 3 * order[0], *y = Vt + 3 * order[1];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        axes[3 * i] = x[i];
        axes[3 * i + 1] = y[i];
        axes[3 * i + 2] = x[j] * y[k] - x[k] * y[j];
    }
}

/* A primitive fitted to a mesh: the sizes of the box with the inertia of the mesh, in its principal axes. */
static void fit(const zvInertia *unit, double scale, ziMjcfGeom *geom) {
    double value[3], box[3];
    zvPose inside = zv_pose_identity();
    principal(unit->moment, value, inside.R);
    memcpy(inside.p, unit->com, sizeof inside.p);
    geom->pose = zv_pose_compose(&geom->pose, &inside);
    for (int i = 0; i < 3; i++)
        box[i] = 0.5 * sqrt(fmax(0, 6 * (value[(i + 1) % 3] + value[(i + 2) % 3] - value[i]) / unit->mass));
    double size[3] = {box[0], box[1], box[2]};
    if (geom->type == ZI_MJCF_SPHERE) size[0] = (box[0] + box[1] + box[2]) / 3;
    if (geom->type == ZI_MJCF_CAPSULE || geom->type == ZI_MJCF_CYLINDER) {
        size[0] = (box[0] + box[1]) / 2;
        size[1] = geom->type == ZI_MJCF_CYLINDER ? box[2] : fmax(0, box[2] - size[0] / 2);
    }
    for (int i = 0; i < 3; i++) geom->size[i] = scale * size[i];
}

/* What a geom weighs, in the axes of its body. */
static zvStatus weigh_form(ziMjcf *m, ziMjcfGeom geom, zvInertia *own) {
    if (geom.mesh >= 0) {
        const zvStatus status = zi_mjcf_measure(m, geom.mesh);
        if (status != ZV_OK) return status;
        fit(&m->meshes[geom.mesh].unit, geom.fitscale, &geom);
    }
    const Form form = form_of(geom.type, geom.size, geom.shell);
    const double mass = isnan(geom.mass) ? geom.density * form.size : geom.mass;
    const double A[9] = {mass * form.moment[0], 0, 0, 0, mass * form.moment[1], 0, 0, 0, mass * form.moment[2]};
    own->mass = mass;
    memcpy(own->com, geom.pose.p, sizeof own->com);
    turned(geom.pose.R, A, own->moment);
    return ZV_OK;
}

/* The mesh of unit density, turned and scaled to the mass or density of the geom. */
static zvStatus weigh_mesh(ziMjcf *m, const ziMjcfGeom *geom, zvInertia *own) {
    const zvStatus status = zi_mjcf_measure(m, geom->mesh);
    if (status != ZV_OK) return status;
    const zvInertia *unit = &m->meshes[geom->mesh].unit;
    const double density = isnan(geom->mass) ? geom->density : geom->mass / unit->mass;
    double A[9];
    zvPose com = zv_pose_identity();
    memcpy(com.p, unit->com, sizeof com.p);
    com = zv_pose_compose(&geom->pose, &com);
    square_of(unit->moment, A);
    turned(geom->pose.R, A, own->moment);
    own->mass = density * unit->mass;
    memcpy(own->com, com.p, sizeof own->com);
    for (int i = 0; i < 6; i++) own->moment[i] *= density;
    return ZV_OK;
}

/* sum += sign times the moments of a point mass at r. */
static void add_point(double moment[6], double mass, const double r[3]) {
    const double rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    int n = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++, n++) moment[n] += mass * ((i == j ? rr : 0) - r[i] * r[j]);
}

/* Both about their centres of mass. */
static void add_inertia(zvInertia *sum, const zvInertia *own) {
    const double mass = sum->mass + own->mass, share = own->mass / mass;
    double r[3];
    for (int i = 0; i < 3; i++) r[i] = own->com[i] - sum->com[i];
    for (int i = 0; i < 6; i++) sum->moment[i] += own->moment[i];
    add_point(sum->moment, sum->mass * share, r);
    for (int i = 0; i < 3; i++) sum->com[i] += share * r[i];
    sum->mass = mass;
}

/* The mass of a mesh that is not there is unknown: what stands still does without, for what moves it is told. */
static zvStatus miss(ziMjcf *m, const ziMjcfGeom *geom) {
    const bool moves = zi_mjcf_moving(m, geom->body) != 0;
    const ziMjcfMesh *mesh = &m->meshes[geom->mesh];
    const char *name = mesh->file ? mesh->file : mesh->name;
    char why[400], key[300];
    snprintf(key, sizeof key, "mesh %.200s %d", name, moves);
    snprintf(why, sizeof why, "the mass of \"%.80s\"%s depends on the mesh \"%.100s\", %s: it is left out%s",
             m->bodies[geom->body].name ? m->bodies[geom->body].name : "a body", moves ? "" : ", which does not move,",
             name, mesh->file ? "whose file cannot be opened" : "which the format makes by itself (builtin)",
             moves ? ", and the dynamics is that of a lighter robot" : "");
    return zi_mjcf_tell(m, moves ? ZV_SEVERITY_WARNING : ZV_SEVERITY_NOTE, geom->element, key, "missing-mesh", why,
                        "put the file where the model expects it, or give the body an <inertial>");
}

/* The geoms of a body stand together; those of other groups, and without mass, do not count. */
static zvStatus infer(ziMjcf *m, int body, size_t *geom) {
    zvInertia sum = {0};
    bool any = false;
    for (; *geom < m->ngeom && m->geoms[*geom].body == body; (*geom)++) {
        const ziMjcfGeom *g = &m->geoms[*geom];
        const bool flat = g->type == ZI_MJCF_PLANE || g->type == ZI_MJCF_HFIELD;
        if (g->group < m->groups[0] || g->group > m->groups[1] || flat || g->mass == 0) continue;
        if (isnan(g->mass) && g->density == 0) continue;
        zvInertia own = {0};
        zvStatus status = g->type == ZI_MJCF_MESH || (g->type == ZI_MJCF_SDF && g->mesh >= 0) ? weigh_mesh(m, g, &own)
                                                                                              : weigh_form(m, *g, &own);
        if (status == ZV_IO) status = miss(m, g);
        if (status != ZV_OK) return status;
        if (!(own.mass > 0)) continue;
        add_inertia(&sum, &own);
        any = true;
    }
    if (!any) return ZV_OK;
    m->bodies[body].inertia = sum;
    m->bodies[body].has_inertia = true;
    return ZV_OK;
}

/* diaginertia in the axes of the orientation, or fullinertia (xx yy zz xy xz yz) in those of the body. */
static zvStatus read_moments(ziMjcf *m, ziMjcfItem item, zvInertia *inertia) {
    double n[6], R[9];
    int full, diagonal;
    zvStatus status = zi_mjcf_orientation(m, item, R);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "fullinertia", 6, 6, n, &full);
    if (status != ZV_OK) return status;
    if (full == 6) {
        const double A[9] = {n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2]};
        turned(R, A, inertia->moment);
        return ZV_OK;
    }
    status = zi_mjcf_numbers(m, item, "diaginertia", 3, 3, n, &diagonal);
    if (status != ZV_OK || diagonal == 0) return status;
    const double A[9] = {n[0], 0, 0, 0, n[1], 0, 0, 0, n[2]};
    turned(R, A, inertia->moment);
    return ZV_OK;
}

/* As written; a mass is required, moments are not. */
static zvStatus read_inertial(ziMjcf *m, ziMjcfBody *body) {
    const ziMjcfItem item = {body->inertial, "inertial", -1};
    zvInertia inertia = {0};
    zvStatus status = zi_mjcf_numbers(m, item, "pos", 3, 3, inertia.com, NULL);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "mass", &inertia.mass);
    if (status == ZV_OK) status = read_moments(m, item, &inertia);
    if (status == ZV_OK && !zi_xml_attribute(body->inertial, "mass"))
        return zi_mjcf_fail(m, ZV_SCHEMA, body->inertial, NULL,
                            "<inertial>: expected mass=\"...\", found none; add it");
    body->inertia = inertia;
    body->has_inertia = true;
    return status;
}

/* boundmass, boundinertia and balanceinertia, in this order and on principal moments. */
static void bound(const ziMjcf *m, zvInertia *inertia) {
    double value[3], axes[9];
    inertia->mass = fmax(inertia->mass, m->boundmass);
    if (m->boundinertia <= 0 && !m->balance) return;
    principal(inertia->moment, value, axes);
    bool changed = false;
    for (int i = 0; i < 3; i++) {
        changed = changed || value[i] < m->boundinertia;
        value[i] = fmax(value[i], m->boundinertia);
    }
    const double sum = value[0] + value[1] + value[2], most = fmax(value[0], fmax(value[1], value[2]));
    if (m->balance && most > sum - most) {
        changed = true;
        value[0] = value[1] = value[2] = sum / 3;
    }
    const double A[9] = {value[0], 0, 0, 0, value[1], 0, 0, 0, value[2]};
    if (changed) turned(axes, A, inertia->moment);
}

/* What has no mass but that of boundmass has its centre, as the format has it, at the numbers of `pos`, as if these were
 * numbers in the body. */
static zvStatus place_bounded(const ziMjcf *m, ziMjcfBody *body) {
    const ziMjcfItem item = {body->element, "body", -1};
    if (m->boundmass <= 0 || body->inertial || body->inertia.mass > 1e-14) return ZV_OK;
    memset(body->inertia.com, 0, sizeof body->inertia.com);
    return zi_mjcf_numbers(m, item, "pos", 3, 3, body->inertia.com, NULL);
}

/* settotalmass scales all bodies alike. */
static void scale(ziMjcf *m) {
    double sum = 0;
    for (size_t i = 1; i < m->nbody; i++) sum += m->bodies[i].inertia.mass;
    if (m->totalmass <= 0 || !(sum > 0)) return;
    for (size_t i = 1; i < m->nbody; i++) {
        zvInertia *inertia = &m->bodies[i].inertia;
        inertia->mass *= m->totalmass / sum;
        for (int k = 0; k < 6; k++) inertia->moment[k] *= m->totalmass / sum;
    }
}

/* Geoms come in the order of bodies, so one pass over both does. */
zvStatus zi_mjcf_inertias(ziMjcf *m) {
    zvStatus status = ZV_OK;
    size_t geom = 0;
    while (geom < m->ngeom && m->geoms[geom].body == 0) geom++; /* the ground weighs nothing */
    for (size_t i = 1; i < m->nbody && status == ZV_OK; i++) {
        ziMjcfBody *body = &m->bodies[i];
        if (body->inertial) status = read_inertial(m, body);
        const bool inferred = m->infer == 1 || (m->infer == 2 && !body->inertial);
        if (status == ZV_OK && inferred) status = infer(m, (int)i, &geom);
        while (geom < m->ngeom && m->geoms[geom].body == (int)i) geom++;
        if (status != ZV_OK) return status;
        status = place_bounded(m, body);
        bound(m, &body->inertia);
        body->has_inertia = body->has_inertia || m->boundmass > 0;
    }
    scale(m);
    return status;
}
