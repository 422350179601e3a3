/* The rules of zveno check that look into mesh files. */
#ifndef ZVENO_CLI_CHECK_MESH_H
#define ZVENO_CLI_CHECK_MESH_H

#include "robot.h"
#include "zveno/check.h"

/* Findings about masses and the meshes that are there, and one about those that are not. */
Code check_meshes(const Args *args, const Robot *robot, zvFindingSink sink, void *context);

#endif
