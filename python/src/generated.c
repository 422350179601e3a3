/* Operations counted, code generated, and generated code of one robot that was compiled and is asked like the robot. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "full.h"

/* Counting ------------------------------------------------------------------------------------------------- */

static PyObject *operations(zvOperations x) { return Py_BuildValue("(LLLL)", x.mul, x.add, x.div, x.trig); }

/* count(robot, question, method, fold) -> kinematics, method, folded or None */
static PyObject *count_method(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object;
    int question, fold;
    const char *method;
    if (!PyArg_ParseTuple(args, "Oisp", &object, &question, &method, &fold)) return NULL;
    Robot *robot = zp_robot(object);
    if (!robot) return NULL;
    if (question < 0 || question >= ZV_QUESTIONS) return PyErr_Format(PyExc_IndexError, "there is no such question");
    const zvMethod *row = zv_method_named((zvQuestion)question, method);
    if (!row) return PyErr_Format(PyExc_ValueError, "method: expected one of zveno.methods(), found \"%s\"", method);
    if (!zv_can_count()) return zp_fail_status(ZV_NOT_SUPPORTED, "this build does not count operations");
    zvCount count;
    zvError error = {ZV_OK};
    zvStatus status;
    Py_BEGIN_ALLOW_THREADS status = zv_count(robot->model, (zvQuestion)question, row, fold, &count, &error);
    Py_END_ALLOW_THREADS if (status < 0) return zp_fail(&error);
    PyObject *folded = fold ? operations(count.folded) : (Py_INCREF(Py_None), Py_None);
    return Py_BuildValue("(NNN)", operations(count.kinematics), operations(count.method), folded);
}

/* printed(question, method, n): operations by the publication's formula, or None */
static PyObject *printed(PyObject *self, PyObject *args) {
    (void)self;
    int question, n;
    const char *method;
    zvOperations x;
    if (!PyArg_ParseTuple(args, "isi", &question, &method, &n)) return NULL;
    const zvMethod *row =
        question >= 0 && question < ZV_QUESTIONS ? zv_method_named((zvQuestion)question, method) : NULL;
    if (!row) return PyErr_Format(PyExc_ValueError, "method: expected one of zveno.methods(), found \"%s\"", method);
    if (!zv_printed_operations((zvQuestion)question, row, n, &x)) Py_RETURN_NONE;
    return operations(x);
}

/* count_sums(robot) -> [(name, row, printed, corrected, counted)] */
static PyObject *count_sums(PyObject *self, PyObject *object) {
    (void)self;
    Robot *robot = zp_robot(object);
    zvSumCount sums[ZV_SUMS];
    zvError error = {ZV_OK};
    if (!robot) return NULL;
    if (zv_count_sums(robot->model, sums, &error) < 0) return zp_fail(&error);
    PyObject *list = PyList_New(ZV_SUMS);
    for (int i = 0; list && i < ZV_SUMS; i++)
        PyList_SetItem(list, i,
                       Py_BuildValue("(ssNNN)", sums[i].name, sums[i].row, operations(sums[i].printed),
                                     operations(sums[i].corrected), operations(sums[i].counted)));
    return list;
}

/* Generating ------------------------------------------------------------------------------------------------ */

static PyObject *generated_names(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    PyObject *list = PyTuple_New(ZV_GENERATED_FUNCTIONS);
    for (int i = 0; list && i < ZV_GENERATED_FUNCTIONS; i++)
        PyTuple_SetItem(list, i, zp_text(zv_generated_name((zvGenerated)i)));
    return list;
}

/* count_generated(robot, function, frame) -> operations */
static PyObject *count_generated(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object;
    int function, frame;
    if (!PyArg_ParseTuple(args, "Oii", &object, &function, &frame)) return NULL;
    Robot *robot = zp_robot(object);
    if (!robot) return NULL;
    if (function < 0 || function >= ZV_GENERATED_FUNCTIONS || frame < 0 || frame >= zv_model_nframe(robot->model))
        return PyErr_Format(PyExc_IndexError, "there is no such function or frame");
    zvOperations x;
    zvError error = {ZV_OK};
    zvStatus status;
    Py_BEGIN_ALLOW_THREADS status = zv_count_generated(robot->model, (zvGenerated)function, frame, &x, &error);
    Py_END_ALLOW_THREADS return status < 0 ? zp_fail(&error) : operations(x);
}

static PyObject *tell_summary(const zvCodegenSummary *summary, unsigned functions) {
    PyObject *files = PyList_New(0), *told = PyDict_New();
    int bad = !files || !told;
    for (size_t i = 0; i < summary->file_count && !bad; i++) {
        PyObject *name = zp_text(summary->files[i]);
        bad |= !name || PyList_Append(files, name);
        Py_XDECREF(name);
    }
    for (int i = 0; i < ZV_GENERATED_FUNCTIONS && !bad; i++)
        if (functions & 1u << i)
            bad |= zp_put(
                told, zv_generated_name((zvGenerated)i),
                Py_BuildValue("(NL)", operations(summary->function[i].operations), summary->function[i].statements));
    PyObject *all = bad ? NULL : Py_BuildValue("(OO)", files, told);
    Py_XDECREF(files);
    Py_XDECREF(told);
    return all;
}

/* codegen(robot, directory, language, name, functions, frame, single, lanes, passive, smoothing, symbols,
 * origin_moments, external, flexible, independent, model_file) -> [file], {function: (operations, statements)} */
static PyObject *codegen(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *flexible, *independent, *keep[2];
    const char *directory;
    int language, single, passive, origin, external;
    zvCodegenOptions o = {0};
    if (!PyArg_ParseTuple(args, "OsizIipipdzppOOz", &object, &directory, &language, &o.name, &o.functions, &o.frame,
                          &single, &o.lanes, &passive, &o.smoothing, &o.symbols, &origin, &external, &flexible,
                          &independent, &o.model_file))
        return NULL;
    Robot *robot = zp_robot(object);
    if (!robot) return NULL;
    if (o.frame < 0 || o.frame >= zv_model_nframe(robot->model) || language < 0 || language > ZV_LANGUAGE_SYMPY)
        return PyErr_Format(PyExc_IndexError, "there is no such frame or language");
    o.single = single;
    o.passive = passive;
    o.origin_moments = origin;
    o.external = external;
    o.language = (zvLanguage)language;
    const npy_intp nv = zv_model_nv(robot->model);
    o.flexible = zp_flags(flexible, nv, "flexible", &keep[0]);
    o.independent = zp_flags(independent, nv, "independent", &keep[1]);
    zvCodegenSummary summary;
    zvError error = {ZV_OK};
    zvStatus status = ZV_OK;
    if (!PyErr_Occurred()) {
        Py_BEGIN_ALLOW_THREADS status = zv_codegen(robot->model, &o, directory, &summary, &error);
        Py_END_ALLOW_THREADS
    }
    Py_XDECREF(keep[0]);
    Py_XDECREF(keep[1]);
    if (PyErr_Occurred()) return NULL;
    return status < 0 ? zp_fail(&error) : tell_summary(&summary, language == ZV_LANGUAGE_C ? o.functions : 0);
}

const PyMethodDef zp_generated_methods[] = {{"count", count_method, METH_VARARGS, NULL},
                                            {"printed", printed, METH_VARARGS, NULL},
                                            {"count_sums", count_sums, METH_O, NULL},
                                            {"generated_names", generated_names, METH_NOARGS, NULL},
                                            {"count_generated", count_generated, METH_VARARGS, NULL},
                                            {"codegen", codegen, METH_VARARGS, NULL},
                                            {NULL, NULL, 0, NULL}};

/* Compiled code --------------------------------------------------------------------------------------------- */

typedef void (*Function)(void);

typedef struct Compiled {
    PyObject_HEAD Robot *robot;
    void *library;
    Function function[ZV_GENERATED_FUNCTIONS];
    double *zeros; /* nv */
} Compiled;

/* Compiled(robot, library, name): what the library has of the functions NAME_... */
static PyObject *compiled_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *object;
    const char *library, *name;
    if ((names && PyDict_Size(names)) || !PyArg_ParseTuple(args, "Oss", &object, &library, &name)) return NULL;
    Robot *robot = zp_robot(object);
    if (!robot) return NULL;
    Compiled *c = (Compiled *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!c) return NULL;
    Py_INCREF(object);
    c->robot = robot;
    c->zeros = calloc((size_t)zv_model_nv(robot->model) + 1, sizeof *c->zeros);
    c->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!c->library) PyErr_Format(PyExc_OSError, "the compiled code cannot be loaded: %s", dlerror());
    if (!c->zeros) PyErr_NoMemory();
    for (int i = 0; i < ZV_GENERATED_FUNCTIONS && !PyErr_Occurred(); i++) {
        char symbol[512];
        snprintf(symbol, sizeof symbol, "%s_%s", name, zv_generated_name((zvGenerated)i));
        void *found = dlsym(c->library, symbol);
        memcpy(&c->function[i], &found, sizeof found);
    }
    if (PyErr_Occurred()) Py_CLEAR(c);
    return (PyObject *)c;
}

static void compiled_dealloc(PyObject *self) {
    Compiled *c = (Compiled *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (c->library) dlclose(c->library);
    free(c->zeros);
    Py_XDECREF((PyObject *)c->robot);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *compiled_robot(PyObject *self, void *nothing) {
    (void)nothing;
    Py_INCREF((PyObject *)((Compiled *)self)->robot);
    return (PyObject *)((Compiled *)self)->robot;
}

static PyObject *compiled_functions(PyObject *self, void *nothing) {
    (void)nothing;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < ZV_GENERATED_FUNCTIONS; i++) {
        PyObject *name = zp_text(zv_generated_name((zvGenerated)i));
        if (!name || (((Compiled *)self)->function[i] && PyList_Append(list, name))) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

typedef void (*Void2)(const double *, double *);
typedef void (*Void3)(const double *, const double *, double *);
typedef void (*Void4)(const double *, const double *, const double *, double *);
typedef void (*Void6)(const double *, const double *, const double *, double *, double *, double *);
typedef int (*Int2)(const double *, double *);
typedef int (*Int4)(const double *, const double *, const double *, double *);
typedef int (*Int7)(const double *, const double *, const double *, double *, double *, double *, double *);

/* The function, NULL: it is not among those compiled, and the call has the error. */
static Function function_of(Call *c, zvGenerated which) {
    const Function function = ((const Compiled *)c->extra)->function[which];
    if (!function)
        zv_fail(&c->error, ZV_NOT_SUPPORTED, (zvMark){0}, zv_generated_name(which),
                "%s: expected \"%s\" among the functions that were compiled, found it missing; compile(functions=...)",
                c->question->name, zv_generated_name(which));
    return function;
}

static const double *given(const Call *c, int k) {
    return c->in[k] ? (const double *)c->in[k] : ((const Compiled *)c->extra)->zeros;
}

#define RUN(which, type, ...)                 \
    const Function f = function_of(c, which); \
    if (!f) return ZV_NOT_SUPPORTED;          \
    ((type)f)(__VA_ARGS__);                   \
    return ZV_OK
#define RUN_INT(which, type, ...)             \
    const Function f = function_of(c, which); \
    if (!f) return ZV_NOT_SUPPORTED;          \
    return ((type)f)(__VA_ARGS__) ? ZV_SINGULAR : ZV_OK

static zvStatus run_inverse(Call *c) { RUN(ZV_GENERATED_INVERSE, Void4, IN(0), given(c, 1), given(c, 2), OUT(0)); }
static zvStatus run_forward(Call *c) { RUN_INT(ZV_GENERATED_FORWARD, Int4, IN(0), given(c, 1), given(c, 2), OUT(0)); }
static zvStatus run_mass(Call *c) { RUN(ZV_GENERATED_MASS, Void2, IN(0), OUT(0)); }
static zvStatus run_minv(Call *c) { RUN_INT(ZV_GENERATED_MINV, Int2, IN(0), OUT(0)); }
static zvStatus run_bias(Call *c) { RUN(ZV_GENERATED_BIAS, Void3, IN(0), given(c, 1), OUT(0)); }
static zvStatus run_gravity(Call *c) { RUN(ZV_GENERATED_GRAVITY, Void2, IN(0), OUT(0)); }
static zvStatus run_jacobian(Call *c) { RUN(ZV_GENERATED_JACOBIAN, Void2, IN(0), OUT(0)); }
static zvStatus run_inverse_derivatives(Call *c) {
    RUN(ZV_GENERATED_INVERSE_DERIVATIVES, Void6, IN(0), given(c, 1), given(c, 2), OUT(0), OUT(1), OUT(2));
}
static zvStatus run_forward_derivatives(Call *c) {
    RUN_INT(ZV_GENERATED_FORWARD_DERIVATIVES, Int7, IN(0), given(c, 1), given(c, 2), OUT(0), OUT(1), OUT(2), OUT(3));
}

/* R row-major and p as a homogeneous matrix. */
static zvStatus run_pose(Call *c) {
    const Function f = function_of(c, ZV_GENERATED_POSE);
    double x[12], *H = OUT(0);
    if (!f) return ZV_NOT_SUPPORTED;
    ((Void2)f)(IN(0), x);
    for (int i = 0; i < 3; i++) {
        memcpy(H + 4 * i, x + 3 * i, 3 * sizeof *x);
        H[4 * i + 3] = x[9 + i];
        H[12 + i] = 0;
    }
    H[15] = 1;
    return ZV_OK;
}

#undef ASK
#define ASK(question, self, args, count, names) \
    zp_ask_with(question, (PyObject *)((Compiled *)(self))->robot, self, args, count, names)
QUESTION(inverse_dynamics, "q:q v?:v a?:v -> tau:v", run_inverse, "tau = M a + C v + g, N m or N.")
QUESTION(forward_dynamics, "q:q v?:v tau?:v -> a:v", run_forward, "Accelerations caused by tau.")
QUESTION(mass_matrix, "q:q -> M:V", run_mass, "M(q), full and symmetric.")
QUESTION(mass_inverse, "q:q -> Minv:V", run_minv, "M^-1, full and symmetric.")
QUESTION(bias, "q:q v?:v -> bias:v", run_bias, "C v + g.")
QUESTION(gravity_force, "q:q -> g:v", run_gravity, "Forces that hold the robot at rest.")
QUESTION(frame_pose, "q:q -> pose:H", run_pose, "Pose of the frame that was compiled.")
QUESTION(frame_jacobian, "q:q -> J:J", run_jacobian, "Jacobian of the frame that was compiled, world axes.")
QUESTION(inverse_derivatives, "q:q v?:v a?:v -> dq:V dv:V da:V", run_inverse_derivatives,
         "Derivatives of inverse dynamics.")
QUESTION(forward_derivatives, "q:q v?:v tau?:v -> a:v dq:V dv:V dtau:V", run_forward_derivatives,
         "Forward dynamics and its derivatives.")

static const AskEntry entries[] = {ENTRY(inverse_dynamics),
                                   ENTRY(forward_dynamics),
                                   ENTRY(mass_matrix),
                                   ENTRY(mass_inverse),
                                   ENTRY(bias),
                                   ENTRY(gravity_force),
                                   ENTRY(frame_pose),
                                   ENTRY(frame_jacobian),
                                   ENTRY(inverse_derivatives),
                                   ENTRY(forward_derivatives),
                                   {NULL, NULL}};

static PyMethodDef methods[sizeof entries / sizeof *entries];
static PyGetSetDef properties[] = {{"robot", compiled_robot, NULL, "The robot whose code it is.", NULL},
                                   {"functions", compiled_functions, NULL, "Names of what was compiled.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, compiled_new},
                              {Py_tp_dealloc, compiled_dealloc},
                              {Py_tp_getset, properties},
                              {Py_tp_methods, methods},
                              {Py_tp_doc, (char *)"Code of one robot, compiled: asked like the robot itself."},
                              {0, NULL}};
PyType_Spec zp_compiled_spec = {"zveno._full.Compiled", sizeof(Compiled), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                slots};

int zp_prepare_compiled(void) {
    for (int i = 0; entries[i].question; i++) {
        if (zp_question_prepare(entries[i].question)) return -1;
        methods[i] = (PyMethodDef){entries[i].question->name, (PyCFunction)(void (*)(void))entries[i].ask,
                                   METH_FASTCALL | METH_KEYWORDS, entries[i].question->doc};
    }
    return 0;
}
