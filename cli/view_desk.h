/* Closes the loops of a robot whose joints a page moves (POST assemble of viewer/README.md). */
#ifndef ZVENO_CLI_VIEW_DESK_H
#define ZVENO_CLI_VIEW_DESK_H

#include "text.h"
#include "zveno/model.h"

typedef struct ViewDesk ViewDesk;

ViewDesk *view_desk_create(const zvModel *model); /* NULL: out of memory */
void view_desk_destroy(ViewDesk *desk);

/* Answers {"q": [nq], "held": [labels]} with {"q", "residual", "closed", "message"}; what it cannot read with
 * {"closed": false, "message"}. The status is one of server.h. One request at a time; others wait. */
int view_desk_assemble(ViewDesk *desk, const char *body, size_t size, Text *out);

#endif
