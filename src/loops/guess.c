/* Random positions and comparison of positions. */
#include "loops/guess.h"

#include <math.h>
#include <string.h>

#include "zveno/dynamics.h"

static const double pi = 3.14159265358979323846;

/* splitmix64 */
double zi_guess_next(ziGuess *g) {
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

/* A point of the unit ball in four dimensions, scaled: every rotation is as likely. */
static void guess_quaternion(ziGuess *g, double e[4]) {
    double square;
    do {
        square = 0;
        for (int k = 0; k < 4; k++) {
            e[k] = zi_guess_next(g);
            square += e[k] * e[k];
        }
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 4; k++) e[k] /= sqrt(square);
}

static bool turning(zvJointType type, int k) { return zv_joint_type_v_unit(type, k, ZV_QUANTITY_POSITION)[0] == 'r'; }

static double guess_coordinate(ziGuess *g, const zvJoint *joint, int k, double size) {
    const zvDof *dof = &joint->dof[k];
    const double x = zi_guess_next(g);
    if (dof->has_limits && isfinite(dof->upper - dof->lower))
        return 0.5 * (dof->lower + dof->upper) + 0.5 * x * (dof->upper - dof->lower);
    return x * (turning(joint->type, k) ? pi : size);
}

static void guess_joint(ziGuess *g, const zvJoint *joint, double size, double *q) {
    const bool flies = joint->type == ZV_JOINT_FREE;
    if (joint->type == ZV_JOINT_SPHERICAL || flies) guess_quaternion(g, q + (flies ? 3 : 0));
    const int plain = joint->type == ZV_JOINT_SPHERICAL ? 0 : flies ? 3 : zv_joint_type_nq(joint->type);
    for (int k = 0; k < plain; k++) q[k] = guess_coordinate(g, joint, k, size);
}

static bool beyond(const zvModel *m, int link, int ancestor) {
    while (link > ancestor) link = m->joint_places[zv_model_link_joint(m, link)].parent; /* parents come first */
    return link == ancestor;
}

bool zi_joint_carries(const zvModel *m, int joint) {
    const int moved = m->joint_places[joint].child;
    if (m->joints[joint].type != ZV_JOINT_FREE) return false;
    for (int i = 0; i < m->nloop; i++) {
        const zvLoopPlace place = m->loop_places[i];
        if (m->loops[i].kind == ZV_LOOP_COUPLING) continue; /* none is of free joints */
        if (beyond(m, place.parent, moved) != beyond(m, place.child, moved)) return false;
    }
    return true;
}

void zi_guess_position(ziGuess *g, const zvModel *m, double size, const unsigned char *held, double *q) {
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        double fresh[7];
        bool stays = false;
        if (place.nq == 0 || zi_joint_carries(m, j)) continue;
        guess_joint(g, &m->joints[j], size, fresh);
        for (int k = 0; held && k < place.nv; k++) stays = stays || held[place.v_index + k];
        if (stays && place.nq == place.nv) { /* the others of its freedoms are their own */
            for (int k = 0; k < place.nq; k++)
                if (!held[place.v_index + k]) q[place.q_index + k] = fresh[k];
        } else if (!stays) {
            memcpy(q + place.q_index, fresh, (size_t)place.nq * sizeof *q);
        }
    }
}

void zi_guess_step(ziGuess *g, const zvModel *m, const unsigned char *given, const double *unit, double most,
                   double *step) {
    for (int i = 0; i < m->nv; i++) {
        const double x = zi_guess_next(g);
        step[i] = given && given[i] != ZV_GIVEN_FORCE ? 0 : most * unit[i] * x;
    }
}

/* Whether whole turns of the joint's coordinate k lead back to the same place, for all that follow it. */
static bool cyclic(const zvModel *m, int joint, int k) {
    const zvJointType type = m->joints[joint].type;
    if (type == ZV_JOINT_HELICAL || !turning(type, k)) return false;
    for (int j = 0; j < m->njoint; j++) {
        if (m->joint_places[j].mimic == joint) return false;
    }
    return true;
}

static bool same_joint(const zvModel *m, int j, const double *a, const double *b, double near) {
    const zvJointType type = m->joints[j].type;
    const int quaternion = type == ZV_JOINT_SPHERICAL ? 0 : type == ZV_JOINT_FREE ? 3 : -1, nq = m->joint_places[j].nq;
    double same = 0, opposite = 0;
    for (int k = 0; k < nq; k++) {
        double by = fabs(a[k] - b[k]);
        if (quaternion >= 0 && k >= quaternion) {
            same = fmax(same, by);
            opposite = fmax(opposite, fabs(a[k] + b[k]));
            continue;
        }
        if (cyclic(m, j, k)) by = fabs(remainder(a[k] - b[k], 2 * pi));
        if (!(by <= near)) return false;
    }
    return fmin(same, opposite) <= near;
}

bool zi_same_position(const zvModel *m, const double *a, const double *b, double near) {
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        if (place.nq > 0 && !same_joint(m, j, a + place.q_index, b + place.q_index, near)) return false;
    }
    for (int i = 0; i < m->nlink; i++) {
        const zvElasticPlace place = zv_model_elastic_place(m, i);
        for (int k = place.q_index; k < place.q_index + place.count; k++)
            if (!(fabs(a[k] - b[k]) <= near)) return false;
    }
    return true;
}
