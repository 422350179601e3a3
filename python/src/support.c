/* Failures as exceptions, and small readings of arguments. */
#define ZP_IMPORTS_NUMPY
#include "extension.h"

#include <string.h>

static PyObject *make_error, *give_warning; /* of zveno._errors */

int zp_prepare(void) {
    import_array1(-1);
    PyObject *errors = PyImport_ImportModule("zveno._errors");
    if (!errors) return -1;
    make_error = PyObject_GetAttrString(errors, "make");
    give_warning = PyObject_GetAttrString(errors, "warn");
    Py_DECREF(errors);
    return make_error && give_warning ? 0 : -1;
}

/* Bytes of C texts need not be UTF-8: a file name may be any. */
PyObject *zp_text(const char *text) {
    if (!text) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *zp_fail(const zvError *error) {
    PyObject *made = PyObject_CallFunction(make_error, "isNiiNN", (int)error->status, zv_status_name(error->status),
                                           zp_text(error->file), error->line, error->column, zp_text(error->token),
                                           zp_text(error->text));
    if (made) PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_XDECREF(made);
    return NULL;
}

PyObject *zp_fail_status(zvStatus status, const char *text) {
    zvError error;
    zv_fail(&error, status, (zvMark){0}, "", "%s", text ? text : zv_status_sentence(status));
    return zp_fail(&error);
}

int zp_warn(zvStatus status, const char *what) {
    PyObject *done = PyObject_CallFunction(give_warning, "ss", what, zv_status_sentence(status));
    Py_XDECREF(done);
    return done ? 0 : -1;
}

int zp_put(PyObject *dict, const char *key, PyObject *value) {
    const int bad = value ? PyDict_SetItemString(dict, key, value) : -1;
    Py_XDECREF(value);
    return bad;
}

const char *zp_bytes(PyObject *object, const char *what, Py_ssize_t *size, PyObject **keep) {
    *keep = NULL;
    if (PyBytes_Check(object)) {
        Py_INCREF(object);
        *keep = object;
    } else if (PyUnicode_Check(object)) {
        if (!(*keep = PyUnicode_AsUTF8String(object))) return NULL;
    } else {
        PyErr_Format(PyExc_TypeError, "%s: expected a text, found %R", what, Py_TYPE(object));
        return NULL;
    }
    if (size) *size = PyBytes_Size(*keep);
    return PyBytes_AsString(*keep);
}

/* What an argument names among count of a kind, by name, number or attribute `index`. */
static int element(PyObject *object, const char *what, int count, const zvModel *model,
                   int (*find)(const zvModel *model, const char *name)) {
    if (PyUnicode_Check(object)) {
        PyObject *keep;
        const char *name = zp_bytes(object, what, NULL, &keep);
        const int found = name ? find(model, name) : -1;
        if (name && found < 0)
            PyErr_Format(PyExc_KeyError, "%s: expected one of those of the robot (robot.%ss), found \"%s\"", what, what,
                         name);
        Py_XDECREF(keep);
        return found;
    }
    const bool part = !PyLong_Check(object) && PyObject_HasAttrString(object, "index");
    PyObject *index = part ? PyObject_GetAttrString(object, "index") : PyNumber_Index(object);
    const long i = index ? PyLong_AsLong(index) : -1;
    Py_XDECREF(index);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: expected a name or a number, found %R", what, object);
        return -1;
    }
    if (i >= 0 && i < count) return (int)i;
    PyErr_Format(PyExc_IndexError, "%s: expected 0 to %d, found %ld", what, count - 1, i);
    return -1;
}

int zp_frame(const Robot *robot, PyObject *object) {
    return element(object, "frame", zv_model_nframe(robot->model), robot->model, zv_model_find_frame);
}

int zp_loop(const Robot *robot, PyObject *object) {
    return element(object, "loop", zv_model_nloop(robot->model), robot->model, zv_model_find_loop);
}

int zp_axes(PyObject *object) {
    const int world = PyUnicode_Check(object) && PyUnicode_CompareWithASCIIString(object, "world") == 0;
    const int local = PyUnicode_Check(object) && PyUnicode_CompareWithASCIIString(object, "local") == 0;
    if (!world && !local) PyErr_Format(PyExc_ValueError, "axes: expected \"world\" or \"local\", found %R", object);
    return world || local ? local : -1;
}

/* Words and letters of directions, with commas or without: "xyz", "position", "x,y,rz". */
unsigned zp_rows(PyObject *object) {
    static const struct {
        const char *word;
        unsigned bits;
    } words[] = {{"position", ZV_TASK_POSITION},
                 {"orientation", ZV_TASK_ORIENTATION},
                 {"full", ZV_TASK_FULL},
                 {"rx", ZV_TASK_RX},
                 {"ry", ZV_TASK_RY},
                 {"rz", ZV_TASK_RZ},
                 {"x", ZV_TASK_X},
                 {"y", ZV_TASK_Y},
                 {"z", ZV_TASK_Z},
                 {",", 0},
                 {" ", 0}};
    PyObject *keep;
    unsigned bits = 0;
    const char *text = zp_bytes(object, "rows", NULL, &keep), *at = text;
    while (at && *at) {
        size_t i = 0;
        while (i < sizeof words / sizeof *words && strncmp(at, words[i].word, strlen(words[i].word)) != 0) i++;
        if (i == sizeof words / sizeof *words) break;
        bits |= words[i].bits;
        at += strlen(words[i].word);
    }
    if (text && (*at || !bits)) {
        PyErr_Format(PyExc_ValueError,
                     "rows: expected some of x, y, z, rx, ry, rz, or \"position\", \"orientation\", \"full\", found %R",
                     object);
        bits = 0;
    }
    Py_XDECREF(keep);
    return bits;
}
