/* Joints that --lock names become fixed. */
#ifndef ZVENO_CLI_LOCK_H
#define ZVENO_CLI_LOCK_H

#include "zveno/builder.h"

/* list: names with commas between. */
zvStatus lock_joints(zvBuilder *builder, const char *list, zvError *error);

#endif
