/* Links, joints, frames and loops of a robot as dictionaries, of which zveno/parts.py makes objects. */
#include "describe.h"

#include <stdlib.h>
#include <string.h>

#include "ask.h"

static const zvModel *model_of(PyObject *self) { return ((Robot *)self)->model; }

static PyObject *numbers(const double *x, int count) {
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++) PyList_SetItem(list, i, PyFloat_FromDouble(x[i]));
    return list;
}

static int put_int(PyObject *dict, const char *key, long x) { return zp_put(dict, key, PyLong_FromLong(x)); }
static int put_text(PyObject *dict, const char *key, const char *x) { return zp_put(dict, key, zp_text(x)); }
static int put_number(PyObject *dict, const char *key, double x) { return zp_put(dict, key, PyFloat_FromDouble(x)); }
static int put_numbers(PyObject *dict, const char *key, const double *x, int count) {
    return zp_put(dict, key, numbers(x, count));
}

static int put_mark(PyObject *d, zvMark mark) {
    return zp_put(d, "mark", Py_BuildValue("(Nii)", zp_text(mark.file), mark.line, mark.column));
}

static int put_pose(PyObject *d, const char *key, const zvPose *pose) {
    return zp_put(d, key, Py_BuildValue("(NN)", numbers(pose->R, 9), numbers(pose->p, 3)));
}

/* The list of what `tell` says of 0 ... count - 1. */
static PyObject *list_of(const zvModel *m, int count, int (*tell)(const zvModel *m, int i, PyObject *dict)) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        PyObject *dict = PyDict_New();
        if (!dict || put_int(dict, "index", i) || tell(m, i, dict) || PyList_Append(list, dict)) Py_CLEAR(list);
        Py_XDECREF(dict);
    }
    return list;
}

static int tell_link(const zvModel *m, int i, PyObject *d) {
    const zvLink *link = zv_model_link(m, i);
    const zvInertia inertia = zv_model_link_inertia(m, i);
    const zvElasticPlace elastic = zv_model_elastic_place(m, i);
    return put_text(d, "name", link->name) || put_number(d, "mass", inertia.mass) ||
           put_numbers(d, "com", inertia.com, 3) || put_numbers(d, "moment", inertia.moment, 6) ||
           put_int(d, "joint", zv_model_link_joint(m, i)) || put_int(d, "body", zv_model_frame_body(m, i)) ||
           put_int(d, "elastic", elastic.count) || put_int(d, "q_index", elastic.q_index) ||
           put_int(d, "v_index", elastic.v_index) || put_mark(d, link->mark);
}

static PyObject *dof_of(const zvDof *dof) {
    PyObject *d = PyDict_New();
    if (!d ||
        (dof->has_limits ? put_number(d, "lower", dof->lower) || put_number(d, "upper", dof->upper)
                         : put_text(d, "lower", NULL) || put_text(d, "upper", NULL)) ||
        put_number(d, "effort", dof->effort) || put_number(d, "velocity", dof->velocity) ||
        put_number(d, "armature", dof->armature) || put_number(d, "damping", dof->damping) ||
        put_number(d, "friction", dof->friction) || put_number(d, "stiffness", dof->stiffness) ||
        put_number(d, "rest", dof->rest))
        Py_CLEAR(d);
    return d;
}

static PyObject *dofs_of(const zvDof *dofs, int count) {
    PyObject *list = PyList_New(0);
    for (int k = 0; list && k < count; k++) {
        PyObject *dof = dof_of(&dofs[k]);
        if (!dof || PyList_Append(list, dof)) Py_CLEAR(list);
        Py_XDECREF(dof);
    }
    return list;
}

static int tell_joint(const zvModel *m, int i, PyObject *d) {
    const zvJoint *joint = zv_model_joint(m, i);
    const zvJointPlace place = zv_model_joint_place(m, i);
    return put_text(d, "name", joint->name) || put_text(d, "type", zv_joint_type_word(joint->type)) ||
           put_text(d, "coordinates", zv_joint_type_coordinates(joint->type)) || put_int(d, "parent", place.parent) ||
           put_int(d, "child", place.child) || put_int(d, "q_index", place.q_index) || put_int(d, "nq", place.nq) ||
           put_int(d, "v_index", place.v_index) || put_int(d, "nv", place.nv) || put_int(d, "mimic", place.mimic) ||
           put_int(d, "quaternion", zv_joint_type_quaternion(joint->type)) || put_pose(d, "origin", &joint->origin) ||
           put_numbers(d, "axis", joint->axis, 3) || put_numbers(d, "axis2", joint->axis2, 3) ||
           put_number(d, "pitch", joint->pitch) ||
           zp_put(d, "dofs", dofs_of(joint->dof, zv_joint_type_nv(joint->type))) || put_mark(d, joint->mark);
}

static int tell_frame(const zvModel *m, int i, PyObject *d) {
    const zvFrame frame = zv_model_frame(m, i);
    return put_text(d, "name", frame.name) || put_text(d, "link", frame.link) || put_pose(d, "pose", &frame.pose) ||
           put_int(d, "body", zv_model_frame_body(m, i)) || put_mark(d, frame.mark);
}

static int tell_shape(const zvModel *m, int i, PyObject *d) {
    static const char *const kinds[] = {"box", "cylinder", "sphere", "mesh"};
    const zvShape *shape = zv_model_shape(m, i);
    return put_text(d, "name", shape->name) || put_text(d, "link", shape->link) ||
           put_text(d, "kind", kinds[shape->kind]) || zp_put(d, "collision", PyBool_FromLong(shape->collision)) ||
           put_pose(d, "pose", &shape->pose) || put_numbers(d, "size", shape->size, 3) ||
           put_text(d, "mesh", shape->mesh) ||
           (shape->has_color ? put_numbers(d, "color", shape->color, 4) : put_text(d, "color", NULL));
}

static int tell_loop(const zvModel *m, int i, PyObject *d) {
    static const char *const kinds[] = {"joint", "rod", "coupling"};
    const zvLoop *loop = zv_model_loop(m, i);
    const zvLoopPlace place = zv_model_loop_place(m, i);
    return put_text(d, "name", loop->name) || put_text(d, "kind", kinds[loop->kind]) ||
           put_text(d, "type", loop->kind == ZV_LOOP_JOINT ? zv_joint_type_word(loop->type) : NULL) ||
           put_int(d, "parent", place.parent) || put_int(d, "child", place.child) ||
           put_int(d, "parent_frame", place.parent_frame) || put_int(d, "child_frame", place.child_frame) ||
           put_int(d, "row", place.row) || put_int(d, "rows", place.rows) || put_int(d, "ancestor", place.ancestor) ||
           zp_put(d, "open", PyBool_FromLong(loop->open)) || zp_put(d, "driven", PyBool_FromLong(loop->driven)) ||
           zp_put(d, "keeps_offset", PyBool_FromLong(zv_loop_keeps_offset(m, i))) ||
           zp_put(d, "was_joint", PyBool_FromLong(loop->was_joint)) || put_mark(d, loop->mark);
}

#define LIST(what, count)                                                   \
    static PyObject *what##s_of(PyObject *self, PyObject *nothing) {        \
        (void)nothing;                                                      \
        return list_of(model_of(self), count(model_of(self)), tell_##what); \
    }
LIST(link, zv_model_nlink)
LIST(joint, zv_model_njoint)
LIST(frame, zv_model_nframe)
LIST(shape, zv_model_nshape)
LIST(loop, zv_model_nloop)

/* ("elbow" or "ball.qx", unit) of one coordinate, appended. */
static int name_coordinate(PyObject *list, const char *owner, const char *part, const char *unit) {
    PyObject *pair = part ? Py_BuildValue("(Ns)", PyUnicode_FromFormat("%s.%s", owner, part), unit)
                          : Py_BuildValue("(ss)", owner, unit);
    const int bad = !pair || PyList_Append(list, pair);
    Py_XDECREF(pair);
    return bad;
}

/* Names and units of the entries of q and v, in their order: a joint moves its child, whose elastic coordinates follow.
 */
static PyObject *coordinates(PyObject *self, PyObject *nothing) {
    (void)nothing;
    const zvModel *m = model_of(self);
    PyObject *q = PyList_New(0), *v = PyList_New(0), *tau = PyList_New(0);
    int bad = !q || !v || !tau;
    for (int link = 0; link < zv_model_nlink(m) && !bad; link++) {
        const int i = zv_model_link_joint(m, link);
        const zvJoint *joint = i < 0 ? NULL : zv_model_joint(m, i);
        const zvJointPlace place = i < 0 ? (zvJointPlace){0} : zv_model_joint_place(m, i);
        for (int k = 0; joint && place.mimic < 0 && k < place.nq; k++)
            bad |= name_coordinate(q, joint->name, zv_joint_type_q_part(joint->type, k),
                                   zv_joint_type_q_unit(joint->type, k));
        for (int k = 0; joint && place.mimic < 0 && k < place.nv; k++) {
            const char *part = zv_joint_type_v_part(joint->type, k);
            bad |= name_coordinate(v, joint->name, part, zv_joint_type_v_unit(joint->type, k, ZV_QUANTITY_VELOCITY)) ||
                   name_coordinate(tau, joint->name, part, zv_joint_type_v_unit(joint->type, k, ZV_QUANTITY_FORCE));
        }
        for (int k = 0; k < zv_model_elastic_place(m, link).count; k++) {
            const char *name = zv_model_link(m, link)->name, *part = zv_model_elastic_part(m, link, k);
            bad |= name_coordinate(q, name, part, zv_model_elastic_unit(m, link, k, ZV_QUANTITY_POSITION)) ||
                   name_coordinate(v, name, part, zv_model_elastic_unit(m, link, k, ZV_QUANTITY_VELOCITY)) ||
                   name_coordinate(tau, name, part, zv_model_elastic_unit(m, link, k, ZV_QUANTITY_FORCE));
        }
    }
    PyObject *all = bad ? NULL : Py_BuildValue("(OOO)", q, v, tau);
    Py_XDECREF(q);
    Py_XDECREF(v);
    Py_XDECREF(tau);
    return all;
}

static PyObject *native(PyObject *self, PyObject *nothing) {
    (void)nothing;
    const Robot *robot = (Robot *)self;
    while (!robot->builder && robot->original) robot = (const Robot *)robot->original;
    return zp_native_text(robot->builder);
}

static PyObject *gravity(PyObject *self, PyObject *nothing) {
    (void)nothing;
    double g[3];
    zv_model_gravity(model_of(self), g);
    return numbers(g, 3);
}

/* (link, mass, (com), (moment)) of a copy. */
static PyObject *set_inertia(PyObject *self, PyObject *args) {
    zvInertia x;
    int link;
    if (!PyArg_ParseTuple(args, "id(ddd)(dddddd)", &link, &x.mass, &x.com[0], &x.com[1], &x.com[2], &x.moment[0],
                          &x.moment[1], &x.moment[2], &x.moment[3], &x.moment[4], &x.moment[5]))
        return NULL;
    if (link < 0 || link >= zv_model_nlink(model_of(self))) {
        PyErr_SetString(PyExc_IndexError, "there is no link of that index");
        return NULL;
    }
    const zvStatus status = zv_model_set_link_inertia(((Robot *)self)->model, link, &x);
    if (status == ZV_NOT_SUPPORTED)
        return zp_fail_status(status, "inertias change in a copy of a robot (robot.copy()), of links that are rigid");
    if (status < 0) return zp_fail_status(status, NULL);
    Py_RETURN_NONE;
}

static PyObject *find(PyObject *self, PyObject *args) {
    const char *what, *name;
    if (!PyArg_ParseTuple(args, "ss", &what, &name)) return NULL;
    const zvModel *m = model_of(self);
    return PyLong_FromLong(what[0] == 'f'   ? zv_model_find_frame(m, name)
                           : what[0] == 'j' ? zv_model_find_joint(m, name)
                                            : zv_model_find_loop(m, name));
}

/* M, K, D of an elastic link, clamped. */
static PyObject *elastic_matrices(PyObject *self, PyObject *index) {
    const int link = (int)PyLong_AsLong(index);
    if (PyErr_Occurred()) return NULL;
    if (link < 0 || link >= zv_model_nlink(model_of(self))) {
        PyErr_SetString(PyExc_IndexError, "there is no link of that index");
        return NULL;
    }
    const npy_intp n = zv_model_elastic_place(model_of(self), link).count, shape[] = {n, n};
    PyObject *x[3];
    for (int k = 0; k < 3; k++)
        if (!(x[k] = PyArray_SimpleNew(2, (npy_intp *)shape, NPY_DOUBLE))) return NULL;
    if (n)
        zv_model_elastic_matrices(model_of(self), link, PyArray_DATA((PyArrayObject *)x[0]),
                                  PyArray_DATA((PyArrayObject *)x[1]), PyArray_DATA((PyArrayObject *)x[2]));
    return Py_BuildValue("(NNN)", x[0], x[1], x[2]);
}

/* (signs of njoint) of a loop. */
static PyObject *loop_signs(PyObject *self, PyObject *which) {
    const int loop = zp_loop((Robot *)self, which);
    if (loop < 0) return NULL;
    npy_intp count = zv_model_njoint(model_of(self));
    PyObject *signs = PyArray_SimpleNew(1, &count, NPY_INT);
    if (signs) zv_loop_signs(model_of(self), loop, PyArray_DATA((PyArrayObject *)signs));
    return signs;
}

/* (row, reason) that auto runs. */
static PyObject *method_chosen(PyObject *self, PyObject *args) {
    int question, loaded;
    char why[512] = "";
    if (!PyArg_ParseTuple(args, "ip", &question, &loaded)) return NULL;
    const zvMethod *row = zv_method_chosen((zvQuestion)question, model_of(self), loaded, why, sizeof why);
    return Py_BuildValue("(ss)", row->name, why);
}

/* Why a row is not defined for the robot, or None. */
static PyObject *method_obstacle(PyObject *self, PyObject *args) {
    unsigned domain;
    int loaded;
    if (!PyArg_ParseTuple(args, "Ip", &domain, &loaded)) return NULL;
    return zp_text(zv_domain_obstacle(domain, model_of(self), loaded));
}

const PyMethodDef zp_description_methods[] = {{"_links", links_of, METH_NOARGS, NULL},
                                              {"_joints", joints_of, METH_NOARGS, NULL},
                                              {"_frames", frames_of, METH_NOARGS, NULL},
                                              {"_shapes", shapes_of, METH_NOARGS, NULL},
                                              {"_loops", loops_of, METH_NOARGS, NULL},
                                              {"_coordinates", coordinates, METH_NOARGS, NULL},
                                              {"_native", native, METH_NOARGS, NULL},
                                              {"_gravity", gravity, METH_NOARGS, NULL},
                                              {"_set_inertia", set_inertia, METH_VARARGS, NULL},
                                              {"_find", find, METH_VARARGS, NULL},
                                              {"_elastic_matrices", elastic_matrices, METH_O, NULL},
                                              {"_loop_signs", loop_signs, METH_O, NULL},
                                              {"_method_chosen", method_chosen, METH_VARARGS, NULL},
                                              {"_method_obstacle", method_obstacle, METH_VARARGS, NULL},
                                              {NULL, NULL, 0, NULL}};
