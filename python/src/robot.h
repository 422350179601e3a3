/* The type of robots. */
#ifndef ZVENO_PYTHON_ROBOT_H
#define ZVENO_PYTHON_ROBOT_H

#include "extension.h"

/* A new reference; NULL with an exception. Types of results are added to the module. */
PyObject *zp_make_robot_type(PyObject *module);

#endif
