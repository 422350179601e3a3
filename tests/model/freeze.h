/* Steps that tests of models have in common. */
#ifndef TESTS_MODEL_FREEZE_H
#define TESTS_MODEL_FREEZE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "zveno/builder.h"

/* Frees the builder. */
static inline zvModel *freeze(zvBuilder *b) {
    zvError error = {0};
    zvModel *model = NULL;
    if (zv_builder_freeze(b, &model, &error) != ZV_OK) fail_msg("freeze refuses: %s", error.text);
    zv_builder_destroy(b);
    return model;
}

/* An elastic link of 2 m with two modes along y. */
static inline void add_beam(zvBuilder *b, const char *name) {
    zvBeam beam = zv_beam_default();
    zvLink link = zv_link_default(name);
    beam.length = 2;
    beam.EIy = beam.EIz = 200;
    beam.rhoA = 1.5;
    beam.modes[ZV_BEAM_BEND_Y] = 2;
    link.beam = &beam;
    assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
}

#endif
