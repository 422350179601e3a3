/* Spring-dampers between frames: oscillations in closed form, forces on random trees against the reference engine, and
 * what happens where the frames meet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "actuate/march.h"
#include "actuate/robots.h"
#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static zvError error;
static const double NOWHERE[3] = {0};

/* x'' + 2 a x' + w^2 x = 0 from x0, v0. */
static double decay(double w, double a, double x0, double v0, double t) {
    double r = sqrt(w * w - a * a);
    return exp(-a * t) * (x0 * cos(r * t) + (v0 + a * x0) / r * sin(r * t));
}

/* Two masses along x; their distance swings about the length as one mass of m1 m2/(m1 + m2), their centre goes on. */
static void two_masses(void **state) {
    (void)state;
    const double x[3] = {1, 0, 0}, m[2] = {2, 3}, k = 40, c = 1.5, length = 0.8, h = 1e-3;
    zvBuilder *b = new_robot(NOWHERE);
    add_part(b, "one", "base", ZV_JOINT_PRISMATIC, x, NOWHERE, (zvInertia){.mass = m[0], .moment = {1, 0, 0, 1, 0, 1}});
    add_part(b, "two", "base", ZV_JOINT_PRISMATIC, x, NOWHERE, (zvInertia){.mass = m[1], .moment = {1, 0, 0, 1, 0, 1}});
    zvModel *model = freeze_robot(b);
    int one = zv_model_find_frame(model, "one"), two = zv_model_find_frame(model, "two");
    for (int reversed = 0; reversed < 2; reversed++) {
        zvDrives *drives = zv_drives_create(model, &error);
        assert_int_equal(
            zv_drives_add_coupler(drives, "bond", reversed ? two : one, reversed ? one : two, k, c, length, &error),
            ZV_OK);
        double q[2] = {0.1, 1.2}, v[2] = {0.3, -0.2}, mass = m[0] * m[1] / (m[0] + m[1]), worst = 0;
        double w = sqrt(k / mass), a = c / (2 * mass), gap = q[1] - q[0] - length;
        March march = march_open(model, drives, q, v, false);
        double before = march_energy(&march);
        for (int i = 0; i < 3000; i++) {
            assert_true(march_step(&march, h, march.y));
            march.t += h;
            double distance = length + decay(w, a, gap, v[1] - v[0], march.t);
            double centre = (m[0] * (q[0] + v[0] * march.t) + m[1] * (q[1] + v[1] * march.t)) / 5;
            worst = fmax(worst, fabs(march_q(&march)[1] - march_q(&march)[0] - distance));
            worst = fmax(worst, fabs((m[0] * march_q(&march)[0] + m[1] * march_q(&march)[1]) / 5 - centre));
        }
        /* global error of the steps: (w t) (w h)^4/120 of the amplitude */
        assert_near(worst, 0, w * 3 * pow(w * h, 4) / 120);
        assert_near(march_energy(&march) - before, march_work(&march), w * 3 * pow(w * h, 4) / 12);
        assert_true(march_work(&march) < -1);
        march_close(&march);
        zv_drives_destroy(drives);
    }
    zv_model_destroy(model);
}

/* A mass in the plane on a spring without length: x and y swing apart, through the point and past it. */
static void through_the_point(void **state) {
    (void)state;
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, k = 30, c = 0.6, h = 1e-3;
    zvBuilder *b = new_robot(NOWHERE);
    add_part(b, "cart", "base", ZV_JOINT_PRISMATIC, x, NOWHERE, (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}});
    add_part(b, "top", "cart", ZV_JOINT_PRISMATIC, y, NOWHERE, (zvInertia){.mass = 1.5, .moment = {1, 0, 0, 1, 0, 1}});
    zvModel *model = freeze_robot(b);
    zvDrives *drives = zv_drives_create(model, &error);
    assert_int_equal(zv_drives_add_coupler(drives, NULL, 0, zv_model_find_frame(model, "top"), k, c, 0, &error), ZV_OK);
    assert_string_equal(zv_drives_account(drives, 0).name, "coupler");
    const double start[3][4] = {{0.5, 0, 0, 0}, {0, 0, 1, -2}, {0.4, -0.3, 1, 2}}; /* the first stays on a line */
    const double mass[2] = {2.5, 1.5};
    for (int n = 0; n < 3; n++) {
        March march = march_open(model, drives, start[n], start[n] + 2, false);
        double w = sqrt(k / 1.5), worst = 0;
        for (int i = 0; i < 2000; i++) {
            assert_true(march_step(&march, h, march.y));
            march.t += h;
            for (int s = 0; s < 2; s++) {
                double want = decay(sqrt(k / mass[s]), c / (2 * mass[s]), start[n][s], start[n][2 + s], march.t);
                worst = fmax(worst, fabs(march_q(&march)[s] - want));
            }
        }
        assert_near(worst, 0, w * 2 * pow(w * h, 4) / 120);
        march_close(&march);
    }
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* A spring with a length pushes away from the point. In it there is no force, beside it all of it, between them the
 * force is the slope of the energy. */
static void at_the_point(void **state) {
    (void)state;
    const double k = 50, length = 0.4, spots[] = {0, 1e-300, -3e-10, 4e-10, 1e-9, 2e-7, -1e-4};
    zvModel *model = block(2);
    zvDrives *drives = zv_drives_create(model, &error);
    assert_int_equal(zv_drives_add_coupler(drives, "s", 0, 1, k, 3, length, &error), ZV_OK);
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    zvWork *work = zv_work_create(model, &error);
    for (size_t i = 0; i < sizeof spots / sizeof *spots; i++) {
        double x = spots[i], still = 0, v = 0.7, energy[2], h = 0.02e-9 * length;
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, &x, &still, NULL, NULL), ZV_OK);
        double force = 2 * efforts->a[0];
        assert_true(fabs(force) <= k * length && efforts->power[0] == 0);
        if (x == 0) assert_true(force == 0);
        if (fabs(x) > 1e-5) assert_near(force, k * (x < 0 ? -length - x : length - x), 1e-7);
        for (int side = 0; side < 2; side++) {
            double beside = x + (side ? h : -h);
            zv_drives_stored(drives, work, &beside, &v, NULL, &energy[side]);
        }
        /* rounding: k length^2 eps/h; the third derivative: k length (h/1e-9 length)^2/6 */
        assert_near((energy[0] - energy[1]) / (2 * h), force, k * length * (2.3e-16 * length / h + 1e-4));
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, &x, &v, NULL, NULL), ZV_OK);
        assert_true(isfinite(efforts->a[0]) && efforts->power[0] <= 0 && efforts->power[0] >= -3 * v * v);
        assert_near((2 * efforts->a[0] - force) * v, efforts->power[0], 1e-12 + 2e-15 * k * length * v);
    }
    zv_efforts_destroy(efforts);
    zv_work_destroy(work);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* Random trees -------------------------------------------------------------------------------------------- */

typedef struct Coupler {
    int from, to;
    double stiffness, damping, length;
} Coupler;

typedef struct Worth {
    exact value, scale; /* and of its rounding */
} Worth;

/* Adds the generalised force of one spring-damper as the formulas say it, and the scale of its rounding. */
static void reckon(rtCase *c, const Coupler *s, Worth *stored, Worth *power) {
    refMotion ends[2];
    exact *J[2], r[3], rate[3], square = 0, dot = 0, reach = 0, speed = 0, size = 0;
    const int frames[2] = {s->from, s->to};
    for (int e = 0; e < 2; e++) {
        zvFrame frame = zv_model_frame(c->model, frames[e]);
        int link = zv_model_find_frame(c->model, frame.link);
        exact arm = fabsl((exact)frame.pose.p[0]) + fabsl((exact)frame.pose.p[1]) + fabsl((exact)frame.pose.p[2]);
        J[e] = lin_numbers(6 * c->nv);
        ref_frame(c->ref, frames[e], &ends[e]);
        ref_frame_jacobian(c->ref, frames[e], J[e]);
        reach += c->error_scale->reach[link] + arm;
        speed += c->error_scale->u[link] + c->error_scale->w[link] * arm;
    }
    for (int i = 0; i < 3; i++) {
        r[i] = ends[1].p[i] - ends[0].p[i];
        rate[i] = ends[1].v[i] - ends[0].v[i];
        square += r[i] * r[i];
        dot += r[i] * rate[i];
        size += rate[i] * rate[i];
    }
    exact d = sqrtl(square), fast = s->length > 0 ? dot / d : 0, turned = s->length > 0 ? reach / d : 0;
    exact pull = s->stiffness * (d - s->length) + s->damping * fast, f[3];
    for (int i = 0; i < 3; i++) f[i] = s->length > 0 ? -pull * r[i] / d : -s->stiffness * r[i] - s->damping * rate[i];
    exact off = s->stiffness * (reach + s->length) + s->damping * speed + s->damping * sqrtl(size) * turned +
                fabsl(pull) * turned;
    for (int k = 0; k < c->nv; k++) {
        for (int i = 0; i < 3; i++) {
            c->want[k] += f[i] * (J[1][i * c->nv + k] - J[0][i * c->nv + k]);
            c->scale[k] += off * (fabsl(J[1][i * c->nv + k]) + fabsl(J[0][i * c->nv + k]));
        }
    }
    stored->value = 0.5L * s->stiffness * (d - s->length) * (d - s->length);
    stored->scale = s->stiffness * fabsl(d - s->length) * (reach + s->length);
    power->value = -s->damping * (s->length > 0 ? fast * fast : size);
    power->scale = s->damping * (fabsl(fast) + sqrtl(size)) * (speed + sqrtl(size) * turned);
    free(J[0]);
    free(J[1]);
}

/* What the couplers leave to be done by the joints for a given motion, by inverse dynamics. */
static bool compare(rtCase *c, const zvDrives *drives, const Coupler *all, int count) {
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    zvStatus status = zv_drives_accelerate(drives, efforts, c->work, 0, c->q, c->v, NULL, NULL);
    double stored[2];
    bool good = status == ZV_OK;
    if (good) {
        ref_error_scale(c->ref, c->v, c->a, efforts->fext, true, c->error_scale);
        zv_drives_stored(drives, c->work, c->q, c->v, NULL, stored);
        for (int k = 0; k < c->nv; k++) {
            c->want[k] = 0;
            c->scale[k] = c->error_scale->tau[k];
        }
        for (int i = 0; good && i < count; i++) {
            Worth energy, power;
            reckon(c, &all[i], &energy, &power);
            good = rt_near(c, "stored", 1, &stored[i], &energy.value, &energy.scale, 16) &&
                   rt_near(c, "power", 1, &efforts->power[i], &power.value, &power.scale, 16);
        }
        exact *tau = lin_numbers(c->nv);
        ref_inverse(c->ref, NULL, true, tau);
        for (int k = 0; k < c->nv; k++) c->want[k] = tau[k] - c->want[k];
        free(tau);
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, efforts->fext, c->x);
        good = good && rt_near(c, "tau", c->nv, c->x, c->want, c->scale, 16);
    }
    zv_efforts_destroy(efforts);
    return good;
}

static exact apart(const rtCase *c, const Coupler *s) {
    refMotion from, to;
    ref_frame(c->ref, s->from, &from);
    ref_frame(c->ref, s->to, &to);
    return hypotl(hypotl(to.p[0] - from.p[0], to.p[1] - from.p[1]), to.p[2] - from.p[2]);
}

static bool formulas_hold(rtCase *c) {
    zvDrives *drives = zv_drives_create(c->model, &error);
    Coupler all[2];
    int count = 0, frames = zv_model_nframe(c->model);
    for (int tries = 0; tries < 20 && count < 2; tries++) {
        Coupler *s = &all[count];
        *s = (Coupler){rt_below(&c->random, frames), rt_below(&c->random, frames), rt_uniform(&c->random, 1, 100),
                       rt_uniform(&c->random, 0, 10), rt_chance(&c->random, 0.3) ? 0 : rt_uniform(&c->random, 0, 2)};
        if (zv_model_frame_body(c->model, s->from) == zv_model_frame_body(c->model, s->to)) continue;
        if (s->length > 0 && apart(c, s) < 0.01L * s->length) continue; /* at_the_point */
        if (zv_drives_add_coupler(drives, NULL, s->from, s->to, s->stiffness, s->damping, s->length, &error) == ZV_OK)
            count++;
    }
    bool good = count == 0 || compare(c, drives, all, count);
    zv_drives_destroy(drives);
    return good;
}

static void tame(int index, rtOptions *options) {
    (void)index;
    options->wild = false; /* a robot of all sizes at once has no direction of a line to speak of */
}

static void random_trees(void **state) {
    (void)state;
    assert_true(rt_each(970000, 400, 20, tame, formulas_hold));
}

TESTS(two_masses, through_the_point, at_the_point, random_trees)
