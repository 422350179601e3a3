/* What auto says of its choice: on both sides of every threshold the row, the number that decided and the limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dynamics/auto.h"
#include "support/run_tests.h"
#include "zveno/builder.h"

/* How the links of a robot hang together. */
typedef enum Shape {
    CHAIN,     /* hinges one on another, axes at right angles */
    STAR,      /* all on the ground */
    COAXIAL,   /* a chain about one axis */
    SLIDES,    /* a chain whose last joint slides */
    FLOATING,  /* a chain on a free base */
    FOLLOWED,  /* a chain with one hinge more, which follows the first */
    FOLLOW_ALL /* a chain whose hinges all follow the first */
} Shape;

static void add_link(zvBuilder *builder, Shape shape, int i, int count) {
    char child[16], parent[16], name[16];
    snprintf(child, sizeof child, "link%d", i);
    snprintf(parent, sizeof parent, "link%d", shape == STAR ? 0 : i - 1);
    snprintf(name, sizeof name, "joint%d", i);
    const bool slides = shape == SLIDES && i == count, floats = shape == FLOATING && i == 1;
    const bool follows = i > 1 && (shape == FOLLOW_ALL || (shape == FOLLOWED && i == count));
    zvLink link = zv_link_default(child);
    link.has_inertia = true;
    link.inertia.mass = link.inertia.moment[0] = link.inertia.moment[3] = link.inertia.moment[5] = 1;
    zvJoint joint = zv_joint_default(name,
                                     slides   ? ZV_JOINT_PRISMATIC
                                     : floats ? ZV_JOINT_FREE
                                              : ZV_JOINT_REVOLUTE,
                                     parent, child);
    for (int k = 0; k < 3 && shape != COAXIAL; k++) joint.axis[k] = k == 1 + i % 2;
    if (shape != COAXIAL) joint.origin.p[0] = 0.2;
    if (follows) joint.mimic = "joint1", joint.ratio = 1;
    assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &joint, NULL), ZV_OK);
}

static zvModel *robot(Shape shape, int joints) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(NULL);
    const zvLink ground = zv_link_default("link0");
    assert_int_equal(zv_builder_add_link(builder, &ground, NULL), ZV_OK);
    for (int i = 1; i <= joints; i++) add_link(builder, shape, i, joints);
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    return model;
}

typedef struct Choice {
    Shape shape;
    int joints;
    zvQuestion question;
    bool loaded;
    const char *row, *why;
} Choice;

#define COUPLED "coupled mimic joints, "
enum { ARM = 8, LDL_DOFS = 26, REDUCED_DEPTH = 32, COUPLED_DOFS = 56, SWEEPS = 256, SPACE = 2048 };

/* Written out, so that a limit that changes is seen here. */
static const Choice choices[] = {
    {CHAIN, REDUCED_DEPTH, ZV_QUESTION_MASS, false, "composite-reduced",
     "rigid links, longest path 32 bodies, at most 32"},
    {CHAIN, REDUCED_DEPTH + 1, ZV_QUESTION_MASS, false, "composite",
     "longest path 33 bodies, more than 32: columns of a subtree go together"},
    {FOLLOWED, REDUCED_DEPTH + 1, ZV_QUESTION_MASS, false, "composite",
     COUPLED "longest path 33 bodies, more than 32: columns of a subtree go together"},
    {FOLLOW_ALL, SPACE + 1, ZV_QUESTION_MASS, false, "columns",
     COUPLED "tree of 2049 coordinates, more than 2048: no space for its matrix"},
    {CHAIN, 3, ZV_QUESTION_INVERSE, false, "newton-euler-reduced",
     "rigid links, no external forces: fewest operations"},
    {CHAIN, 3, ZV_QUESTION_INVERSE, true, "newton-euler", "there are external forces"},
    /* coupling decides nothing */
    {FOLLOWED, 3, ZV_QUESTION_INVERSE, true, "newton-euler", "there are external forces"},
    {CHAIN, ARM, ZV_QUESTION_FORWARD, false, "mass-reduced-ldl",
     "an arm of 8 revolute joints, at most 8: factors take less than sweeps"},
    {CHAIN, ARM + 1, ZV_QUESTION_FORWARD, false, "articulated",
     "an arm of 9 revolute joints, more than 8: sweeps take less than factors"},
    {CHAIN, 3, ZV_QUESTION_FORWARD, true, "articulated", "there are external forces"},
    {STAR, 3, ZV_QUESTION_FORWARD, false, "articulated", "not an arm: links branch"},
    {SLIDES, 3, ZV_QUESTION_FORWARD, false, "articulated", "not an arm: not all joints are revolute"},
    {FLOATING, 3, ZV_QUESTION_FORWARD, false, "articulated", "not an arm: the base floats"},
    {COAXIAL, 3, ZV_QUESTION_FORWARD, false, "articulated", "not an arm: two neighbouring joints turn about one axis"},
    {FOLLOWED, COUPLED_DOFS + 1, ZV_QUESTION_FORWARD, false, "mass-reduced",
     COUPLED "56 coordinates, at most 56: dense factors"},
    {FOLLOWED, COUPLED_DOFS + 2, ZV_QUESTION_FORWARD, false, "articulated",
     COUPLED "57 coordinates, more than 56: sweeps and multipliers"},
    {FOLLOWED, 3, ZV_QUESTION_FORWARD, true, "articulated", COUPLED "there are external forces"},
    {FOLLOW_ALL, SPACE + 1, ZV_QUESTION_FORWARD, false, "articulated",
     COUPLED "tree of 2049 coordinates, more than 2048: sweeps and multipliers"},
    {CHAIN, LDL_DOFS, ZV_QUESTION_INVERSE_MASS, false, "mass-reduced-ldl",
     "rigid links, 26 coordinates on a path, at most 26"},
    {CHAIN, LDL_DOFS + 1, ZV_QUESTION_INVERSE_MASS, false, "articulated-subtrees",
     "rigid links, 27 coordinates on a path, more than 26: sweeps take less than factors"},
    {FOLLOWED, REDUCED_DEPTH, ZV_QUESTION_INVERSE_MASS, false, "mass-reduced",
     COUPLED "longest path 32 bodies, at most 32: dense factors"},
    {FOLLOWED, REDUCED_DEPTH + 1, ZV_QUESTION_INVERSE_MASS, false, "mass",
     COUPLED "longest path 33 bodies, more than 32: M by composite"},
    {FOLLOW_ALL, SPACE + 1, ZV_QUESTION_INVERSE_MASS, false, "columns",
     COUPLED "tree of 2049 coordinates, more than 2048: no space for its matrix"},
};

static void reasons(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const Choice *c = &choices[i];
        char why[160] = "";
        zvModel *model = robot(c->shape, c->joints);
        const zvMethod *row = zv_method_chosen(c->question, model, c->loaded, why, sizeof why);
        if (strcmp(row->name, c->row) || strcmp(why, c->why))
            fail_msg("%s of %d joints: %s, %s", zv_question_name(c->question), c->joints, row->name, why);
        zv_model_destroy(model);
    }
}

/* The numbers above are those of auto.h. */
static void limits(void **state) {
    (void)state;
    assert_int_equal(ZI_AUTO_ARM_BODIES, ARM);
    assert_int_equal(ZI_AUTO_LDL_DOFS, LDL_DOFS);
    assert_int_equal(ZI_AUTO_REDUCED_MASS_DEPTH, REDUCED_DEPTH);
    assert_int_equal(ZI_AUTO_COUPLED_DOFS, COUPLED_DOFS);
    assert_int_equal(ZI_AUTO_SWEEPS_DEPTH, SWEEPS);
    assert_int_equal(ZI_SCRATCH_MATRIX_MAX, SPACE);
}

/* Elastic links, whose number of coordinates keeps the reduced recursions out. */
static void elastic(void **state) {
    (void)state;
    const double radius[3] = {0.01};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(NULL);
    zvBeam beam = zv_beam_default();
    zv_section_fill(&beam, 2e11, 8e10, 7850, ZV_SECTION_CIRCLE, radius, false);
    beam.modes[ZV_BEAM_BEND_Y] = 2;
    zvLink ground = zv_link_default("ground"), rod = zv_link_default("rod"), tip = zv_link_default("tip");
    rod.beam = &beam;
    zvJoint swing = zv_joint_default("swing", ZV_JOINT_REVOLUTE, "ground", "rod");
    zvJoint mount = zv_joint_default("mount", ZV_JOINT_FIXED, "rod", "tip");
    mount.origin.p[0] = 1;
    assert_int_equal(zv_builder_add_link(builder, &ground, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &rod, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &tip, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &swing, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &mount, NULL), ZV_OK);
    assert_int_equal(zv_builder_freeze(builder, &model, NULL), ZV_OK);
    zv_builder_destroy(builder);
    for (int question = 0; question < ZV_QUESTIONS; question++) {
        char why[160] = "";
        zv_method_chosen((zvQuestion)question, model, false, why, sizeof why);
        assert_string_equal(why, "links are elastic, 2 coordinates");
    }
    zv_model_destroy(model);
}

TESTS(reasons, limits, elastic)
