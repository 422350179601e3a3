/* Writes a tree as MuJoCo's XML and loads it. */
#ifndef BENCH_MJCF_H
#define BENCH_MJCF_H

#include <mujoco/mujoco.h>

#include "tree.h"

/* The current library, which wheels have, numbers its versions 4 000 000 and on; Debian's is 222. */
#define MUJOCO_CURRENT (mjVERSION_HEADER >= 1000000)

/* loops: with what closes them, which is soft. NULL (with a line on stderr) when MuJoCo refuses. Body numbers are those
 * of the tree. */
mjModel *mjcf_load(const Tree *tree, bool loops);

#endif
