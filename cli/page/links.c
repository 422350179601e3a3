/* Links and what is drawn of them in the document of a page. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/parts.h"

void page_pose_keys(const zvPose *pose, Json *json) {
    json_key(json, "p"), json_numbers(json, pose->p, 3);
    json_key(json, "R"), json_numbers(json, pose->R, 9);
}

void page_pose_json(const zvPose *pose, Json *json) {
    json_map(json, JSON_LINE);
    page_pose_keys(pose, json);
    json_end(json);
}

static bool drawable(const zvShape *shape, PageMeshSet *set) {
    return shape->kind != ZV_SHAPE_MESH || page_mesh_of(set, shape);
}

/* Links of the shapes; `of_link` receives what is shown so far of each link: nothing. */
static bool shown_alloc(const zvModel *model, int **shown, bool **of_link) {
    *shown = malloc(((size_t)zv_model_nshape(model) + 1) * sizeof **shown);
    *of_link = calloc((size_t)zv_model_nlink(model) + 1, sizeof **of_link);
    return *shown && *of_link;
}

/* Visual shapes first; links that got none of these are drawn by their shapes for collisions. */
int *page_shown_shapes(const zvModel *model, PageMeshSet *set) {
    const int count = zv_model_nshape(model);
    int *shown;
    bool *of_link;
    const bool enough = shown_alloc(model, &shown, &of_link);
    for (int i = 0; enough && i < count; i++) {
        const zvShape *shape = zv_model_shape(model, i);
        shown[i] = -1;
        if (shape->collision || !drawable(shape, set)) continue;
        shown[i] = zv_model_find_frame(model, shape->link);
        of_link[shown[i]] = true;
    }
    for (int i = 0; enough && i < count; i++) {
        const zvShape *shape = zv_model_shape(model, i);
        const int link = zv_model_find_frame(model, shape->link);
        if (shape->collision && !of_link[link] && drawable(shape, set)) shown[i] = link;
    }
    free(of_link);
    if (enough) return shown;
    free(shown);
    return NULL;
}

/* Kind, pose, size and colour; a mesh by its number among those of the page. */
static void shape_json(const zvModel *model, int link, const zvShape *shape, PageMeshSet *set, Json *json) {
    static const char *const words[] = {[ZV_SHAPE_BOX] = "box",
                                        [ZV_SHAPE_CYLINDER] = "cylinder",
                                        [ZV_SHAPE_SPHERE] = "sphere",
                                        [ZV_SHAPE_MESH] = "mesh"};
    const PageMesh *mesh = shape->kind == ZV_SHAPE_MESH ? page_mesh_of(set, shape) : NULL;
    json_map(json, JSON_LINE);
    json_key(json, "kind"), json_text(json, words[shape->kind]);
    json_key(json, "pose"), page_pose_json(&shape->pose, json);
    json_key(json, "size"), json_numbers(json, shape->size, 3);
    json_key(json, "mesh"), json_integer(json, mesh ? mesh->number : -1);
    json_key(json, "color");
    if (shape->has_color)
        json_numbers(json, shape->color, 4);
    else
        json_text(json, NULL);
    json_key(json, "bend"), page_bend_json(model, link, shape->pose.p, json);
    json_end(json);
}

/* Of the rigid part of an elastic link; the rest is drawn by its sections. */
static void ellipsoid_json(const zvLink *link, Json *json) {
    zvPose pose;
    double axes[3];
    if (!page_ellipsoid(&link->inertia, &pose, axes)) {
        json_text(json, NULL);
        return;
    }
    json_map(json, JSON_LINE);
    page_pose_keys(&pose, json);
    json_key(json, "axes"), json_numbers(json, axes, 3);
    json_end(json);
}

/* Per link what the page draws: shapes, the ellipsoid of inertia, and how an elastic link bends. */
void page_links_json(const zvModel *model, const int *shown, PageMeshSet *set, Json *json) {
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvInertia inertia = zv_model_link_inertia(model, i);
        json_map(json, JSON_LINE);
        json_key(json, "name"), json_text(json, zv_model_link(model, i)->name);
        json_key(json, "mass"), json_number(json, inertia.mass);
        json_key(json, "com"), json_numbers(json, inertia.com, 3);
        json_key(json, "joint"), json_integer(json, zv_model_link_joint(model, i));
        json_key(json, "shapes"), json_list(json, JSON_LINE);
        for (int k = 0; k < zv_model_nshape(model); k++) {
            if (shown[k] == i) shape_json(model, i, zv_model_shape(model, k), set, json);
        }
        json_end(json);
        json_key(json, "ellipsoid"), ellipsoid_json(zv_model_link(model, i), json);
        json_key(json, "elastic"), page_elastic_json(model, i, json);
        json_end(json);
    }
    json_end(json);
}

/* Elastic links in the document of a page: how what they carry moves with them, and sections to draw them by. */

enum { PIECES = 16, MOST_PIECES = 32 };     /* between the sections of a beam, per order of its shapes */
static const double slenderness = 1.0 / 60; /* of a link that does not tell its thickness: half of it to its length */

/* A section with room for its tables. */
typedef struct Bend {
    zvElasticSection section;
    size_t n;
    double *d, *r, *G;
} Bend;

static bool bend_alloc(const zvModel *model, int link, Bend *bend) {
    const size_t n = (size_t)zv_model_elastic_place(model, link).count;
    *bend = (Bend){.n = n, .d = calloc(n * (n + 6) + 1, sizeof(double))};
    if (!bend->d) return false;
    bend->r = bend->d + 3 * n;
    bend->G = bend->r + 3 * n;
    return true;
}

/* A section and the columns by which it moves with the elastic coordinates; second-order terms where they exist. */
static void bend_put(const Bend *bend, Json *json) {
    const double *R = bend->section.pose.R, axis[3] = {R[0], R[3], R[6]};
    json_map(json, JSON_LINE);
    json_key(json, "at"), json_numbers(json, bend->section.pose.p, 3);
    json_key(json, "d"), json_numbers(json, bend->d, 3 * bend->n);
    json_key(json, "r");
    if (bend->section.turns)
        json_numbers(json, bend->r, 3 * bend->n);
    else
        json_text(json, NULL);
    json_key(json, "G");
    if (bend->section.shortens)
        json_numbers(json, bend->G, bend->n * bend->n);
    else
        json_text(json, NULL);
    json_key(json, "axis"), json_numbers(json, axis, 3);
    json_end(json);
}

/* Attachments and shapes on elastic links move by these columns, so that the page needs no beam theory. */
void page_bend_json(const zvModel *model, int link, const double p[3], Json *json) {
    Bend bend;
    if (!bend_alloc(model, link, &bend)) {
        json->out->failed = true;
        return;
    }
    if (zv_model_elastic_section(model, link, p, &bend.section, bend.d, bend.r, bend.G))
        bend_put(&bend, json);
    else
        json_text(json, NULL);
    free(bend.d);
}

/* Half of a uniform solid box along the direction whose moment per length is given. */
static double half_width(double rhoI, double rhoA, double length) {
    return rhoA > 0 && rhoI > 0 ? sqrt(3 * rhoI / rhoA) : slenderness * length;
}

/* Enough sections that the highest mode looks smooth, evenly along the beam. */
static void beam_sections(const zvModel *model, int link, const zvBeam *beam, Bend *bend, Json *json) {
    int order = 1;
    for (int i = 0; i < ZV_BEAM_MOTIONS; i++) order = beam->modes[i] > order ? beam->modes[i] : order;
    const int pieces = order * PIECES < MOST_PIECES ? order * PIECES : MOST_PIECES;
    const double *a = beam->axis, size = hypot(hypot(a[0], a[1]), a[2]);
    for (int i = 0; i <= pieces; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = beam->start[k] + beam->length * i / pieces * (a[k] / size);
        zv_model_elastic_section(model, link, p, &bend->section, bend->d, bend->r, bend->G);
        bend_put(bend, json);
    }
}

static void beam_json(const zvModel *model, int link, const zvBeam *beam, Bend *bend, Json *json) {
    const double radius[2] = {half_width(beam->rhoIz, beam->rhoA, beam->length),
                              half_width(beam->rhoIy, beam->rhoA, beam->length)};
    json_key(json, "sections"), json_list(json, JSON_BLOCK);
    beam_sections(model, link, beam, bend, json);
    json_end(json);
    json_key(json, "R"), json_numbers(json, bend->section.pose.R, 9);
    json_key(json, "radius"), json_numbers(json, radius, 2);
}

/* Places of modal data: the link frame, which does not move, the nodes, the interfaces. */
typedef struct ModalPlace {
    const double *at, *shape; /* NULL: none */
} ModalPlace;

static int place_count(const zvModal *modal) { return 1 + modal->node_count + modal->interface_count; }

static ModalPlace place_of(const zvModal *modal, int i) {
    static const double origin[3] = {0};
    if (i == 0) return (ModalPlace){origin, NULL};
    if (i <= modal->node_count) return (ModalPlace){modal->nodes[i - 1].at, modal->nodes[i - 1].shape};
    const zvModalInterface *interface = &modal->interfaces[i - 1 - modal->node_count];
    return (ModalPlace){interface->at, interface->shape};
}

/* The box that holds the places. */
static void modal_box(const zvModal *modal, double lower[3], double upper[3]) {
    for (int k = 0; k < 3; k++) lower[k] = upper[k] = 0;
    for (int i = 1; i < place_count(modal); i++) {
        const double *at = place_of(modal, i).at;
        for (int k = 0; k < 3; k++) {
            lower[k] = fmin(lower[k], at[k]);
            upper[k] = fmax(upper[k], at[k]);
        }
    }
}

/* One section for all places of a piece along direction k: their mean. False when there are none. */
static bool mean_section(const zvModal *modal, int k, double lower, double upper, int piece, Bend *bend) {
    const double width = upper > lower ? (upper - lower) / MOST_PIECES : 1;
    int count = 0;
    bend->section = (zvElasticSection){.turns = true};
    memset(bend->d, 0, 6 * bend->n * sizeof *bend->d);
    for (int i = 0; i < place_count(modal); i++) {
        const ModalPlace place = place_of(modal, i);
        if ((int)floor((place.at[k] - lower) / width + 0.5) != piece) continue;
        count++;
        for (int j = 0; j < 3; j++) bend->section.pose.p[j] += place.at[j];
        for (size_t j = 0; place.shape && j < 3 * bend->n; j++) {
            bend->d[j] += place.shape[6 * (j / 3) + j % 3];
            bend->r[j] += place.shape[6 * (j / 3) + 3 + j % 3];
        }
    }
    for (size_t j = 0; count && j < 6 * bend->n; j++) bend->d[j] /= count;
    for (int j = 0; count && j < 3; j++) bend->section.pose.p[j] /= count;
    return count > 0;
}

/* Modal data has no axis: sections are means of nodes in slices across the longest side of their box. */
static void modal_json(const zvModal *modal, Bend *bend, Json *json) {
    double lower[3], upper[3], R[9] = {0};
    int k = 0;
    modal_box(modal, lower, upper);
    for (int i = 1; i < 3; i++) k = upper[i] - lower[i] > upper[k] - lower[k] ? i : k;
    for (int i = 0; i < 3; i++) R[3 * ((k + i) % 3) + i] = 1;
    json_key(json, "sections"), json_list(json, JSON_BLOCK);
    for (int piece = 0; piece <= MOST_PIECES; piece++) {
        if (mean_section(modal, k, lower[k], upper[k], piece, bend)) bend_put(bend, json);
    }
    json_end(json);
    double radius[2];
    for (int i = 0; i < 2; i++) {
        const int across = (k + 1 + i) % 3;
        radius[i] = fmax((upper[across] - lower[across]) / 2, slenderness * (upper[k] - lower[k]));
    }
    json_key(json, "R"), json_numbers(json, R, 9);
    json_key(json, "radius"), json_numbers(json, radius, 2);
}

/* null for rigid links; beams by their sections, modal data by slices. */
void page_elastic_json(const zvModel *model, int link, Json *json) {
    const zvElasticPlace place = zv_model_elastic_place(model, link);
    const zvLink *described = zv_model_link(model, link);
    Bend bend = {0};
    if (place.count == 0) {
        json_text(json, NULL);
        return;
    }
    if (!bend_alloc(model, link, &bend)) {
        json->out->failed = true;
        return;
    }
    json_map(json, JSON_LINE);
    json_key(json, "q"), json_integer(json, place.q_index);
    json_key(json, "count"), json_integer(json, place.count);
    if (described->beam)
        beam_json(model, link, described->beam, &bend, json);
    else
        modal_json(described->modal, &bend, json);
    json_end(json);
    free(bend.d);
}

/* Inertia ellipsoids. The principal moments of a uniform solid ellipsoid are m (b^2 + c^2) / 5 and so on round, so that
 * a_i^2 = 5 (J_j + J_k - J_i) / 2m; its axes are the eigenvectors of the moments, by Jacobi's rotations. */

enum { SWEEPS = 20 }; /* quadratic convergence: a few are enough */

/* Turns rows and columns p, q of A so that A[p][q] vanishes; the columns of V turn with them. */
static void rotate(double A[3][3], double V[3][3], int p, int q) {
    if (A[p][q] == 0) return;
    const double slope = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    const double t = (slope < 0 ? -1 : 1) / (fabs(slope) + hypot(slope, 1)), c = 1 / hypot(t, 1), s = t * c;
    const int r = 3 - p - q;
    const double rp = A[r][p], rq = A[r][q];
    A[p][p] -= t * A[p][q];
    A[q][q] += t * A[p][q];
    A[p][q] = A[q][p] = 0;
    A[r][p] = A[p][r] = c * rp - s * rq;
    A[r][q] = A[q][r] = s * rp + c * rq;
    for (int i = 0; i < 3; i++) {
        const double vp = V[i][p], vq = V[i][q];
        V[i][p] = c * vp - s * vq;
        V[i][q] = s * vp + c * vq;
    }
}

/* Principal axes by Jacobi rotations of the 3 x 3 moment; a solid ellipsoid with these moments is then unique. */
bool page_ellipsoid(const zvInertia *inertia, zvPose *pose, double axes[3]) {
    const double *m = inertia->moment;
    double A[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}},
           V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (!(inertia->mass > 0)) return false;
    for (int sweep = 0; sweep < SWEEPS && (A[0][1] != 0 || A[0][2] != 0 || A[1][2] != 0); sweep++) {
        rotate(A, V, 0, 1);
        rotate(A, V, 0, 2);
        rotate(A, V, 1, 2);
    }
    const double sum = A[0][0] + A[1][1] + A[2][2];
    for (int i = 0; i < 3; i++) axes[i] = sqrt(fmax(0, 5 * (sum - 2 * A[i][i]) / (2 * inertia->mass)));
    memcpy(pose->R, V, sizeof pose->R);
    memcpy(pose->p, inertia->com, sizeof pose->p);
    return true;
}
