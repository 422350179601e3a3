/* Damping of the modes that elastic links have together, against modes found by another solver (LAPACK, zveno/modes.h).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/actuate.h"
#include "zveno/builder.h"
#include "zveno/modes.h"
#include "zveno/read.h"

enum { PIECES = 4, MOST = 64 };

/* A cantilever of 4 m cut into four links of 1 m with two shapes each, on a joint that turns. */
static zvModel *cut_beam(void) {
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "zveno: 1\ngravity: [0, 0, 0]\nlinks:\n  - {name: ground}\n");
    for (int i = 0; i < PIECES; i++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "  - {name: piece%d, beam: {length: 1, EI: 400, rhoA: 2, shapes: cubic, modes: {y: 2}}}\n", i);
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "joints:\n  - {name: hinge, type: revolute, parent: ground, child: piece0}\n");
    for (int i = 1; i < PIECES; i++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "  - {name: fix%d, type: fixed, parent: piece%d, child: piece%d, origin: {xyz: [1, 0, 0]}}\n", i, i - 1, i);
    zvModel *model = NULL;
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(NULL);
    zvStatus status = zv_read_memory(builder, "cut.yaml", text, used, ZV_FORMAT_NATIVE, &error);
    if (status >= 0) status = zv_builder_freeze(builder, &model, &error);
    if (status < 0) fail_msg("%s\n%s", error.text, text);
    zv_builder_destroy(builder);
    return model;
}

/* In each mode of the whole beam, clamped, the force is -2 zeta omega M shape and no other; a turn of the hinge meets
 * none. */
static void ratios_of_the_whole(void **state) {
    (void)state;
    static const double first[] = {0.01, 0.03};
    const zvElasticDamping cases[] = {{.ratio = 0.01}, {.ratio = 0.005, .ratios = first, .count = 2}};
    zvModel *model = cut_beam();
    zvWork *work = zv_work_create(model, NULL);
    const int nv = zv_model_nv(model);
    assert_int_equal(nv, 1 + 2 * PIECES);
    double q[MOST] = {0}, v[MOST], Mv[MOST], shapes[MOST * MOST];
    unsigned char held[MOST] = {1};
    zvMode modes[MOST];
    int count = 0;
    zvError error = {0};
    const zvRest rest = {.q = q, .held = held};
    if (zv_modes(model, work, &rest, modes, shapes, &count, &error) < 0) skip();
    assert_int_equal(count, nv - 1);
    for (int c = 0; c < 2; c++) {
        zvDrives *drives = zv_drives_create(model, NULL);
        assert_int_equal(zv_drives_add_modal_damping(drives, "whole", &cases[c], q, &error), ZV_OK);
        zvEfforts *efforts = zv_efforts_create(drives, NULL);
        const int account = zv_drives_naccount(drives) - 1;
        for (int k = 0; k < count; k++) {
            const double ratio = k < cases[c].count ? cases[c].ratios[k] : cases[c].ratio;
            const double strength = 2 * ratio * modes[k].frequency;
            double power = 0, size = 0;
            for (int i = 0; i < nv; i++) v[i] = shapes[k * nv + i];
            zv_mass_times(model, work, q, v, Mv);
            zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, NULL);
            for (int i = 1; i < nv; i++) size = fmax(size, fabs(strength * Mv[i]));
            for (int i = 1; i < nv; i++) {
                assert_named_near("force", efforts->tau[i], -strength * Mv[i], 1e-8 * size);
                power -= strength * Mv[i] * v[i];
            }
            assert_named_near("hinge", efforts->tau[0], 0, 0);
            assert_named_near("power", efforts->power[account], power, 1e-8 * fabs(power));
        }
        memset(v, 0, sizeof v);
        v[0] = 1;
        zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, NULL);
        assert_named_near("a turn without deformation", efforts->power[account], 0, 0);
        zv_efforts_destroy(efforts);
        zv_drives_destroy(drives);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(ratios_of_the_whole)
