/* Certificates: whether all methods answer alike for a robot. */
#include "full.h"

typedef struct Watch {
    PyThreadState *thread;
    PyObject *progress; /* NULL: none */
    bool failed;
} Watch;

/* zvAgreeOptions.tell: progress is called with states asked for, states done, and s of the clock. */
static bool tell(void *context, const zvAgreeProgress *now) {
    Watch *w = context;
    PyEval_RestoreThread(w->thread);
    PyObject *answer = NULL;
    if (w->progress) answer = PyObject_CallFunction(w->progress, "iid", now->samples, now->done, now->elapsed);
    const bool stop = answer == Py_False;
    Py_XDECREF(answer);
    w->failed |= PyErr_Occurred() || PyErr_CheckSignals();
    w->thread = PyEval_SaveThread();
    return !stop && !w->failed;
}

/* (name, meaning, agrees, compared, singular, ulps, ratio, worst, [(name, why, answered, ulps, ratio, seconds)]) */
static PyObject *question_of(const zvAgreement *agreement, const zvAgreeQuestion *q) {
    PyObject *methods = PyList_New(0);
    for (int k = 0; methods && k < q->methods; k++) {
        const zvAgreeMethod *m = zv_agreement_method(agreement, (size_t)(q->method + k));
        PyObject *row = Py_BuildValue("(sziddd)", m->name, m->why, m->answered, m->ulps, m->ratio, m->seconds);
        if (!row || PyList_Append(methods, row)) Py_CLEAR(methods);
        Py_XDECREF(row);
    }
    if (!methods) return NULL;
    return Py_BuildValue("(ssNiiddiN)", q->name, q->meaning, PyBool_FromLong(q->agrees), q->compared, q->singular,
                         q->ulps, q->ratio, q->worst, methods);
}

static PyObject *told(const zvAgreement *agreement) {
    PyObject *questions = PyList_New(0);
    for (size_t k = 0; questions && k < zv_agreement_questions(agreement); k++) {
        PyObject *row = question_of(agreement, zv_agreement_question(agreement, k));
        if (!row || PyList_Append(questions, row)) Py_CLEAR(questions);
        Py_XDECREF(row);
    }
    if (!questions) return NULL;
    return Py_BuildValue("(NiidN)", PyBool_FromLong(zv_agreement_holds(agreement)), zv_agreement_samples(agreement),
                         zv_agreement_depth(agreement), zv_agreement_condition(agreement), questions);
}

/* agree(robot, generated, samples, seed, factor, seconds, timing, progress or None)
 * -> holds, samples, depth, condition, questions */
static PyObject *agree(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *progress;
    int generated;
    unsigned long long seed;
    zvAgreeOptions o = zv_agree_options_default();
    if (!PyArg_ParseTuple(args, "OpiKdddO", &object, &generated, &o.samples, &seed, &o.factor, &o.seconds, &o.timing,
                          &progress))
        return NULL;
    Robot *robot = zp_robot(object);
    zvWork *work = robot ? zp_take_work(robot) : NULL;
    if (!work) return NULL;
    Watch watch = {NULL, progress == Py_None ? NULL : progress, false};
    zvError error = {ZV_OK};
    zvStatus status = ZV_OK;
    o.seed = seed;
    o.tell = tell;
    o.context = &watch;
    watch.thread = PyEval_SaveThread();
    zvAgreement *agreement = zv_agreement_create(robot->model, generated, &error);
    if (agreement) status = zv_agree(robot->model, work, agreement, &o, &error);
    PyEval_RestoreThread(watch.thread);
    zp_give_work(robot, work);
    PyObject *answer = NULL;
    if (!PyErr_Occurred()) answer = agreement && status >= 0 ? told(agreement) : zp_fail(&error);
    zv_agreement_destroy(agreement);
    return answer;
}

const PyMethodDef zp_agree_methods[] = {{"agree", agree, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
