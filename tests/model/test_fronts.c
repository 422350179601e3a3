/* Which multipliers go through which bodies: fronts, passages and the ground's skyline against sets that are found by
 * brute force, and sizes that stay small where loops are local. */
#include "closed_robot.h"
#include "support/run_tests.h"

#include <stdlib.h>

#include "model/tree.h"
#include "support/random_tree_numbers.h"
#include "support/sanitized.h"

enum { MOST_BODIES = 40, MOST_CONSTRAINTS = 60 };

/* Random robots --------------------------------------------------------------------------------------- */

static const char *name_of(char kind, int i) {
    static char names[8][16];
    static int next;
    char *name = names[next++ % 8];
    snprintf(name, 16, "%c%d", kind, i);
    return name;
}

static void add_random_coupling(zvBuilder *b, rtRandom *r, int joints, int i) {
    zvLoopTerm terms[4];
    char joint[4][16];
    int count = 1 + rt_below(r, 4), first = rt_below(r, joints), step = 1 + rt_below(r, 3);
    if (count * step > joints) count = 1;
    for (int k = 0; k < count; k++) {
        snprintf(joint[k], sizeof joint[k], "j%d", (first + k * step) % joints + 1);
        terms[k] = (zvLoopTerm){joint[k], k + 1};
    }
    add_coupling(b, name_of('k', i), count, terms);
}

/* A tree of `links` links on the base by joints of one freedom, the parent near the link or anywhere, and loops of all
 * kinds between any of them. */
static zvModel *random_robot(rtRandom *r, int links, int loops) {
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "l0");
    for (int i = 1; i <= links; i++) {
        int parent = rt_below(r, 3) ? (i > 2 ? i - 1 - rt_below(r, 2) : i - 1) : rt_below(r, i);
        add_link(b, name_of('l', i));
        add_joint(b, name_of('j', i), rt_below(r, 2) ? ZV_JOINT_REVOLUTE : ZV_JOINT_PRISMATIC, name_of('l', parent),
                  name_of('l', i));
    }
    for (int i = 0; i < loops; i++) {
        static const zvJointType types[] = {ZV_JOINT_FIXED, ZV_JOINT_REVOLUTE, ZV_JOINT_SPHERICAL, ZV_JOINT_CURVE,
                                            ZV_JOINT_PLANAR};
        int one = rt_below(r, links + 1), two = rt_below(r, links);
        if (two >= one) two++;
        if (rt_below(r, 4) == 0)
            add_random_coupling(b, r, links, i);
        else
            add_loop(b, name_of('k', i), rt_below(r, 4) ? ZV_LOOP_JOINT : ZV_LOOP_ROD, types[rt_below(r, 5)],
                     name_of('l', one), name_of('l', two));
    }
    return freeze(b);
}

/* Sets by brute force --------------------------------------------------------------------------------- */

typedef struct Sets {
    bool beyond[MOST_BODIES][MOST_BODIES]; /* [i][j]: j is i or hangs on it */
    int ancestor[MOST_CONSTRAINTS];
    bool carried[MOST_BODIES][MOST_CONSTRAINTS]; /* goes through the joint of the body */
} Sets;

/* Bodies whose subtree holds the whole constraint; a term is where its joint's parent is. */
static bool holds(const ziTree *t, const Sets *s, int body, const ziConstraint *constraint) {
    if (constraint->kind != ZV_LOOP_COUPLING)
        return s->beyond[body][constraint->a.body] && s->beyond[body][constraint->b.body];
    for (int k = 0; k < constraint->terms; k++) {
        if (!s->beyond[body][t->body[t->dof_body[constraint->term[k].v]].parent]) return false;
    }
    return true;
}

static bool touches(const ziTree *t, const Sets *s, int body, const ziConstraint *constraint) {
    if (constraint->kind != ZV_LOOP_COUPLING)
        return s->beyond[body][constraint->a.body] || s->beyond[body][constraint->b.body];
    for (int k = 0; k < constraint->terms; k++) {
        if (s->beyond[body][t->dof_body[constraint->term[k].v]]) return true;
    }
    return false;
}

static void find_sets(const ziTree *t, Sets *s) {
    memset(s, 0, sizeof *s);
    for (int j = 0; j < t->nb; j++) {
        for (int i = j; i > 0; i = t->body[i].parent) s->beyond[i][j] = true;
        s->beyond[0][j] = true;
    }
    for (int k = 0; k < t->closed->constraints; k++) {
        const ziConstraint *constraint = &t->closed->constraint[k];
        for (int i = 0; i < t->nb; i++) {
            if (holds(t, s, i, constraint)) s->ancestor[k] = i; /* the last is the deepest */
            s->carried[i][k] = i > 0 && touches(t, s, i, constraint) && !holds(t, s, i, constraint);
        }
    }
}

/* Comparison ------------------------------------------------------------------------------------------ */

/* The front holds exactly the constraints that end at `body` (if `done`), then those that it carries. */
static void expect_front(const ziTree *t, const Sets *s, int body, bool done, int front) {
    const ziClosedTree *c = t->closed;
    int at = 0, column = 0;
    const ziFront *f = front >= 0 ? &c->front[front] : NULL;
    for (int part = done ? 0 : 1; part < 2; part++) {
        for (int k = 0; k < c->constraints; k++) {
            if (part == 0 ? s->ancestor[k] != body : !s->carried[body][k]) continue;
            assert_non_null(f);
            assert_true(at < f->constraints);
            assert_int_equal(f->constraint[at], k);
            assert_int_equal(f->at[at], column);
            at++;
            column += c->constraint[k].rows;
        }
        if (part == 0 && f) assert_int_equal(f->done, column);
    }
    if (!f) return;
    assert_int_equal(f->constraints, at);
    assert_int_equal(f->at[at], column);
    assert_true(f->width % 4 == 0 && f->width >= column && f->width < column + 4);
}

static void expect_passages(const ziTree *t, const Sets *s) {
    const ziClosedTree *c = t->closed;
    for (int i = 1; i < t->nb; i++) {
        const ziPassage *p = &c->passage[i];
        int parent = t->body[i].parent;
        expect_front(t, s, i, true, p->whole);
        expect_front(t, s, i, false, p->carry);
        size_t nv = t->body[i].nv, width = p->carry >= 0 ? (size_t)c->front[p->carry].width : 0;
        assert_true(c->e_at[i + 1] - c->e_at[i] == nv * width);
        if (p->carry < 0 || parent == 0) continue;
        const ziFront *carry = &c->front[p->carry], *whole = &c->front[c->passage[parent].whole];
        assert_true(!p->to == (carry == whole));
        for (int k = 0; p->to && k < carry->constraints; k++) {
            int in = 0;
            while (whole->constraint[in] != carry->constraint[k]) assert_true(++in < whole->constraints);
            for (int j = 0; j < c->constraint[carry->constraint[k]].rows; j++)
                assert_int_equal(p->to[carry->at[k] + j], whole->at[in] + j);
        }
    }
}

/* Numbers of fronts do not overlap, and a front that several bodies share goes straight inward. */
static void expect_offsets(const ziTree *t) {
    const ziClosedTree *c = t->closed;
    size_t doubles = 0;
    for (int i = 0; i < c->fronts; i++) {
        const ziFront *f = &c->front[i];
        assert_true(f->offset == doubles);
        doubles += (size_t)f->width * (size_t)(7 + f->at[f->constraints]);
    }
    assert_true(c->front_doubles == doubles);
    for (int i = 1; i < t->nb; i++) {
        int sharing = 0;
        for (int j = 1; j < t->nb; j++) {
            if (t->body[j].parent == i && c->passage[j].carry >= 0)
                sharing += c->passage[j].carry == c->passage[i].whole;
        }
        int children = 0;
        for (int j = 1; j < t->nb; j++) children += t->body[j].parent == i && c->passage[j].carry >= 0;
        assert_true(!sharing || children == 1);
    }
}

static void expect_skyline(const ziTree *t, const Sets *s) {
    const ziClosedTree *c = t->closed;
    const ziSkyline *y = &c->ground;
    int count = 0, row = 0;
    size_t at = 0;
    for (int k = 0; k < c->constraints; k++) {
        assert_true((y->place[k] >= 0) == (s->ancestor[k] == 0));
        if (y->place[k] < 0) continue;
        assert_int_equal(y->constraint[y->place[k]], k);
        count++;
    }
    assert_int_equal(y->blocks, count);
    for (int i = 0; i < count; i++) {
        int first = i;
        for (int j = i - 1; j >= 0; j--) {
            for (int body = 1; body < t->nb; body++) {
                if (s->carried[body][y->constraint[i]] && s->carried[body][y->constraint[j]]) first = j;
            }
        }
        assert_int_equal(y->first[i], first);
        assert_int_equal(y->row[i], row);
        assert_true(y->at[i] == at);
        row += c->constraint[y->constraint[i]].rows;
        at += (size_t)c->constraint[y->constraint[i]].rows * (size_t)(row - y->row[first]);
    }
    assert_int_equal(y->row[count], row);
    assert_true(y->at[count] == at);
}

static void fronts_are_what_they_should_be(void **state) {
    (void)state;
    const uint64_t seed = 7;
    for (uint64_t k = 0; k < (SANITIZED ? 100 : 400); k++) {
        rtRandom r = {seed + k};
        int links = 3 + rt_below(&r, MOST_BODIES - 4), loops = 1 + rt_below(&r, k % 2 ? 4 : MOST_CONSTRAINTS / 2);
        zvModel *m = random_robot(&r, links, loops);
        Sets s;
        const ziTree *t = &m->tree;
        assert_true(t->closed && t->closed->constraints == loops && t->nb == links + 1);
        find_sets(t, &s);
        int row = 0;
        for (int i = 0; i < loops; i++) {
            if (t->closed->constraint[i].ancestor != s.ancestor[i])
                fail_msg("common ancestor of constraint %d, seed %d", i, (int)(seed + k));
            assert_int_equal(t->closed->constraint[i].row, row);
            row += t->closed->constraint[i].rows;
        }
        assert_true(row == t->closed->rows && row == zv_model_nloop_rows(m));
        expect_passages(t, &s);
        expect_offsets(t);
        expect_skyline(t, &s);
        zv_model_destroy(m);
    }
}

/* Sizes ----------------------------------------------------------------------------------------------- */

/* Cranks c0 ... cN on the base, couplers p1 ... pN from one to the next; loops in the order that step gives. */
static zvModel *row_of_four_bars(int count, int step) {
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "base");
    for (int i = 0; i <= count; i++) {
        add_link(b, name_of('c', i));
        add_joint(b, name_of('a', i), ZV_JOINT_REVOLUTE, "base", name_of('c', i));
    }
    for (int i = 1; i <= count; i++) {
        add_link(b, name_of('p', i));
        add_joint(b, name_of('b', i), ZV_JOINT_REVOLUTE, name_of('c', i - 1), name_of('p', i));
    }
    for (int k = 0; k < count; k++) {
        int i = (int)((long long)k * step % count) + 1;
        add_loop(b, name_of('k', i), ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, name_of('p', i), name_of('c', i));
    }
    return freeze(b);
}

/* Each bar is coupled with its two neighbours alone: 5 rows, at most 10 columns, in whatever order they are listed. */
static void row_has_a_narrow_skyline(void **state) {
    (void)state;
    enum { COUNT = 9973 }; /* a prime: every step visits all */
    static const int steps[] = {1, 4001, 77, COUNT - 1};
    for (size_t i = 0; i < (SANITIZED ? 2 : sizeof steps / sizeof *steps); i++) {
        zvModel *m = row_of_four_bars(COUNT, steps[i]);
        const ziClosedTree *c = m->tree.closed;
        assert_int_equal(c->ground.blocks, COUNT);
        assert_true(c->ground.at[COUNT] == 5 * 5 + (COUNT - 1) * (size_t)(5 * 10));
        assert_true(c->front_doubles <= COUNT * (size_t)(3 * 12 * 17));
        zv_model_destroy(m);
    }
}

/* One coupling of all cranks beside loops of their own: one full row and not a full matrix. */
static void hub_costs_one_row(void **state) {
    (void)state;
    enum { COUNT = 300 };
    zvBuilder *b = zv_builder_create(NULL);
    zvLoopTerm terms[COUNT];
    static char joints[COUNT][16];
    add_link(b, "base");
    for (int i = 0; i < COUNT; i++) {
        snprintf(joints[i], sizeof joints[i], "a%d", i);
        terms[i] = (zvLoopTerm){joints[i], 1};
        add_link(b, name_of('c', i));
        add_joint(b, joints[i], ZV_JOINT_REVOLUTE, "base", name_of('c', i));
    }
    add_coupling(b, "hub", COUNT, terms);
    for (int i = 0; i < COUNT; i++) add_loop(b, name_of('k', i), ZV_LOOP_ROD, ZV_JOINT_FIXED, "base", name_of('c', i));
    zvModel *m = freeze(b);
    assert_true(m->tree.closed->ground.at[COUNT + 1] <= (size_t)3 * (COUNT + 2));
    zv_model_destroy(m);
}

/* Each four-bar stands on the coupler of the one before: all but the first are closed on moving bodies, and no front is
 * wider than one loop. */
static void tower_has_narrow_fronts(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "p0");
    for (int i = 1; i <= COUNT; i++) {
        add_link(b, name_of('c', i));
        add_link(b, name_of('p', i));
        add_link(b, name_of('d', i));
        add_joint(b, name_of('a', i), ZV_JOINT_REVOLUTE, name_of('p', i - 1), name_of('c', i));
        add_joint(b, name_of('b', i), ZV_JOINT_REVOLUTE, name_of('c', i), name_of('p', i));
        add_joint(b, name_of('e', i), ZV_JOINT_REVOLUTE, name_of('p', i - 1), name_of('d', i));
        add_loop(b, name_of('k', i), ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, name_of('p', i), name_of('d', i));
    }
    zvModel *m = freeze(b);
    const ziClosedTree *c = m->tree.closed;
    assert_int_equal(c->ground.blocks, 1);
    for (int i = 0; i < c->fronts; i++) assert_true(c->front[i].width <= 12);
    assert_true(c->front_doubles <= COUNT * (size_t)(4 * 12 * 17));
    zv_model_destroy(m);
}

/* A ladder of so many rungs would need a front of all of them in every body. */
static void dense_loops_are_refused(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "l0");
    for (int i = 1; i <= COUNT; i++) {
        add_link(b, name_of('l', i));
        add_joint(b, name_of('j', i), ZV_JOINT_REVOLUTE, name_of('l', i - 1), name_of('l', i));
        add_loop(b, name_of('k', i), ZV_LOOP_ROD, ZV_JOINT_FIXED, "l0", name_of('l', i));
    }
    zvError error = {0};
    zvModel *m = NULL;
    assert_int_equal(zv_builder_freeze(b, &m, &error), ZV_SIZE);
    assert_null(m);
    assert_non_null(strstr(error.text, "too many closed loops"));
    zv_builder_destroy(b);
}

TESTS(fronts_are_what_they_should_be, row_has_a_narrow_skyline, hub_costs_one_row, tower_has_narrow_fronts,
      dense_loops_are_refused)
