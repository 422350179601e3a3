/* Values of native files: poses (rpy, quaternion or rotation matrix) and inertias (about the centre of mass or the
 * origin of the frame). */
#include <math.h>
#include <stdio.h>

#include "read/degrees.h"
#include "read/native_parts.h"

static const double quaternion_refused = 1e-3;  /* farther than this from unit length a digit is wrong */
static const double quaternion_rounding = 1e-9; /* a deviation that is not worth a word */
/* A rotation matrix is kept as written, so it has to be one. */
static const double rotation_slack = 1e-6;

static void quaternion_to_rotation(const double u[4], double R[9]) {
    double x = u[0], y = u[1], z = u[2], w = u[3];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - z * w), R[2] = 2 * (x * z + y * w);
    R[3] = 2 * (x * y + z * w), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - x * w);
    R[6] = 2 * (x * z - y * w), R[7] = 2 * (y * z + x * w), R[8] = 1 - 2 * (x * x + y * y);
}

static zvStatus remark_quaternion(const ziReading *reading, const ziElement *owner, const ziElement *pose,
                                  double length) {
    if (fabs(length - 1) <= quaternion_rounding) return ZV_OK;
    char token[32], why[128];
    snprintf(token, sizeof token, "%.12g", length);
    snprintf(why, sizeof why, "the quaternion has length %.12g, not 1, and is scaled to unit length", length);
    const zvMark mark = zi_reading_mark(reading, zv_node_get(pose->node, "quaternion")->mark);
    const zvRemark remark = {
        ZV_SEVERITY_WARNING,         ZV_NUMBER, "quaternion-length", owner->kind, owner->name, token, why,
        "write more digits, or rpy", mark};
    return zv_builder_add_remark(reading->builder, &remark, reading->error);
}

static zvStatus read_quaternion(const ziReading *reading, const ziElement *owner, const ziElement *pose, double R[9]) {
    double u[4];
    zvStatus status = zi_element_numbers(reading, pose, "quaternion", 4, u);
    if (status < 0) return status;
    double length = hypot(hypot(u[0], u[1]), hypot(u[2], u[3]));
    if (!(fabs(length - 1) <= quaternion_refused)) {
        char reason[160];
        snprintf(reason, sizeof reason, "has length %.6g, not 1; the order is x, y, z, w: check the numbers", length);
        return zi_element_refuse(reading, pose, "quaternion", reason);
    }
    for (int i = 0; i < 4; i++) u[i] /= length;
    quaternion_to_rotation(u, R);
    return remark_quaternion(reading, owner, pose, length);
}

/* Largest entry of |R R^T - 1|. */
static double orthogonality_error(const double R[9]) {
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = R[3 * i] * R[3 * j] + R[3 * i + 1] * R[3 * j + 1] + R[3 * i + 2] * R[3 * j + 2];
            worst = fmax(worst, fabs(dot - (i == j)));
        }
    }
    return worst;
}

static double determinant(const double R[9]) {
    return R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

static zvStatus read_rotation(const ziReading *reading, const ziElement *pose, double R[9]) {
    zvStatus status = zi_element_numbers(reading, pose, "rotation", 9, R);
    if (status < 0) return status;
    double off = orthogonality_error(R);
    char reason[160];
    if (!(off <= rotation_slack)) {
        snprintf(reason, sizeof reason,
                 "is not a rotation: its rows are not orthonormal (off by %.2g); write more digits or rpy", off);
        return zi_element_refuse(reading, pose, "rotation", reason);
    }
    if (determinant(R) < 0) {
        return zi_element_refuse(reading, pose, "rotation",
                                 "is a reflection (determinant -1); the three rows must be right-handed");
    }
    return ZV_OK;
}

static zvStatus refuse_two_rotations(const ziReading *reading, const ziElement *pose) {
    static const char *const ways[] = {"rpy", "quaternion", "rotation"};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!zi_element_has(pose, ways[i])) continue;
        if (first) {
            char reason[80];
            snprintf(reason, sizeof reason, "and %s are both given; keep one of them", first);
            return zi_element_refuse(reading, pose, ways[i], reason);
        }
        first = ways[i];
    }
    return ZV_OK;
}

zvStatus zi_native_pose(const ziReading *reading, const ziElement *element, const char *key, zvPose *pose) {
    static const char *const keys[] = {"xyz", "rpy", "quaternion", "rotation"};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "%s of %s", key, element->kind);
    ziElement part;
    zvStatus status = zi_element_part(reading, element, key, kind, keys, sizeof keys / sizeof *keys, &part);
    if (status < 0 || !part.node) return status;
    if ((status = refuse_two_rotations(reading, &part)) < 0) return status;
    if ((status = zi_element_numbers(reading, &part, "xyz", 3, pose->p)) < 0) return status;
    if (zi_element_has(&part, "quaternion")) return read_quaternion(reading, element, &part, pose->R);
    if (zi_element_has(&part, "rotation")) return read_rotation(reading, &part, pose->R);
    if (!zi_element_has(&part, "rpy")) return ZV_OK;
    double rpy[3];
    if ((status = zi_element_numbers(reading, &part, "rpy", 3, rpy)) < 0) return status;
    *pose = zv_pose_from_rpy(pose->p, rpy);
    const zvMark mark = zi_reading_mark(reading, zv_node_get(part.node, "rpy")->mark);
    return zi_degrees_remark(reading->builder, element->kind, element->name, mark, rpy, reading->error);
}

/* Steiner: from the origin of the frame to the centre of mass c. */
static void move_to_com(double J[6], double m, const double c[3]) {
    J[0] -= m * (c[1] * c[1] + c[2] * c[2]);
    J[3] -= m * (c[0] * c[0] + c[2] * c[2]);
    J[5] -= m * (c[0] * c[0] + c[1] * c[1]);
    J[1] += m * c[0] * c[1];
    J[2] += m * c[0] * c[2];
    J[4] += m * c[1] * c[2];
}

zvStatus zi_native_moments(const ziReading *reading, const ziElement *element, double J[6]) {
    const zvNode *node = zv_node_get(element->node, "inertia");
    if (!node) return ZV_OK;
    if (node->kind != ZV_NODE_LIST || (node->count != 3 && node->count != 6)) {
        return zi_element_refuse(reading, element, "inertia",
                                 "must be a list of 3 numbers (xx yy zz) or 6 (xx xy xz yy yz zz)");
    }
    double given[6];
    zvStatus status = zi_element_numbers(reading, element, "inertia", node->count, given);
    if (status < 0) return status;
    if (node->count == 6) {
        for (int i = 0; i < 6; i++) J[i] = given[i];
    } else {
        J[0] = given[0], J[3] = given[1], J[5] = given[2];
        J[1] = J[2] = J[4] = 0;
    }
    return ZV_OK;
}

zvStatus zi_native_inertia(const ziReading *reading, const ziElement *element, zvLink *link) {
    static const char *const points[] = {"com", "origin"};
    zvInertia *inertia = &link->inertia;
    zvStatus status = zi_element_number(reading, element, "mass", &inertia->mass);
    if (status < 0) return status;
    if ((status = zi_element_numbers(reading, element, "com", 3, inertia->com)) < 0) return status;
    int point = 0;
    if ((status = zi_element_word(reading, element, "inertia_about", points, 2, &point)) < 0) return status;
    bool moments = zi_element_has(element, "inertia");
    if (zi_element_has(element, "inertia_about") && !moments) {
        return zi_element_refuse(reading, element, "inertia_about", "says where inertia refers to; add inertia");
    }
    if (moments) {
        if ((status = zi_native_moments(reading, element, inertia->moment)) < 0) return status;
        if (point == 1) move_to_com(inertia->moment, inertia->mass, inertia->com);
    }
    if (moments || zi_element_has(element, "mass") || zi_element_has(element, "com")) link->has_inertia = true;
    return ZV_OK;
}
