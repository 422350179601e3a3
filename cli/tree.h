/* The tree of links as a drawing. */
#ifndef ZVENO_CLI_TREE_H
#define ZVENO_CLI_TREE_H

#include "text.h"
#include "zveno/model.h"

void tree_draw(const zvModel *model, Text *out);

#endif
