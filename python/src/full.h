/* Module zveno._full: what needs the libraries of simulations, and is loaded when it is asked for. */
#ifndef ZVENO_PYTHON_FULL_H
#define ZVENO_PYTHON_FULL_H

#include "extension.h"

/* Numbers of an argument: (count) doubles, kept alive by *keep, a new reference. None: NULL and no exception. NULL with
 * ValueError when there are more or fewer. */
const double *zp_numbers(PyObject *object, npy_intp count, const char *what, PyObject **keep);
/* The same of truths, as bytes 0 and 1. */
const unsigned char *zp_flags(PyObject *object, npy_intp count, const char *what, PyObject **keep);
/* A new array of doubles of up to two axes (second < 0: one), filled from x unless it is NULL. */
PyObject *zp_array(npy_intp first, npy_intp second, const double *x);
/* [{name, unit, about, width, labels, units}] */
PyObject *zp_channels(int count, const zvChannel *channels);
PyObject *zp_event(zvEvent event);
/* {"steps": ..., ...} */
PyObject *zp_statistics(zvIntegrationStatistics s);

/* Functions of the module, one table per file; the last has no name. */
extern const PyMethodDef zp_analysis_methods[], zp_generated_methods[], zp_run_methods[], zp_report_methods[],
    zp_agree_methods[], zp_linear_methods[], zp_mesh_methods[], zp_motion_methods[], zp_scenario_methods[],
    zp_response_methods[], zp_rest_methods[], zp_map_methods[];
/* Types of the module. */
extern PyType_Spec zp_compiled_spec, zp_scenario_spec, zp_summary_spec, zp_simulation_spec, zp_recording_spec,
    zp_law_spec, zp_route_spec, zp_integrator_spec;
/* Makes the methods of compiled robots; 0, or -1 with an exception. */
int zp_prepare_compiled(void);

/* What a scenario object is; NULL with TypeError. */
zvScenario *zp_scenario(PyObject *object);
/* write_recording of the module. */
PyObject *zp_write_recording(PyObject *self, PyObject *args);
/* A summary with what it kept (channels may be NULL, its reference is taken over). */
PyObject *zp_summary(zvRunSummary *summary, PyObject *channels);
void zp_set_scenario_type(PyObject *type);
void zp_set_summary_type(PyObject *type);

#endif
