/* Parts of the model in the document of a page: one file each. */
#ifndef ZVENO_CLI_PAGE_PARTS_H
#define ZVENO_CLI_PAGE_PARTS_H

#include "page/model.h"
#include "zveno/mesh.h"

/* Meshes of a page, each file once (mesh.c). */
typedef struct PageMesh {
    char *name;  /* as the model writes it */
    char *path;  /* where it was found, as it is written there; NULL: nowhere */
    char *file;  /* that without links and dots, so that one file has one */
    zvMesh mesh; /* empty: it cannot be drawn */
    int number;  /* among those that can */
    double lower[3], upper[3];
} PageMesh;

typedef struct PageMeshSet {
    const PageMeshes *where;
    PageProblems *problems;
    PageMesh *meshes;
    int count, drawn, told, untold; /* problems told and not told */
    int missing;                    /* files that are nowhere, and the first of them with its link */
    const char *first_missing, *missing_link;
    size_t triangles; /* of all */
    bool failed;      /* memory ran out */
} PageMeshSet;

/* The mesh of a shape, or NULL after telling why there is none. It stays where it is until the next call. */
const PageMesh *page_mesh_of(PageMeshSet *set, const zvShape *shape);
void page_meshes_json(const PageMeshSet *set, Json *json);
void page_meshes_free(PageMeshSet *set);
/* Where the file of a mesh is, to be freed; NULL: nowhere, or no memory (set->failed). */
char *page_mesh_path(PageMeshSet *set, const zvShape *shape);

/* {"p", "R"}, and the two keys alone. */
void page_pose_json(const zvPose *pose, Json *json);
void page_pose_keys(const zvPose *pose, Json *json);
/* A vector of unit length; z where it has none. */
void page_direction_json(const double a[3], Json *json);
/* How a point of a link moves with it: null on rigid links (links.c). */
void page_bend_json(const zvModel *model, int link, const double p[3], Json *json);
/* Sections of an elastic link; null for rigid ones. */
void page_elastic_json(const zvModel *model, int link, Json *json);

/* The uniform solid ellipsoid with this mass and these moments: its pose in the link and its semi-axes, zero where the
 * moments are those of no body. False without mass. */
bool page_ellipsoid(const zvInertia *inertia, zvPose *pose, double axes[3]);

/* For each shape of the model its link when it is drawn, else -1; to be freed, NULL: no memory. Drawn are the visual
 * shapes of a link, and where none of these can be, those for collisions. */
int *page_shown_shapes(const zvModel *model, PageMeshSet *set);
void page_links_json(const zvModel *model, const int *shown, PageMeshSet *set, Json *json);
void page_joints_json(const zvModel *model, Json *json);
/* The length of the robot at its neutral position, from what is drawn; 1 when that has none. Negative: no memory. */
double page_size(const zvModel *model, const int *shown, PageMeshSet *set);

#endif
