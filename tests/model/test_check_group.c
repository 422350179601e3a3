/* Findings that repeat, and the linter's rules about the robot as a whole. */
#include "findings.h"
#include "support/run_tests.h"

enum { BASE, UPPER, LOWER, HAND };
enum { SHOULDER, ELBOW, SLIDE };

typedef struct Lines {
    int lines, places; /* of one rule */
    const char *rule;
    char first[64], others[512];
} Lines;

static bool note(void *context, const zvFinding *f) {
    Lines *l = context;
    if (strcmp(f->rule, l->rule) != 0) return true;
    if (!l->lines++) {
        snprintf(l->first, sizeof l->first, "%s", f->element);
        snprintf(l->others, sizeof l->others, "%s", f->others);
    }
    l->places += f->count;
    return true;
}

static Lines grouped(const zvBuilder *b, const char *rule) {
    Lines l = {.rule = rule};
    assert_int_equal(zv_check_grouped(b, note, &l, NULL), ZV_OK);
    assert_int_equal(l.places, fd_count_rule(b, rule));
    return l;
}

/* Three are told one by one, four are one line. */
static void more_than_three_are_one(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    for (int i = BASE; i <= HAND; i++) {
        memset(zv_builder_link(b, i)->inertia.moment, 0, sizeof zv_builder_link(b, i)->inertia.moment);
        const Lines l = grouped(b, "point-mass");
        assert_int_equal(l.places, i + 1);
        assert_int_equal(l.lines, i < HAND ? i + 1 : 1);
        if (i == HAND) assert_string_equal(l.others, "link \"upper\", link \"lower\", link \"hand\"");
        assert_string_equal(l.first, "link \"base\"");
    }
    zv_builder_destroy(b);
}

/* Words of the file have a line each; a sink may stop; severities do not mix. */
static void words_and_severities(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    for (int i = 0; i < 12; i++) {
        const zvRemark remark = {i < 6 ? ZV_SEVERITY_NOTE : ZV_SEVERITY_WARNING,
                                 ZV_SCHEMA,
                                 "unknown-attribute",
                                 "link",
                                 "base",
                                 i % 2 ? "xzy" : "rpz",
                                 "is unknown",
                                 "remove it",
                                 {0}};
        assert_int_equal(zv_builder_add_remark(b, &remark, NULL), ZV_OK);
    }
    Lines l = grouped(b, "unknown-attribute"); /* three of each word and severity */
    assert_int_equal(l.lines, 12);
    for (int i = 0; i < 4; i++) {
        const zvRemark remark = {ZV_SEVERITY_NOTE,      ZV_SCHEMA,    "unknown-attribute", "link", "base",
                                 i % 2 ? "xzy" : "rpz", "is unknown", "remove it",         {0}};
        assert_int_equal(zv_builder_add_remark(b, &remark, NULL), ZV_OK);
    }
    l = grouped(b, "unknown-attribute");
    assert_int_equal(l.lines, 8);
    assert_int_equal(l.places, 16);
    assert_string_equal(l.others, ""); /* one element is not named twice in a row */
    zv_builder_destroy(b);
}

static void fatal_findings_stay_apart(void **state) {
    (void)state;
    zvBuilder *b = fd_robot();
    for (int i = BASE; i <= HAND; i++) zv_builder_link(b, i)->inertia.mass = -1;
    const Lines l = grouped(b, "negative-mass");
    assert_int_equal(l.lines, 4);
    assert_string_equal(l.others, "");
    zv_builder_destroy(b);
}

static zvDof *dof(zvBuilder *b, int joint) { return &zv_builder_joint(b, joint)->dof[0]; }
static void endless(zvBuilder *b) { dof(b, ELBOW)->upper = 999999; }
static void million(zvBuilder *b) { dof(b, ELBOW)->lower = -1e6; }
static void any_effort(zvBuilder *b) { dof(b, ELBOW)->effort = -1; }
static void any_speed(zvBuilder *b) { dof(b, ELBOW)->velocity = -1; }
static void less_effort(zvBuilder *b) { dof(b, ELBOW)->effort = -2; }
static void light(zvBuilder *b) {
    zvInertia *i = &zv_builder_link(b, LOWER)->inertia;
    i->mass *= 1e-4; /* the moments are those of a heavier body */
}
static void filled_in(zvBuilder *b) { zv_builder_joint(b, ELBOW)->origin.p[0] = 0.3; }

/* Four revolute joints in a row, with efforts. */
static void weak(zvBuilder *b) {
    add_tube(b, "finger");
    add_tube(b, "tip");
    add_joint(b, "curl", ZV_JOINT_REVOLUTE, "hand", "finger");
    add_joint(b, "nail", ZV_JOINT_REVOLUTE, "finger", "tip");
    zv_builder_joint(b, SLIDE)->type = ZV_JOINT_REVOLUTE;
    for (int j = 0; j < 5; j++) dof(b, j)->effort = 0.01;
}

static void rules(void **state) {
    (void)state;
#define OF_ELBOW(spoil, rule, severity, status, phrase) \
    { #spoil, spoil, rule, severity, false, status, "joint \"elbow\"", phrase }
    static const fdCase cases[] = {
        OF_ELBOW(endless, "sentinel-limit", ZV_SEVERITY_NOTE, ZV_NUMBER, "found 999999"),
        OF_ELBOW(million, "sentinel-limit", ZV_SEVERITY_NOTE, ZV_NUMBER, "found -1e+06"),
        OF_ELBOW(any_effort, "sentinel-limit", ZV_SEVERITY_NOTE, ZV_NUMBER, "effort limit, found -1"),
        OF_ELBOW(any_speed, "sentinel-limit", ZV_SEVERITY_NOTE, ZV_NUMBER, "velocity limit, found -1"),
        OF_ELBOW(less_effort, "negative-coefficient", ZV_SEVERITY_ERROR, ZV_PHYSICS, "found -2"),
        {"light", light, "placeholder", ZV_SEVERITY_NOTE, false, ZV_PHYSICS, "link \"lower\"", "0.0002 kg"},
        {"filled in", filled_in, "identical-links", ZV_SEVERITY_WARNING, false, ZV_PHYSICS, "link \"base\"",
         "all 4 links"},
        {"weak", weak, "effort-too-small", ZV_SEVERITY_WARNING, false, ZV_PHYSICS, "joint \"shoulder\"", "grams"},
    };
    fd_check(cases, sizeof cases / sizeof *cases);
}

/* Neighbours of each rule that are in order. */
static void lawful(void **state) {
    (void)state;
    zvBuilder *b = fd_robot(); /* a chain of one link many times */
    assert_int_equal(fd_count_from(b, ZV_SEVERITY_NOTE), 0);
    filled_in(b);
    zv_builder_link(b, HAND)->inertia.mass = 1.9;
    assert_int_equal(fd_count_rule(b, "identical-links"), 0);
    endless(b);
    assert_int_equal(fd_count_rule(b, "degrees"), 0); /* told once */
    dof(b, ELBOW)->upper = 1;
    dof(b, SLIDE)->upper = 1000;
    assert_int_equal(fd_count_rule(b, "sentinel-limit"), 0);
    zv_builder_destroy(b);

    b = fd_robot();
    weak(b);
    for (int j = 0; j < 5; j++) dof(b, j)->effort = 1; /* of some 12 to 150 N m */
    assert_int_equal(fd_count_rule(b, "effort-too-small"), 0);
    zv_builder_destroy(b);

    b = fd_robot(); /* light as a whole, in proportion: nothing to tell */
    zvInertia *i = &zv_builder_link(b, LOWER)->inertia;
    i->mass *= 9e-4;
    for (int k = 0; k < 6; k++) i->moment[k] *= 9e-4;
    assert_int_equal(fd_count_rule(b, "density") + fd_count_rule(b, "inertia-too-small"), 0);
    zv_builder_destroy(b);
}

TESTS(more_than_three_are_one, words_and_severities, fatal_findings_stay_apart, rules, lawful)
