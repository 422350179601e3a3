/* Closes the loops of a robot whose joints a page moves (POST assemble of viewer/README.md). */
#ifndef ZVENO_CLI_VIEW_ASSEMBLER_H
#define ZVENO_CLI_VIEW_ASSEMBLER_H

#include "text.h"
#include "zveno/model.h"

typedef struct ViewAssembler ViewAssembler;

ViewAssembler *view_assembler_create(const zvModel *model); /* NULL: out of memory */
void view_assembler_destroy(ViewAssembler *scratch);

/* Answers {"q": [nq], "held": [labels]} with {"q", "residual", "closed", "message"}; what it cannot read with
 * {"closed": false, "message"}. The status is one of server.h. One request at a time; others wait. */
int view_assembler_assemble(ViewAssembler *scratch, const char *body, size_t size, Text *out);

#endif
