/* After the creation of model and workspace nobody allocates: every function of kinematics.h, dynamics.h and opspace.h,
 * and every method of the tables, runs on a robot with all kinds of joints while any call of the allocator ends the
 * program. Answers must be finite, so that a function cannot pass by doing nothing to NaN-filled arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "allocator.h"
#include "zveno/zveno.h"

typedef struct Scratch {
    zvModel *model;
    zvWork *work;
    zvTaskWork *tasks;
    int nq, nv, nbody, nlink, njoint, nframe;
    double *q, *v, *a, *tau, *fext, *extra;
    double *answer; /* room for the largest answer, filled with NaN before each call */
    size_t capacity;
    zvPose *poses;
    unsigned char *given;
} Scratch;

static int failures;

static void die(const char *what, const zvError *error) {
    fprintf(stderr, "%s: %s\n", what, error ? error->text : "");
    exit(1);
}

/* Building the robot ------------------------------------------------------------------------------ */

static void add_body(zvBuilder *builder, const char *name, zvError *error) {
    zvLink link = zv_link_default(name);
    link.has_inertia = true;
    link.inertia = (zvInertia){.mass = 1.5, .com = {0.05, -0.02, 0.1}, .moment = {0.02, 0.001, 0, 0.03, 0, 0.025}};
    if (zv_builder_add_link(builder, &link, error) < 0) die(name, error);
}

/* One joint of every kind, each on its own link under `parent`; names are the words of the kinds. */
static void add_all_kinds(zvBuilder *builder, const char *parent, zvError *error) {
    static const double points[] = {0, 0, 0, 0.3, 0.1, 0, 0.6, 0, 0.2, 0.9, -0.1, 0.3};
    for (int type = ZV_JOINT_FIXED; type < ZV_JOINT_TYPES; type++) {
        const char *word = zv_joint_type_word((zvJointType)type);
        add_body(builder, word, error);
        zvJoint joint = zv_joint_default(word, (zvJointType)type, parent, word);
        joint.origin = zv_pose_from_rpy((double[]){0.1, 0.2, 0.3}, (double[]){0.3, -0.2, 0.5});
        joint.axis[0] = 0.3;
        joint.axis2[0] = 1;
        joint.axis2[1] = 0.2;
        joint.axis2[2] = 0;
        joint.pitch = 0.01;
        joint.dof[0].armature = 0.1;
        joint.curve.kind = ZV_CURVE_SPLINE;
        joint.curve.count = 4;
        joint.curve.points = points;
        if (zv_builder_add_joint(builder, &joint, error) < 0) die(word, error);
        parent = word; /* one long chain */
    }
}

static void add_extras(zvBuilder *builder, zvError *error) {
    add_body(builder, "finger", error);
    zvJoint joint = zv_joint_default("finger", ZV_JOINT_PRISMATIC, "revolute", "finger");
    joint.mimic = "prismatic";
    joint.ratio = -0.5;
    if (zv_builder_add_joint(builder, &joint, error) < 0) die("finger", error);
    add_body(builder, "bead", error);
    joint = zv_joint_default("bead", ZV_JOINT_CURVE, "finger", "bead");
    joint.curve = (zvCurve){.kind = ZV_CURVE_CIRCLE, .normal = {0, 0, 1}, .start = {1, 0, 0}, .radius = 0.4};
    if (zv_builder_add_joint(builder, &joint, error) < 0) die("bead", error);
    zvFrame frame = zv_frame_default("tool", "bead");
    frame.pose.p[2] = 0.1;
    if (zv_builder_add_frame(builder, &frame, error) < 0) die("tool", error);
}

static zvModel *build_robot(bool coupled) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    if (!builder) die("builder", NULL);
    add_body(builder, "trunk", &error);
    add_all_kinds(builder, "trunk", &error);
    add_extras(builder, &error);
    zv_builder_set_free_base(builder, true);
    zv_builder_set_mimic_coupled(builder, coupled);
    if (zv_builder_freeze(builder, &model, &error) < 0) die("freeze", &error);
    zv_builder_destroy(builder);
    return model;
}

static double *numbers(size_t count) {
    double *x = calloc(count ? count : 1, sizeof *x);
    if (!x) die("out of memory", NULL);
    return x;
}

static Scratch make_scratch(bool coupled) {
    Scratch d = {.model = build_robot(coupled)};
    zvError error = {0};
    d.work = zv_work_create(d.model, &error);
    d.tasks = zv_task_work_create(d.model, &error);
    if (!d.work || !d.tasks) die("workspace", &error);
    d.nq = zv_model_nq(d.model);
    d.nv = zv_model_nv(d.model);
    d.nbody = zv_model_nbody(d.model);
    d.nlink = zv_model_nlink(d.model);
    d.njoint = zv_model_njoint(d.model);
    d.nframe = zv_model_nframe(d.model);
    d.q = numbers((size_t)d.nq);
    d.v = numbers((size_t)d.nv);
    d.a = numbers((size_t)d.nv);
    d.tau = numbers((size_t)d.nv);
    d.extra = numbers((size_t)d.nv);
    d.fext = numbers((size_t)d.nlink * 6);
    d.capacity = (size_t)d.nv * (size_t)d.nv + (size_t)d.njoint * 6 + 64;
    d.answer = numbers(d.capacity);
    d.poses = calloc((size_t)d.nlink, sizeof *d.poses);
    d.given = calloc((size_t)d.nv + 1, 1);
    if (!d.poses || !d.given) die("out of memory", NULL);
    for (int i = 0; i < d.nv; i++) {
        d.v[i] = 0.3 * sin(i + 1.0);
        d.a[i] = cos(i + 1.0);
        d.tau[i] = 2 * sin(2.0 * i);
        d.given[i] = (unsigned char)(i % 3);
    }
    return d;
}

/* Judging ----------------------------------------------------------------------------------------- */

static void begin(Scratch *d, const char *what) {
    for (size_t i = 0; i < d->capacity; i++) d->answer[i] = NAN;
    allocator_forbid(what);
}

static void end(const Scratch *d, const char *what, zvStatus status, int count) {
    allocator_forbid(NULL);
    int bad = 0;
    for (int i = 0; i < count; i++) bad += !isfinite(d->answer[i]);
    if (status == ZV_OK && bad == 0) return;
    fprintf(stderr, "%s: %s, %d of %d numbers are not finite\n", what, zv_status_name(status), bad, count);
    failures++;
}

/* CALL(text of the answer's length, a call that is an expression of type zvStatus) */
#define CALL(d, count, call)           \
    do {                               \
        begin(d, #call);               \
        zvStatus status_ = (call);     \
        end(d, #call, status_, count); \
    } while (0)
#define VOID(call) ((call), ZV_OK)

static void coordinates(Scratch *d) {
    const zvModel *m = d->model;
    double *x = d->answer;
    CALL(d, d->nq, VOID(zv_neutral(m, x)));
    zv_neutral(m, d->q);
    CALL(d, d->nq, VOID(zv_position_add(m, d->q, d->v, x)));
    zv_position_add(m, d->q, d->v, x);
    for (int i = 0; i < d->nq; i++) d->q[i] = x[i];
    CALL(d, 1, VOID(x[0] = zv_position_normalize(m, d->q)));
}

static void kinematics_of_frame(Scratch *d, int frame, zvAxes axes) {
    const zvModel *m = d->model;
    zvWork *w = d->work;
    double *x = d->answer;
    CALL(d, 6, VOID(zv_frame_velocity(m, w, d->q, d->v, frame, axes, x)));
    CALL(d, 6, VOID(zv_frame_acceleration(m, w, d->q, d->v, d->a, frame, axes, x)));
    CALL(d, 6 * d->nv, VOID(zv_frame_jacobian(m, w, d->q, frame, axes, x)));
    CALL(d, 6, VOID(zv_frame_bias(m, w, d->q, d->v, frame, axes, x)));
    CALL(d, 6 * d->nv, zv_frame_jacobian_rate(m, w, d->q, d->v, frame, axes, x));
}

static void kinematics(Scratch *d) {
    const zvModel *m = d->model;
    zvWork *w = d->work;
    double *x = d->answer;
    zvPose pose;
    CALL(d, 1, (zv_link_poses(m, w, d->q, d->poses), x[0] = d->poses[d->nlink - 1].p[0], ZV_OK));
    CALL(d, 1, (zv_body_poses(m, w, d->q, d->poses), x[0] = d->poses[zv_model_nbody(m) - 1].p[0], ZV_OK));
    CALL(d, 6 * d->nv, VOID(zv_centroidal_map(m, w, d->q, x, NULL)));
    CALL(d, 6, zv_centroidal_bias(m, w, d->q, d->v, x));
    for (int frame = 0; frame < d->nframe; frame++) {
        CALL(d, 1, (zv_frame_pose(m, w, d->q, frame, &pose), x[0] = pose.p[0] + pose.R[8], ZV_OK));
        kinematics_of_frame(d, frame, ZV_AXES_WORLD);
        kinematics_of_frame(d, frame, ZV_AXES_LOCAL);
    }
    CALL(d, 3, VOID(zv_center_of_mass(m, w, d->q, x)));
    CALL(d, 9, VOID(zv_momentum(m, w, d->q, d->v, x, x + 6)));
    CALL(d, 2, VOID(zv_energy(m, w, d->q, d->v, x, x + 1)));
}

static void inverse_and_mixed(Scratch *d) {
    const zvModel *m = d->model;
    zvWork *w = d->work;
    double *x = d->answer;
    const double wrench[6] = {1, 2, 3, 0.1, 0.2, 0.3};
    int nv = d->nv;
    CALL(d, 0, VOID(zv_add_wrench(m, w, d->q, d->nframe - 1, wrench, d->fext)));
    CALL(d, nv, VOID(zv_inverse_dynamics(m, w, d->q, d->v, d->a, d->fext, x)));
    CALL(d, nv, VOID(zv_inverse_dynamics(m, w, d->q, d->v, d->a, NULL, x)));
    CALL(d, 6 * d->njoint, VOID(zv_joint_reactions(m, w, d->q, d->v, d->a, d->fext, x)));
    CALL(d, nv, zv_forward_dynamics(m, w, d->q, d->v, d->tau, d->fext, x));
    CALL(d, 0, zv_mixed_dynamics(m, w, d->q, d->v, d->given, d->fext, d->tau, d->a));
}

static void matrices(Scratch *d) {
    const zvModel *m = d->model;
    zvWork *w = d->work;
    double *x = d->answer;
    int nv = d->nv;
    CALL(d, nv * nv, VOID(zv_mass_matrix(m, w, d->q, x)));
    CALL(d, nv * nv, VOID(zv_coriolis_matrix(m, w, d->q, d->v, x)));
    CALL(d, nv, VOID(zv_bias(m, w, d->q, d->v, x)));
    CALL(d, nv, VOID(zv_gravity_force(m, w, d->q, x)));
    CALL(d, nv, VOID(zv_mass_times(m, w, d->q, d->a, x)));
    CALL(d, nv, zv_mass_inverse_times(m, w, d->q, d->a, x));
    for (int i = 0; i < nv; i++) d->extra[i] = 0.1 * i;
    CALL(d, nv, zv_augmented_inverse_times(m, w, d->q, d->extra, d->a, x));
    CALL(d, nv * nv, zv_mass_inverse(m, w, d->q, x));
}

static void derivatives(Scratch *d) {
    const zvModel *m = d->model;
    zvWork *w = d->work;
    double *x = d->answer;
    int n = d->nv * d->nv;
    CALL(d, n, zv_inverse_derivatives(m, w, d->q, d->v, d->a, d->fext, x, NULL, NULL));
    CALL(d, n, zv_inverse_derivatives(m, w, d->q, d->v, d->a, NULL, NULL, x, NULL));
    CALL(d, n, zv_inverse_derivatives(m, w, d->q, d->v, d->a, d->fext, NULL, NULL, x));
    CALL(d, n, zv_forward_derivatives(m, w, d->q, d->v, d->tau, d->fext, NULL, x, NULL, NULL));
    CALL(d, n, zv_forward_derivatives(m, w, d->q, d->v, d->tau, d->fext, NULL, NULL, x, NULL));
    CALL(d, n, zv_forward_derivatives(m, w, d->q, d->v, d->tau, d->fext, NULL, NULL, NULL, x));
}

static void tasks(Scratch *d) {
    const zvModel *m = d->model;
    zvTaskWork *w = d->tasks;
    const zvTask task = {d->nframe - 1, ZV_AXES_LOCAL, ZV_TASK_POSITION | ZV_TASK_RZ};
    const double xd[4] = {0.1, 0.2, 0.3, 0.4};
    double *x = d->answer;
    int nv = d->nv;
    zvTaskDynamics now;
    zvPose target;
    CALL(d, 1, (x[0] = zv_task_width(&task), ZV_OK));
    zvStatus status = ZV_OK;
    CALL(d, 1, (status = zv_task_dynamics(m, w, d->q, d->v, &task, &now), x[0] = now.Lambda[0] + now.mu[3], status));
    CALL(d, 4 * nv, VOID(zv_task_jacobian(m, w, d->q, &task, x)));
    CALL(d, 4 * nv, zv_task_inverse(m, w, d->q, &task, x));
    CALL(d, nv, zv_task_null_force(m, w, d->q, &task, d->tau, x));
    CALL(d, nv * nv, zv_task_null_projector(m, w, d->q, &task, x));
    CALL(d, nv, zv_task_force(m, w, d->q, d->v, &task, xd, d->tau, x));
    CALL(d, 2 * nv, zv_task_resolve(m, w, d->q, &task, NULL, xd, xd, x, x + nv));
    zv_frame_pose(m, d->work, d->q, task.frame, &target);
    target.p[0] += 0.1;
    CALL(d, 6, VOID(zv_pose_error(&target, &target, x)));
    double gap = 0;
    CALL(d, 1, (status = zv_inverse_kinematics(m, w, &task, &target, NULL, d->q, &gap), x[0] = gap, status));
}

/* Every row that is defined for the model. */
static void tables(Scratch *d) {
    for (int question = 0; question < ZV_QUESTIONS; question++) {
        size_t count;
        const zvMethod *rows = zv_methods((zvQuestion)question, &count);
        const double *x = question == ZV_QUESTION_FORWARD ? d->tau : d->a;
        for (size_t i = 0; i < count; i++) {
            if (!zv_domain_holds(rows[i].domain, d->model)) continue;
            const double *fext = rows[i].domain & ZV_DOMAIN_UNLOADED ? NULL : d->fext;
            begin(d, rows[i].name);
            const zvStatus status = rows[i].run(d->model, d->work, d->q, d->v, x, fext, d->answer);
            end(d, rows[i].name, status, (int)zv_answer_size((zvQuestion)question, d->model));
        }
    }
}

/* A copy and a workspace in memory that is there already, and a payload. */
static void payload(Scratch *d) {
    zvError error;
    zvModel *copy = NULL;
    zvWork *work = NULL;
    const size_t copy_size = zv_model_copy_size(d->model), work_size = zv_work_size(d->model);
    void *copy_memory = aligned_alloc(ZV_ALIGNMENT, copy_size);
    void *work_memory = aligned_alloc(ZV_ALIGNMENT, work_size);
    CALL(d, 0, zv_model_copy_init(copy_memory, copy_size, d->model, &copy, &error));
    CALL(d, 0, zv_work_init(work_memory, work_size, copy, &work, &error));
    for (int link = 0; link < d->nlink; link++) {
        zvInertia inertia = zv_model_link_inertia(copy, link);
        inertia.mass += 1;
        CALL(d, 0, zv_model_set_link_inertia(copy, link, &inertia));
    }
    CALL(d, d->nv, VOID(zv_inverse_dynamics(copy, work, d->q, d->v, d->a, NULL, d->answer)));
    free(copy_memory);
    free(work_memory);
}

static void free_scratch(Scratch *d) {
    zv_work_destroy(d->work);
    zv_task_work_destroy(d->tasks);
    zv_model_destroy(d->model);
    double *arrays[] = {d->q, d->v, d->a, d->tau, d->fext, d->extra, d->answer};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(d->poses);
    free(d->given);
}

/* Some rows of the tables are not defined where a mimic joint is coupled: they run on the robot without coupling. */
int main(void) {
    Scratch d = make_scratch(true), uncoupled = make_scratch(false);
    coordinates(&uncoupled);
    tables(&uncoupled);
    free_scratch(&uncoupled);
    coordinates(&d);
    kinematics(&d);
    inverse_and_mixed(&d);
    matrices(&d);
    derivatives(&d);
    tables(&d);
    tasks(&d);
    payload(&d);
    printf("nv %d, bodies %d: %s\n", d.nv, d.nbody, failures ? "FAILED" : "nobody allocates");
    free_scratch(&d);
    if (allocator_outstanding() > 1) fprintf(stderr, "%ld blocks are not given back\n", allocator_outstanding());
    return failures != 0;
}
