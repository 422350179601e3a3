/* Degrees of freedom by name, as --hold, --independent and --actuated list them. */
#ifndef ZVENO_CLI_NAMED_DOFS_H
#define ZVENO_CLI_NAMED_DOFS_H

#include "complain.h"
#include "zveno/model.h"

/* Sets chosen (nv) to 1 where list names a joint, which means all its degrees of freedom, or a single one ("root.wx",
 * "boom.y1"); complains about others. */
Code named_dofs(const zvModel *model, const char *list, unsigned char *chosen);

#endif
