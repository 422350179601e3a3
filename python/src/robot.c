/* Robots as Python objects: their life, what they are made of, and memory for calls. */
#include "robot.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "describe.h"

/* Who asks has the interpreter's lock, so that to look and to empty are one; an exchange would cost as much as the
 * rest. */
zvWork *zp_take_work(Robot *robot) {
    zvWork *work = atomic_load_explicit(&robot->work, memory_order_relaxed);
    atomic_store_explicit(&robot->work, NULL, memory_order_relaxed);
    zvError error;
    if (!work && !(work = zv_work_create(robot->model, &error))) zp_fail(&error);
    return work;
}

void zp_give_work(Robot *robot, zvWork *work) {
    if (!work) return;
    zvWork *other = atomic_load_explicit(&robot->work, memory_order_relaxed);
    atomic_store_explicit(&robot->work, work, memory_order_relaxed);
    if (other) zv_work_destroy(other);
}

zvTaskWork *zp_take_task_work(Robot *robot) {
    zvTaskWork *work = atomic_exchange(&robot->task_work, NULL);
    zvError error;
    if (!work && !(work = zv_task_work_create(robot->model, &error))) zp_fail(&error);
    return work;
}

void zp_give_task_work(Robot *robot, zvTaskWork *work) {
    zv_task_work_destroy(atomic_exchange(&robot->task_work, work));
}

zvBatch *zp_take_batch(Robot *robot) {
    zvBatch *batch = atomic_exchange(&robot->batch, NULL);
    zvError error;
    const zvBatchOptions options = {.threads = robot->threads, .layout = ZV_LAYOUT_STATES, .same_bits = true};
    if (!batch && !(batch = zv_batch_create(robot->model, &options, &error))) zp_fail(&error);
    return batch;
}

void zp_give_batch(Robot *robot, zvBatch *batch) { zv_batch_destroy(atomic_exchange(&robot->batch, batch)); }

static PyObject *robot_type;

Robot *zp_robot(PyObject *object) {
    if (!robot_type) {
        PyObject *core = PyImport_ImportModule("zveno._core");
        robot_type = core ? PyObject_GetAttrString(core, "Robot") : NULL;
        Py_XDECREF(core);
        if (!robot_type) return NULL;
    }
    if (PyObject_TypeCheck(object, (PyTypeObject *)robot_type)) return (Robot *)object;
    PyErr_Format(PyExc_TypeError, "expected a zveno.Robot, found %R", Py_TYPE(object));
    return NULL;
}

static bool served_by_lanes(const zvModel *model) {
    zvError error;
    zvBatch *batch = zv_batch_create(model, &(zvBatchOptions){.threads = 1, .layout = ZV_LAYOUT_STATES}, &error);
    zv_batch_destroy(batch);
    return batch != NULL;
}

/* Robot(Builder) freezes; Robot(Robot) is a copy whose inertias may be changed. */
static PyObject *robot_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *from;
    if (names && PyDict_Size(names)) {
        PyErr_SetString(PyExc_TypeError, "Robot takes one argument");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O", &from)) return NULL;
    zvError error = {ZV_OK};
    zvModel *model = NULL;
    zvBuilder *builder = NULL;
    Robot *original = NULL;
    if (zp_is_builder(from)) {
        builder = zp_builder_of(from);
        if (!builder) {
            PyErr_SetString(PyExc_ValueError, "this builder has become a robot already");
            return NULL;
        }
        if (zv_builder_freeze(builder, &model, &error) < 0) return zp_fail(&error);
    } else {
        if (!(original = zp_robot(from))) return NULL;
        if (!(model = zv_model_copy(original->model, &error))) return zp_fail(&error);
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Robot *robot = (Robot *)allocate(type, 0);
    if (!robot) {
        zv_model_destroy(model);
        return NULL;
    }
    robot->model = model;
    robot->builder = builder;
    if (builder) zp_builder_taken(from);
    robot->original = (PyObject *)original;
    Py_XINCREF((PyObject *)original);
    robot->lanes = served_by_lanes(model);
    return (PyObject *)robot;
}

static void robot_dealloc(PyObject *self) {
    Robot *robot = (Robot *)self;
    PyTypeObject *type = Py_TYPE(self);
    zv_batch_destroy(atomic_load(&robot->batch));
    zv_task_work_destroy(atomic_load(&robot->task_work));
    zv_work_destroy(atomic_load(&robot->work));
    zv_model_destroy(robot->model);
    zv_builder_destroy(robot->builder);
    Py_XDECREF(robot->original);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *robot_threads(PyObject *self, void *nothing) {
    (void)nothing;
    return PyLong_FromLong(((Robot *)self)->threads);
}

static int robot_set_threads(PyObject *self, PyObject *value, void *nothing) {
    (void)nothing;
    const long threads = value ? PyLong_AsLong(value) : -1;
    if (PyErr_Occurred()) return -1;
    if (threads < 0 || threads > 1024) {
        PyErr_SetString(PyExc_ValueError, "threads: expected 0 (as many as there are processors) to 1024");
        return -1;
    }
    Robot *robot = (Robot *)self;
    robot->threads = (int)threads;
    zv_batch_destroy(atomic_exchange(&robot->batch, NULL));
    return 0;
}

/* Whole numbers and flags of the model. */
typedef int (*Number)(const zvModel *model);
static PyObject *robot_number(PyObject *self, void *number) {
    return PyLong_FromLong((*(Number *)number)(((Robot *)self)->model));
}
static Number number_nq = zv_model_nq, number_nv = zv_model_nv, number_nbody = zv_model_nbody,
              number_nlink = zv_model_nlink, number_njoint = zv_model_njoint, number_nframe = zv_model_nframe,
              number_nshape = zv_model_nshape, number_nloop = zv_model_nloop, number_rows = zv_model_nloop_rows,
              number_nelastic = zv_model_nelastic, number_nexternal = zv_model_nexternal;
#define NUMBER(name, which, words) \
    { name, robot_number, NULL, words, (void *)&number_##which }

static PyObject *robot_name(PyObject *self, void *nothing) {
    (void)nothing;
    return zp_text(zv_model_name(((Robot *)self)->model));
}
static PyObject *robot_mass(PyObject *self, void *nothing) {
    (void)nothing;
    return PyFloat_FromDouble(zv_model_mass(((Robot *)self)->model));
}
static PyObject *robot_lanes(PyObject *self, void *nothing) {
    (void)nothing;
    return PyBool_FromLong(((Robot *)self)->lanes);
}
static PyObject *robot_original(PyObject *self, void *nothing) {
    (void)nothing;
    PyObject *original = ((Robot *)self)->original ? ((Robot *)self)->original : Py_None;
    Py_INCREF(original);
    return original;
}

static PyGetSetDef properties[] = {
    {"name", robot_name, NULL, "Name of the robot.", NULL},
    {"mass", robot_mass, NULL, "Mass of all moving bodies, kg.", NULL},
    {"threads", robot_threads, robot_set_threads,
     "Threads of questions about many states; 0: as many as there are processors.", NULL},
    {"has_lanes", robot_lanes, NULL,
     "Whether questions about many states go through lanes: trees of rigid links without splines.", NULL},
    {"original", robot_original, NULL, "The robot that this copy was made of; None: it is none.", NULL},
    NUMBER("nq", nq, "Length of q."),
    NUMBER("nv", nv, "Length of v, a, tau."),
    NUMBER("nbody", nbody, "Bodies that the dynamics sees; body 0 is the ground."),
    NUMBER("nlink", nlink, "Links."),
    NUMBER("njoint", njoint, "Joints, fixed ones included."),
    NUMBER("nframe", nframe, "Frames; the first nlink of them are the links."),
    NUMBER("nshape", nshape, "Shapes, for pictures."),
    NUMBER("nloop", nloop, "Closed loops."),
    NUMBER("nloop_rows", rows, "Conditions of all loops."),
    NUMBER("nelastic", nelastic, "Elastic coordinates of all links."),
    NUMBER("nexternal", nexternal, "Length of external forces, flat: 6 nlink + nelastic."),
    {NULL, NULL, NULL, NULL, NULL}};

/* Methods: those of this file and describe.c, then a function for each question. */
PyObject *zp_make_robot_type(PyObject *module) {
    static PyMethodDef methods[160];
    int count = 0;
    for (const PyMethodDef *m = zp_description_methods; m->ml_name; m++) methods[count++] = *m;
    static const AskEntry *const tables[] = {zp_kinematics, zp_dynamics, zp_derivatives, zp_loops, zp_task};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const AskEntry *e = tables[t]; e->question; e++) {
            if (zp_question_prepare(e->question)) return NULL;
            methods[count++] = (PyMethodDef){e->question->name, (PyCFunction)(void (*)(void))e->ask,
                                             METH_FASTCALL | METH_KEYWORDS, e->question->doc};
            if (e->question->result && PyModule_AddObjectRef(module, strchr(e->question->result_name, '.') + 1,
                                                             (PyObject *)e->question->result))
                return NULL;
        }
    static PyType_Slot slots[] = {{Py_tp_new, robot_new},
                                  {Py_tp_dealloc, robot_dealloc},
                                  {Py_tp_getset, properties},
                                  {Py_tp_methods, methods},
                                  {Py_tp_doc, (char *)"A robot, frozen; see zveno.Robot."},
                                  {0, NULL}};
    PyType_Spec spec = {"zveno._core.Robot", sizeof(Robot), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return PyType_FromSpec(&spec);
}
