/* Module zveno._core: robots and what can be asked of them without the libraries of simulations. */
#include "ask.h"
#include "describe.h"
#include "robot.h"

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "zveno._core", NULL, -1, zp_table_methods, NULL, NULL, NULL, NULL};

__attribute__((visibility("default"))) PyObject *PyInit__core(void);
PyObject *PyInit__core(void) {
    if (zp_prepare()) return NULL;
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    PyObject *builder = PyType_FromSpec(&zp_builder_spec), *robot = zp_make_robot_type(module);
    zp_set_builder_type(builder);
    if (!builder || !robot || PyModule_AddObjectRef(module, "Builder", builder) ||
        PyModule_AddObjectRef(module, "Robot", robot) || PyModule_AddStringConstant(module, "version", zv_version()) ||
        PyModule_AddStringConstant(module, "instruction_set", zv_isa_name())) {
        Py_CLEAR(module);
    }
    Py_XDECREF(robot);
    return module;
}
