/* What scenarios are refused for, drives and laws apart (test_scenario_drive_errors.c), and changes to them. */
#include "simulate/scenario_refused.h"
#include "support/run_tests.h"

static const Refusal cases[] = {
    /* the document */
    {"!title: x\n", ZV_SCHEMA, 1, 1, "zveno_scenario",
     "expected the key zveno_scenario, found none; a scenario begins with \"zveno_scenario: 1\""},
    {"!zveno_scenario: 2\nfuture: 1\n", ZV_NOT_SUPPORTED, 1, 17, "2",
     "expected a scenario of format 1, found format 2; get a newer version"},
    {"!zveno_scenario: one\n", ZV_NUMBER, 1, 17, "one",
     "the version after zveno_scenario: expected a whole number, found \"one\""},
    {"!zveno: 1\nlinks: []\n", ZV_SCHEMA, 1, 1, "zveno",
     "expected a scenario, found a robot file; write a scenario that names it: model: FILE"},
    {"![1, 2]\n", ZV_SCHEMA, 1, 1, "[...]", "the scenario: expected a map, found a list of 2; write key: value pairs"},
    {"!# nothing\n", ZV_SCHEMA, 1, 1, "",
     "expected a scenario, found an empty file; begin it with \"zveno_scenario: 1\""},
    {"!zveno_scenario: 1\nmodel: [\n", ZV_SYNTAX, 3, 1, "", "began in line 3"},
    {"!zveno_scenario: 1\nduration: 1\n", ZV_SCHEMA, 1, 1, "model",
     "the scenario: expected the key model, found none; add model: FILE, the robot"},
    {"!zveno_scenario: 1\nmodel: a.yaml\n", ZV_SCHEMA, 1, 1, "duration",
     "the scenario: expected the key duration, found none; add duration: 10, in s"},
    {"!zveno_scenario: 1\nmodel: a.yaml\nduration: 0\n", ZV_NUMBER, 3, 11, "0",
     "duration of the scenario: expected a number above 0, found 0"},
    {"!zveno_scenario: 1\nmodel: a.yaml\nduration: -3\n", ZV_NUMBER, 3, 11, "-3",
     "duration of the scenario: expected a number above 0, found -3"},
    {"!zveno_scenario: 1\nmodel: a.yaml\nduration: 1e12\n", ZV_NUMBER, 3, 11, "1e12",
     "duration of the scenario: expected at most 1e9 s, found 1e+12; it is written in seconds"},
    {"!zveno_scenario: 1\nmodel: a.yaml\nduration: ten\n", ZV_NUMBER, 3, 11, "ten",
     "duration of the scenario: expected a number, found \"ten\"; write a number such as 0.5"},
    {"!zveno_scenario: 1\nmodel: a.yaml\nduration: 2 deg\n", ZV_NUMBER, 3, 11, "2 deg",
     "duration of the scenario: expected a number, found \"2 deg\"; only angles are written in deg"},
    {"!zveno_scenario: 1\nmodel: missing.yaml\nduration: 1\n", ZV_IO, 2, 8, "missing.yaml",
     "the robot file cannot be read: there is no such file; check the path"},
    {"!zveno_scenario: 1\nmodel: {base: free}\nduration: 1\n", ZV_SCHEMA, 2, 8, "model",
     "model: expected file, the path of a robot file, or inline, a robot written here, found both or neither"},
    {"!zveno_scenario: 1\nmodel: {file: a, inline: {}}\nduration: 1\n", ZV_SCHEMA, 2, 8, "model",
     "model: expected file, the path of a robot file, or inline, a robot written here, found both or neither"},
    {"!zveno_scenario: 1\nmodel: {inline: {links: [{name: a, mas: 1}]}}\nduration: 1\n", ZV_SCHEMA, 2, 36, "mas",
     "expected a key of link \"a\", found \"mas\"; did you mean \"mass\"?"},
    {"!zveno_scenario: 1\nmodel: {inline: {links: [{name: a}]}}\nduration: 1\n", ZV_SCHEMA, 2, 8, "model",
     "expected a joint that moves in the robot \"robot\", found none; there is nothing to simulate"},
    {"!zveno_scenario: 1\nmodel: {inline: {links: [{name: a}], joints: [{name: j, type: revolute, parent: a, child: "
     "b}]}}\nduration: 1\n",
     ZV_NAME, 2, 91, "b",
     "joint \"j\": expected a child link, found \"b\", which does not exist; correct the name or add the link"},
    {"!zveno_scenario: 1\nmodel: {file: a.yaml, bas: free}\nduration: 1\n", ZV_SCHEMA, 2, 23, "bas",
     "expected a key of model, found \"bas\"; did you mean \"base\"?"},
    {"titel: x\n", ZV_SCHEMA, 4, 1, "titel",
     "expected a key of the scenario, found \"titel\"; did you mean \"title\"?"},
    {"intgrator: {rtol: 1}\n", ZV_SCHEMA, 4, 1, "intgrator",
     "expected a key of the scenario, found \"intgrator\"; did you mean \"integrator\"?"},
    {"start: 1e20\n", ZV_NUMBER, 4, 8, "1e20",
     "start of the scenario: expected a time within 1e9 s, found 1e+20; times are written in seconds"},
    {"gravity: [0, 0, -9810]\n", ZV_NUMBER, 4, 10, "",
     "gravity of the scenario: expected gravity as on a planet, in m/s^2, found 9810; on Earth it is 9.81: was it "
     "written in millimetres?"},
    {"gravity: [0, -9.81]\n", ZV_SCHEMA, 4, 10, "[",
     "gravity of the scenario: expected 3 numbers, found 2; write [x, y, z]"},
    {"gravity: down\n", ZV_SCHEMA, 4, 10, "down",
     "gravity of the scenario: expected a list of 3 numbers, found \"down\""},
    /* initial state */
    {"initial: {q: {elbw: 1}}\n", ZV_NAME, 4, 15, "elbw",
     "expected a known joint, found \"elbw\"; did you mean \"elbow\"?"},
    {"initial: {q: {elbow: [1, 2]}}\n", ZV_SIZE, 4, 22, "q",
     "q of joint \"elbow\": expected 1 entries, found 2: elbow"},
    {"initial: {q: {elbow: 90}}\n", ZV_NUMBER, 4, 22, "90",
     "expected joint \"elbow\" within a turn of its limits -2.5 ... 2.5, found 90 rad; angles are in"},
    {"initial: {q: {slide: 300}}\n", ZV_NUMBER, 4, 22, "300",
     "expected joint \"slide\" near its limits -0.1 ... 0.5, found 300 m; lengths are in metres: was it"},
    {"initial: {q: {weld: 1}}\n", ZV_NAME, 4, 15, "weld",
     "expected a joint that moves, found \"weld\", which is fixed; name another"},
    {"initial: {q: {nail_joint: 1}}\n", ZV_NAME, 4, 15, "nail_joint",
     "expected a joint with a freedom of its own, found \"nail_joint\", which follows \"elbow\"; name that joint, or "
     "write model:"},
    {"initial: {q: {ball: 1}}\n", ZV_SCHEMA, 4, 21, "1",
     "q of joint \"ball\": expected a list of 4 numbers, found \"1\"; write ball.qx, ball.qy, ball.qz, ball.qw"},
    {"initial: {q: {ball: [0, 0, 0, 2]}}\n", ZV_NUMBER, 4, 21, "ball",
     "expected length 1 of the quaternion (x, y, z, w) of joint \"ball\", found 2"},
    {"initial: {q: [1, 2]}\n", ZV_SIZE, 4, 14, "q",
     "q: expected 7 entries, found 2: shoulder, elbow, slide, ball.qx, ball.qy, ball.qz, ball.qw"},
    {"initial: {q: 5}\n", ZV_SCHEMA, 4, 14, "5",
     "q: expected a list of 7 numbers or a map from joints to values, found \"5\"; write {elbow: 0.5}"},
    {"initial: {v: {ball: [1, 2]}}\n", ZV_SIZE, 4, 21, "v",
     "v of joint \"ball\": expected 3 entries, found 2: ball.wx, ball.wy, ball.wz"},
    {"initial: {v: {elbow: fast}}\n", ZV_NUMBER, 4, 22, "fast",
     "initial velocity of \"elbow\": expected a number, found \"fast\"; write a number such as 0.5, pi/2 or"},
    {"initial: {p: 1}\n", ZV_SCHEMA, 4, 11, "p",
     "expected a key of the initial state, found \"p\"; its keys are q, v, motors, state"},
    {"initial: {state: nowhere.json}\n", ZV_IO, 4, 18, "nowhere.json",
     "state of the initial state cannot be read: there is no such file; check the path"},
    {"initial: {motors: {elbow: {theta: 1}}}\n", ZV_NAME, 4, 20, "elbow",
     "expected a joint with flexible: {...}, which has a motor state, found \"elbow\" without"},
    {"initial: {motors: relaxed}\n", ZV_SCHEMA, 4, 19, "relaxed",
     "motors of the initial state: expected unstretched or equilibrium, found \"relaxed\""},
    /* springs, dampers, friction */
    {"passive: maybe\n", ZV_SCHEMA, 4, 10, "maybe", "passive: expected true or false, found \"maybe\""},
    {"passive: {spring: false}\n", ZV_SCHEMA, 4, 11, "spring",
     "expected a key of passive, found \"spring\"; did you mean \"springs\"?"},
    {"passive: {smoothing: -1}\n", ZV_NUMBER, 4, 22, "-1",
     "smoothing of passive: expected a number of at least 0, found -1"},
    {"joints: [elbow]\n", ZV_SCHEMA, 4, 9, "[",
     "joints: expected a map from joints to what they carry, found a list of 1; write {elbow: {damping: 0.5}}"},
    {"joints: {elbw: {damping: 1}}\n", ZV_NAME, 4, 10, "elbw",
     "expected a known joint, found \"elbw\"; did you mean \"elbow\"?"},
    {"joints: {elbow: {dampng: 1}}\n", ZV_SCHEMA, 4, 18, "dampng",
     "expected a key of joint \"elbow\", found \"dampng\"; did you mean \"damping\"?"},
    {"joints: {elbow: {damping: -1}}\n", ZV_NUMBER, 4, 27, "-1",
     "damping of joint \"elbow\": expected a number of at least 0, found -1"},
    {"joints: {elbow: {friction: {coulomb: -1}}}\n", ZV_NUMBER, 4, 38, "-1",
     "coulomb of friction of joint \"elbow\": expected at least 0, found -1; friction is written without sign"},
    {"joints: {elbow: {friction: {coulomb: 2, breakaway: 1}}}\n", ZV_NUMBER, 4, 52, "1",
     "breakaway of friction of joint \"elbow\": expected at least as much as coulomb, found 1"},
    {"joints: {elbow: {friction: {coulomb: 2, smoothing: 0.1, stick_slip: true}}}\n", ZV_SCHEMA, 4, 69, "true",
     "stick_slip of friction of joint \"elbow\": expected stick_slip or smoothing, found both; keep one"},
    {"joints: {elbow: {flexible: {stiffness: 100}}}\n", ZV_SCHEMA, 4, 28, "inertia",
     "flexible gear of joint \"elbow\": expected the key inertia, found none; add inertia of the rotor, in kg m^2"},
    {"joints: {elbow: {flexible: {stiffness: 100, inertia: 0}}}\n", ZV_NUMBER, 4, 54, "0",
     "inertia of flexible gear of joint \"elbow\": expected a number above 0, found 0"},
    {"joints: {elbow: {flexible: {stiffness: 100, inertia: 1, ratio: 0}}}\n", ZV_NUMBER, 4, 64, "0",
     "ratio of flexible gear of joint \"elbow\": expected a gear ratio other than 0, found 0"},
    {"joints: {ball: {spring: {stiffness: 1}}}\n", ZV_NOT_SUPPORTED, 4, 16, "ball.wx", "\"ball.wx\""},
    {"joints: {elbow: {spring: 3}}\n", ZV_SCHEMA, 4, 26, "3",
     "spring of joint \"elbow\": expected a map, found \"3\"; write key: value pairs"},
    /* loads and springs */
    {"springs: [{from: base, to: tol, stiffness: 1, length: 1}]\n", ZV_NAME, 4, 28, "tol", "did you mean \"tool\"?"},
    {"springs: [{from: base, to: tool}]\n", ZV_SCHEMA, 4, 11, "stiffness",
     "expected the key stiffness, found none; add stiffness: 1000, in N/m"},
    {"springs: [{from: base, to: tool, stiffness: 1, length: -1}]\n", ZV_NUMBER, 4, 56, "-1",
     "expected a number of at least 0, found -1"},
    {"springs: [{name: s, from: tool, to: grip, stiffness: 1, length: 1}]\n", ZV_SCHEMA, 4, 37, "grip",
     "expected a frame of another body than from, found one of the same"},
    {"loads: [{frame: tol, force: [0, 0, 1]}]\n", ZV_NAME, 4, 17, "tol",
     "expected a known frame or link, found \"tol\"; did you mean \"tool\"?"},
    {"loads: [{frame: tool}]\n", ZV_SCHEMA, 4, 9, "force", "load: expected force or moment, found neither; add one"},
    {"loads: [{frame: tool, force: 3}]\n", ZV_SIZE, 4, 30, "3", "force of load \"tool\": expected 3 numbers, found 1"},
    {"loads: [{frame: tool, force: [1, 2]}]\n", ZV_SIZE, 4, 30, "[",
     "force of load \"tool\": expected 3 numbers, found 2"},
    {"loads: [{frame: base, force: [0, 0, 1]}]\n", ZV_SCHEMA, 4, 17, "base",
     "frame of load: expected a frame that moves, found one on the ground; a load there does nothing"},
    {"loads: [{frame: tool, axes: body, force: [0, 0, 1]}]\n", ZV_SCHEMA, 4, 29, "body",
     "axes of load: expected world or local, found \"body\""},
    /* integrator */
    {"integrator: {method: ode113}\n", ZV_SCHEMA, 4, 22, "ode113",
     "method of the integrator: expected auto, adams, bdf, erk, dirk, rk4, euler, "
     "newmark, generalized-alpha or energy-momentum"},
    {"integrator: {rtol: -1e-6}\n", ZV_NUMBER, 4, 20, "-1e-6",
     "rtol of the integrator: expected a number above 0, found -1e-06"},
    {"integrator: {rtol: 0.5}\n", ZV_NUMBER, 4, 20, "0.5",
     "rtol of the integrator: expected at most 0.1, found 0.5; more leaves no digit right; 1e-6 is coarse"},
    {"integrator: {atol: -1}\n", ZV_NUMBER, 4, 20, "-1",
     "atol of the integrator: expected a number of at least 0, found -1"},
    {"integrator: {order: 99}\n", ZV_NUMBER, 4, 21, "99", "expected an order from 2 to 8 of the method auto, found 99"},
    {"integrator: {method: rk4, step: 0}\n", ZV_NUMBER, 4, 33, "0",
     "step of the integrator: expected a number above 0, found 0"},
    {"integrator: {method: rk4, step: 5}\n", ZV_NUMBER, 4, 33, "5",
     "step of the integrator: expected at most the duration, found 5; steps are in seconds"},
    {"integrator: {method: rk4, step: 1e-15}\n", ZV_NUMBER, 4, 33, "1e-15",
     "step of the integrator: expected at most 1e12 steps in the duration, found 1e-15; steps are in"},
    {"integrator: {method: rk4, order: 5}\n", ZV_NUMBER, 4, 34, "5", "expected order 4 of the method rk4, found 5"},
    {"integrator: {max_steps: 2.5}\n", ZV_NUMBER, 4, 25, "2.5",
     "max_steps of the integrator: expected a whole number, found 2.5"},
    {"integrator: {max_step: 0}\n", ZV_NUMBER, 4, 24, "0",
     "max_step of the integrator: expected a number above 0, found 0"},
    {"integrator: rk4\n", ZV_SCHEMA, 4, 13, "rk4",
     "the integrator: expected a map, found \"rk4\"; write key: value pairs"},
    /* events */
    {"events: {type: limit}\n", ZV_SCHEMA, 4, 9, "{...}",
     "events of the scenario: expected a list, found a map of 1 key; write its items on lines that begin with \"- \""},
    {"events: [{name: a}]\n", ZV_SCHEMA, 4, 10, "type",
     "event \"a\": expected the key type, found none; add type: limit, plane, threshold or time"},
    {"events: [{type: limit}]\n", ZV_SCHEMA, 4, 10, "joint",
     "event: expected the key joint, found none; add joint: NAME, joints: [NAMES] or joints: all"},
    {"events: [{type: limt, joint: elbow}]\n", ZV_SCHEMA, 4, 17, "limt",
     "type of event: expected limit, plane, threshold or time, found \"limt\"; did you mean limit?"},
    {"events: [{type: limit, joint: ball}]\n", ZV_SCHEMA, 4, 31, "ball",
     "expected limits of the joint in the model, found none; add limits: {lower, upper} there, or watch it with "
     "type:"},
    {"events: [{type: limit, joint: elbow, action: bounce, restitution: 2}]\n", ZV_NUMBER, 4, 67, "2",
     "restitution of event: expected at most 1, found 2; more would bring energy at each bounce"},
    {"events: [{type: limit, joint: elbow, restitution: 0.5}]\n", ZV_SCHEMA, 4, 51, "0.5",
     "restitution of event: expected action: bounce beside it, found another; remove one"},
    {"events: [{type: limit, joint: elbow, action: explode}]\n", ZV_SCHEMA, 4, 46, "explode",
     "action of event: expected record, stop, bounce, close or open, found \"explode\""},
    {"initial: {q: {elbow: 2.6}}\nevents: [{type: limit, joint: elbow}]\n", ZV_NUMBER, 5, 31, "limit elbow upper",
     "event \"limit elbow upper\": expected it not to fire at once, found joint \"elbow\" begins at 2.6, and its upper "
     "limit is 2.5;"},
    {"events: [{type: plane, frame: tool, normal: [0, 0, 0]}]\n", ZV_SCHEMA, 4, 45, "[...]",
     "normal of event: expected the direction out of the plane, found the zero vector"},
    {"events: [{type: plane, frame: tool, offset: 3}]\n", ZV_NUMBER, 4, 10, "touch tool",
     "event \"touch tool\": expected it not to fire at once, found frame \"tool\" begins 2 m behind the plane; change "
     "the initial"},
    {"events: [{type: plane, frame: base, offset: 3}]\n", ZV_SCHEMA, 4, 31, "base",
     "frame of event: expected a frame that moves, found one on the ground, which never touches"},
    {"events: [{type: threshold, channel: v.elbow}]\n", ZV_SCHEMA, 4, 10, "value",
     "event: expected the key value, found none; add value, the threshold"},
    {"events: [{type: threshold, channel: v.elbw, value: 1}]\n", ZV_NAME, 4, 37, "elbw",
     "expected a known entry, found \"elbw\"; did you mean \"elbow\"?"},
    {"events: [{type: threshold, channel: v, value: 1}]\n", ZV_SCHEMA, 4, 37, "v",
     "expected one entry of channel \"v\", found 6; name one, as in \"v.shoulder\": shoulder, elbow, slide, ball.wx, "
     "ball.wy,"},
    {"events: [{type: threshold, channel: w.elbow, value: 1}]\n", ZV_NAME, 4, 37, "w",
     "expected a known channel, found \"w\"; there are q, v, a, tau, states, reference, forces, power, work, energy,"},
    {"events: [{type: threshold, channel: pose tool.height, value: 1}]\n", ZV_NAME, 4, 37, "height",
     "expected a known entry, found \"height\"; there are x, y, z, qx, qy, qz, qw"},
    {"events: [{type: threshold, channel: pose tol.z, value: 1}]\n", ZV_NAME, 4, 37, "tol",
     "expected a known frame or link, found \"tol\"; did you mean \"tool\"?"},
    {"events: [{type: threshold, channel: v.elbow, value: 1, direction: up}]\n", ZV_SCHEMA, 4, 67, "up",
     "direction of event: expected both, rising or falling, found \"up\""},
    {"events: [{type: threshold, channel: v.elbow, value: 1, action: bounce}]\n", ZV_SCHEMA, 4, 64, "bounce",
     "action of event: expected record or stop, found bounce: only limits and planes throw back"},
    /* output */
    {"output: {file: out.mat}\n", ZV_SCHEMA, 4, 16, "out.mat",
     "file of the output: expected a name that ends in .h5 or .csv, found another; the end decides the form of the "
     "recording"},
    {"output: {rate: 1e9}\n", ZV_NUMBER, 4, 16, "1e9",
     "rate of the output: expected at most 1e9 rows, found 1e+09; with a duration of 2 s that makes 2e+09; rate is"},
    {"output: {rate: 0}\n", ZV_NUMBER, 4, 16, "0", "rate of the output: expected a number above 0, found 0"},
    {"output: {interval: 1e-10}\n", ZV_NUMBER, 4, 20, "1e-10",
     "interval of the output: expected at most 1e9 rows, found 1e-10; with a duration of 2 s that makes 2e+10;"},
    {"output: {rate: 10, interval: 0.1}\n", ZV_SCHEMA, 4, 30, "0.1",
     "interval of the output: expected one of rate, interval and every_step, found more; keep one"},
    {"output: {rate: 10, every_step: true}\n", ZV_SCHEMA, 4, 16, "10",
     "rate of the output: expected one of rate, interval and every_step, found more; keep one"},
    {"output: {channels: [q, vv]}\n", ZV_NAME, 4, 24, "vv",
     "expected a known channel, found \"vv\"; there are q, v, a, tau, states, reference, forces, power, work, energy,"},
    {"output: {channels: [pose]}\n", ZV_SCHEMA, 4, 21, "pose",
     "expected a frame behind channel \"pose\", found none; write \"pose FRAME\""},
    {"output: {channels: [q elbow]}\n", ZV_SCHEMA, 4, 21, "q elbow",
     "expected no name behind channel \"q\", found one; write just \"q\""},
    {"output: {channels: [pose tol]}\n", ZV_NAME, 4, 21, "tol",
     "expected a known frame or link, found \"tol\"; did you mean \"tool\"?"},
    {"output: {channels: [reactions elbw]}\n", ZV_NAME, 4, 21, "elbw",
     "expected a known joint, found \"elbw\"; did you mean \"elbow\"?"},
    {"output: {channels: [q, v, q]}\n", ZV_NAME, 4, 27, "q", "expected channel \"q\" once, found it twice; remove one"},
    {"output: {channels: q}\n", ZV_SCHEMA, 4, 20, "q",
     "channels of the output: expected a list, found \"q\"; write its items on lines that begin with \"- \""},
    {"output: {channels: [states]}\n", ZV_SCHEMA, 4, 21, "states",
     "expected a channel with entries, found \"states\" without"},
    {"output: {checkpoint: 0}\n", ZV_NUMBER, 4, 22, "0",
     "checkpoint of the output: expected a number above 0, found 0"},
    {"output: {ledger: 1}\n", ZV_SCHEMA, 4, 18, "1", "ledger of the output: expected true or false, found \"1\""},
    {"output: {chanels: [q]}\n", ZV_SCHEMA, 4, 10, "chanels",
     "expected a key of the output, found \"chanels\"; did you mean \"channels\"?"},
};

static void bad_scenarios(void **state) {
    (void)state;
    expect_refusals(cases, sizeof cases / sizeof *cases);
}

typedef struct Change {
    const char *change;
    zvStatus status;
    const char *line; /* of the error, with its place */
} Change;

static const Change changes[] = {
    {"rtol", ZV_SYNTAX, "expected --set key=value, found --set rtol; for example --set integrator.rtol=1e-6"},
    {"=3", ZV_SYNTAX, "expected --set key=value, found --set =3"},
    {"duration=", ZV_SYNTAX, "--set duration=: a value is missing after the ="},
    {"duration=[1", ZV_SYNTAX, "--set duration=[1:2:1:"},
    {"duration=-1", ZV_NUMBER, "--set duration=-1:1:16: duration of the scenario: expected a number above 0, found -1"},
    {"integrator.rtl=1", ZV_SCHEMA,
     "--set integrator.rtl=1:1:7: expected a key of the integrator, found \"rtl\"; did you mean \"rtol\"?"},
    {"drives.1.kp=3", ZV_NAME,
     "--set drives.1.kp=3:1:14: \"1\" is no item of this list; its items are numbered 0 to 0, or go by their names"},
    {"drives.first.kp=3", ZV_NAME, "\"first\" is no item of this list"},
    {"duration.x=3", ZV_SCHEMA, "--set duration.x=3:1:16: expected a map or list before .x, found the value \"2\""},
    {"drives..kp=3", ZV_SYNTAX, "a key is missing in \"drives..kp\""},
    {"drives.0.kp=[1, 2]", ZV_SIZE, "--set drives.0.kp=[1, 2]:1:19: kp of drive \"pd\": expected 1 number, found 2"},
};

static void bad_changes(void **state) {
    (void)state;
    static const char text[] = HEAD "drives: [{type: pd, joint: elbow, kp: 1}]\n";
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        zvError error = {0};
        zvScenario *scenario = NULL;
        char line[1024];
        const zvStatus status =
            zv_scenario_read_memory("s.yaml", text, strlen(text), 1, &changes[i].change, &scenario, &error);
        zv_error_line(&error, line, sizeof line);
        if (status != changes[i].status || !strstr(line, changes[i].line))
            fail_msg("--set %s: %s, %s", changes[i].change, zv_status_name(status), line);
    }
}

static void missing_scenario(void **state) {
    (void)state;
    zvError error = {0};
    zvScenario *scenario = NULL;
    assert_int_equal(zv_scenario_read_file("nowhere/s.yaml", 0, NULL, &scenario, &error), ZV_IO);
    assert_null(scenario);
    assert_string_equal(error.file, "nowhere/s.yaml");
    assert_int_equal(zv_scenario_read_file("nowhere/s.yaml", 0, NULL, &scenario, NULL), ZV_IO);
    assert_int_equal(zv_scenario_read_memory("s", "a: 1", 4, 0, NULL, &scenario, NULL), ZV_SCHEMA);
}

TESTS(bad_scenarios, bad_changes, missing_scenario)
