/* Laws of motion and routes as Python objects. Each is made from a recipe, a tuple that Python keeps: constructors of
 * the library take laws over that a law consists of, so every one that is made gets parts of its own. */
#include <string.h>

#include "full.h"

enum { MOST_NUMBERS = 4, MOST_PARTS = 4096 };

/* (kind, width, numbers, arrays, parts): texts and numbers, arrays of doubles, recipes (or None) */
typedef struct Recipe {
    const char *kind;
    int width;
    double numbers[MOST_NUMBERS];
    PyObject *arrays, *parts;
} Recipe;

static bool read_recipe(PyObject *object, Recipe *r) {
    PyObject *numbers;
    memset(r, 0, sizeof *r);
    if (!PyTuple_Check(object)) return PyErr_SetString(PyExc_TypeError, "expected a recipe of a law"), false;
    if (!PyArg_ParseTuple(object, "siO!O!O!", &r->kind, &r->width, &PyTuple_Type, &numbers, &PyTuple_Type, &r->arrays,
                          &PyTuple_Type, &r->parts))
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_Size(numbers) && i < MOST_NUMBERS; i++)
        r->numbers[i] = PyFloat_AsDouble(PyTuple_GetItem(numbers, i));
    return !PyErr_Occurred();
}

/* Array k of a recipe, which has to have `count` numbers (negative: any); NULL with an exception. */
static const double *array_of(const Recipe *r, Py_ssize_t k, npy_intp count) {
    PyObject *object = k < PyTuple_Size(r->arrays) ? PyTuple_GetItem(r->arrays, k) : NULL;
    if (object && PyArray_CheckExact(object)) {
        PyArrayObject *x = (PyArrayObject *)object;
        if (PyArray_TYPE(x) == NPY_DOUBLE && PyArray_ISCARRAY_RO(x) && (count < 0 || PyArray_SIZE(x) == count))
            return PyArray_DATA(x);
    }
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%s: expected an array of %zd numbers", r->kind, count);
    return NULL;
}

static int size_of(const Recipe *r, Py_ssize_t k) {
    return array_of(r, k, -1) ? (int)PyArray_SIZE((PyArrayObject *)PyTuple_GetItem(r->arrays, k)) : 0;
}

static zvLaw *law_of(PyObject *recipe, zvError *error);

/* Laws of several laws; they are taken over. */
static zvLaw *composed(const Recipe *r, zvError *error) {
    const int count = (int)PyTuple_Size(r->parts);
    zvLaw **parts = count <= MOST_PARTS ? calloc((size_t)count + 1, sizeof *parts) : NULL;
    if (!parts) return (zvLaw *)PyErr_NoMemory();
    int made = 0;
    while (made < count && (parts[made] = law_of(PyTuple_GetItem(r->parts, made), error))) made++;
    zvLaw *law = NULL;
    if (made < count) {
        for (int i = 0; i < made; i++) zv_law_destroy(parts[i]);
    } else if (strcmp(r->kind, "sum") == 0) {
        law = zv_law_sum(count, parts, error);
    } else if (strcmp(r->kind, "join") == 0) {
        law = zv_law_join(count, parts, error);
    } else {
        const double *durations = array_of(r, 0, count > 0 ? count - 1 : 0);
        for (int i = 0; !durations && i < count; i++) zv_law_destroy(parts[i]);
        if (durations) law = zv_law_sequence(r->numbers[0], count, parts, durations, error);
    }
    free(parts);
    return law;
}

/* Laws of points at times. */
static zvLaw *through_points(const Recipe *r, zvError *error) {
    const int count = size_of(r, 0), w = r->width;
    const npy_intp all = (npy_intp)count * w;
    const double *times = array_of(r, 0, count), *x = array_of(r, 1, all);
    if (!times || !x) return NULL;
    if (strcmp(r->kind, "spline") == 0) return zv_law_spline(w, count, times, x, (zvSplineEnds)r->numbers[0], error);
    if (strcmp(r->kind, "table") == 0) return zv_law_table(w, count, times, x, (zvTableMode)r->numbers[0], error);
    const double *dx = array_of(r, 2, all), *ddx = array_of(r, 3, all);
    return dx && ddx ? zv_law_hermite(w, count, times, x, dx, ddx, error) : NULL;
}

/* Laws of a few vectors: x[k] is array k, of the width of the law. */
static zvLaw *simple(const Recipe *r, zvError *error) {
    const int w = r->width;
    const double *n = r->numbers, *x[4] = {NULL};
    const Py_ssize_t count = PyTuple_Size(r->arrays);
    for (Py_ssize_t k = 0; k < count && k < 4; k++)
        if (!(x[k] = array_of(r, k, w))) return NULL;
    if (strcmp(r->kind, "constant") == 0 && count == 1) return zv_law_constant(w, x[0], error);
    if (strcmp(r->kind, "cycloidal") == 0 && count == 2) return zv_law_cycloidal(w, n[0], n[1], x[0], x[1], error);
    if (strcmp(r->kind, "trapezoidal") == 0 && count == 2)
        return zv_law_trapezoidal(w, n[0], n[1], n[2], x[0], x[1], error);
    if (strcmp(r->kind, "trapezoidal_limits") == 0 && count == 4)
        return zv_law_trapezoidal_limits(w, n[0], x[0], x[1], x[2], x[3], error);
    if (strcmp(r->kind, "exponential") == 0 && count == 3) return zv_law_exponential(w, n[0], x[0], x[1], x[2], error);
    if (strcmp(r->kind, "harmonic") == 0 && count == 4) return zv_law_harmonic(w, n[0], x[0], x[1], x[2], x[3], error);
    PyErr_Format(PyExc_ValueError, "expected a kind of law, found \"%s\"", r->kind);
    return NULL;
}

/* NULL with an exception, or without one and with the error. */
static zvLaw *law_of(PyObject *recipe, zvError *error) {
    static const char *const composed_kinds[] = {"sum", "join", "sequence"}, *const kinds_of_points[] = {
                                                                                 "spline", "table", "hermite"};
    Recipe r;
    if (!read_recipe(recipe, &r)) return NULL;
    for (int i = 0; i < 3; i++) {
        if (strcmp(r.kind, composed_kinds[i]) == 0) return composed(&r, error);
        if (strcmp(r.kind, kinds_of_points[i]) == 0) return through_points(&r, error);
    }
    if (strcmp(r.kind, "polynomial") == 0 || strcmp(r.kind, "boundary") == 0) {
        const int first = size_of(&r, 0), second = r.kind[0] == 'b' ? size_of(&r, 1) : 0;
        if (PyErr_Occurred() || r.width < 1 || first % r.width || second % r.width) return simple(&r, error);
        const double *from = array_of(&r, 0, first), *to = r.kind[0] == 'b' ? array_of(&r, 1, second) : NULL;
        if (r.kind[0] == 'p') return zv_law_polynomial(r.width, r.numbers[0], first / r.width, from, error);
        return zv_law_boundary(r.width, r.numbers[0], r.numbers[1], first / r.width, from, second / r.width, to, error);
    }
    return simple(&r, error);
}

/* Routes ---------------------------------------------------------------------------------------------------------- */

static bool pose_of(const Recipe *r, Py_ssize_t k, zvPose *pose) {
    const double *x = array_of(r, k, 16);
    for (int i = 0; x && i < 3; i++) {
        for (int j = 0; j < 3; j++) pose->R[3 * i + j] = x[4 * i + j];
        pose->p[i] = x[4 * i + 3];
    }
    return x != NULL;
}

/* Law i of a route, anew; NULL: None, or with an exception or error. */
static zvLaw *part_of(const Recipe *r, Py_ssize_t i, zvError *error) {
    PyObject *recipe = i < PyTuple_Size(r->parts) ? PyTuple_GetItem(r->parts, i) : Py_None;
    return recipe == Py_None ? NULL : law_of(recipe, error);
}

/* Numbers: of an arc its angle and whether it turns, of angles how many axes there are; those stand behind the kind. */
static zvRoute *route_of(PyObject *recipe, zvError *error) {
    Recipe r;
    zvPose from, to;
    if (!read_recipe(recipe, &r)) return NULL;
    if (strcmp(r.kind, "line") == 0) {
        if (!pose_of(&r, 0, &from) || !pose_of(&r, 1, &to)) return NULL;
        zvLaw *progress = part_of(&r, 0, error);
        return progress ? zv_route_line(&from, &to, progress, error) : NULL;
    }
    if (strcmp(r.kind, "arc") == 0) {
        const double *center = array_of(&r, 1, 3), *axis = center ? array_of(&r, 2, 3) : NULL;
        if (!axis || !pose_of(&r, 0, &from)) return NULL;
        zvLaw *progress = part_of(&r, 0, error);
        return progress ? zv_route_arc(&from, center, axis, r.numbers[0], r.numbers[1] != 0, progress, error) : NULL;
    }
    zvLaw *position = part_of(&r, 0, error);
    if (PyErr_Occurred() || error->status < 0) return NULL;
    const bool slerp = strcmp(r.kind, "slerp") == 0;
    const double *quaternions = slerp ? array_of(&r, 0, -1) : NULL;
    zvLaw *turn = slerp && !quaternions ? NULL : part_of(&r, 1, error);
    if (PyErr_Occurred() || error->status < 0) return zv_law_destroy(position), NULL;
    if (slerp) return zv_route_slerp(position, size_of(&r, 0) / 4, quaternions, turn, error);
    if (strcmp(r.kind, "vector") == 0) return zv_route_vector(position, turn, error);
    return zv_route_angles(position, r.kind, turn, error); /* "zyx" */
}

/* Objects -----------------------------------------------------------------------------------------------------------
 */

typedef struct Law {
    PyObject_HEAD zvLaw *law;
    zvRoute *route; /* one of them */
} Law;

/* Law(recipe), Route(recipe) */
static PyObject *make(PyTypeObject *type, PyObject *args, bool routes) {
    PyObject *recipe;
    if (!PyArg_ParseTuple(args, "O", &recipe)) return NULL;
    Law *self = (Law *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    zvError error = {ZV_OK};
    if (!self) return NULL;
    if (routes)
        self->route = route_of(recipe, &error);
    else
        self->law = law_of(recipe, &error);
    if (self->law || self->route) return (PyObject *)self;
    if (!PyErr_Occurred()) zp_fail(&error);
    Py_DECREF(self);
    return NULL;
}
static PyObject *law_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    (void)names;
    return make(type, args, false);
}
static PyObject *route_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    (void)names;
    return make(type, args, true);
}

static void law_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    zv_law_destroy(((Law *)self)->law);
    zv_route_destroy(((Law *)self)->route);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* at(times (n)) -> x, dx, ddx (n, width each) */
static PyObject *law_at(PyObject *self, PyObject *times) {
    const zvLaw *law = ((Law *)self)->law;
    const int width = zv_law_width(law);
    PyObject *t = PyArray_FROM_OTF(times, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO), *x[3] = {NULL};
    if (!t) return NULL;
    const npy_intp count = PyArray_SIZE((PyArrayObject *)t);
    for (int i = 0; i < 3; i++) x[i] = zp_array(count, width, NULL);
    if (x[0] && x[1] && x[2]) {
        const double *at = PyArray_DATA((PyArrayObject *)t);
        double *y[3];
        for (int i = 0; i < 3; i++) y[i] = PyArray_DATA((PyArrayObject *)x[i]);
        Py_BEGIN_ALLOW_THREADS for (npy_intp i = 0; i < count; i++)
            zv_law_at(law, at[i], y[0] + i * width, y[1] + i * width, y[2] + i * width);
        Py_END_ALLOW_THREADS
    }
    Py_DECREF(t);
    if (x[0] && x[1] && x[2]) return Py_BuildValue("(NNN)", x[0], x[1], x[2]);
    for (int i = 0; i < 3; i++) Py_XDECREF(x[i]);
    return NULL;
}

static void write_pose(const zvPose *pose, double *x) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) x[4 * i + j] = pose->R[3 * i + j];
        x[4 * i + 3] = pose->p[i];
        x[12 + i] = 0;
    }
    x[15] = 1;
}

/* at(times (n)) -> poses (n, 16), velocities, accelerations (n, 6 each) */
static PyObject *route_at(PyObject *self, PyObject *times) {
    const zvRoute *route = ((Law *)self)->route;
    PyObject *t = PyArray_FROM_OTF(times, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO), *x[3] = {NULL};
    if (!t) return NULL;
    const npy_intp count = PyArray_SIZE((PyArrayObject *)t);
    for (int i = 0; i < 3; i++) x[i] = zp_array(count, i ? 6 : 16, NULL);
    if (x[0] && x[1] && x[2]) {
        const double *at = PyArray_DATA((PyArrayObject *)t);
        double *y[3];
        for (int i = 0; i < 3; i++) y[i] = PyArray_DATA((PyArrayObject *)x[i]);
        Py_BEGIN_ALLOW_THREADS for (npy_intp i = 0; i < count; i++) {
            zvPose pose;
            zv_route_at(route, at[i], &pose, y[1] + 6 * i, y[2] + 6 * i);
            write_pose(&pose, y[0] + 16 * i);
        }
        Py_END_ALLOW_THREADS
    }
    Py_DECREF(t);
    if (x[0] && x[1] && x[2]) return Py_BuildValue("(NNN)", x[0], x[1], x[2]);
    for (int i = 0; i < 3; i++) Py_XDECREF(x[i]);
    return NULL;
}

static PyObject *next_break(PyObject *self, PyObject *time) {
    const Law *s = (Law *)self;
    const double t = PyFloat_AsDouble(time);
    if (PyErr_Occurred()) return NULL;
    return PyFloat_FromDouble(s->law ? zv_law_next_break(s->law, t) : zv_route_next_break(s->route, t));
}

static PyObject *law_width(PyObject *self, void *nothing) {
    (void)nothing;
    return PyLong_FromLong(zv_law_width(((Law *)self)->law));
}
static PyObject *route_places(PyObject *self, void *nothing) {
    (void)nothing;
    return PyBool_FromLong(zv_route_places(((Law *)self)->route));
}
static PyObject *route_turns(PyObject *self, void *nothing) {
    (void)nothing;
    return PyBool_FromLong(zv_route_turns(((Law *)self)->route));
}

static PyMethodDef law_methods[] = {
    {"at", law_at, METH_O, NULL}, {"next_break", next_break, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static PyMethodDef route_methods[] = {
    {"at", route_at, METH_O, NULL}, {"next_break", next_break, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static PyGetSetDef law_properties[] = {{"width", law_width, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyGetSetDef route_properties[] = {{"places", route_places, NULL, NULL, NULL},
                                         {"turns", route_turns, NULL, NULL, NULL},
                                         {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot law_slots[] = {{Py_tp_new, law_new},
                                  {Py_tp_dealloc, law_dealloc},
                                  {Py_tp_methods, law_methods},
                                  {Py_tp_getset, law_properties},
                                  {0, NULL}};
static PyType_Slot route_slots[] = {{Py_tp_new, route_new},
                                    {Py_tp_dealloc, law_dealloc},
                                    {Py_tp_methods, route_methods},
                                    {Py_tp_getset, route_properties},
                                    {0, NULL}};
PyType_Spec zp_law_spec = {"zveno._full.Law", sizeof(Law), 0, Py_TPFLAGS_DEFAULT, law_slots};
PyType_Spec zp_route_spec = {"zveno._full.Route", sizeof(Law), 0, Py_TPFLAGS_DEFAULT, route_slots};

/* Tables ---------------------------------------------------------------------------------------------------------- */

/* read_table(path or None, text or None) -> values (rows, columns), names or None */
static PyObject *read_table(PyObject *self, PyObject *args) {
    (void)self;
    const char *path, *bytes = NULL;
    PyObject *text, *keep = NULL;
    Py_ssize_t size = 0;
    if (!PyArg_ParseTuple(args, "sO", &path, &text)) return NULL;
    if (text != Py_None && !(bytes = zp_bytes(text, "text", &size, &keep))) return NULL;
    zvTable table = {0};
    zvError error = {ZV_OK};
    const zvStatus status = bytes ? zv_table_read_memory(path, bytes, (size_t)size, &table, &error)
                                  : zv_table_read_file(path, &table, &error);
    Py_XDECREF(keep);
    if (status < 0) return zp_fail(&error);
    PyObject *values = zp_array(table.rows, table.columns, table.values), *names = Py_None;
    if (table.names)
        names = PyTuple_New(table.columns);
    else
        Py_INCREF(names);
    for (int i = 0; table.names && names && i < table.columns; i++) PyTuple_SetItem(names, i, zp_text(table.names[i]));
    zv_table_free(&table);
    return Py_BuildValue("(NN)", values, names);
}

const PyMethodDef zp_motion_methods[] = {{"read_table", read_table, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
