/* Elastic links in scenarios: what is told when a beam is bent too far, and what names of its coordinates may do. */
#include "simulate/runs.h"
#include "support/run_tests.h"

/* A beam of 1 m, EI = 10 N m^2, whose tip a load of its own weight or of a scenario bends along y. */
#define BOOM                                                                                                      \
    "{inline: {links: [{name: ground}, {name: boom, beam: {length: 1, EIy: 10, EIz: 10, rhoA: 0.5, shapes: "      \
    "%s, modes: {y: %d}, damping: {ratio: 1}}}], joints: [{name: j1, type: revolute, parent: ground, child: "     \
    "boom, axis: [0, 0, 1], limits: {lower: -3, upper: 3}}], frames: [{name: mid, link: boom, pose: {xyz: [0.5, " \
    "0, 0]}}]}}"

/* The advice of a beam left alone at a state that its first coordinate tells, its joint at rest. */
static void expect_bent(const char *shapes, int modes, double e, bool ledger, bool bent) {
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, gravity: [0, 0, 0], duration: 1e-4, model: " BOOM
                                       ", initial: {q: {boom.y1: %.9g}}, integrator: {method: rk4, step: 1e-5}, "
                                       "output: {ledger: %s}}",
                                       shapes, modes, e, ledger ? "true" : "false");
    zvRunSummary *summary = run_of(scenario, NULL);
    const char *advice = zv_run_advice(summary);
    const bool told = advice && strstr(advice, "bent beyond what its functions can describe (more than 0.3 of its");
    if (told != bent) fail_msg("%s, y1 = %g: %s", shapes, e, advice ? advice : "no advice");
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* Tips of these beams are displaced by y1 itself; of the pinned one the ends only turn, by pi y1 / length. */
static void bent_too_far(void **state) {
    (void)state;
    for (int ledger = 0; ledger < 2; ledger++) {
        expect_bent("powers", 2, 0.35, ledger, true);
        expect_bent("powers", 2, -0.35, ledger, true);
        expect_bent("powers", 2, 0.25, ledger, false);
        expect_bent("clamped-free", 1, 0.35, ledger, true);
        expect_bent("clamped-free", 1, 0.25, ledger, false);
        expect_bent("pinned-pinned", 1, 0.34, ledger, true);
        expect_bent("pinned-pinned", 1, 0.3, ledger, false);
        expect_bent("gevorkian", 1, 0.25, ledger, false);
    }
}

/* With powers the slope at the middle of the beam is y1 itself: there a frame sits. Below a turn a run goes on, beyond
 * it numbers would come from series that have left their ground: without the status the second run ended well. */
static void turned_too_far(void **state) {
    (void)state;
    static const double slopes[] = {6.2, 6.4, 300};
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario = scenario_of("{zveno_scenario: 1, gravity: [0, 0, 0], duration: 1e-5, model: " BOOM
                                           ", initial: {q: {boom.y1: %.9g}}, integrator: {method: rk4, step: 1e-5}, "
                                           "output: {ledger: false}}",
                                           "powers", 1, slopes[i]);
        const double q[2] = {0, slopes[i]};
        int link = -1;
        assert_named_near("turn", zv_elastic_turn(zv_scenario_model(scenario), q, &link), slopes[i], 1e-12 * slopes[i]);
        assert_string_equal(zv_model_link(zv_scenario_model(scenario), link)->name, "boom");
        zvRunSummary *summary = NULL;
        zvError error = {0};
        const zvStatus status = zv_simulate(scenario, NULL, &summary, &error);
        assert_int_equal(status, i ? ZV_NO_CONVERGENCE : ZV_OK);
        if (i && (!strstr(error.text, "elastic link \"boom\"") || !strstr(error.text, "at t = 1e-05 s") ||
                  !strstr(error.text, "found")))
            fail_msg("%s", error.text);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* One mode of a beam clamped to the ground is an oscillator: with a ratio of critical damping z it goes
 * e exp(-z w t) (cos w' t + z w/w' sin w' t), w' = w sqrt(1 - z^2), as a number and as a list of one ratio. */
static void modal_damping(void **state) {
    (void)state;
    static const char *const passive[] = {"{modal_damping: 0.05}", "{modal_damping: [0.05]}", "{}"};
    const double e = 1e-5, t = 0.7; /* so small that its square is nothing beside it */
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario = scenario_of(
            "{zveno_scenario: 1, gravity: [0, 0, 0], duration: %g, model: {inline: {links: [{name: ground}, {name: "
            "boom, "
            "beam: {length: 1, EIy: 10, EIz: 10, rhoA: 0.5, shapes: clamped-free, modes: {y: 1}}}], joints: [{name: "
            "j1, "
            "type: fixed, parent: ground, child: boom}]}}, initial: {q: {boom.y1: %g}}, passive: %s, integrator: "
            "{method: erk, rtol: 1e-11, atol: 1e-17}}",
            t, e, passive[i]);
        const zvModel *model = zv_scenario_model(scenario);
        zvWork *work = zv_work_create(model, NULL);
        double M;
        zv_mass_matrix(model, work, &e, &M);
        const double w = sqrt(2 * zv_strain_energy(model, &e) / (e * e * M)), z = i < 2 ? 0.05 : 0;
        const double damped = w * sqrt(1 - z * z);
        zvRunSummary *summary = run_of(scenario, NULL);
        assert_named_near(passive[i], zv_run_position(summary)[0],
                          e * exp(-z * w * t) * (cos(damped * t) + z * w / damped * sin(damped * t)), 1e-9 * e);
        zv_run_summary_destroy(summary);
        zv_work_destroy(work);
        zv_scenario_destroy(scenario);
    }
}

typedef struct Case {
    const char *text;
    zvStatus status;
    int column;
    const char *token, *words;
} Case;

static const Case cases[] = {
    {"passive: {modal_damping: -0.1}", ZV_NUMBER, 26, "-0.1", "expected a number of at least 0"},
    {"passive: {modal_damping: 1}", ZV_NUMBER, 26, "1", "a ratio of critical damping below 1"},
    {"passive: {modal_damping: much}", ZV_NUMBER, 26, "much", "number"},
    {"drives: [{type: pd, joint: boom, kp: 1}]", ZV_NAME, 28, "boom",
     "expected a known joint, found \"boom\"; there are j1"},
    {"drives: [{type: pd, joint: boom.y1, kp: 1}]", ZV_NAME, 28, "boom.y1",
     "expected a joint, found \"boom.y1\", an elastic coordinate of a link"},
    {"events: [{type: limit, joint: boom.y1}]", ZV_NAME, 31, "boom.y1",
     "expected a joint, found \"boom.y1\", an elastic coordinate of a link"},
    {"initial: {q: {boom.y1: 0.1, boom: [0, 0]}}", ZV_NAME, 29, "boom",
     "expected q of \"boom.y1\" once, found it twice; remove one"},
    {"initial: {q: {boom: [0, 0], boom.y2: 0.1}}", ZV_NAME, 29, "boom.y2",
     "expected q of \"boom.y2\" once, found it twice"},
    {"initial: {v: {boom.y2: 0.1, boom: [0, 0]}}", ZV_NAME, 29, "boom",
     "expected v of \"boom.y2\" once, found it twice"},
    {"initial: {v: {boom: [0, 0], boom.y1: 0.1}}", ZV_NAME, 29, "boom.y1",
     "expected v of \"boom.y1\" once, found it twice"},
    {"initial: {q: {boom.y1: 0.1, j1: 1, boom.y2: 0}, v: {boom: [0, 1]}}", ZV_OK, 0, "", ""},
};

static void names(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *c = &cases[i];
        char text[2048];
        const int size =
            snprintf(text, sizeof text, "zveno_scenario: 1\nmodel: " BOOM "\nduration: 1\n%s\n", "powers", 2, c->text);
        zvScenario *scenario = NULL;
        zvError error = {0};
        const zvStatus status = zv_scenario_read_memory("test", text, (size_t)size, 0, NULL, &scenario, &error);
        if (status != c->status) fail_msg("%s: %s %s", c->text, zv_status_name(status), error.text);
        zv_scenario_destroy(scenario);
        if (status == ZV_OK) continue;
        if (!strstr(error.text, c->words) || strcmp(error.token, c->token) != 0 || error.line != 4 ||
            error.column != c->column || strstr(error.text, "are j1, boom"))
            fail_msg("%s: %d:%d %s: %s", c->text, error.line, error.column, error.token, error.text);
    }
}

TESTS(bent_too_far, turned_too_far, modal_damping, names)
