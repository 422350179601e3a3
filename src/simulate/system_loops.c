/* Closed loops of a scenario. Accelerations obey them, so positions and velocities leave them only by the error of the
 * steps. One-step methods take it back after each step. Multistep methods keep a history that a projection would spoil:
 * there y = (q, v) is drawn to the nearest closed state, and what is looked at is closed:
 *   dy/dt = f(t, closed y) + pull (closed y - y)
 * Methods that choose their steps take the rates of the closed state: of one that is not quite closed they are
 * wild near a singular position, and a control of errors that sees it goes there with ever smaller steps. */
#include <math.h>
#include <string.h>

#include "actuate/element.h"
#include "model/tree.h"
#include "simulate/system.h"

/* Pivots of directions in which a state near a singular position is not closed. */
static const double WEAK = 1e-4;
enum { FRESH_GUESSES = 8 }; /* before a position is called out of reach */

/* The pull that no one has given is that of the machine's own time, or a small or swift one would leave its loops
 * faster than it is drawn back: at rest that of gravity over its size, in motion the rates of its joints. What sinks or
 * sails with a free joint, and elastic vibration, do not count. */
static void follow_motion(ziSystem *s) {
    const double size = s->model->tree.closed->size;
    double g[3];
    zv_model_gravity(s->model, g);
    s->pull = fmax(s->pull, sqrt(sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / size));
    for (int j = 0; j < zv_model_njoint(s->model); j++) {
        const zvJointType type = zv_model_joint(s->model, j)->type;
        const int first = zv_model_joint_place(s->model, j).v_index;
        for (int k = 0; first >= 0 && k < zv_joint_type_nv(type); k++) {
            const bool slides = strcmp(zv_joint_type_v_unit(type, k, ZV_QUANTITY_VELOCITY), "m/s") == 0;
            s->swiftness[first + k] = !slides ? 1 : type == ZV_JOINT_FREE ? 0 : 1 / size;
        }
    }
}

/* Near the largest of all rates, and smooth: multistep methods look at its derivatives. */
static double pull(const ziSystem *s) {
    double sum = s->pull * s->pull * s->pull * s->pull;
    for (int i = 0; i < s->nv; i++) {
        const double rate = s->swiftness[i] * s->v[i];
        sum += rate * rate * rate * rate;
    }
    return sqrt(sqrt(sum));
}

void zi_system_choose_care(ziSystem *s) {
    const char *name = s->scenario->integration.method;
    const zvIntegrationMethod *method = name ? zv_integration_method_find(name) : NULL;
    const bool history = method && method->family == ZV_FAMILY_MULTISTEP;
    /* what closes the loops of stages by bending stiff links costs more steps than it saves */
    const bool stages = method && method->family == ZV_FAMILY_RUNGE_KUTTA && zv_model_nelastic(s->model) == 0;
    s->careful = s->closes && (history || stages);
    s->pull = s->closes && history ? s->scenario->feedback : 0;
    if (s->pull > 0 && !s->scenario->feedback_given) follow_motion(s);
}

zvStatus zi_system_close(ziSystem *s, double t, double *q, double *v) {
    if (!s->closes) return ZV_OK;
    zi_drives_lock(s->drives, s->efforts, s->modes, s->locked);
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, t));
    zvClosing closing = zv_efforts_closing(s->efforts);
    closing.floor = WEAK;
    const zvStatus status = zv_close_position(s->model, s->work, &closing, s->locked, q, NULL);
    return status < 0 ? status : zv_close_velocity(s->model, s->work, &closing, q, s->locked, v, NULL);
}

zvStatus zi_system_project(ziSystem *s, double t, double *y) {
    zv_position_normalize(s->model, y);
    if (!s->closes) return ZV_OK;
    zi_system_impose(s, t, y, y + s->at_v);
    return zi_system_close(s, t, y, y + s->at_v);
}

void zi_system_draw(const ziSystem *s, const double *y, double *dy) {
    const double alpha = pull(s);
    for (int i = 0; i < s->nq; i++) dy[i] += alpha * (s->q[i] - y[i]);
    for (int i = 0; i < s->nv; i++) dy[s->at_v + i] += alpha * (s->v[i] - y[s->at_v + i]);
}

bool zi_system_is_stuck(ziSystem *s, double t, const double *y, zvError *why) {
    zvAssembly options = zv_assembly_default();
    if (!s->closes) return false;
    options.restarts = FRESH_GUESSES;
    options.held = s->locked;
    zi_system_copy(s, t, y);
    zv_position_normalize(s->model, s->q);
    zi_system_impose(s, t, s->q, s->v);
    zi_drives_lock(s->drives, s->efforts, s->modes, s->locked);
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, t));
    const zvClosing closing = zv_efforts_closing(s->efforts);
    return zv_assemble(s->model, s->work, &closing, &options, s->q, why) == ZV_CLOSURE;
}

void zi_system_look_at_loops(ziSystem *s) {
    double gap, rate;
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, s->t));
    const zvClosing closing = zv_efforts_closing(s->efforts);
    zv_loop_residual(s->model, s->work, &closing, s->q, s->v, -1, &gap, &rate);
    s->worst_gap = fmax(s->worst_gap, gap);
    s->worst_rate = fmax(s->worst_rate, rate);
}
