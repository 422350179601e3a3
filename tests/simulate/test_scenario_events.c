/* What is refused of events and prescribed motions at reading, and what is left to the run. */
#include "simulate/runs.h"
#include "simulate/scenario.h"
#include "simulate/scenario_text.h"
#include "support/run_tests.h"

typedef struct Refusal {
    const char *text;
    zvStatus status;
    int line, column;
    const char *token, *part;
} Refusal;

static const Refusal refusals[] = {
    {"drives: [{type: motion, joint: elbow, law: {type: table, mode: hold, times: [0, 0.5, 1], points: [0, 0.2, "
     "0]}}]\n",
     ZV_PHYSICS, 4, 44, "elbow",
     "without jumps, found one at t = 0.5 s from 0 to 0.2, by 0.2 rad, which no force can do; make its parts"},
    {"drives: [{type: torque, joint: elbow, law: 1}, {type: motion, joint: shoulder, law: 0},\n"
     " {type: motion, joints: [elbow, slide], law: {type: sequence, parts: [{duration: 1, law: [0, 0.1]}, [0, "
     "0.4]]}}]\n",
     ZV_PHYSICS, 5, 46, "slide",
     "expected a motion of joint \"slide\" without jumps, found one at t = 1 s from 0.1 to 0.4, by 0.3 m"},
    {"drives: [{type: motion, joint: elbow, law: {type: sum, parts: [{type: harmonic, amplitude: 1, hertz: 1}, {type: "
     "table, mode: hold, times: [0, 1.5, 9], points: [0, 1e-5, 0]}]}}]\n",
     ZV_PHYSICS, 4, 44, "elbow", "found one at t = 1.5 s from"},
    {"drives: [{type: pd, joint: elbow, kp: 1}]\nevents: [{type: threshold, channel: reference.slide, value: 1}]\n",
     ZV_SCHEMA, 5, 37, "reference.slide", "\": no controller and no motion refers to joint \"slide\""},
    {"drives: [{type: pd, joint: elbow, kp: 1}]\noutput: {ledger: false}\nevents: [{type: threshold, channel: work.pd "
     "elbow, value: 1}]\n",
     ZV_SCHEMA, 6, 37, "work.pd elbow", "with output: {ledger: false}; keep the ledger"},
    {"output: {ledger: false}\nevents: [{type: threshold, channel: energy.gap, value: 1}]\n", ZV_SCHEMA, 5, 37,
     "energy.gap", "with output: {ledger: false}"},
    {"events: [{type: limit, joints: [nail_joint, elbow, nail_joint]}]\n", ZV_NAME, 4, 52, "nail_joint",
     "expected joint \"nail_joint\" once, found it twice; remove one"},
    {"events: [{type: limit, joints: [elbow, nail_joint, elbow]}]\n", ZV_NAME, 4, 52, "elbow",
     "expected joint \"elbow\" once, found it twice; remove one"},
    {"initial: {q: {elbow: 4.6}}\nevents: [{type: limit, joint: nail_joint}]\n", ZV_NUMBER, 5, 31,
     "limit nail_joint upper", "joint \"nail_joint\" begins at 9.2, and its upper limit is 9;"},
    {"initial: {q: {slide: 0.5}, v: {slide: 0.1}}\nevents: [{type: limit, joint: slide}]\n", ZV_NUMBER, 5, 31,
     "limit slide upper", "joint \"slide\" begins at 0.5, and its upper limit is 0.5;"},
};

static void refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const Refusal *r = &refusals[i];
        char text[4096];
        zvScenario *scenario = NULL;
        zvError error = {0};
        const int size = snprintf(text, sizeof text, "%s%s", HEAD, r->text);
        const zvStatus status = zv_scenario_read_memory("test", text, (size_t)size, 0, NULL, &scenario, &error);
        if (status != r->status || error.line != r->line || error.column != r->column ||
            strcmp(error.token, r->token) != 0 || !strstr(error.text, r->part))
            fail_msg("%s%d:%d \"%s\" %s (%d)", r->text, error.line, error.column, error.token, error.text, (int)status);
        assert_null(scenario);
    }
}

/* Neighbours of the above. */
static void allowed(void **state) {
    (void)state;
    static const char *const texts[] = {
        /* meets, and a jump of velocity is an impulse */
        "drives: [{type: motion, joint: elbow, law: {type: table, times: [0, 0.5, 1], points: [0, 0.2, 0]}}]\n",
        "drives: [{type: motion, joint: elbow, law: {type: sequence, parts: [{duration: 1, law: {type: cubic, to: 0.1, "
        "duration: 1}}, 0.1]}}]\n",
        /* jumps before the run, at its end and after it */
        "start: -2\ndrives: [{type: motion, joint: elbow, law: {type: table, mode: hold, times: [-3, -2.5, 0, 1], "
        "points: [0, 0.2, 0.3, 0]}}]\n",
        /* a controller may be asked to jump */
        "drives: [{type: pd, joint: elbow, kp: 1, reference: {type: table, mode: hold, times: [0, 1], points: [0, "
        "1]}}]\nevents: [{type: threshold, channel: reference.elbow, value: 0.5}]\n",
        "output: {ledger: false}\nevents: [{type: threshold, channel: energy.kinetic, value: 1}]\n",
        /* touching at rest: the forces decide, in the run */
        "initial: {q: {slide: 0.5}}\nevents: [{type: limit, joint: slide}]\n",
        "initial: {q: {slide: 0.5}, v: {slide: -0.1}}\nevents: [{type: limit, joint: slide}]\n",
        "events: [{type: plane, frame: tool, offset: 1}]\n",
        "events: [{type: limit, joints: [nail_joint, elbow]}]\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) zv_scenario_destroy(scenario_of("%s%s", HEAD, texts[i]));
}

TESTS(refused, allowed)
