/* What every file of the extension modules sees: Python by its stable interface, NumPy's arrays, the robots of this
 * package, and how failures of the library become exceptions. */
#ifndef ZVENO_PYTHON_EXTENSION_H
#define ZVENO_PYTHON_EXTENSION_H

#include <Python.h>
#include <stdio.h>
#include <stdlib.h>

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL zp_numpy
#ifndef ZP_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <zveno/zveno.h>

/* Each returns NULL, with the exception set: that of zveno._errors which belongs to the status. */
PyObject *zp_fail(const zvError *error);
PyObject *zp_fail_status(zvStatus status, const char *text);
/* The same with a text that is printed; for wrong arguments of Python, which are TypeError or ValueError, use
 * PyErr_Format. A positive status (degraded) is a warning: 0, or -1 when it was made an error. */
int zp_warn(zvStatus status, const char *what);

/* Imports zveno._errors and NumPy; 0, or -1 with an exception. */
int zp_prepare(void);

/* A robot: a frozen model that never changes, or a copy of one in which inertias do. It may be asked by several
 * threads: each call takes a workspace that is spare, or makes one, and puts it back. */
typedef struct Robot {
    PyObject_HEAD zvModel *model;
    zvBuilder *builder; /* its description; NULL in a copy */
    PyObject *original; /* the robot that a copy was made of, or NULL */
    _Atomic(zvWork *) work;
    _Atomic(zvBatch *) batch;
    _Atomic(zvTaskWork *) task_work;
    int threads; /* of batches; 0: as many as there are processors */
    bool lanes;  /* batches serve this model */
} Robot;

/* The robot that an argument is, else NULL and TypeError. */
Robot *zp_robot(PyObject *object);
/* Spare memory of a robot, made anew when none is; NULL with an exception. Giving back ends what was spare meanwhile.
 */
zvWork *zp_take_work(Robot *robot);
void zp_give_work(Robot *robot, zvWork *work);
zvBatch *zp_take_batch(Robot *robot);
void zp_give_batch(Robot *robot, zvBatch *batch);
zvTaskWork *zp_take_task_work(Robot *robot);
void zp_give_task_work(Robot *robot, zvTaskWork *work);

/* Index of the frame (loop) that an argument names, numbers, or is (with an attribute "index"); -1 with an exception.
 */
int zp_frame(const Robot *robot, PyObject *object);
int zp_loop(const Robot *robot, PyObject *object);
/* ZV_AXES_WORLD, ZV_AXES_LOCAL; -1 with an exception. */
int zp_axes(PyObject *object);
/* Bits of zvTask.rows of a text such as "xyz", "position", "x,y,rz"; 0 with an exception. */
unsigned zp_rows(PyObject *object);

/* dict[key] = value, whose reference is taken over; value NULL is a failure of before. 0 or -1. */
int zp_put(PyObject *dict, const char *key, PyObject *value);
/* A text, None for NULL. */
PyObject *zp_text(const char *text);
/* Bytes of a text argument as UTF-8 (a new reference keeps them alive in *keep), NULL with an exception. */
const char *zp_bytes(PyObject *object, const char *what, Py_ssize_t *size, PyObject **keep);

#endif
