/* The model in the document of a page (viewer/README.md, "model"). */
#ifndef ZVENO_CLI_PAGE_MODEL_H
#define ZVENO_CLI_PAGE_MODEL_H

#include "page/page.h"
#include "zveno/model.h"

/* Where files of meshes are looked for, besides the folder of the file that names them. */
typedef struct PageMeshes {
    const char *model;          /* the model's file, NULL: not known */
    const char *const *folders; /* --meshes */
    int folder_count;
    const char *const *packages; /* --package: NAME=DIR */
    int package_count;
    const char *source; /* of a recording: the file of the model that was simulated, NULL: not known */
} PageMeshes;

/* The object; meshes NULL: nowhere. What cannot be drawn is told in problems. Fails when memory runs out, and then the
 * document is not to be used. */
zvStatus page_model_json(const zvModel *model, const PageMeshes *meshes, Json *json, PageProblems *problems,
                         zvError *error);

#endif
