/* Joint reactions by Newton and Euler link by link: what the joint above gives, less what the joints below take, plus
 * its loads, must be d(momentum)/dt less weight, for fixed joints and massless links too.
 * Tolerance: 16 x depth x eps x the uncancelled force and moment through the joint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 16 }; /* in some 19 000 trial cases the worst was 8.2 */

/* Adds the wrench of one link (world axes, about its origin) to that of another. */
static void carry(const rtCase *c, const exact *from_wrench, int from, exact *to_wrench, int to) {
    exact r[3];
    for (int k = 0; k < 3; k++) r[k] = c->ref->motion[from].p[k] - c->ref->motion[to].p[k];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        to_wrench[i] += from_wrench[i];
        to_wrench[3 + i] += from_wrench[3 + i] + r[j] * from_wrench[k] - r[k] * from_wrench[j];
    }
}

static void needed(const rtCase *c, exact *wrenches) {
    for (int l = 0; l < c->ref->nlink; l++) ref_link_force(c->ref, l, wrenches + 6 * l);
    for (int i = 0; i < 6 * c->nlink; i++) wrenches[i] -= c->fext[i];
    for (int j = c->ref->njoint - 1; j >= 0; j--) {
        zvJointPlace place = zv_model_joint_place(c->model, j);
        carry(c, wrenches + 6 * place.child, place.child, wrenches + 6 * place.parent, place.parent);
    }
}

static bool reactions_agree(rtCase *c) {
    exact *wrenches = lin_numbers(6 * c->ref->nlink);
    double *reactions = calloc((size_t)(6 * c->ref->njoint + 1), sizeof *reactions);
    assert_non_null(reactions);
    needed(c, wrenches);
    zv_joint_reactions(c->model, c->work, c->q, c->v, c->a, c->fext, reactions);
    bool good = true;
    for (int j = 0; j < c->ref->njoint && good; j++) {
        int l = zv_model_joint_place(c->model, j).child;
        exact scale[6], *want = wrenches + 6 * l;
        for (int k = 0; k < 6; k++)
            scale[k] =
                k < 3 ? c->error_scale->f[l] : c->error_scale->n[l] + c->error_scale->lever[l] * c->error_scale->f[l];
        ref_turn6(c->ref->motion[l].R, want, 1);
        good = rt_near(c, "reaction", 6, reactions + 6 * j, want, scale, ULPS);
        if (!good) fprintf(stderr, "joint %d, %s\n", j, zv_joint_type_word(zv_model_joint(c->model, j)->type));
    }
    free(wrenches);
    free(reactions);
    return good;
}

/* Many fixed joints: rows of rigid links inside one body, and on the ground. */
static void rigid(int index, rtOptions *options) {
    (void)index;
    options->types = RT_TYPE(FIXED) | RT_TYPE(REVOLUTE) | RT_TYPE(CYLINDRICAL);
}

static void random_trees(void **state) {
    (void)state;
    assert_true(rt_each(39000, 1000, 50, NULL, reactions_agree));
}

static void trees_of_rigid_parts(void **state) {
    (void)state;
    assert_true(rt_each(49300, 200, 30, rigid, reactions_agree));
}

TESTS(random_trees, trees_of_rigid_parts)
