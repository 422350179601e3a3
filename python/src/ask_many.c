/* Questions about any number of states, of any arrays that NumPy makes numbers of: leading axes broadcast, batches of
 * the library answer where they can, else states are taken one by one; others run meanwhile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

enum { MOST_AXES = 32, BLOCK = 8192 /* states that are brought together at a time */ };

/* An array of a call: where the first state is, and how far the next along each leading axis. */
typedef struct Operand {
    PyArrayObject *array;       /* a reference */
    npy_intp width;             /* numbers of a state */
    npy_intp stride[MOST_AXES]; /* bytes, of the leading axes of all */
    bool together;              /* states lie one after the other */
    char *room;                 /* else where states of a block are brought together */
} Operand;

typedef struct Round {
    Call *call;
    Operand in[ASK_ARRAYS], out[ASK_ARRAYS];
    PyObject *given[ASK_ARRAYS]; /* answers that are copied to the caller's arrays in the end; references */
    int lead;                    /* leading axes of all, and their lengths */
    npy_intp length[MOST_AXES];
    size_t count;
    bool single;
    PyArrayObject *status;
    zvStatus *all;  /* status of every state */
    zvStatus worst; /* one that is not OK; else all are */
    bool many;
} Round;

static void let_go(Round *r) {
    for (int k = 0; k < ASK_ARRAYS; k++) {
        Py_CLEAR(r->in[k].array);
        Py_CLEAR(r->out[k].array);
        Py_CLEAR(r->given[k]);
        free(r->in[k].room);
    }
    Py_CLEAR(r->status);
    free(r->all);
}

static void wrong_shape(const Call *c, const char *name, const npy_intp *shape, int axes, PyArrayObject *found) {
    PyObject *have = PyObject_GetAttrString((PyObject *)found, "shape");
    char text[96] = "(...";
    for (int i = 0; i < axes; i++) {
        char part[24];
        snprintf(part, sizeof part, ", %lld", (long long)shape[i]);
        strncat(text, part, sizeof text - strlen(text) - 1);
    }
    if (have)
        PyErr_Format(PyExc_ValueError, "%s of %s: expected shape %s), found %S", name, c->question->name, text, have);
    Py_XDECREF(have);
}

/* Numbers that an argument holds, still of any type; NULL with an exception. */
static PyArrayObject *numbers_of(const Call *c, const Slot *slot, PyObject *value) {
    PyArrayObject *x = (PyArrayObject *)PyArray_FROM_O(value);
    if (!x) return NULL;
    const int type = PyArray_TYPE(x);
    const bool whole = PyTypeNum_ISINTEGER(type) || PyTypeNum_ISBOOL(type);
    if (slot->kind == 'g' ? whole : whole || PyTypeNum_ISFLOAT(type)) return x;
    PyErr_Format(PyExc_TypeError, "%s of %s: expected %s, found dtype %S", slot->name, c->question->name,
                 slot->kind == 'g' ? "whole numbers (0 force, 1 acceleration, 2 locked) or truths" : "real numbers",
                 (PyObject *)PyArray_DESCR(x));
    Py_DECREF(x);
    return NULL;
}

/* External forces may be flat. */
static PyArrayObject *unflatten(const Call *c, PyArrayObject *x) {
    const int axes = PyArray_NDIM(x);
    if (zv_model_nelastic(c->model) || axes < 1 || axes >= MOST_AXES ||
        PyArray_DIM(x, axes - 1) != 6 * (npy_intp)zv_model_nlink(c->model) ||
        (axes > 1 && PyArray_DIM(x, axes - 1) == 6 && PyArray_DIM(x, axes - 2) == zv_model_nlink(c->model)))
        return x;
    npy_intp shape[MOST_AXES + 1];
    memcpy(shape, PyArray_DIMS(x), (size_t)(axes - 1) * sizeof *shape);
    shape[axes - 1] = zv_model_nlink(c->model);
    shape[axes] = 6;
    PyArray_Dims dims = {shape, axes + 1};
    PyArrayObject *y = (PyArrayObject *)PyArray_Newshape(x, &dims, NPY_CORDER);
    Py_DECREF(x);
    return y;
}

/* The states of an input: shape and type are looked at, leading axes join those of the round. */
static bool take_input(Round *r, int k, PyObject *value) {
    const Call *c = r->call;
    const Slot *slot = &c->question->slot[c->question->arrays[k]];
    npy_intp shape[3];
    const int axes = zp_shape(c, slot->kind, shape);
    PyArrayObject *x = numbers_of(c, slot, value);
    if (x && slot->kind == 'f') x = unflatten(c, x);
    if (!x) return false;
    r->in[k].array = x;
    const int lead = PyArray_NDIM(x) - axes;
    bool fits = lead >= 0 && lead <= MOST_AXES;
    for (int i = 0; i < axes && fits; i++) fits = PyArray_DIM(x, lead + i) == shape[i];
    if (!fits) {
        wrong_shape(c, slot->name, shape, axes, x);
        return false;
    }
    if (lead > r->lead) {
        memmove(r->length + lead - r->lead, r->length, (size_t)r->lead * sizeof *r->length);
        for (int i = 0; i < lead - r->lead; i++) r->length[i] = 1;
        r->lead = lead;
    }
    for (int i = 0; i < lead; i++) {
        npy_intp *all = &r->length[r->lead - lead + i];
        const npy_intp mine = PyArray_DIM(x, i);
        if (*all == 1) *all = mine;
        if (mine != 1 && mine != *all) {
            PyErr_Format(PyExc_ValueError, "%s of %s: its leading axes do not broadcast with those before: %zd and %zd",
                         slot->name, c->question->name, (Py_ssize_t)mine, (Py_ssize_t)*all);
            return false;
        }
    }
    r->in[k].width = 1;
    for (int i = 0; i < axes; i++) r->in[k].width *= shape[i];
    return true;
}

/* In the type of the round, the numbers of each state side by side; a copy only where they are not. */
static bool make_ready(Round *r, int k) {
    Operand *x = &r->in[k];
    const bool bytes = r->call->question->slot[r->call->question->arrays[k]].kind == 'g';
    const int type = bytes ? NPY_UINT8 : r->single ? NPY_FLOAT : NPY_DOUBLE;
    npy_intp shape[3], step = PyArray_ITEMSIZE(x->array);
    const int axes = zp_shape(r->call, r->call->question->slot[r->call->question->arrays[k]].kind, shape);
    const int lead = PyArray_NDIM(x->array) - axes;
    bool ready = PyArray_TYPE(x->array) == type && PyArray_ISBEHAVED_RO(x->array);
    for (int i = axes - 1; i >= 0; i--) {
        ready = ready && (shape[i] <= 1 || PyArray_STRIDE(x->array, lead + i) == step);
        step *= shape[i];
    }
    if (!ready) {
        PyArrayObject *copy =
            (PyArrayObject *)PyArray_FROM_OTF((PyObject *)x->array, type, NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST);
        if (!copy) return false;
        Py_DECREF(x->array);
        x->array = copy;
    }
    npy_intp dense = x->width * PyArray_ITEMSIZE(x->array);
    x->together = true;
    for (int i = r->lead - 1; i >= 0; i--) {
        const int own = i - (r->lead - lead);
        x->stride[i] = own >= 0 && PyArray_DIM(x->array, own) > 1 ? PyArray_STRIDE(x->array, own) : 0;
        if (r->length[i] > 1 && x->stride[i] != dense) x->together = false;
        dense *= r->length[i];
    }
    return true;
}

static bool take_inputs(Round *r, PyObject *const *values) {
    const Question *question = r->call->question;
    int floats = 0, singles = 0;
    for (int k = 0; k < question->inputs; k++) {
        const Slot *slot = &question->slot[question->arrays[k]];
        if (!values[question->arrays[k]]) continue;
        if (!take_input(r, k, values[question->arrays[k]])) return false;
        if (slot->kind == 'g') continue;
        floats++;
        singles += PyArray_TYPE(r->in[k].array) == NPY_FLOAT;
    }
    r->single = floats > 0 && floats == singles;
    double count = 1;
    for (int i = 0; i < r->lead; i++) count *= (double)r->length[i];
    if (count > 1e15) {
        PyErr_SetString(PyExc_ValueError, "more states than memory can hold");
        return false;
    }
    r->count = (size_t)count;
    return true;
}

/* Whether the caller's array can be written directly: as the answer lies, apart from all inputs. */
static bool is_direct(const Round *r, PyArrayObject *x, int type) {
    if (PyArray_TYPE(x) != type || !PyArray_ISCARRAY(x)) return false;
    for (int k = 0; k < ASK_ARRAYS; k++) {
        PyArrayObject *in = r->in[k].array, *out = r->out[k].array;
        if (out &&
            zp_overlap(PyArray_DATA(x), (size_t)PyArray_NBYTES(x), PyArray_DATA(out), (size_t)PyArray_NBYTES(out)))
            return false;
        if (!in) continue;
        npy_intp low = 0, high = PyArray_ITEMSIZE(in); /* from the first number in memory to the end of the last */
        for (int i = 0; i < PyArray_NDIM(in); i++) {
            const npy_intp reach = (PyArray_DIM(in, i) - 1) * PyArray_STRIDE(in, i);
            *(reach < 0 ? &low : &high) += reach;
        }
        if (zp_overlap(PyArray_DATA(x), (size_t)PyArray_NBYTES(x), (char *)PyArray_DATA(in) + low,
                       (size_t)(high - low)))
            return false;
    }
    return true;
}

/* The array of answer k, the caller's or a new one. */
static bool take_answer(Round *r, int k, PyObject *given) {
    const Question *question = r->call->question;
    const Slot *slot = &question->slot[question->arrays[question->inputs + k]];
    npy_intp shape[MOST_AXES + 3];
    memcpy(shape, r->length, (size_t)r->lead * sizeof *shape);
    const int own = zp_shape(r->call, slot->kind, shape + r->lead), axes = r->lead + own;
    const int type = r->single && r->many ? NPY_FLOAT : NPY_DOUBLE;
    r->out[k].width = 1;
    for (int i = 0; i < own; i++) r->out[k].width *= shape[r->lead + i];
    if (given && given != Py_None) {
        PyArrayObject *x = (PyArrayObject *)given;
        bool fits = PyArray_Check(given) && PyArray_NDIM(x) == axes;
        for (int i = 0; i < axes && fits; i++) fits = PyArray_DIM(x, i) == shape[i];
        if (!PyArray_Check(given)) {
            PyErr_Format(PyExc_TypeError, "out of %s: expected an array, found %R", question->name, Py_TYPE(given));
        } else if (!fits) {
            wrong_shape(r->call, "out", shape + r->lead, own, x);
        } else if (!PyArray_ISWRITEABLE(x)) {
            PyErr_Format(PyExc_ValueError, "out of %s: the array is read-only", question->name);
        } else if (!PyTypeNum_ISFLOAT(PyArray_TYPE(x))) {
            PyErr_Format(PyExc_TypeError, "out of %s: expected an array of floats, found dtype %S", question->name,
                         (PyObject *)PyArray_DESCR(x));
        }
        if (PyErr_Occurred()) return false;
        Py_INCREF(given);
        if (is_direct(r, x, type)) {
            r->out[k].array = x;
            return true;
        }
        r->given[k] = given;
    }
    r->out[k].array = (PyArrayObject *)PyArray_SimpleNew(axes, shape, type);
    return r->out[k].array != NULL;
}

static bool take_answers(Round *r, PyObject *out) {
    const Question *question = r->call->question;
    const bool several = question->outputs > 1;
    if (out && several && (!PyTuple_Check(out) || PyTuple_Size(out) != question->outputs)) {
        PyErr_Format(PyExc_TypeError, "out of %s: expected a tuple of %d arrays or None", question->name,
                     question->outputs);
        return false;
    }
    for (int k = 0; k < question->outputs; k++)
        if (!take_answer(r, k, !out ? NULL : several ? PyTuple_GetItem(out, k) : out)) return false;
    return true;
}

/* Array of statuses: the caller's, of the leading axes, and room for one per state. */
static bool take_statuses(Round *r, PyObject *status) {
    if (status) {
        PyArrayObject *x = (PyArrayObject *)status;
        bool fits = PyArray_Check(status) && PyArray_NDIM(x) == r->lead && PyTypeNum_ISINTEGER(PyArray_TYPE(x)) &&
                    PyArray_ISWRITEABLE(x);
        for (int i = 0; i < r->lead && fits; i++) fits = PyArray_DIM(x, i) == r->length[i];
        if (!fits) {
            PyErr_SetString(PyExc_ValueError,
                            "status: expected a writeable array of whole numbers with the leading axes of the inputs");
            return false;
        }
        Py_INCREF(status);
        r->status = x;
    }
    r->all = calloc(r->count ? r->count : 1, sizeof *r->all);
    if (!r->all) PyErr_Format(PyExc_MemoryError, "%s: no memory for %zu states", r->call->question->name, r->count);
    return r->all != NULL;
}

/* Where state s of an operand is. */
static char *state_at(const Round *r, const Operand *x, size_t s) {
    char *place = PyArray_BYTES(x->array);
    for (int i = r->lead - 1; i >= 0; i--) {
        place += x->stride[i] * (npy_intp)(s % (size_t)r->length[i]);
        s /= (size_t)r->length[i];
    }
    return place;
}

static void one_by_one(Round *r) {
    Call *c = r->call;
    const Question *question = c->question;
    for (size_t s = 0; s < r->count; s++) {
        for (int k = 0; k < question->inputs; k++) c->in[k] = r->in[k].array ? state_at(r, &r->in[k], s) : NULL;
        for (int k = 0; k < question->outputs; k++)
            c->out[k] = (double *)PyArray_DATA(r->out[k].array) + s * (size_t)r->out[k].width;
        r->all[s] = question->one(c);
        if (r->all[s]) r->worst = r->all[s];
    }
}

/* Brings states first ... first + count - 1 of an operand together. */
static void *bring(const Round *r, const Operand *x, size_t first, size_t count) {
    const size_t bytes = (size_t)(x->width * PyArray_ITEMSIZE(x->array));
    if (!x->array) return NULL;
    if (x->together) return PyArray_BYTES(x->array) + first * bytes;
    for (size_t s = 0; s < count; s++) memcpy(x->room + s * bytes, state_at(r, x, first + s), bytes);
    return x->room;
}

static bool make_rooms(Round *r) {
    for (int k = 0; k < r->call->question->inputs; k++) {
        Operand *x = &r->in[k];
        if (!x->array || x->together) continue;
        x->room = malloc((size_t)BLOCK * (size_t)(x->width * PyArray_ITEMSIZE(x->array)) + 64);
        if (!x->room) return false;
    }
    return true;
}

/* By a batch, block by block where some input has to be brought together, else at once. */
static zvStatus by_batch(Round *r, zvBatch *batch) {
    Call *c = r->call;
    const Question *question = c->question;
    bool together = true;
    for (int k = 0; k < question->inputs; k++) together &= !r->in[k].array || r->in[k].together;
    const size_t block = together ? r->count : BLOCK;
    for (size_t first = 0; first < r->count; first += block) {
        const size_t count = r->count - first < block ? r->count - first : block;
        for (int k = 0; k < question->inputs; k++) c->in[k] = r->in[k].array ? bring(r, &r->in[k], first, count) : NULL;
        for (int k = 0; k < question->outputs; k++)
            c->out[k] =
                PyArray_BYTES(r->out[k].array) + first * (size_t)(r->out[k].width * PyArray_ITEMSIZE(r->out[k].array));
        const zvStatus status = (r->single ? question->many_single : question->many)(c, batch, count, r->all + first);
        if (status < 0 && status != ZV_SINGULAR) return status;
        if (status < 0) r->worst = status;
    }
    return ZV_OK;
}

static bool compute(Round *r) {
    zvBatch *batch = NULL;
    zvStatus status = ZV_OK;
    if (r->many && (!make_rooms(r) || !(batch = zp_take_batch(r->call->robot)))) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        return false;
    }
    Py_BEGIN_ALLOW_THREADS if (r->many) status = by_batch(r, batch);
    else one_by_one(r);
    Py_END_ALLOW_THREADS if (batch) zp_give_batch(r->call->robot, batch);
    if (status < 0) zp_fail_status(status, NULL);
    return status >= 0;
}

/* Answers of states that have none are NaN. */
static void mark_missing(Round *r, size_t s) {
    for (int k = 0; k < r->call->question->outputs; k++)
        for (npy_intp i = 0; i < r->out[k].width; i++) {
            const size_t at = s * (size_t)r->out[k].width + (size_t)i;
            if (PyArray_TYPE(r->out[k].array) == NPY_FLOAT)
                ((float *)PyArray_DATA(r->out[k].array))[at] = NAN;
            else
                ((double *)PyArray_DATA(r->out[k].array))[at] = NAN;
        }
}

/* Exception for states that failed, unless their statuses are asked for; a warning for those that degraded. */
static bool judge(Round *r) {
    size_t failed = 0, degraded = 0, first = 0;
    for (size_t s = 0; s < r->count && r->worst; s++) {
        if (r->all[s] < 0 && !failed++) first = s;
        if (r->all[s] < 0) mark_missing(r, s);
        degraded += r->all[s] > 0;
    }
    if (r->status) {
        npy_intp length[MOST_AXES + 1];
        memcpy(length, r->length, sizeof r->length);
        PyObject *all = PyArray_SimpleNewFromData(r->lead, length, NPY_INT, r->all);
        const int copied = all ? PyArray_CopyInto(r->status, (PyArrayObject *)all) : -1;
        Py_XDECREF(all);
        return copied == 0;
    }
    if (failed && r->lead == 0) {
        if (r->call->error.status)
            zp_fail(&r->call->error);
        else
            zp_fail_status(r->all[0], NULL);
    } else if (failed) {
        char text[512 + 160];
        snprintf(text, sizeof text,
                 "%s: %zu of %zu states failed, the first is number %zu: %s; status=ARRAY tells which",
                 r->call->question->name, failed, r->count, first,
                 r->call->error.status && r->count == 1 ? r->call->error.text : zv_status_sentence(r->all[first]));
        zp_fail_status(r->all[first], text);
    } else if (degraded) {
        return zp_warn(ZV_DEGRADED, r->call->question->name) == 0;
    }
    return !failed;
}

/* Answers for the caller: into the arrays that were given, in the type of the inputs. */
static PyObject *conclude(Round *r) {
    const Question *question = r->call->question;
    PyObject *answers[ASK_ARRAYS] = {NULL};
    for (int k = 0; k < question->outputs; k++) {
        PyArrayObject *x = r->out[k].array;
        if (r->given[k]) {
            if (PyArray_CopyInto((PyArrayObject *)r->given[k], x)) return NULL;
            answers[k] = r->given[k];
            Py_INCREF(answers[k]);
        } else if (r->single && PyArray_TYPE(x) == NPY_DOUBLE && !r->many) {
            answers[k] = PyArray_FROM_OTF((PyObject *)x, NPY_FLOAT, NPY_ARRAY_FORCECAST);
            if (!answers[k]) return NULL;
        } else {
            answers[k] = (PyObject *)x;
            Py_INCREF(answers[k]);
        }
    }
    return zp_result(question, answers);
}

PyObject *zp_ask_many(Call *call, PyObject *const *values, PyObject *out, PyObject *status) {
    Round *r = calloc(1, sizeof *r);
    if (!r) return PyErr_NoMemory();
    r->call = call;
    PyObject *result = NULL;
    bool ready = take_inputs(r, values);
    const Question *question = call->question;
    /* batches know one given for all states, and matrices of up to 512 coordinates */
    r->many = ready && r->count > 1 && call->robot->lanes && question->many && !call->method &&
              zv_model_nv(call->model) <= 512 && (!r->single || question->many_single);
    if (r->many)
        for (int k = 0; k < question->inputs; k++)
            if (r->in[k].array && question->slot[question->arrays[k]].kind == 'g' && PyArray_NDIM(r->in[k].array) > 1)
                r->many = false;
    const bool keep_single = r->single;
    if (!r->many) r->single = false; /* one by one in double */
    for (int k = 0; k < question->inputs && ready; k++)
        if (r->in[k].array) ready = make_ready(r, k);
    r->single = r->many ? keep_single : false;
    ready = ready && take_answers(r, out) && take_statuses(r, status) && compute(r) && judge(r);
    r->single = keep_single;
    if (ready) result = conclude(r);
    let_go(r);
    free(r);
    return result;
}
