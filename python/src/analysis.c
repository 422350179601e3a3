/* Small motions about a state, states of rest, several assemblies of loops, and equations in independent coordinates.
 */
#include <stdlib.h>
#include <string.h>

#include "full.h"

enum { KEPT = 16 };

/* A zvRest of a dictionary, and what keeps its arrays alive. */
typedef struct Setting {
    zvRest rest;
    PyObject *keep[KEPT];
    int kept;
    int *frames;
    double *loads;
} Setting;

static void let_go(Setting *s) {
    for (int i = 0; i < s->kept; i++) Py_XDECREF(s->keep[i]);
    free(s->frames);
    free(s->loads);
}

static const double *numbers_of(Setting *s, PyObject *dict, const char *key, npy_intp count) {
    return zp_numbers(PyDict_GetItemString(dict, key), count, key, &s->keep[s->kept++]);
}

/* [(frame, wrench), ...] */
static bool take_loads(Setting *s, const Robot *robot, PyObject *list) {
    const Py_ssize_t count = list && list != Py_None ? PyList_Size(list) : 0;
    if (count < 0) return false;
    s->frames = calloc((size_t)count + 1, sizeof *s->frames);
    s->loads = calloc(6 * (size_t)count + 1, sizeof *s->loads);
    if (!s->frames || !s->loads) return PyErr_NoMemory(), false;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *frame, *wrench, *keep;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "OO", &frame, &wrench)) return false;
        const double *x = zp_numbers(wrench, 6, "wrench of a load", &keep);
        if (x) memcpy(s->loads + 6 * i, x, 6 * sizeof *x);
        Py_XDECREF(keep);
        s->frames[i] = x ? zp_frame(robot, frame) : -1;
        if (s->frames[i] < 0) return false;
    }
    s->rest.load_count = (int)count;
    s->rest.load_frames = s->frames;
    s->rest.loads = s->loads;
    return true;
}

/* Keys of zvRest, each of which may be missing or None. */
static bool take_rest(Setting *s, const Robot *robot, PyObject *dict) {
    const npy_intp nq = zv_model_nq(robot->model), nv = zv_model_nv(robot->model);
    *s = (Setting){0};
    zvRest *r = &s->rest;
    r->q = numbers_of(s, dict, "q", nq);
    r->v = numbers_of(s, dict, "v", nv);
    r->stiffness = numbers_of(s, dict, "stiffness", nv);
    r->relaxed = numbers_of(s, dict, "relaxed", nv);
    r->damping = numbers_of(s, dict, "damping", nv);
    r->tau = numbers_of(s, dict, "tau", nv);
    r->theta = numbers_of(s, dict, "theta", nv);
    r->held = zp_flags(PyDict_GetItemString(dict, "held"), nv, "held", &s->keep[s->kept++]);
    PyObject *matrices = PyDict_GetItemString(dict, "matrices");
    r->joint_matrices = matrices && PyObject_IsTrue(matrices) > 0;
    return !PyErr_Occurred() && take_loads(s, robot, PyDict_GetItemString(dict, "loads"));
}

/* What an analysis is asked: a robot, its workspace and a zvRest. False with an exception, nothing is held then. */
static bool begin(PyObject *object, PyObject *dict, Robot **robot, zvWork **work, Setting *s) {
    if (!(*robot = zp_robot(object))) return false;
    if (!take_rest(s, *robot, dict)) {
        let_go(s);
        return false;
    }
    if ((*work = zp_take_work(*robot))) return true;
    let_go(s);
    return false;
}

static PyObject *end(Robot *robot, zvWork *work, Setting *s, zvStatus status, const zvError *error, PyObject *answer) {
    zp_give_work(robot, work);
    let_go(s);
    if (status < 0) {
        Py_XDECREF(answer);
        return error->status < 0 ? zp_fail(error) : zp_fail_status(status, NULL);
    }
    return answer;
}

/* linearize(robot, rest) -> M, C, K */
static PyObject *linearize(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *dict;
    Robot *robot;
    zvWork *work;
    Setting s;
    zvError error = {ZV_OK};
    if (!PyArg_ParseTuple(args, "OO!", &object, &PyDict_Type, &dict) || !begin(object, dict, &robot, &work, &s))
        return NULL;
    const npy_intp nv = zv_model_nv(robot->model);
    double *x[3] = {NULL};
    PyObject *all[3];
    for (int k = 0; k < 3; k++)
        if ((all[k] = zp_array(nv, nv, NULL))) x[k] = PyArray_DATA((PyArrayObject *)all[k]);
    PyObject *answer = Py_BuildValue("(NNN)", all[0], all[1], all[2]);
    zvStatus status = ZV_OK;
    if (answer) {
        Py_BEGIN_ALLOW_THREADS status = zv_linearize(robot->model, work, &s.rest, x[0], x[1], x[2], &error);
        Py_END_ALLOW_THREADS
    }
    return end(robot, work, &s, status, &error, answer);
}

/* modes(robot, rest, motors, locked) -> frequency (k), damping (k), real (k), imag (k), shapes (k, width) */
static PyObject *modes(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *dict, *flags, *keep = NULL;
    Robot *robot;
    zvWork *work;
    Setting s;
    int motors, count = 0;
    zvError error = {ZV_OK};
    if (!PyArg_ParseTuple(args, "OO!pO", &object, &PyDict_Type, &dict, &motors, &flags) ||
        !begin(object, dict, &robot, &work, &s))
        return NULL;
    const size_t nv = (size_t)zv_model_nv(robot->model), n = motors ? 2 * nv : nv;
    const unsigned char *locked = zp_flags(flags, (npy_intp)nv, "locked", &keep);
    zvMode *list = calloc(n + 1, sizeof *list);
    double *shapes = calloc(n * n + 1, sizeof *shapes), *rows = calloc(4 * n + 1, sizeof *rows);
    zvStatus status = ZV_OK;
    PyObject *answer = NULL;
    if (!list || !shapes || !rows) PyErr_NoMemory();
    if (!PyErr_Occurred()) {
        Py_BEGIN_ALLOW_THREADS status =
            motors ? zv_motor_modes(robot->model, work, &s.rest, locked, list, shapes, &count, &error)
                   : zv_modes(robot->model, work, &s.rest, list, shapes, &count, &error);
        Py_END_ALLOW_THREADS for (int k = 0; k < count && status >= 0; k++) {
            rows[k] = list[k].frequency;
            rows[count + k] = list[k].damping;
            rows[2 * count + k] = list[k].real;
            rows[3 * count + k] = list[k].imag;
        }
        if (status >= 0)
            answer = Py_BuildValue("(NNNNN)", zp_array(count, -1, rows), zp_array(count, -1, rows + count),
                                   zp_array(count, -1, rows + 2 * count), zp_array(count, -1, rows + 3 * count),
                                   zp_array(count, (npy_intp)n, shapes));
    }
    Py_XDECREF(keep);
    free(list);
    free(shapes);
    free(rows);
    return end(robot, work, &s, status, &error, answer);
}

/* equilibrium(robot, rest, steps) -> q */
static PyObject *equilibrium(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *dict;
    Robot *robot;
    zvWork *work;
    Setting s;
    int steps;
    zvError error = {ZV_OK};
    if (!PyArg_ParseTuple(args, "OO!i", &object, &PyDict_Type, &dict, &steps)) return NULL;
    if (steps < 1) return PyErr_Format(PyExc_ValueError, "steps: expected 1 or more, found %d", steps);
    if (!begin(object, dict, &robot, &work, &s)) return NULL;
    PyObject *q = zp_array(zv_model_nq(robot->model), -1, NULL);
    zvStatus status = ZV_OK;
    if (q) {
        double *x = PyArray_DATA((PyArrayObject *)q);
        Py_BEGIN_ALLOW_THREADS status = zv_equilibrium(robot->model, work, &s.rest, steps, x, &error);
        Py_END_ALLOW_THREADS
    }
    return end(robot, work, &s, status, &error, q);
}

/* joint_springs(robot) -> stiffness, relaxed, damping, held */
static PyObject *joint_springs(PyObject *self, PyObject *object) {
    (void)self;
    Robot *robot = zp_robot(object);
    if (!robot) return NULL;
    npy_intp nv = zv_model_nv(robot->model);
    PyObject *x[4];
    for (int k = 0; k < 4; k++)
        if (!(x[k] = PyArray_SimpleNew(1, &nv, k < 3 ? NPY_DOUBLE : NPY_BOOL))) return NULL;
    zv_joint_springs(robot->model, PyArray_DATA((PyArrayObject *)x[0]), PyArray_DATA((PyArrayObject *)x[1]),
                     PyArray_DATA((PyArrayObject *)x[2]));
    zv_joints_held(robot->model, PyArray_DATA((PyArrayObject *)x[3]));
    return Py_BuildValue("(NNNN)", x[0], x[1], x[2], x[3]);
}

/* assemblies(robot, q, held or None, guesses, capacity) -> (count, nq) */
static PyObject *assemblies(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *q_object, *flags, *keep[2];
    int guesses, capacity;
    if (!PyArg_ParseTuple(args, "OOOii", &object, &q_object, &flags, &guesses, &capacity)) return NULL;
    Robot *robot = zp_robot(object);
    if (!robot) return NULL;
    if (guesses < 1 || capacity < 1 || capacity > 100000)
        return PyErr_Format(PyExc_ValueError, "guesses, most: expected 1 or more (most: to 100000), found %d, %d",
                            guesses, capacity);
    const npy_intp nq = zv_model_nq(robot->model);
    const double *q = zp_numbers(q_object, nq, "q", &keep[0]);
    zvAssembly options = zv_assembly_default();
    options.held = zp_flags(flags, zv_model_nv(robot->model), "held", &keep[1]);
    double *answers = malloc((size_t)capacity * (size_t)nq * sizeof *answers + 1);
    zvWork *work = PyErr_Occurred() || !q ? NULL : zp_take_work(robot);
    PyObject *all = NULL;
    if (work && answers) {
        int count;
        Py_BEGIN_ALLOW_THREADS count = zv_assemblies(robot->model, work, NULL, &options, q, guesses, capacity, answers);
        Py_END_ALLOW_THREADS all = zp_array(count, nq, answers);
        zp_give_work(robot, work);
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError, "q: expected a position");
    }
    free(answers);
    Py_XDECREF(keep[0]);
    Py_XDECREF(keep[1]);
    return all;
}

/* Answers of a reduction, copied. */
static PyObject *tell_reduction(const Robot *robot, const zvReduction *r, zvStatus status, const double *q,
                                const double *a, const double *lambda) {
    const npy_intp n = zv_reduction_freedoms(r), nv = zv_model_nv(robot->model);
    PyObject *independent = PyTuple_New(n);
    for (npy_intp i = 0; independent && i < n; i++)
        PyTuple_SetItem(independent, i, PyLong_FromLong(zv_reduction_independent(r)[i]));
    PyObject *forces =
        a ? Py_BuildValue("(NN)", zp_array(nv, -1, a), zp_array(zv_model_nloop_rows(robot->model), -1, lambda))
          : Py_BuildValue("(OO)", Py_None, Py_None);
    return Py_BuildValue("(iNNNNNNNN)", (int)status, independent, zp_array(nv, n, zv_reduction_P(r)),
                         zp_array(nv, -1, zv_reduction_gamma(r)), zp_array(n, n, zv_reduction_D(r)),
                         zp_array(n, n, zv_reduction_C(r)), zp_array(n, -1, zv_reduction_G(r)),
                         zp_array(zv_model_nq(robot->model), -1, q), forces);
}

/* The equations at (q, v), after q is closed by its dependent coordinates if that is wanted. */
static zvStatus reduce_at(Robot *robot, zvWork *work, zvReduction *r, double *q, const double *v, const double *tau,
                          const unsigned char *wanted, bool close, double *a, double *lambda, zvError *error) {
    zvStatus status = zv_reduce(robot->model, work, r, q, v, wanted);
    if (status >= 0 && close) {
        const zvStatus closed = zv_reduction_position(robot->model, work, r, q, error);
        if (closed >= 0) status = zv_reduce(robot->model, work, r, q, v, wanted);
        if (closed < 0) status = closed;
    }
    if (status >= 0 && a) {
        const zvStatus found = zv_reduction_forces(robot->model, work, r, q, v, tau, a, lambda);
        if (found < 0) status = found;
    }
    return status;
}

/* reduce(robot, q, v or None, wanted or None, tau or None, close) ->
 * status, independent, P, gamma, D, C, G, q, (a, lambda) */
static PyObject *reduce(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *given[4], *keep[4];
    int close;
    if (!PyArg_ParseTuple(args, "OOOOOp", &object, &given[0], &given[1], &given[2], &given[3], &close)) return NULL;
    Robot *robot = zp_robot(object);
    if (!robot) return NULL;
    const zvModel *m = robot->model;
    const npy_intp nv = zv_model_nv(m), nq = zv_model_nq(m);
    const double *q = zp_numbers(given[0], nq, "q", &keep[0]), *v = zp_numbers(given[1], nv, "v", &keep[1]);
    const unsigned char *wanted = zp_flags(given[2], nv, "independent", &keep[2]);
    const double *tau = zp_numbers(given[3], nv, "tau", &keep[3]);
    double *own = calloc((size_t)(nq + 2 * nv + zv_model_nloop_rows(m)) + 1, sizeof *own);
    zvError error = {ZV_OK};
    PyObject *answer = NULL;
    zvReduction *r = NULL;
    zvWork *work = NULL;
    if (!PyErr_Occurred() && !q) PyErr_SetString(PyExc_TypeError, "q: expected a position");
    if (!PyErr_Occurred() && !own) PyErr_NoMemory();
    if (!PyErr_Occurred() && !(r = zv_reduction_create(m, &error))) zp_fail(&error);
    if (r) work = zp_take_work(robot);
    if (work) {
        memcpy(own, q, (size_t)nq * sizeof *own);
        double *a = tau ? own + nq : NULL;
        const double *rates = v ? v : own + nq + nv; /* zeros */
        double *lambda = own + nq + 2 * nv;
        zvStatus status;
        Py_BEGIN_ALLOW_THREADS status = reduce_at(robot, work, r, own, rates, tau, wanted, close, a, lambda, &error);
        Py_END_ALLOW_THREADS if (status >= 0) answer = tell_reduction(robot, r, status, own, a, lambda);
        else if (error.status < 0) zp_fail(&error);
        else zp_fail_status(status, NULL);
        zp_give_work(robot, work);
    }
    zv_reduction_destroy(r);
    free(own);
    for (int k = 0; k < 4; k++) Py_XDECREF(keep[k]);
    return answer;
}

const PyMethodDef zp_analysis_methods[] = {{"linearize", linearize, METH_VARARGS, NULL},
                                           {"modes", modes, METH_VARARGS, NULL},
                                           {"equilibrium", equilibrium, METH_VARARGS, NULL},
                                           {"joint_springs", joint_springs, METH_O, NULL},
                                           {"assemblies", assemblies, METH_VARARGS, NULL},
                                           {"reduce", reduce, METH_VARARGS, NULL},
                                           {NULL, NULL, 0, NULL}};
