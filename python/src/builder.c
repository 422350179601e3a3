/* Descriptions of robots: read from files and texts, changed as a whole, checked, written. */
#include <stdlib.h>
#include <string.h>

#include "describe.h"

typedef struct Builder {
    PyObject_HEAD zvBuilder *builder;
} Builder;

static PyObject *builder_type;

void zp_set_builder_type(PyObject *type) { builder_type = type; }
bool zp_is_builder(PyObject *object) { return PyObject_TypeCheck(object, (PyTypeObject *)builder_type); }
zvBuilder *zp_builder_of(PyObject *object) { return ((Builder *)object)->builder; }
void zp_builder_taken(PyObject *object) { ((Builder *)object)->builder = NULL; }

static zvFormat format_of(const char *word) {
    static const char *const words[] = {"auto", "urdf", "native", "mjcf", "sdf"};
    static const zvFormat formats[] = {ZV_FORMAT_AUTO, ZV_FORMAT_URDF, ZV_FORMAT_NATIVE, ZV_FORMAT_MJCF, ZV_FORMAT_SDF};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) return formats[i];
    return ZV_FORMAT_AUTO;
}

/* Tells where packages are: {name: folder}, texts, or None. */
static bool set_packages(zvBuilder *builder, PyObject *packages) {
    PyObject *name, *folder;
    Py_ssize_t at = 0;
    if (packages == Py_None) return true;
    while (PyDict_Next(packages, &at, &name, &folder)) {
        PyObject *keep[2] = {NULL, NULL};
        const char *what = zp_bytes(name, "name of a package", NULL, &keep[0]);
        const char *where = what ? zp_bytes(folder, "folder of a package", NULL, &keep[1]) : NULL;
        zvError error;
        if (where && zv_builder_set_package(builder, what, where, &error) < 0) zp_fail(&error);
        Py_XDECREF(keep[0]);
        Py_XDECREF(keep[1]);
        if (PyErr_Occurred()) return false;
    }
    return true;
}

/* Builder(text or None, name, format, packages or None): the text of a file, or the file itself. */
static PyObject *builder_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *text, *packages = Py_None;
    const char *name, *format = "auto";
    if ((names && PyDict_Size(names)) || !PyArg_ParseTuple(args, "Os|sO", &text, &name, &format, &packages))
        return NULL;
    if (packages != Py_None && !PyDict_Check(packages))
        return PyErr_Format(PyExc_TypeError, "packages: expected a dictionary, found %R", Py_TYPE(packages));
    zvError error = {ZV_OK};
    Builder *self = (Builder *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    PyObject *keep = NULL;
    Py_ssize_t size = 0;
    const char *bytes = text == Py_None ? NULL : zp_bytes(text, "text", &size, &keep);
    zvStatus status = ZV_OK;
    if ((text == Py_None || bytes) && !(self->builder = zv_builder_create(&error))) status = error.status;
    const bool ready = self->builder && set_packages(self->builder, packages);
    if (ready && bytes) status = zv_read_memory(self->builder, name, bytes, (size_t)size, format_of(format), &error);
    if (ready && !bytes && text == Py_None) status = zv_read_file(self->builder, name, format_of(format), &error);
    Py_XDECREF(keep);
    if (status >= 0 && ready && !PyErr_Occurred()) return (PyObject *)self;
    if (status < 0 && !PyErr_Occurred()) zp_fail(&error);
    Py_DECREF(self);
    return NULL;
}

static void builder_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    zv_builder_destroy(((Builder *)self)->builder);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static zvBuilder *alive(PyObject *self) {
    zvBuilder *builder = ((Builder *)self)->builder;
    if (!builder) PyErr_SetString(PyExc_ValueError, "this builder has become a robot already");
    return builder;
}

/* set(free_base or None, mimic or None, cut or None, gravity or None, name or None) */
static PyObject *builder_set(PyObject *self, PyObject *args) {
    PyObject *free_base, *mimic, *cut, *gravity, *name;
    zvBuilder *b = alive(self);
    if (!b || !PyArg_ParseTuple(args, "OOOOO", &free_base, &mimic, &cut, &gravity, &name)) return NULL;
    double g[3];
    if (gravity != Py_None && !PyArg_ParseTuple(gravity, "ddd", &g[0], &g[1], &g[2])) return NULL;
    if (free_base != Py_None) zv_builder_set_free_base(b, PyObject_IsTrue(free_base) > 0);
    if (mimic != Py_None) zv_builder_set_mimic_coupled(b, PyObject_IsTrue(mimic) > 0);
    if (cut != Py_None) zv_builder_set_cutting(b, PyObject_IsTrue(cut) > 0);
    if (gravity != Py_None) zv_builder_set_gravity(b, g);
    if (name != Py_None) {
        PyObject *keep;
        const char *text = zp_bytes(name, "name", NULL, &keep);
        zvError error;
        const zvStatus status = text ? zv_builder_set_name(b, text, &error) : ZV_OK;
        Py_XDECREF(keep);
        if (!text) return NULL;
        if (status < 0) return zp_fail(&error);
    }
    Py_RETURN_NONE;
}

static PyObject *builder_lock(PyObject *self, PyObject *name) {
    zvBuilder *b = alive(self);
    PyObject *keep;
    const char *text = b ? zp_bytes(name, "joint", NULL, &keep) : NULL;
    if (!text) return NULL;
    const int joint = zv_builder_find_joint(b, text);
    if (joint < 0) PyErr_Format(PyExc_KeyError, "there is no joint \"%s\" to lock", text);
    if (joint >= 0) zv_builder_lock_joint(b, joint);
    Py_DECREF(keep);
    if (joint < 0) return NULL;
    Py_RETURN_NONE;
}

bool zp_append_text(void *list, const char *text, size_t size) {
    PyObject *piece = PyBytes_FromStringAndSize(text, (Py_ssize_t)size);
    const bool good = piece && PyList_Append(list, piece) == 0;
    Py_XDECREF(piece);
    return good;
}

PyObject *zp_native_text(const zvBuilder *builder) {
    PyObject *pieces = PyList_New(0), *nothing = PyBytes_FromString(""), *text = NULL;
    zvError error;
    const zvStatus status = pieces && nothing ? zv_write_native(builder, zp_append_text, pieces, &error) : ZV_MEMORY;
    if (status < 0 && !PyErr_Occurred()) zp_fail(&error);
    PyObject *bytes = status < 0 ? NULL : PyObject_CallMethod(nothing, "join", "O", pieces);
    if (bytes) text = PyUnicode_FromEncodedObject(bytes, "utf-8", "strict");
    Py_XDECREF(bytes);
    Py_XDECREF(pieces);
    Py_XDECREF(nothing);
    return text;
}

static PyObject *builder_native(PyObject *self, PyObject *nothing) {
    (void)nothing;
    zvBuilder *b = alive(self);
    return b ? zp_native_text(b) : NULL;
}

/* What a format cannot say, as a finding. */
void zp_append_loss(void *list, const zvRemark *r) {
    PyObject *d = PyErr_Occurred() ? NULL : PyDict_New(), *element = NULL;
    if (d) element = PyUnicode_FromFormat("%s \"%s\"", r->kind, r->name ? r->name : "");
    if (d && !zp_put(d, "severity", zp_text(zv_severity_word(r->severity))) &&
        !zp_put(d, "fatal", PyBool_FromLong(0)) && !zp_put(d, "status", PyLong_FromLong(r->status)) &&
        !zp_put(d, "rule", zp_text(r->rule)) && !zp_put(d, "element", element) &&
        !zp_put(d, "token", zp_text(r->token)) && !zp_put(d, "why", zp_text(r->why)) &&
        !zp_put(d, "repair", zp_text(r->repair)) && !zp_put(d, "file", zp_text(r->mark.file)) &&
        !zp_put(d, "line", PyLong_FromLong(r->mark.line)) && !zp_put(d, "column", PyLong_FromLong(r->mark.column)))
        PyList_Append(list, d);
    Py_XDECREF(d);
}

/* written(format): the text, and what the format cannot say. */
static PyObject *builder_written(PyObject *self, PyObject *format) {
    zvBuilder *b = alive(self);
    PyObject *keep = NULL, *pieces = NULL, *lost = NULL, *nothing = NULL, *bytes = NULL, *text = NULL, *both = NULL;
    const char *word = b ? zp_bytes(format, "format", NULL, &keep) : NULL;
    if (word && (pieces = PyList_New(0)) && (lost = PyList_New(0)) && (nothing = PyBytes_FromString(""))) {
        zvError error;
        const zvStatus status = zv_write(b, format_of(word), zp_append_text, pieces, zp_append_loss, lost, &error);
        if (status < 0 && !PyErr_Occurred()) zp_fail(&error);
        if (!PyErr_Occurred()) bytes = PyObject_CallMethod(nothing, "join", "O", pieces);
        if (bytes) text = PyUnicode_FromEncodedObject(bytes, "utf-8", "strict");
        if (text) both = Py_BuildValue("(OO)", text, lost);
    }
    Py_XDECREF(keep), Py_XDECREF(pieces), Py_XDECREF(lost), Py_XDECREF(nothing), Py_XDECREF(bytes), Py_XDECREF(text);
    return both;
}

static bool append_finding(void *list, const zvFinding *f) {
    PyObject *d = PyDict_New();
    const bool good = d && !zp_put(d, "severity", zp_text(zv_severity_word(f->severity))) &&
                      !zp_put(d, "fatal", PyBool_FromLong(f->fatal)) &&
                      !zp_put(d, "status", PyLong_FromLong(f->status)) && !zp_put(d, "rule", zp_text(f->rule)) &&
                      !zp_put(d, "element", zp_text(f->element)) && !zp_put(d, "token", zp_text(f->token)) &&
                      !zp_put(d, "why", zp_text(f->why)) && !zp_put(d, "repair", zp_text(f->repair)) &&
                      !zp_put(d, "file", zp_text(f->mark.file)) && !zp_put(d, "line", PyLong_FromLong(f->mark.line)) &&
                      !zp_put(d, "column", PyLong_FromLong(f->mark.column)) &&
                      !zp_put(d, "count", PyLong_FromLong(f->count)) && !zp_put(d, "others", zp_text(f->others)) &&
                      PyList_Append(list, d) == 0;
    Py_XDECREF(d);
    return good;
}

/* Of one truth: every finding by itself, or those that repeat as one. */
static PyObject *builder_check(PyObject *self, PyObject *all) {
    zvBuilder *b = alive(self);
    PyObject *list = b ? PyList_New(0) : NULL;
    if (!list) return NULL;
    zvError error = {ZV_OK};
    const zvStatus status = PyObject_IsTrue(all) ? zv_check(b, append_finding, list, &error)
                                                 : zv_check_grouped(b, append_finding, list, &error);
    if (status < 0 && !PyErr_Occurred()) zp_fail(&error);
    if (PyErr_Occurred()) Py_CLEAR(list);
    return list;
}

static PyMethodDef builder_methods[] = {
    {"set", builder_set, METH_VARARGS, NULL},      {"lock", builder_lock, METH_O, NULL},
    {"native", builder_native, METH_NOARGS, NULL}, {"written", builder_written, METH_O, NULL},
    {"check", builder_check, METH_O, NULL},        {NULL, NULL, 0, NULL}};

static PyType_Slot builder_slots[] = {
    {Py_tp_new, builder_new}, {Py_tp_dealloc, builder_dealloc}, {Py_tp_methods, builder_methods}, {0, NULL}};
PyType_Spec zp_builder_spec = {"zveno._core.Builder", sizeof(Builder), 0, Py_TPFLAGS_DEFAULT, builder_slots};

/* Documents and tables ----------------------------------------------------------------------------------------- */

/* A plain word: a number, a truth, or the text that it is. */
static PyObject *scalar(const zvNode *node) {
    if (node->quoted) return zp_text(node->text);
    if (strcmp(node->text, "true") == 0) Py_RETURN_TRUE;
    if (strcmp(node->text, "false") == 0) Py_RETURN_FALSE;
    if (!*node->text || strcmp(node->text, "null") == 0 || strcmp(node->text, "~") == 0) Py_RETURN_NONE;
    char *end;
    const long whole = strtol(node->text, &end, 10);
    if (!*end) return PyLong_FromLong(whole);
    PyObject *text = zp_text(node->text), *number = text ? PyFloat_FromString(text) : NULL;
    if (number && strpbrk(node->text, "0123456789")) {
        Py_DECREF(text);
        return number;
    }
    Py_XDECREF(number);
    PyErr_Clear();
    return text;
}

static PyObject *node_object(const zvNode *node) {
    if (node->kind == ZV_NODE_SCALAR) return scalar(node);
    PyObject *all = node->kind == ZV_NODE_LIST ? PyList_New(0) : PyDict_New();
    for (int i = 0; all && i < node->count; i++) {
        PyObject *item = node_object(node->items[i]);
        const int bad = !item                        ? -1
                        : node->kind == ZV_NODE_LIST ? PyList_Append(all, item)
                                                     : PyDict_SetItemString(all, node->keys[i], item);
        Py_XDECREF(item);
        if (bad) Py_CLEAR(all);
    }
    return all;
}

/* YAML or JSON to dictionaries, lists, numbers and texts. */
static PyObject *load(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *text, *keep;
    const char *name;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "Os", &text, &name)) return NULL;
    const char *bytes = zp_bytes(text, "text", &size, &keep);
    if (!bytes) return NULL;
    zvDocument *document = NULL;
    zvError error;
    const zvStatus status = zv_document_read_memory(name, bytes, (size_t)size, &document, &error);
    Py_DECREF(keep);
    if (status < 0) return zp_fail(&error);
    const zvNode *root = zv_document_root(document);
    PyObject *all = root ? node_object(root) : PyDict_New();
    zv_document_destroy(document);
    return all;
}

/* [(name, cost, source, domain, limits)] of a question. */
static PyObject *methods(PyObject *self, PyObject *index) {
    (void)self;
    const long question = PyLong_AsLong(index);
    if (question < 0 || question >= ZV_QUESTIONS) return PyErr_Format(PyExc_IndexError, "there is no such question");
    size_t count;
    const zvMethod *rows = zv_methods((zvQuestion)question, &count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++)
        PyList_SetItem(list, (Py_ssize_t)i,
                       Py_BuildValue("(sssIs)", rows[i].name, rows[i].cost, rows[i].source, rows[i].domain,
                                     zv_domain_words(rows[i].domain)));
    return list;
}

static PyObject *closed_methods(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    size_t count;
    const zvClosedMethod *rows = zv_closed_methods(&count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++)
        PyList_SetItem(list, (Py_ssize_t)i, Py_BuildValue("(sss)", rows[i].name, rows[i].cost, rows[i].source));
    return list;
}

/* ["mass", "bias", ...] */
static PyObject *questions(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    PyObject *list = PyList_New(ZV_QUESTIONS);
    for (int i = 0; list && i < ZV_QUESTIONS; i++) PyList_SetItem(list, i, zp_text(zv_question_name((zvQuestion)i)));
    return list;
}

PyMethodDef zp_table_methods[] = {{"load", load, METH_VARARGS, NULL},
                                  {"methods", methods, METH_O, NULL},
                                  {"closed_methods", closed_methods, METH_NOARGS, NULL},
                                  {"questions", questions, METH_NOARGS, NULL},
                                  {NULL, NULL, 0, NULL}};
