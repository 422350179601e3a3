/* What robots and descriptions consist of, as plain Python objects. */
#ifndef ZVENO_PYTHON_DESCRIBE_H
#define ZVENO_PYTHON_DESCRIBE_H

#include "extension.h"

extern const PyMethodDef zp_description_methods[]; /* of robots; the last has no name */
extern PyType_Spec zp_builder_spec;
extern PyMethodDef zp_table_methods[]; /* of the module: tables of methods, documents */

/* Remembers the type of builders that zp_is_builder knows. */
void zp_set_builder_type(PyObject *type);
bool zp_is_builder(PyObject *object);
zvBuilder *zp_builder_of(PyObject *object); /* NULL: it has become a robot */
void zp_builder_taken(PyObject *object);    /* the robot has it now */
/* zvTextSink and zvLossSink whose context is a list: pieces of bytes, and dictionaries of what a format cannot say. */
bool zp_append_text(void *list, const char *text, size_t size);
void zp_append_loss(void *list, const zvRemark *r);
/* The native text of a description. */
PyObject *zp_native_text(const zvBuilder *builder);

#endif
