/* Writes a tree as MuJoCo's XML and loads it. */
#ifndef BENCH_MJCF_H
#define BENCH_MJCF_H

#include <mujoco/mujoco.h>

#include "tree.h"

/* NULL (with a line on stderr) when MuJoCo refuses. Body numbers are those of the tree. */
mjModel *mjcf_load(const Tree *tree);

#endif
