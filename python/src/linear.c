/* Linear models of scenarios. */
#include "full.h"

enum { MOST_NAMES = 1024 };

/* Texts of a list, NULL for None; keep: what keeps them alive. */
static bool texts_of(PyObject *list, const char *what, const char **texts, PyObject **keep, int *count) {
    *count = 0;
    if (list == Py_None) return true;
    if (!PyList_Check(list) || PyList_Size(list) > MOST_NAMES) {
        PyErr_Format(PyExc_TypeError, "%s: expected a list of at most %d texts", what, MOST_NAMES);
        return false;
    }
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        texts[i] = zp_bytes(PyList_GetItem(list, i), what, NULL, &keep[i]);
        if (!texts[i]) return false;
        *count = (int)i + 1;
    }
    return true;
}

/* (rows, columns) of a matrix; None where it is empty. */
static PyObject *matrix_of(const zvLinear *linear, zvLinearMatrix which) {
    int rows, columns;
    const double *x = zv_linear_matrix(linear, which, &rows, &columns);
    if (!x) Py_RETURN_NONE;
    return zp_array(rows, columns, x);
}

typedef zvLinearName (*NameOf)(const zvLinear *linear, int index);
static PyObject *names_of(const zvLinear *linear, int count, NameOf name_of) {
    PyObject *all = PyTuple_New(count);
    for (int i = 0; all && i < count; i++) {
        const zvLinearName name = name_of(linear, i);
        PyTuple_SetItem(all, i, Py_BuildValue("(NN)", zp_text(name.name), zp_text(name.unit)));
    }
    return all;
}

/* Everything that a model tells; nq, nv and the states of drives are those of its scenario. */
static PyObject *tell(const zvLinear *linear, const zvScenario *scenario) {
    static const struct {
        const char *name;
        zvLinearMatrix which;
    } rows[] = {{"A", ZV_LINEAR_A},         {"B", ZV_LINEAR_B},          {"C", ZV_LINEAR_C},
                {"D", ZV_LINEAR_D},         {"M", ZV_LINEAR_MASS},       {"damping", ZV_LINEAR_DAMPING},
                {"K", ZV_LINEAR_STIFFNESS}, {"N", ZV_LINEAR_FORCING},    {"P", ZV_LINEAR_P},
                {"rate", ZV_LINEAR_RATE},   {"output", ZV_LINEAR_OUTPUT}};
    const zvModel *model = zv_scenario_model(scenario);
    const double *q, *v, *z, *a;
    const double t = zv_linear_state_at(linear, &q, &v, &z, &a);
    const int n = zv_linear_freedoms(linear), *independent = zv_linear_independent(linear);
    PyObject *d = PyDict_New(), *chosen = PyTuple_New(n);
    for (int i = 0; chosen && i < n; i++) PyTuple_SetItem(chosen, i, PyLong_FromLong(independent[i]));
    for (size_t i = 0; d && i < sizeof rows / sizeof *rows; i++)
        if (zp_put(d, rows[i].name, matrix_of(linear, rows[i].which))) Py_CLEAR(d);
    if (!d || !chosen || zp_put(d, "independent", chosen) ||
        zp_put(d, "state_names", names_of(linear, zv_linear_states(linear), zv_linear_state)) ||
        zp_put(d, "input_names", names_of(linear, zv_linear_inputs(linear), zv_linear_input)) ||
        zp_put(d, "output_names", names_of(linear, zv_linear_outputs(linear), zv_linear_output)) ||
        zp_put(d, "t", PyFloat_FromDouble(t)) || zp_put(d, "q", zp_array(zv_model_nq(model), -1, q)) ||
        zp_put(d, "v", zp_array(zv_model_nv(model), -1, v)) || zp_put(d, "a", zp_array(zv_model_nv(model), -1, a)) ||
        zp_put(d, "states", zp_array(zv_drives_nstate(zv_scenario_drives(scenario)), -1, z)))
        Py_CLEAR(d);
    return d;
}

/* linear(scenario, inputs or None, outputs or None, t, q or None, v or None, states or None) -> a dictionary */
static PyObject *linear(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *inputs, *outputs, *state[3], *keep[3] = {NULL}, *answer = NULL;
    double t;
    if (!PyArg_ParseTuple(args, "OOOdOOO", &object, &inputs, &outputs, &t, &state[0], &state[1], &state[2]))
        return NULL;
    const zvScenario *scenario = zp_scenario(object);
    if (!scenario) return NULL;
    const zvModel *model = zv_scenario_model(scenario);
    const npy_intp counts[] = {zv_model_nq(model), zv_model_nv(model), zv_drives_nstate(zv_scenario_drives(scenario))};
    static const char *const words[] = {"q", "v", "states"};
    const char **texts = calloc(2 * MOST_NAMES, sizeof *texts);
    PyObject **kept = calloc(2 * MOST_NAMES, sizeof *kept);
    const double *x[3] = {NULL};
    int count[2] = {0};
    zvError error = {ZV_OK};
    bool good = texts && kept;
    if (!good) PyErr_NoMemory();
    good = good && texts_of(inputs, "inputs", texts, kept, &count[0]) &&
           texts_of(outputs, "outputs", texts + MOST_NAMES, kept + MOST_NAMES, &count[1]);
    for (int i = 0; i < 3 && good; i++) {
        x[i] = zp_numbers(state[i], counts[i], words[i], &keep[i]);
        good = !PyErr_Occurred();
    }
    if (good) {
        zvLinear *made = NULL;
        zvStatus status = zv_linear_create(scenario, count[0], inputs == Py_None ? NULL : texts, count[1],
                                           outputs == Py_None ? NULL : texts + MOST_NAMES, &made, &error);
        if (status >= 0) {
            Py_BEGIN_ALLOW_THREADS status = zv_linear_at(made, t, x[0], x[1], x[2], &error);
            Py_END_ALLOW_THREADS
        }
        answer = status < 0 ? zp_fail(&error) : tell(made, scenario);
        zv_linear_destroy(made);
    }
    for (int i = 0; kept && i < 2 * MOST_NAMES; i++) Py_XDECREF(kept[i]);
    for (int i = 0; i < 3; i++) Py_XDECREF(keep[i]);
    free(texts);
    free(kept);
    return answer;
}

const PyMethodDef zp_linear_methods[] = {{"linear", linear, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
