/* Modes in the document of a page: what `zveno modes MODEL --json` printed. */
#ifndef ZVENO_CLI_PAGE_MODES_H
#define ZVENO_CLI_PAGE_MODES_H

#include "json.h"
#include "zveno/model.h"

typedef struct PageMode {
    double frequency, hertz, damping;
} PageMode;

typedef struct PageModes {
    const zvModel *model;
    char joints[16]; /* "free", "locked" or "sprung" */
    int count;
    PageMode *modes; /* count */
    double *shapes;  /* count x nv */
    double *q;       /* nq: the state they are about */
} PageModes;

/* The shapes name degrees of freedom; those of the model are asked for. To be freed in any case. */
zvStatus page_modes_read(const char *path, const zvModel *model, PageModes *modes, zvError *error);
/* null when there are none (model is NULL). */
void page_modes_json(const PageModes *modes, Json *json);
void page_modes_free(PageModes *modes);

#endif
