/* Equilibria of scenarios. */
#include "full.h"

/* {q, v, z, states, tau, holding, multipliers, eigenvalues, softest, band, stability, residual, acceleration, steps} */
static PyObject *answer_of(const zvScenario *scenario, const zvEquilibrium *e) {
    const zvModel *model = zv_scenario_model(scenario);
    const zvDrives *drives = zv_scenario_drives(scenario);
    const npy_intp nv = zv_model_nv(model), nz = zv_drives_nstate(drives);
    const double *softest = zv_equilibrium_softest(e);
    PyObject *d = PyDict_New(), *names = PyTuple_New(nz), *band = zp_array(nv, 2, NULL);
    for (npy_intp i = 0; names && i < nz; i++) PyTuple_SetItem(names, i, zp_text(zv_drives_state(drives, (int)i).name));
    for (npy_intp i = 0; band && i < nv; i++)
        zv_equilibrium_band(e, (int)i, (double *)PyArray_DATA((PyArrayObject *)band) + 2 * i);
    if (!d || zp_put(d, "q", zp_array(zv_model_nq(model), -1, zv_equilibrium_position(e))) ||
        zp_put(d, "v", zp_array(nv, -1, zv_equilibrium_velocity(e))) ||
        zp_put(d, "z", zp_array(nz, -1, zv_equilibrium_states(e))) || zp_put(d, "states", names) ||
        zp_put(d, "tau", zp_array(nv, -1, zv_equilibrium_tau(e))) ||
        zp_put(d, "holding", zp_array(nv, -1, zv_equilibrium_holding(e))) ||
        zp_put(d, "multipliers", zp_array(zv_model_nloop_rows(model), -1, zv_equilibrium_multipliers(e))) ||
        zp_put(d, "eigenvalues", zp_array(zv_equilibrium_freedoms(e), -1, zv_equilibrium_squares(e))) ||
        zp_put(d, "softest", softest ? zp_array(nv, -1, softest) : Py_NewRef(Py_None)) || zp_put(d, "band", band) ||
        zp_put(d, "stability", zp_text(zv_stability_word(zv_equilibrium_stability(e)))) ||
        zp_put(d, "residual", PyFloat_FromDouble(zv_equilibrium_residual(e))) ||
        zp_put(d, "acceleration", PyFloat_FromDouble(zv_equilibrium_acceleration(e))) ||
        zp_put(d, "steps", PyLong_FromLong(zv_equilibrium_steps(e))))
        Py_CLEAR(d);
    return d;
}

/* rest(scenario, t or None, held or None, q or None, v or None, steps) -> dictionary */
static PyObject *rest(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *time, *flags, *guess, *rates, *keep[3] = {NULL}, *answer = NULL;
    zvRestOptions options = zv_rest_default();
    if (!PyArg_ParseTuple(args, "OOOOOi", &object, &time, &flags, &guess, &rates, &options.steps)) return NULL;
    const zvScenario *scenario = zp_scenario(object);
    if (!scenario) return NULL;
    const zvModel *model = zv_scenario_model(scenario);
    if (time != Py_None) options.t = PyFloat_AsDouble(time);
    options.held = zp_flags(flags, zv_model_nv(model), "hold", &keep[0]);
    options.q = PyErr_Occurred() ? NULL : zp_numbers(guess, zv_model_nq(model), "guess", &keep[1]);
    options.v = PyErr_Occurred() ? NULL : zp_numbers(rates, zv_model_nv(model), "spin", &keep[2]);
    if (!PyErr_Occurred()) {
        zvEquilibrium *e = NULL;
        zvError error = {ZV_OK};
        zvStatus status;
        Py_BEGIN_ALLOW_THREADS status = zv_scenario_equilibrium(scenario, &options, &e, &error);
        Py_END_ALLOW_THREADS answer = status < 0 ? zp_fail(&error) : answer_of(scenario, e);
        zv_equilibrium_destroy(e);
    }
    for (int k = 0; k < 3; k++) Py_XDECREF(keep[k]);
    return answer;
}

/* cases(scenario) -> [(name, [change])] */
static PyObject *cases(PyObject *self, PyObject *object) {
    (void)self;
    const zvScenario *scenario = zp_scenario(object);
    PyObject *list = scenario ? PyList_New(0) : NULL;
    for (int i = 0; list && i < zv_scenario_ncase(scenario); i++) {
        const zvLoadCase load = zv_scenario_case(scenario, i);
        PyObject *changes = PyTuple_New(load.count);
        for (int k = 0; changes && k < load.count; k++) PyTuple_SetItem(changes, k, zp_text(load.changes[k]));
        PyObject *entry = changes ? Py_BuildValue("(NN)", zp_text(load.name), changes) : NULL;
        if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

const PyMethodDef zp_rest_methods[] = {
    {"rest", rest, METH_VARARGS, NULL}, {"cases", cases, METH_O, NULL}, {NULL, NULL, 0, NULL}};
