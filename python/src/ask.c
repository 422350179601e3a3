/* One state asked by plain arrays, the way that has to be short; everything else goes on in ask_many.c. */
#include "ask.h"

#include <string.h>

typedef struct Arguments {
    PyObject *value[ASK_SLOTS]; /* NULL: left out */
    PyObject *out, *status;
} Arguments;

static PyObject *key_out, *key_status;

/* The slot of a name, -1: out, -2: status, -3 with an exception. */
static int slot_named(const Question *question, PyObject *name) {
    for (int i = 0; i < question->slots; i++)
        if (question->slot[i].key == name) return i;
    if (name == key_out) return -1;
    if (name == key_status) return -2;
    for (int i = 0; i < question->slots; i++)
        if (PyUnicode_Compare(question->slot[i].key, name) == 0) return i;
    if (PyUnicode_Compare(key_out, name) == 0) return -1;
    if (PyUnicode_Compare(key_status, name) == 0) return -2;
    PyErr_Format(PyExc_TypeError, "%s has no argument %R; expected %s", question->name, name, question->doc);
    return -3;
}

/* Arguments by place and by name; slots stand in the order of the signature, answers behind them. */
static bool take_arguments(const Question *question, PyObject *const *args, Py_ssize_t count, PyObject *names,
                           Arguments *to) {
    if (!key_out &&
        (!(key_out = PyUnicode_InternFromString("out")) || !(key_status = PyUnicode_InternFromString("status"))))
        return false;
    const int most = question->slots - question->outputs;
    if (count > most) {
        PyErr_Format(PyExc_TypeError, "%s takes at most %d arguments by place, found %zd", question->name, most, count);
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) to->value[i] = args[i] == Py_None ? NULL : args[i];
    const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t k = 0; k < named; k++) {
        const int slot = slot_named(question, PyTuple_GetItem(names, k));
        PyObject *value = args[count + k] == Py_None ? NULL : args[count + k];
        if (slot == -3) return false;
        if (slot >= most || (slot >= 0 && slot < count)) {
            PyErr_Format(PyExc_TypeError, "%s: %s is given twice, or is an answer", question->name,
                         question->slot[slot].name);
            return false;
        }
        *(slot == -1 ? &to->out : slot == -2 ? &to->status : &to->value[slot]) = value;
    }
    for (int i = 0; i < most; i++)
        if (!to->value[i] && !question->slot[i].optional) {
            PyErr_Format(PyExc_TypeError, "%s: %s is missing; expected %s", question->name, question->slot[i].name,
                         question->doc);
            return false;
        }
    return true;
}

static bool take_method(Call *c, PyObject *value) {
    PyObject *keep;
    const char *name = zp_bytes(value, "method", NULL, &keep);
    if (!name) return false;
    c->method = zv_method_named(c->question->table, name);
    if (!c->method) {
        size_t count;
        const zvMethod *rows = zv_methods(c->question->table, &count);
        char list[512] = "";
        for (size_t i = 0; i < count; i++) {
            strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
            strncat(list, rows[i].name, sizeof list - strlen(list) - 1);
        }
        PyErr_Format(PyExc_ValueError, "method: expected one of %s, found \"%s\"", list, name);
    }
    Py_DECREF(keep);
    return c->method != NULL;
}

/* The options of a call; numbers come in the order of the signature. */
static bool take_options(Call *c, const Arguments *from) {
    const Question *question = c->question;
    int numbers = 0;
    for (int i = 0; i < question->slots; i++) {
        const Slot *slot = &question->slot[i];
        PyObject *value = from->value[i];
        if (!slot->option) continue;
        if (slot->kind == 'd' && !value) c->number[numbers++] = strtod(slot->by_default, NULL);
        if (slot->kind == 'i' && !value) c->whole = atoi(slot->by_default);
        if (slot->kind == 'R' && !value) c->task.rows = ZV_TASK_FULL;
        if (!value) continue;
        switch (slot->kind) {
        case 'F': c->frame = zp_frame(c->robot, value); break;
        case 'P': c->loop = zp_loop(c->robot, value); break;
        case 'A': c->axes = (zvAxes)zp_axes(value); break;
        case 'R': c->task.rows = zp_rows(value); break;
        case 'M': take_method(c, value); break;
        case 'd': c->number[numbers++] = PyFloat_AsDouble(value); break;
        case 'i': c->whole = (int)PyLong_AsLong(value); break;
        default: c->truth = PyObject_IsTrue(value) > 0; break;
        }
        if (PyErr_Occurred()) return false;
    }
    c->task.frame = c->frame;
    c->task.axes = c->axes;
    return true;
}

/* Whether an argument is an array of doubles of that shape, as it has to lie in memory. */
static bool is_plain(PyObject *object, int axes, const npy_intp *shape) {
    if (!PyArray_CheckExact(object)) return false;
    PyArrayObject *x = (PyArrayObject *)object;
    if (PyArray_TYPE(x) != NPY_DOUBLE || PyArray_NDIM(x) != axes || !PyArray_ISCARRAY_RO(x)) return false;
    for (int i = 0; i < axes; i++)
        if (PyArray_DIM(x, i) != shape[i]) return false;
    return true;
}

bool zp_overlap(const void *x, size_t x_bytes, const void *y, size_t y_bytes) {
    return x && y && (const char *)x < (const char *)y + y_bytes && (const char *)y < (const char *)x + x_bytes;
}

static bool overlaps_input(const Question *question, PyObject *const *values, const PyArrayObject *out) {
    for (int k = 0; k < question->inputs; k++) {
        PyArrayObject *x = (PyArrayObject *)values[question->arrays[k]];
        if (x && zp_overlap(PyArray_DATA((PyArrayObject *)out), (size_t)PyArray_NBYTES((PyArrayObject *)out),
                            PyArray_DATA(x), (size_t)PyArray_NBYTES(x)))
            return true;
    }
    return false;
}

enum { SPARE_BYTES = 4096 };

/* Whether nobody else has an array any more, and it is as it was made. */
static bool is_spare(PyObject *object, int axes, const npy_intp *shape) {
    return object && Py_REFCNT(object) == 1 && is_plain(object, axes, shape) &&
           PyArray_CHKFLAGS((PyArrayObject *)object, NPY_ARRAY_WRITEABLE | NPY_ARRAY_OWNDATA) &&
           !((PyArrayObject_fields *)object)->weakreflist;
}

/* An array for answer k. Making one takes a third of the time that reading arguments takes, so the last two small ones
 * are kept, as Python's own zip keeps its tuple: two, since `x = f(q)` still has the last when the next is asked for.
 */
static PyObject *new_answer(const Question *question, int k, int axes, npy_intp *shape) {
    PyObject **spare = question->spare[k];
    for (int i = 0; i < ASK_SPARES; i++)
        if (is_spare(spare[i], axes, shape)) {
            Py_INCREF(spare[i]);
            return spare[i];
        }
    PyObject *made = PyArray_SimpleNew(axes, shape, NPY_DOUBLE);
    if (!made || PyArray_NBYTES((PyArrayObject *)made) > SPARE_BYTES) return made;
    PyObject *oldest = spare[ASK_SPARES - 1];
    memmove(spare + 1, spare, (ASK_SPARES - 1) * sizeof *spare);
    Py_INCREF(made);
    spare[0] = made;
    Py_XDECREF(oldest);
    return made;
}

/* Answers of one state: those given as out if they are plain, else new ones; false: something is not plain, or an
 * exception. */
static bool take_answers(Call *c, const Arguments *from, PyObject **answers) {
    const Question *question = c->question;
    const bool many = question->outputs > 1;
    if (from->out && many && (!PyTuple_Check(from->out) || PyTuple_Size(from->out) != question->outputs)) return false;
    for (int k = 0; k < question->outputs; k++) {
        npy_intp shape[3];
        const int axes = zp_shape(c, question->slot[question->arrays[question->inputs + k]].kind, shape);
        PyObject *given = !from->out ? NULL : many ? PyTuple_GetItem(from->out, k) : from->out;
        if (given == Py_None) given = NULL;
        if (given && (!is_plain(given, axes, shape) || !PyArray_ISWRITEABLE((PyArrayObject *)given) ||
                      overlaps_input(question, from->value, (PyArrayObject *)given)))
            return false;
        Py_XINCREF(given);
        answers[k] = given ? given : new_answer(question, k, axes, shape);
        if (!answers[k]) return false;
        c->out[k] = PyArray_DATA((PyArrayObject *)answers[k]);
        for (int j = 0; j < k && many && given; j++)
            if (zp_overlap(c->out[k], 1, c->out[j], (size_t)PyArray_NBYTES((PyArrayObject *)answers[j]))) return false;
    }
    return true;
}

static void let_go(PyObject **answers, int count) {
    for (int k = 0; k < count; k++) Py_CLEAR(answers[k]);
}

/* Arrays of one state: true when all of them are plain, with answers; false without, or with an exception. */
static bool take_plain(Call *c, const Arguments *from, PyObject **answers) {
    const Question *question = c->question;
    if (from->status) return false;
    for (int k = 0; k < question->inputs; k++) {
        const int i = question->arrays[k];
        npy_intp shape[3];
        c->in[k] = NULL;
        if (!from->value[i]) continue;
        const char kind = question->slot[i].kind;
        if (kind == 'g') return false;
        const int axes = zp_shape(c, kind, shape);
        if (!is_plain(from->value[i], axes, shape)) return false;
        c->in[k] = PyArray_DATA((PyArrayObject *)from->value[i]);
    }
    if (take_answers(c, from, answers)) return true;
    let_go(answers, question->outputs);
    return false;
}

PyObject *zp_result(const Question *question, PyObject **answers) {
    if (question->outputs == 1) return PyArray_Return((PyArrayObject *)answers[0]);
    PyObject *result = PyStructSequence_New(question->result);
    for (int k = 0; k < question->outputs; k++) {
        PyObject *x = PyArray_Return((PyArrayObject *)answers[k]);
        if (result)
            PyStructSequence_SetItem(result, k, x);
        else
            Py_XDECREF(x);
    }
    return result;
}

/* One state with the caller's arrays. Large robots let others run meanwhile. */
static PyObject *ask_once(Call *c, PyObject **answers) {
    const Question *question = c->question;
    zvStatus status;
    if (zv_model_nv(c->model) > 200) {
        Py_BEGIN_ALLOW_THREADS status = question->one(c);
        Py_END_ALLOW_THREADS
    } else {
        status = question->one(c);
    }
    if (status < 0) {
        let_go(answers, question->outputs);
        return c->error.status ? zp_fail(&c->error) : zp_fail_status(status, NULL);
    }
    if (status > 0 && zp_warn(status, question->name)) {
        let_go(answers, question->outputs);
        return NULL;
    }
    return zp_result(question, answers);
}

static bool take_room(Call *c) {
    c->work = zp_take_work(c->robot);
    c->task_work = c->question->of_task && c->work ? zp_take_task_work(c->robot) : NULL;
    return c->work && (c->task_work || !c->question->of_task);
}

PyObject *zp_ask(Question *question, PyObject *robot, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    return zp_ask_with(question, robot, NULL, args, count, names);
}

/* Arguments, workspace, then one plain state or whatever else it is. */
PyObject *zp_ask_with(Question *question, PyObject *robot, void *extra, PyObject *const *args, Py_ssize_t count,
                      PyObject *names) {
    /* field by field: clearing all of it takes as long as reading the arguments */
    Arguments from;
    for (int i = 0; i < question->slots; i++) from.value[i] = NULL;
    from.out = from.status = NULL;
    Call c;
    c.question = question;
    c.extra = extra;
    c.robot = (Robot *)robot;
    c.model = c.robot->model;
    c.work = NULL;
    c.task_work = NULL;
    c.frame = c.loop = c.whole = 0;
    c.axes = ZV_AXES_WORLD;
    c.task = (zvTask){0};
    c.method = NULL;
    c.number[0] = c.number[1] = 0;
    c.truth = false;
    c.error.status = ZV_OK;
    PyObject *answers[ASK_ARRAYS], *result = NULL;
    for (int k = 0; k < question->outputs; k++) answers[k] = NULL;
    if (!take_arguments(question, args, count, names, &from) || !take_options(&c, &from)) return NULL;
    if (!take_room(&c)) {
        zp_give_work(c.robot, c.work);
        return NULL;
    }
    if (take_plain(&c, &from, answers))
        result = ask_once(&c, answers);
    else if (!PyErr_Occurred())
        result = zp_ask_many(&c, from.value, from.out, from.status);
    zp_give_work(c.robot, c.work);
    if (c.task_work) zp_give_task_work(c.robot, c.task_work);
    return result;
}

PyObject *zp_ask_robot(Question *question, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    if (count < 1) {
        PyErr_Format(PyExc_TypeError, "%s: the robot is missing", question->name);
        return NULL;
    }
    Robot *robot = zp_robot(args[0]);
    return robot ? zp_ask(question, (PyObject *)robot, args + 1, count - 1, names) : NULL;
}
