/* Questions of kinematics.h and of coordinates (model.h). */
#include <stdlib.h>
#include <string.h>

#include "ask.h"

/* Twelve numbers of a pose become the sixteen of a homogeneous matrix, in place: the last of count goes first. */
#define WIDEN(name, number)                                       \
    static void name(number *x, size_t count) {                   \
        while (count-- > 0) {                                     \
            number *to = x + 16 * count, pose[12];                \
            memcpy(pose, x + 12 * count, sizeof pose);            \
            for (int i = 0; i < 3; i++) {                         \
                memcpy(to + 4 * i, pose + 3 * i, 3 * sizeof *to); \
                to[4 * i + 3] = pose[9 + i];                      \
                to[12 + i] = 0;                                   \
            }                                                     \
            to[15] = 1;                                           \
        }                                                         \
    }
WIDEN(widen, double)
WIDEN(widen_single, float)

/* The other way for one pose that a caller gives. */
static zvPose pose_of(const double *x) {
    zvPose pose;
    for (int i = 0; i < 3; i++) {
        memcpy(pose.R + 3 * i, x + 4 * i, 3 * sizeof *x);
        pose.p[i] = x[4 * i + 3];
    }
    return pose;
}

static zvStatus link_poses(Call *c) {
    zv_link_poses(c->model, c->work, IN(0), (zvPose *)OUT(0));
    widen(OUT(0), (size_t)zv_model_nlink(c->model));
    return ZV_OK;
}
QUESTION(link_poses, "q:q -> poses:L", link_poses, "Poses of all links in the world, homogeneous matrices (m).")

static zvStatus body_poses(Call *c) {
    zv_body_poses(c->model, c->work, IN(0), (zvPose *)OUT(0));
    widen(OUT(0), (size_t)zv_model_nbody(c->model));
    return ZV_OK;
}
QUESTION(body_poses, "q:q -> poses:B", body_poses,
         "Poses of all bodies in the world, homogeneous matrices (m): of the ground, then of the link that each body's "
         "joint moves. Links welded together are one body.")

static zvStatus link_jacobians(Call *c) {
    zv_link_jacobians(c->model, c->work, IN(0), c->axes, OUT(0));
    return ZV_OK;
}
QUESTION(link_jacobians, "q:q axes=world:A -> J:U", link_jacobians, "Jacobians of all links, in one sweep.")

static zvStatus link_motions(Call *c) {
    zv_link_motions(c->model, c->work, IN(0), IN(1), (zvPose *)OUT(0), OUT(1));
    widen(OUT(0), (size_t)zv_model_nlink(c->model));
    return ZV_OK;
}
QUESTION(
    link_motions, "q:q v?:v -> poses:L velocities:W", link_motions,
    "Poses of all links and velocities of their origins (linear m/s, then angular rad/s), world axes, in one sweep.")

static zvStatus frame_pose(Call *c) {
    zvPose pose;
    zv_frame_pose(c->model, c->work, IN(0), c->frame, &pose);
    memcpy(OUT(0), &pose, sizeof pose);
    widen(OUT(0), 1);
    return ZV_OK;
}
static zvStatus frame_poses(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    const zvStatus done = zv_batch_pose(batch, c->frame, count, c->in[0], c->out[0]);
    widen(c->out[0], count);
    return done;
}
static zvStatus frame_poses_single(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    const zvStatus done = zv_batch_pose_single(batch, c->frame, count, c->in[0], c->out[0]);
    widen_single(c->out[0], count);
    return done;
}
QUESTION_OF(frame_pose, "q:q frame:F -> pose:H", frame_pose, frame_poses, frame_poses_single, ZV_QUESTIONS,
            "Pose of a frame (name, number or Frame) in the world, a homogeneous matrix (m).")

static zvStatus frame_velocity(Call *c) {
    zv_frame_velocity(c->model, c->work, IN(0), IN(1), c->frame, c->axes, OUT(0));
    return ZV_OK;
}
QUESTION(frame_velocity, "q:q v:v frame:F axes=world:A -> velocity:6", frame_velocity,
         "Velocity of a frame's origin (m/s) and angular velocity (rad/s), along the axes of the world or its own.")

static zvStatus frame_acceleration(Call *c) {
    zv_frame_acceleration(c->model, c->work, IN(0), IN(1), IN(2), c->frame, c->axes, OUT(0));
    return ZV_OK;
}
QUESTION(frame_acceleration, "q:q v:v a:v frame:F axes=world:A -> acceleration:6", frame_acceleration,
         "Classical acceleration of a frame's origin (m/s^2) and angular acceleration (rad/s^2), without gravity.")

static zvStatus frame_jacobian(Call *c) {
    zv_frame_jacobian(c->model, c->work, IN(0), c->frame, c->axes, OUT(0));
    return ZV_OK;
}
static zvStatus frame_jacobians(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_jacobian(batch, c->frame, c->axes, count, c->in[0], c->out[0]);
}
static zvStatus frame_jacobians_single(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_jacobian_single(batch, c->frame, c->axes, count, c->in[0], c->out[0]);
}
QUESTION_OF(frame_jacobian, "q:q frame:F axes=world:A -> J:J", frame_jacobian, frame_jacobians, frame_jacobians_single,
            ZV_QUESTIONS, "Jacobian of a frame: its velocity is J v; linear rows first.")

static zvStatus frame_jacobian_rate(Call *c) {
    return zv_frame_jacobian_rate(c->model, c->work, IN(0), IN(1), c->frame, c->axes, OUT(0));
}
QUESTION(frame_jacobian_rate, "q:q v:v frame:F axes=world:A -> rate:J", frame_jacobian_rate,
         "dJ/dt of a frame at the velocities v, in the same axes. Not for frames carried by elastic links.")

static zvStatus frame_bias(Call *c) {
    zv_frame_bias(c->model, c->work, IN(0), IN(1), c->frame, c->axes, OUT(0));
    return ZV_OK;
}
QUESTION(frame_bias, "q:q v:v frame:F axes=world:A -> bias:6", frame_bias,
         "The part of a frame's acceleration that does not contain a: in world axes dJ/dt v.")

static zvStatus frame_deviation(Call *c) {
    zv_frame_deviation(c->model, c->work, IN(0), c->frame, OUT(0));
    return ZV_OK;
}
QUESTION(frame_deviation, "q:q frame:F -> deviation:3", frame_deviation,
         "How far a frame is from where it would be with rigid links, world axes, m.")

static zvStatus center_of_mass(Call *c) {
    zv_center_of_mass(c->model, c->work, IN(0), OUT(0));
    return ZV_OK;
}
QUESTION(center_of_mass, "q:q -> c:3", center_of_mass, "Centre of mass of the moving bodies, world axes, m.")

static zvStatus momentum(Call *c) {
    zv_momentum(c->model, c->work, IN(0), IN(1), OUT(0), OUT(1));
    return ZV_OK;
}
QUESTION(
    momentum, "q:q v:v -> h:6 c:3", momentum,
    "Linear momentum (N s) and angular momentum about the centre of mass (N m s), world axes; and that centre (m).")

static zvStatus centroidal_map(Call *c) {
    zv_centroidal_map(c->model, c->work, IN(0), OUT(0), OUT(1));
    return ZV_OK;
}
QUESTION(centroidal_map, "q:q -> A:J c:3", centroidal_map,
         "Centroidal momentum matrix: the momentum h is A v; and the centre of mass (m).")

static zvStatus centroidal_bias(Call *c) { return zv_centroidal_bias(c->model, c->work, IN(0), IN(1), OUT(0)); }
QUESTION(centroidal_bias, "q:q v:v -> bias:6", centroidal_bias,
         "dA/dt v: the rate of momentum is A a + bias. Not for elastic links.")

static zvStatus energy(Call *c) {
    zv_energy(c->model, c->work, IN(0), IN(1), OUT(0), OUT(1));
    return ZV_OK;
}
QUESTION(energy, "q:q v?:v -> kinetic:s potential:s", energy,
         "Kinetic energy (armature included) and potential energy of gravity of the moving bodies, J.")

static zvStatus strain_energy(Call *c) {
    *OUT(0) = zv_strain_energy(c->model, IN(0));
    return ZV_OK;
}
QUESTION(strain_energy, "q:q -> energy:s", strain_energy, "Energy stored in elastic links, J.")

static zvStatus elastic_turn(Call *c) {
    int link;
    *OUT(0) = zv_elastic_turn(c->model, IN(0), &link);
    *OUT(1) = link;
    return ZV_OK;
}
QUESTION(
    elastic_turn, "q:q -> angle:s link:s", elastic_turn,
    "The largest angle, rad, by which elastic coordinates turn a section that carries something, and the number of its "
    "link (-1: none). Beyond 2 pi answers are wrong.")

static zvStatus position_add(Call *c) {
    zv_position_add(c->model, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(
    position_add, "q:q v:v -> q_moved:q", position_add,
    "q moved with the constant velocity v for unit time; for a step of time pass v times its length. Quaternions turn "
    "exactly.")

static zvStatus position_rate(Call *c) {
    zv_position_rate(c->model, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(position_rate, "q:q v:v -> dq:q", position_rate, "dq/dt of a position that moves with v.")

static zvStatus position_normalize(Call *c) {
    memcpy(OUT(0), IN(0), (size_t)zv_model_nq(c->model) * sizeof(double));
    *OUT(1) = zv_position_normalize(c->model, OUT(0));
    return ZV_OK;
}
QUESTION(position_normalize, "q:q -> q_unit:q error:s", position_normalize,
         "q with quaternions of unit length, and the largest | |quaternion| - 1 | that was found.")

static zvStatus neutral(Call *c) {
    zv_neutral(c->model, OUT(0));
    return ZV_OK;
}
QUESTION(neutral, "-> q:q", neutral, "The neutral position: zeros and unit quaternions.")

static zvStatus pose_error(Call *c) {
    const zvPose wanted = pose_of(IN(0)), actual = pose_of(IN(1));
    zv_pose_error(&wanted, &actual, OUT(0));
    return ZV_OK;
}
QUESTION(pose_error, "wanted:H actual:H -> error:6", pose_error,
         "Displacement (m) and rotation vector (rad) that lead from the actual pose to the wanted one, world axes.")

const AskEntry zp_kinematics[] = {ENTRY(link_poses),
                                  ENTRY(body_poses),
                                  ENTRY(link_jacobians),
                                  ENTRY(link_motions),
                                  ENTRY(frame_pose),
                                  ENTRY(frame_velocity),
                                  ENTRY(frame_acceleration),
                                  ENTRY(frame_jacobian),
                                  ENTRY(frame_jacobian_rate),
                                  ENTRY(frame_bias),
                                  ENTRY(frame_deviation),
                                  ENTRY(center_of_mass),
                                  ENTRY(momentum),
                                  ENTRY(centroidal_map),
                                  ENTRY(centroidal_bias),
                                  ENTRY(energy),
                                  ENTRY(strain_energy),
                                  ENTRY(elastic_turn),
                                  ENTRY(position_add),
                                  ENTRY(position_rate),
                                  ENTRY(position_normalize),
                                  ENTRY(neutral),
                                  ENTRY(pose_error),
                                  {NULL, NULL}};
