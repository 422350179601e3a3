/* Recordings in files, read as far as they are looked at; and written. */
#include <stdlib.h>
#include <string.h>

#include "full.h"

typedef struct Recording {
    PyObject_HEAD zvRecording *recording; /* serves one thread at a time: zveno/recordings.py has a lock */
} Recording;

static zvRecording *of(PyObject *self) { return ((Recording *)self)->recording; }

static PyObject *recording_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    const char *path;
    zvRecording *recording = NULL;
    zvError error = {ZV_OK};
    zvStatus status;
    if ((names && PyDict_Size(names)) || !PyArg_ParseTuple(args, "s", &path)) return NULL;
    Py_BEGIN_ALLOW_THREADS status = zv_recording_open(path, &recording, &error);
    Py_END_ALLOW_THREADS if (status < 0) return zp_fail(&error);
    Recording *self = (Recording *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) zv_recording_destroy(recording);
    if (self) self->recording = recording;
    return (PyObject *)self;
}

static void recording_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    zv_recording_destroy(of(self));
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* {rows, channels, checked, is_hdf5} */
static PyObject *recording_tell(PyObject *self, PyObject *nothing) {
    (void)nothing;
    const zvRecording *r = of(self);
    PyObject *d = PyDict_New(), *channels = PyList_New(0);
    for (int i = 0; channels && i < zv_recording_channels(r); i++) {
        PyObject *one = zp_channels(1, zv_recording_channel(r, i));
        if (!one || PyList_Append(channels, PyList_GetItem(one, 0))) Py_CLEAR(channels);
        Py_XDECREF(one);
    }
    if (!d || zp_put(d, "rows", PyLong_FromUnsignedLongLong(zv_recording_rows(r))) || zp_put(d, "channels", channels) ||
        zp_put(d, "checked", PyBool_FromLong(zv_recording_checked(r))) ||
        zp_put(d, "is_hdf5", PyBool_FromLong(zv_recording_is_hdf5(r))))
        Py_CLEAR(d);
    return d;
}

static PyObject *recording_notes(PyObject *self, PyObject *nothing) {
    (void)nothing;
    PyObject *d = PyDict_New();
    for (int i = 0; d && i < zv_recording_notes(of(self)); i++) {
        const zvNote note = zv_recording_note(of(self), i);
        if (zp_put(d, note.name, zp_text(note.text))) Py_CLEAR(d);
    }
    return d;
}

static PyObject *recording_events(PyObject *self, PyObject *nothing) {
    (void)nothing;
    PyObject *list = PyList_New(0);
    for (uint64_t i = 0; list && i < zv_recording_events(of(self)); i++) {
        PyObject *event = zp_event(zv_recording_event(of(self), i));
        if (!event || PyList_Append(list, event)) Py_CLEAR(list);
        Py_XDECREF(event);
    }
    return list;
}

/* read((channel, ...), first, count) -> ((count, width), ...) */
static PyObject *recording_read(PyObject *self, PyObject *args) {
    PyObject *which;
    unsigned long long first, count;
    zvRecording *r = of(self);
    if (!PyArg_ParseTuple(args, "O!KK", &PyTuple_Type, &which, &first, &count)) return NULL;
    const Py_ssize_t n = PyTuple_Size(which);
    if (first > zv_recording_rows(r) || count > zv_recording_rows(r) - first)
        return PyErr_Format(PyExc_IndexError, "there are no such rows");
    int *channels = calloc((size_t)n + 1, sizeof *channels);
    double **values = calloc((size_t)n + 1, sizeof *values);
    PyObject *all = channels && values ? PyTuple_New(n) : PyErr_NoMemory();
    for (Py_ssize_t i = 0; all && i < n; i++) {
        channels[i] = (int)PyLong_AsLong(PyTuple_GetItem(which, i));
        if (!PyErr_Occurred() && (channels[i] < 0 || channels[i] >= zv_recording_channels(r)))
            PyErr_SetString(PyExc_IndexError, "there is no such channel");
        PyObject *x =
            PyErr_Occurred() ? NULL : zp_array((npy_intp)count, zv_recording_channel(r, channels[i])->width, NULL);
        if (x) values[i] = PyArray_DATA((PyArrayObject *)x);
        if (x) PyTuple_SetItem(all, i, x);
        if (!x) Py_CLEAR(all);
    }
    if (all && n && count) {
        zvError error = {ZV_OK};
        zvStatus status;
        Py_BEGIN_ALLOW_THREADS status = zv_recording_read_together(r, (int)n, channels, first, count, values, &error);
        Py_END_ALLOW_THREADS if (status < 0) {
            Py_CLEAR(all);
            zp_fail(&error);
        }
    }
    free(channels);
    free(values);
    return all;
}

static PyObject *recording_write(PyObject *self, PyObject *args) {
    const char *path;
    zvError error = {ZV_OK};
    zvStatus status;
    if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
    zvRecording *r = of(self);
    Py_BEGIN_ALLOW_THREADS status = zv_recording_write(r, path, &error);
    Py_END_ALLOW_THREADS if (status < 0) return zp_fail(&error);
    Py_RETURN_NONE;
}

static PyMethodDef recording_methods[] = {
    {"tell", recording_tell, METH_NOARGS, NULL},     {"notes", recording_notes, METH_NOARGS, NULL},
    {"events", recording_events, METH_NOARGS, NULL}, {"read", recording_read, METH_VARARGS, NULL},
    {"write", recording_write, METH_VARARGS, NULL},  {NULL, NULL, 0, NULL}};
static PyType_Slot recording_slots[] = {
    {Py_tp_new, recording_new}, {Py_tp_dealloc, recording_dealloc}, {Py_tp_methods, recording_methods}, {0, NULL}};
PyType_Spec zp_recording_spec = {"zveno._full.Recording", sizeof(Recording), 0, Py_TPFLAGS_DEFAULT, recording_slots};

/* Written --------------------------------------------------------------------------------------------------------- */

enum { MOST_LABELS = 4096 };

/* Texts of a tuple or None, kept alive by the tuple `alive`; false with an exception. */
static bool take_texts(PyObject *tuple, int width, const char **to, const char *const **list, PyObject *alive) {
    *list = NULL;
    if (!tuple || tuple == Py_None) return true;
    if (PyTuple_Size(tuple) != width) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "labels, units: expected one for each number");
        return false;
    }
    for (int i = 0; i < width; i++) {
        PyObject *keep;
        to[i] = zp_bytes(PyTuple_GetItem(tuple, i), "a label", NULL, &keep);
        if (!to[i] || PyList_Append(alive, keep)) {
            Py_XDECREF(keep);
            return false;
        }
        Py_DECREF(keep);
    }
    *list = to;
    return true;
}

static zvStatus write_rows(const char *path, int channel_count, const zvChannel *channels, const double *rows,
                           size_t count, const zvEvent *events, size_t event_count, int note_count, const zvNote *notes,
                           zvError *error) {
    zvRecorder *recorder = zv_recorder_create_memory(channel_count, channels, error);
    if (!recorder) return error->status < 0 ? error->status : ZV_MEMORY;
    const size_t width = (size_t)zv_recorder_width(recorder);
    zvStatus status = ZV_OK;
    for (size_t i = 0; i < count && status >= 0; i++) status = zv_recorder_row(recorder, rows + i * width, error);
    for (size_t i = 0; i < event_count && status >= 0; i++) status = zv_recorder_event(recorder, &events[i], error);
    if (status >= 0) status = zv_recorder_finish(recorder, path, note_count, notes, error);
    zv_recorder_destroy(recorder);
    return status;
}

/* Everything that a written recording consists of, as C has it; texts stay alive with `alive`. */
typedef struct Written {
    int channel_count, note_count, width;
    zvChannel *channels;
    const char **labels; /* of all channels, then units */
    zvEvent *events;
    size_t event_count;
    zvNote *notes;
    PyObject *alive;
} Written;

static bool take_channels(Written *w, PyObject *list) {
    const char **next = w->labels;
    for (int i = 0; i < w->channel_count; i++) {
        PyObject *labels, *units;
        zvChannel *c = &w->channels[i];
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "sssiOO", &c->name, &c->unit, &c->about, &c->width, &labels,
                              &units))
            return false;
        if (c->width < 1 || w->width + c->width > MOST_LABELS) {
            PyErr_Format(PyExc_ValueError, "channel \"%s\": expected 1 or more numbers (%d in all), found %d", c->name,
                         MOST_LABELS, c->width);
            return false;
        }
        if (!take_texts(labels, c->width, next, &c->labels, w->alive)) return false;
        if (!take_texts(units, c->width, next + MOST_LABELS, &c->units, w->alive)) return false;
        next += c->width;
        w->width += c->width;
    }
    return true;
}

static bool take_events_and_notes(Written *w, PyObject *events, PyObject *notes) {
    for (size_t i = 0; i < w->event_count; i++)
        if (!PyArg_ParseTuple(PyList_GetItem(events, (Py_ssize_t)i), "dss", &w->events[i].t, &w->events[i].name,
                              &w->events[i].text))
            return false;
    for (int i = 0; i < w->note_count; i++)
        if (!PyArg_ParseTuple(PyList_GetItem(notes, i), "ss", &w->notes[i].name, &w->notes[i].text)) return false;
    return true;
}

static void free_written(Written *w) {
    free(w->channels);
    free(w->labels);
    free(w->events);
    free(w->notes);
    Py_XDECREF(w->alive);
}

/* write_recording(path, [(name, unit, about, width, labels, units)], rows (n, width), [(t, name, text)], [(name,
 * text)])
 */
PyObject *zp_write_recording(PyObject *self, PyObject *args) {
    (void)self;
    const char *path;
    PyObject *channels, *rows, *events, *notes;
    if (!PyArg_ParseTuple(args, "sO!OO!O!", &path, &PyList_Type, &channels, &rows, &PyList_Type, &events, &PyList_Type,
                          &notes))
        return NULL;
    Written w = {.channel_count = (int)PyList_Size(channels), .note_count = (int)PyList_Size(notes)};
    w.event_count = (size_t)PyList_Size(events);
    w.channels = calloc((size_t)w.channel_count + 1, sizeof *w.channels);
    w.labels = calloc(2 * MOST_LABELS, sizeof *w.labels);
    w.events = calloc(w.event_count + 1, sizeof *w.events);
    w.notes = calloc((size_t)w.note_count + 1, sizeof *w.notes);
    w.alive = PyList_New(0);
    PyObject *x = NULL;
    zvError error = {ZV_OK};
    zvStatus status = ZV_OK;
    if (!w.channels || !w.labels || !w.events || !w.notes || !w.alive) PyErr_NoMemory();
    if (!PyErr_Occurred() && take_channels(&w, channels) && take_events_and_notes(&w, events, notes))
        x = PyArray_FROM_OTF(rows, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
    if (x && (PyArray_NDIM((PyArrayObject *)x) != 2 || PyArray_DIM((PyArrayObject *)x, 1) != w.width))
        PyErr_Format(PyExc_ValueError, "rows: expected shape (n, %d)", w.width);
    if (x && !PyErr_Occurred()) {
        const double *numbers = PyArray_DATA((PyArrayObject *)x);
        const size_t count = (size_t)PyArray_DIM((PyArrayObject *)x, 0);
        Py_BEGIN_ALLOW_THREADS status = write_rows(path, w.channel_count, w.channels, numbers, count, w.events,
                                                   w.event_count, w.note_count, w.notes, &error);
        Py_END_ALLOW_THREADS
    }
    Py_XDECREF(x);
    free_written(&w);
    if (PyErr_Occurred()) return NULL;
    if (status < 0) return zp_fail(&error);
    Py_RETURN_NONE;
}
