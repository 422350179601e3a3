/* What scenarios are refused for: status, place, token and words of each error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "simulate/scenario_text.h"
#include "zveno/simulate.h"

typedef struct Case {
    const char *text; /* after HEAD, unless it begins with '!' */
    zvStatus status;
    int line, column;
    const char *token;
    const char *words; /* part of the error text */
} Case;

static const Case cases[] = {
    /* the document */
    {"!title: x\n", ZV_SCHEMA, 1, 1, "zveno_scenario",
     "the key zveno_scenario is missing; a scenario begins with \"zveno_scenario: 1\""},
    {"!zveno_scenario: 2\nfuture: 1\n", ZV_NOT_SUPPORTED, 1, 17, "2",
     "the scenario is of format 2, and this version reads format 1; get a newer version"},
    {"!zveno_scenario: one\n", ZV_NUMBER, 1, 17, "one",
     "the version after zveno_scenario: expected a whole number, found \"one\""},
    {"!zveno: 1\nlinks: []\n", ZV_SCHEMA, 1, 1, "zveno",
     "this is a robot file, not a scenario; write a scenario that names it: model: FILE"},
    {"![1, 2]\n", ZV_SCHEMA, 1, 1, "[...]", "the scenario: expected a map, found a list of 2; write key: value pairs"},
    {"!# nothing\n", ZV_SCHEMA, 1, 1, "", "the file is empty; begin it with \"zveno_scenario: 1\""},
    {"!zveno_scenario: 1\nmodel: [\n", ZV_SYNTAX, 3, 1, "", "began in line 3"},
    {"!zveno_scenario: 1\nduration: 1\n", ZV_SCHEMA, 1, 1, "model",
     "the scenario has no model; add model: FILE, the robot"},
    {"!zveno_scenario: 1\nmodel: a.yaml\n", ZV_SCHEMA, 1, 1, "duration",
     "the scenario has no duration; add duration: 10, in s"},
    {"!zveno_scenario: 1\nmodel: a.yaml\nduration: 0\n", ZV_NUMBER, 3, 11, "0",
     "duration of the scenario is 0; it must be greater than 0"},
    {"!zveno_scenario: 1\nmodel: a.yaml\nduration: -3\n", ZV_NUMBER, 3, 11, "-3",
     "duration of the scenario is -3; it must be greater than 0"},
    {"!zveno_scenario: 1\nmodel: a.yaml\nduration: 1e12\n", ZV_NUMBER, 3, 11, "1e12",
     "duration of the scenario is 1e+12; that is more than thirty years; it is written in seconds"},
    {"!zveno_scenario: 1\nmodel: a.yaml\nduration: ten\n", ZV_NUMBER, 3, 11, "ten",
     "duration of the scenario: expected a number, found \"ten\"; write a number such as 0.5, pi/2 or 30 deg"},
    {"!zveno_scenario: 1\nmodel: missing.yaml\nduration: 1\n", ZV_IO, 2, 8, "missing.yaml",
     "the robot file cannot be read: there is no such file; check the path"},
    {"!zveno_scenario: 1\nmodel: {base: free}\nduration: 1\n", ZV_SCHEMA, 2, 8, "model",
     "model needs exactly one of file, the path of a robot file, and inline, a robot written here"},
    {"!zveno_scenario: 1\nmodel: {file: a, inline: {}}\nduration: 1\n", ZV_SCHEMA, 2, 8, "model",
     "model needs exactly one of file, the path of a robot file, and inline, a robot written here"},
    {"!zveno_scenario: 1\nmodel: {inline: {links: [{name: a, mas: 1}]}}\nduration: 1\n", ZV_SCHEMA, 2, 36, "mas",
     "\"mas\" is not a key of link \"a\"; did you mean \"mass\"?"},
    {"!zveno_scenario: 1\nmodel: {inline: {links: [{name: a}]}}\nduration: 1\n", ZV_SCHEMA, 2, 8, "model",
     "the robot \"robot\" has no joint that moves; there is nothing to simulate"},
    {"!zveno_scenario: 1\nmodel: {inline: {links: [{name: a}], joints: [{name: j, type: revolute, parent: a, child: "
     "b}]}}\nduration: 1\n",
     ZV_NAME, 2, 91, "b", "joint \"j\": its child link \"b\" does not exist; correct the name or add the link"},
    {"!zveno_scenario: 1\nmodel: {file: a.yaml, bas: free}\nduration: 1\n", ZV_SCHEMA, 2, 23, "bas",
     "\"bas\" is not a key of model; did you mean \"base\"?"},
    {"titel: x\n", ZV_SCHEMA, 4, 1, "titel", "\"titel\" is not a key of the scenario; did you mean \"title\"?"},
    {"intgrator: {rtol: 1}\n", ZV_SCHEMA, 4, 1, "intgrator",
     "\"intgrator\" is not a key of the scenario; did you mean \"integrator\"?"},
    {"start: 1e20\n", ZV_NUMBER, 4, 8, "1e20", "start of the scenario is 1e+20; times are written in seconds"},
    {"gravity: [0, 0, -9810]\n", ZV_NUMBER, 4, 10, "",
     "gravity of the scenario is 9810; on Earth it is 9.81 m/s^2: was it written in millimetres?"},
    {"gravity: [0, -9.81]\n", ZV_SCHEMA, 4, 10, "[",
     "gravity of the scenario: expected 3 numbers, found 2; write [x, y, z]"},
    {"gravity: down\n", ZV_SCHEMA, 4, 10, "down",
     "gravity of the scenario: expected a list of 3 numbers, found \"down\""},
    /* initial state */
    {"initial: {q: {elbw: 1}}\n", ZV_NAME, 4, 15, "elbw", "there is no joint \"elbw\"; did you mean \"elbow\"?"},
    {"initial: {q: {elbow: [1, 2]}}\n", ZV_SIZE, 4, 22, "q", "q of joint \"elbow\" has 2 entries; it needs 1: elbow"},
    {"initial: {q: {elbow: 90}}\n", ZV_NUMBER, 4, 22, "90",
     "joint \"elbow\" is to be at 90 rad, more than a turn beyond its limits -2.5 ... 2.5; angles are in"},
    {"initial: {q: {slide: 300}}\n", ZV_NUMBER, 4, 22, "300",
     "joint \"slide\" is to be at 300 m, far beyond its limits -0.1 ... 0.5; lengths are in metres: was it"},
    {"initial: {q: {weld: 1}}\n", ZV_NAME, 4, 15, "weld", "joint \"weld\" is fixed and cannot move; name another"},
    {"initial: {q: {nail_joint: 1}}\n", ZV_NAME, 4, 15, "nail_joint",
     "joint \"nail_joint\" follows \"elbow\" and has no freedom of its own; name that joint, or write model:"},
    {"initial: {q: {ball: 1}}\n", ZV_SCHEMA, 4, 21, "1",
     "q of joint \"ball\": expected a list of 4 numbers: ball.qx, ball.qy, ball.qz, ball.qw"},
    {"initial: {q: {ball: [0, 0, 0, 2]}}\n", ZV_NUMBER, 4, 21, "ball",
     "the quaternion (x, y, z, w) of joint \"ball\" has length 2; it must be 1"},
    {"initial: {q: [1, 2]}\n", ZV_SIZE, 4, 14, "q",
     "q has 2 entries; it needs 7: shoulder, elbow, slide, ball.qx, ball.qy, ball.qz, ball.qw"},
    {"initial: {q: 5}\n", ZV_SCHEMA, 4, 14, "5",
     "q: expected a list of 7 numbers or a map from joints to values: {elbow: 0.5}"},
    {"initial: {v: {ball: [1, 2]}}\n", ZV_SIZE, 4, 21, "v",
     "v of joint \"ball\" has 2 entries; it needs 3: ball.wx, ball.wy, ball.wz"},
    {"initial: {v: {elbow: fast}}\n", ZV_NUMBER, 4, 22, "fast",
     "initial velocity of \"elbow\": expected a number, found \"fast\"; write a number such as 0.5, pi/2 or"},
    {"initial: {p: 1}\n", ZV_SCHEMA, 4, 11, "p",
     "\"p\" is not a key of the initial state; its keys are q, v, motors, state"},
    {"initial: {state: nowhere.json}\n", ZV_IO, 4, 18, "nowhere.json",
     "state of the initial state cannot be read: there is no such file; check the path"},
    {"initial: {motors: {elbow: {theta: 1}}}\n", ZV_NAME, 4, 20, "elbow",
     "joint \"elbow\" has no motor state; only joints with flexible: {...} have one"},
    {"initial: {motors: relaxed}\n", ZV_SCHEMA, 4, 19, "relaxed",
     "motors of the initial state: expected unstretched or equilibrium, found \"relaxed\""},
    /* springs, dampers, friction */
    {"passive: maybe\n", ZV_SCHEMA, 4, 10, "maybe", "passive: expected true or false, found \"maybe\""},
    {"passive: {spring: false}\n", ZV_SCHEMA, 4, 11, "spring",
     "\"spring\" is not a key of passive; did you mean \"springs\"?"},
    {"passive: {smoothing: -1}\n", ZV_NUMBER, 4, 22, "-1", "smoothing of passive is -1; it must not be negative"},
    {"joints: [elbow]\n", ZV_SCHEMA, 4, 9, "[",
     "joints: expected a map from joints to what they carry: {elbow: {damping: 0.5}}"},
    {"joints: {elbw: {damping: 1}}\n", ZV_NAME, 4, 10, "elbw", "there is no joint \"elbw\"; did you mean \"elbow\"?"},
    {"joints: {elbow: {dampng: 1}}\n", ZV_SCHEMA, 4, 18, "dampng",
     "\"dampng\" is not a key of joint \"elbow\"; did you mean \"damping\"?"},
    {"joints: {elbow: {damping: -1}}\n", ZV_NUMBER, 4, 27, "-1",
     "damping of joint \"elbow\" is -1; it must not be negative"},
    {"joints: {elbow: {friction: {coulomb: -1}}}\n", ZV_NUMBER, 4, 38, "-1",
     "coulomb of friction of joint \"elbow\" is -1; friction is written without sign"},
    {"joints: {elbow: {friction: {coulomb: 2, breakaway: 1}}}\n", ZV_NUMBER, 4, 52, "1",
     "breakaway of friction of joint \"elbow\" is 1; it must not be less than coulomb"},
    {"joints: {elbow: {friction: {coulomb: 2, smoothing: 0.1, stick_slip: true}}}\n", ZV_SCHEMA, 4, 69, "true",
     "stick_slip of friction of joint \"elbow\" contradicts smoothing; keep one of them"},
    {"joints: {elbow: {flexible: {stiffness: 100}}}\n", ZV_SCHEMA, 4, 28, "inertia",
     "flexible gear of joint \"elbow\" has no inertia; add inertia of the rotor, in kg m^2"},
    {"joints: {elbow: {flexible: {stiffness: 100, inertia: 0}}}\n", ZV_NUMBER, 4, 54, "0",
     "inertia of flexible gear of joint \"elbow\" is 0; it must be greater than 0"},
    {"joints: {elbow: {flexible: {stiffness: 100, inertia: 1, ratio: 0}}}\n", ZV_NUMBER, 4, 64, "0",
     "ratio of flexible gear of joint \"elbow\" is 0; a gear ratio is not zero"},
    {"joints: {ball: {spring: {stiffness: 1}}}\n", ZV_NOT_SUPPORTED, 4, 16, "ball.wx", "\"ball.wx\""},
    {"joints: {elbow: {spring: 3}}\n", ZV_SCHEMA, 4, 26, "3",
     "spring of joint \"elbow\": expected a map, found \"3\"; write key: value pairs"},
    /* drives and laws */
    {"drives: {type: pd}\n", ZV_SCHEMA, 4, 9, "{...}",
     "drives of the scenario: expected a list, found a map of 1 key; write its items on lines that begin with \"- \""},
    {"drives: [push]\n", ZV_SCHEMA, 4, 10, "push", "a drive: expected a map (key: value), found \"push\""},
    {"drives: [{joint: elbow}]\n", ZV_SCHEMA, 4, 10, "type", "drive has no type; add type: torque, motion, pd, ..."},
    {"drives: [{type: toque, joint: elbow, law: 1}]\n", ZV_SCHEMA, 4, 17, "toque",
     "type of drive: expected torque, motion, pd, pid,"},
    {"drives: [{type: torque, law: 1}]\n", ZV_SCHEMA, 4, 10, "joint",
     "drive \"torque\" has no joint; add joint: NAME, joints: [NAMES] or joints: all"},
    {"drives: [{type: torque, joint: elbow}]\n", ZV_SCHEMA, 4, 10, "law",
     "drive \"torque\" has no law; add a number, a list or {type: ...}"},
    {"drives: [{type: torque, joint: elbw, law: 1}]\n", ZV_NAME, 4, 32, "elbw",
     "there is no joint \"elbw\"; did you mean \"elbow\"?"},
    {"drives: [{type: torque, joint: elbow, joints: all, law: 1}]\n", ZV_SCHEMA, 4, 47, "joints",
     "drive \"torque\" has joint and joints; keep one of them"},
    {"drives: [{type: torque, joints: elbow, law: 1}]\n", ZV_SCHEMA, 4, 33, "elbow",
     "joints of drive \"torque\": expected a list of joint names, or all"},
    {"drives: [{type: torque, joints: [elbow, elbow], law: 1}]\n", ZV_NAME, 4, 41, "elbow",
     "joint \"elbow\" is named twice; remove one"},
    {"drives: [{type: torque, joints: [shoulder, elbow], law: [1, 2, 3]}]\n", ZV_SIZE, 4, 57, "[",
     "law of drive \"torque\" is of wrong dimension: it has 3 numbers, and 2 are needed: shoulder, elbow"},
    {"drives: [{type: torque, joints: [shoulder, elbow], law: {type: harmonic, amplitude: 1, hertz: 1}}]\n", ZV_SIZE, 4,
     85, "1", "amplitude of law of drive \"torque\" is of wrong dimension: it has 1 number, and 2 are needed:"},
    {"drives: [{type: torque, joint: elbow, law: {type: harmonic, amplitude: 1}}]\n", ZV_SCHEMA, 4, 44, "frequency",
     "law of drive \"torque\" has no frequency; add frequency in rad/s, or hertz"},
    {"drives: [{type: torque, joint: elbow, law: {type: harmonic, amplitude: 1, hertz: 1, frequency: 1}}]\n", ZV_SCHEMA,
     4, 82, "1", "hertz of law of drive \"torque\" and frequency (rad/s) are both given; keep one"},
    {"drives: [{type: torque, joint: elbow, law: {type: sine}}]\n", ZV_SCHEMA, 4, 51, "sine",
     "found \"sine\"; did you mean harmonic?"},
    {"drives: [{type: torque, joint: elbow, law: {type: harmonik}}]\n", ZV_SCHEMA, 4, 51, "harmonik",
     "type of law of drive \"torque\": expected constant,"},
    {"drives: [{type: torque, joint: elbow, law: {amplitude: 3}}]\n", ZV_SCHEMA, 4, 44, "type",
     "law of drive \"torque\" has no type; add type: quintic, harmonic, ..."},
    {"drives: [{type: torque, joint: elbow, law: {type: constant, valu: 3}}]\n", ZV_SCHEMA, 4, 61, "valu",
     "\"valu\" is not a key of law of drive \"torque\" (constant); did you mean \"value\"?"},
    {"drives: [{type: torque, joint: elbow, law: {type: cubic, to: 1, duration: 1}}]\n", ZV_SCHEMA, 4, 44, "from",
     "law of drive \"torque\" has no from; add from, where it begins"},
    {"drives: [{type: torque, joint: elbow, law: {type: table, times: [0, 1, 1], points: [0, 1, 2]}}]\n", ZV_NUMBER, 4,
     72, "1", "times of law of drive \"torque\": 1 comes after 1; times must ascend"},
    {"drives: [{type: torque, joint: elbow, law: {type: table, times: [0, 1], points: [0, 1, 2]}}]\n", ZV_SIZE, 4, 81,
     "points", "points of law of drive \"torque\" has 3 rows, and there are 2 times; give one row for each time"},
    {"drives: [{type: torque, joint: elbow, law: {type: spline, times: [0, 1], points: [0, 1], ends: free}}]\n",
     ZV_SCHEMA, 4, 96, "free",
     "ends of law of drive \"torque\": expected natural, clamped or periodic, found \"free\""},
    {"drives: [{type: torque, joint: elbow, law: {type: csv, file: nowhere.csv}}]\n", ZV_IO, 4, 62, "nowhere.csv",
     "file of law of drive \"torque\" cannot be read: there is no such file; check the path"},
    {"drives: [{type: torque, joint: elbow, law: {type: sequence, parts: []}}]\n", ZV_SIZE, 4, 68, "parts",
     "parts of law of drive \"torque\" is empty; give at least one law"},
    {"drives: [{type: torque, joint: elbow, law: {type: sequence, parts: [1, 2]}}]\n", ZV_SCHEMA, 4, 69, "duration",
     "part of law of drive \"torque\": each part but the last is {duration: ..., law: ...}"},
    {"drives: [{type: torque, joint: elbow, law: {type: line, frame: tool, to: {xyz: [0, 0, 1]}, duration: 1}}]\n",
     ZV_SCHEMA, 4, 51, "line", "law of drive \"torque\" cannot be a line: only a whole law of joint positions"},
    {"drives: [{type: motion, joint: elbow, law: {type: quintic, to: 1, duration: 0}}]\n", ZV_NUMBER, 4, 77, "0",
     "duration of law of drive \"motion\" is 0; it must be greater than 0"},
    {"drives: [{type: motion, joint: elbow, law: {type: quintic, to: 90, duration: 1}}]\n", ZV_NUMBER, 4, 44, "",
     "joint \"elbow\" is to be at 90 rad, more than a turn beyond its limits -2.5 ... 2.5; angles are in"},
    {"drives: [{type: motion, joint: elbow, law: {type: trapezoidal, to: 1, duration: 1, velocity: 1}}]\n", ZV_SCHEMA,
     4, 81, "1", "duration of law of drive \"motion\" contradicts velocity and acceleration; give one or the other"},
    {"drives: [{type: motion, joint: elbow, law: {type: trapezoidal, to: 1}}]\n", ZV_SCHEMA, 4, 44, "velocity",
     "law of drive \"motion\" has no velocity; add duration, or velocity and acceleration"},
    {"drives: [{type: motion, joint: elbow, law: {type: trapezoidal, to: 1, duration: 1, share: 0.7}}]\n", ZV_NUMBER, 4,
     91, "0.7", "share of law of drive \"motion\" is 0.7; the share of accelerating is above 0 and at most 0.5"},
    {"drives: [{type: motion, joint: elbow, law: {type: trapezoidal, to: 1, velocity: -1, acceleration: 1}}]\n",
     ZV_NUMBER, 4, 81, "-1", "velocity of law of drive \"motion\" is -1; a bound must be greater than 0"},
    {"drives: [{type: motion, joint: ball, law: [0, 0, 0]}]\n", ZV_NOT_SUPPORTED, 4, 32, "ball.wx",
     "drive \"motion\": \"ball.wx\" turns by a quaternion or floats and has no coordinate to follow; leave it"},
    {"initial: {q: {elbow: 0.5}}\ndrives: [{type: motion, joint: elbow, law: {type: quintic, from: 0, to: 1, duration: "
     "1}}]\n",
     ZV_NUMBER, 5, 44, "elbow",
     "the motion of joint \"elbow\" begins at 0, and its initial position is 0.5; make them equal, or leave"},
    {"drives: [{type: motion, joint: elbow, law: 0, name: a}, {type: motion, joint: elbow, law: 0, name: b}]\n",
     ZV_SCHEMA, 4, 57, "elbow", "is prescribed already"},
    {"drives: [{type: pd, joint: elbow}]\n", ZV_SCHEMA, 4, 10, "kp",
     "drive \"pd\" has no kp; add kp, force per rad or m of error"},
    {"drives: [{type: pd, joint: elbow, kp: -1}]\n", ZV_NUMBER, 4, 39, "-1",
     "kp of drive \"pd\" is -1; a gain must not be negative: it would drive the joint away"},
    {"drives: [{type: pd, joint: elbow, kp: 1, ki: 1}]\n", ZV_SCHEMA, 4, 46, "1",
     "ki of drive \"pd\" does not belong to a pd drive; write type: pid"},
    {"drives: [{type: pd, joint: elbow, kp: [1, 2]}]\n", ZV_SIZE, 4, 39, "[",
     "kp of drive \"pd\" is of wrong dimension: it has 2 numbers, and 1 is needed: elbow"},
    {"drives: [{type: pd, joint: elbow, kp: 1, feedback: rotor}]\n", ZV_SCHEMA, 4, 52, "rotor",
     "feedback of drive \"pd\": expected link or motor, found \"rotor\"; did you mean motor?"},
    {"drives: [{type: pd, joint: elbow, kp: 1, limit: 0}]\n", ZV_NUMBER, 4, 49, "0",
     "limit of drive \"pd\" is 0; a drive that may not push does nothing; give the greatest force"},
    {"drives: [{type: pd, joint: elbow, kp: 1, limit: -2}]\n", ZV_NUMBER, 4, 49, "-2",
     "limit of drive \"pd\" is -2; it counts for both directions and is written without sign"},
    {"drives: [{type: computed_torque, kp: 1, limit: [1, 2]}]\n", ZV_SIZE, 4, 48, "[",
     "limit of drive \"computed_torque\" is of wrong dimension: it has 2 numbers, and 3 are needed: shoulder, elbow"},
    {"drives: [{type: computed_torque, kp: 1, limit: model}]\n", ZV_SCHEMA, 4, 48, "model",
     "limit of drive \"computed_torque\" finds no effort limit on these joints of the model; add it there, or"},
    {"drives: [{type: pid, joint: elbow, kp: 1, ki: 1, tracking: -1}]\n", ZV_NUMBER, 4, 60, "-1",
     "tracking of drive \"pid\" is -1; a time must not be negative"},
    {"drives: [{type: pd, joint: elbow, kp: 1, tracking: 1}]\n", ZV_SCHEMA, 4, 42, "tracking",
     "\"tracking\" is not a key of drive \"pd\""},
    {"drives: [{type: pd, joint: ball, kp: 1}]\n", ZV_NOT_SUPPORTED, 4, 28, "ball.wx",
     "drive \"pd\": \"ball.wx\" turns by a quaternion or floats and has no coordinate to follow; leave it"},
    {"drives: [{type: pid, joint: elbow, kp: 1, gravity: 3}]\n", ZV_SCHEMA, 4, 52, "3",
     "gravity of drive \"pid\": expected true or false, found \"3\""},
    {"drives: [{type: computed_torque, kp: 1, reference: 3}, {name: x}]\n", ZV_SCHEMA, 4, 56, "type",
     "drive \"x\" has no type; add type: torque, motion, pd, ..."},
    {"drives: [{type: pd, joint: elbow, kp: 1, name: a}, {type: pd, joint: slide, kp: 1, name: a}]\n", ZV_NAME, 4, 90,
     "a", "a drive called \"a\" stands in line 4 already; give this one another name"},
    {"drives: [{type: operational_space, frame: tool, kp: 1}]\n", ZV_SCHEMA, 4, 10, "route",
     "drive \"operational_space\" has no route; add route: {type: line, ...}"},
    {"drives: [{type: operational_space, frame: toll, kp: 1, route: {type: line}}]\n", ZV_NAME, 4, 43, "toll",
     "there is no frame or link \"toll\"; did you mean \"tool\"?"},
    {"drives: [{type: operational_space, frame: tool, task: xy, kp: 1, route: {type: line}}]\n", ZV_SCHEMA, 4, 55, "xy",
     "task of drive \"operational_space\": expected full, xyz or rot, found \"xy\"; did you mean xyz?"},
    {"drives: [{type: operational_space, frame: tool, task: [x, q], kp: 1, route: {type: line}}]\n", ZV_NAME, 4, 59,
     "q", "there is no direction \"q\"; there are x, y, z, rx, ry, rz"},
    {"drives: [{type: operational_space, joints: [elbw], frame: tool, kp: 1, route: {type: line}}]\n", ZV_NAME, 4, 45,
     "elbw", "did you mean \"elbow\"?"},
    {"drives: [{type: operational_space, frame: tool, kp: 1, limit: 0, route: {type: line}}]\n", ZV_NUMBER, 4, 63, "0",
     "limit of drive \"operational_space\" is 0; a drive that may not push does nothing"},
    {"drives: [{type: operational_space, frame: tool, kp: 1, route: {type: curve}}]\n", ZV_SCHEMA, 4, 70, "curve",
     "type of route of drive \"operational_space\": expected line or arc, found \"curve\""},
    {"drives: [{type: operational_space, frame: tool, kp: 1, route: {type: line, to: {xyz: [0, 0, 1]}}}]\n", ZV_SCHEMA,
     4, 63, "duration",
     "route of drive \"operational_space\" has no duration; add duration, in s, or progress, a law from 0"},
    {"drives: [{type: operational_space, frame: tool, kp: 1, route: {type: line, to: {}, duration: 1}}]\n", ZV_SCHEMA,
     4, 80, "{...}", "to of route of drive \"operational_space\" is empty; give xyz, rpy or quaternion"},
    {"drives: [{type: operational_space, frame: tool, kp: 1, route: {type: line, to: {quaternion: [1, 1, 0, 0]}, "
     "duration: 1}}]\n",
     ZV_SCHEMA, 4, 93, "[...]",
     "quaternion of the end of route \"operational_space\" is not of length 1; the order is x, y, z, w"},
    {"drives: [{type: operational_space, frame: tool, kp: 1, route: {type: arc, center: [0, 0, 0], axis: [0, 0, 0], "
     "angle: 1, duration: 1}}]\n",
     ZV_SCHEMA, 4, 100, "[...]",
     "axis of route of drive \"operational_space\" is zero; give the direction the circle turns about"},
    {"initial: {q: {elbow: 1}}\ndrives: [{type: motion, joints: [shoulder, elbow], law: {type: line, frame: tool, "
     "task: [x, z], to: {xyz: [3, 0, 3]}, duration: 1}}]\n",
     ZV_NO_CONVERGENCE, 5, 57, "", "cannot be followed: at t = 0.17"},
    {"drives: [{type: motion, joints: [shoulder, elbow], law: {type: line, frame: tool, task: [x, z], to: {xyz: [0.1, "
     "0, 0.5]}, duration: 1}}]\n",
     ZV_SINGULAR, 4, 57, "", "leads through a singular position at t = "},
    /* loads and springs */
    {"springs: [{from: base, to: tol, stiffness: 1, length: 1}]\n", ZV_NAME, 4, 28, "tol", "did you mean \"tool\"?"},
    {"springs: [{from: base, to: tool}]\n", ZV_SCHEMA, 4, 11, "stiffness",
     "has no stiffness; add stiffness: 1000, in N/m"},
    {"springs: [{from: base, to: tool, stiffness: 1, length: -1}]\n", ZV_NUMBER, 4, 56, "-1",
     "is -1; it must not be negative"},
    {"springs: [{name: s, from: tool, to: grip, stiffness: 1, length: 1}]\n", ZV_SCHEMA, 4, 37, "grip",
     "belongs to the same body as from"},
    {"loads: [{frame: tol, force: [0, 0, 1]}]\n", ZV_NAME, 4, 17, "tol",
     "there is no frame or link \"tol\"; did you mean \"tool\"?"},
    {"loads: [{frame: tool}]\n", ZV_SCHEMA, 4, 9, "force", "load has neither force nor moment; add one"},
    {"loads: [{frame: tool, force: 3}]\n", ZV_SIZE, 4, 30, "3",
     "force of load \"tool\" is of wrong dimension: it has 1 number, and 3 are needed"},
    {"loads: [{frame: tool, force: [1, 2]}]\n", ZV_SIZE, 4, 30, "[",
     "force of load \"tool\" is of wrong dimension: it has 2 numbers, and 3 are needed"},
    {"loads: [{frame: base, force: [0, 0, 1]}]\n", ZV_SCHEMA, 4, 17, "base",
     "frame of load stands still on the ground; a load there does nothing"},
    {"loads: [{frame: tool, axes: body, force: [0, 0, 1]}]\n", ZV_SCHEMA, 4, 29, "body",
     "axes of load: expected world or local, found \"body\""},
    /* integrator */
    {"integrator: {method: ode113}\n", ZV_SCHEMA, 4, 22, "ode113",
     "method of the integrator: expected adams, bdf, erk, dirk, rk4, euler, "
     "newmark or "
     "generalized-alpha"},
    {"integrator: {rtol: -1e-6}\n", ZV_NUMBER, 4, 20, "-1e-6",
     "rtol of the integrator is -1e-06; it must be greater than 0"},
    {"integrator: {rtol: 0.5}\n", ZV_NUMBER, 4, 20, "0.5",
     "rtol of the integrator is 0.5; a relative tolerance above 0.1 leaves no digit right; 1e-6 is coarse"},
    {"integrator: {atol: -1}\n", ZV_NUMBER, 4, 20, "-1", "atol of the integrator is -1; it must not be negative"},
    {"integrator: {order: 99}\n", ZV_NUMBER, 4, 21, "99", "order is 99; the method adams has orders 1 to 12"},
    {"integrator: {method: rk4, step: 0}\n", ZV_NUMBER, 4, 33, "0",
     "step of the integrator is 0; it must be greater than 0"},
    {"integrator: {method: rk4, step: 5}\n", ZV_NUMBER, 4, 33, "5",
     "step of the integrator is 5; that is longer than the whole duration; steps are in seconds"},
    {"integrator: {method: rk4, step: 1e-15}\n", ZV_NUMBER, 4, 33, "1e-15",
     "step of the integrator is 1e-15; that makes more than 1e12 steps in the duration; steps are in"},
    {"integrator: {method: rk4, order: 5}\n", ZV_NUMBER, 4, 34, "5", "order is 5; the method rk4 has order 4 only"},
    {"integrator: {max_steps: 2.5}\n", ZV_NUMBER, 4, 25, "2.5",
     "max_steps of the integrator is 2.5; write a whole number"},
    {"integrator: {max_step: 0}\n", ZV_NUMBER, 4, 24, "0",
     "max_step of the integrator is 0; it must be greater than 0"},
    {"integrator: rk4\n", ZV_SCHEMA, 4, 13, "rk4",
     "the integrator: expected a map, found \"rk4\"; write key: value pairs"},
    /* events */
    {"events: {type: limit}\n", ZV_SCHEMA, 4, 9, "{...}",
     "events of the scenario: expected a list, found a map of 1 key; write its items on lines that begin with \"- \""},
    {"events: [{name: a}]\n", ZV_SCHEMA, 4, 10, "type", "event \"a\" has no type; add type: limit, plane or threshold"},
    {"events: [{type: limit}]\n", ZV_SCHEMA, 4, 10, "joint",
     "event has no joint; add joint: NAME, joints: [NAMES] or joints: all"},
    {"events: [{type: limt, joint: elbow}]\n", ZV_SCHEMA, 4, 17, "limt",
     "type of event: expected limit, plane or threshold, found \"limt\"; did you mean limit?"},
    {"events: [{type: limit, joint: ball}]\n", ZV_SCHEMA, 4, 31, "ball",
     "the joint has no limits in the model; add limits: {lower, upper} there, or watch it with type:"},
    {"events: [{type: limit, joint: elbow, action: bounce, restitution: 2}]\n", ZV_NUMBER, 4, 67, "2",
     "restitution of event is 2; it is at most 1, or a bounce would bring energy"},
    {"events: [{type: limit, joint: elbow, restitution: 0.5}]\n", ZV_SCHEMA, 4, 51, "0.5",
     "restitution of event belongs to action: bounce"},
    {"events: [{type: limit, joint: elbow, action: explode}]\n", ZV_SCHEMA, 4, 46, "explode",
     "action of event: expected record, stop or bounce, found \"explode\""},
    {"initial: {q: {elbow: 2.6}}\nevents: [{type: limit, joint: elbow}]\n", ZV_NUMBER, 5, 31, "limit elbow upper",
     "event \"limit elbow upper\" fires at once: joint \"elbow\" begins at 2.6, and its upper limit is 2.5;"},
    {"events: [{type: plane, frame: tool, normal: [0, 0, 0]}]\n", ZV_SCHEMA, 4, 45, "[...]",
     "normal of event is zero; give the direction out of the plane"},
    {"events: [{type: plane, frame: tool, offset: 3}]\n", ZV_NUMBER, 4, 10, "touch tool",
     "event \"touch tool\" fires at once: frame \"tool\" begins 2 m behind the plane; change the initial"},
    {"events: [{type: plane, frame: base, offset: 3}]\n", ZV_SCHEMA, 4, 31, "base",
     "frame of event stands still on the ground and never touches"},
    {"events: [{type: threshold, channel: v.elbow}]\n", ZV_SCHEMA, 4, 10, "value",
     "event has no value; add value, the threshold"},
    {"events: [{type: threshold, channel: v.elbw, value: 1}]\n", ZV_NAME, 4, 37, "elbw",
     "there is no entry \"elbw\"; did you mean \"elbow\"?"},
    {"events: [{type: threshold, channel: v, value: 1}]\n", ZV_SCHEMA, 4, 37, "v",
     "channel \"v\" has 6 entries; name one, as in \"v.shoulder\": shoulder, elbow, slide, ball.wx, ball.wy,"},
    {"events: [{type: threshold, channel: w.elbow, value: 1}]\n", ZV_NAME, 4, 37, "w",
     "there is no channel \"w\"; there are q, v, a, tau, states, reference, forces, power, work, energy,"},
    {"events: [{type: threshold, channel: pose tool.height, value: 1}]\n", ZV_NAME, 4, 37, "height",
     "there is no entry \"height\"; there are x, y, z, qx, qy, qz, qw"},
    {"events: [{type: threshold, channel: pose tol.z, value: 1}]\n", ZV_NAME, 4, 37, "tol",
     "there is no frame or link \"tol\"; did you mean \"tool\"?"},
    {"events: [{type: threshold, channel: v.elbow, value: 1, direction: up}]\n", ZV_SCHEMA, 4, 67, "up",
     "direction of event: expected both, rising or falling, found \"up\""},
    {"events: [{type: threshold, channel: v.elbow, value: 1, action: bounce}]\n", ZV_SCHEMA, 4, 64, "bounce",
     "action of event cannot be bounce: only limits and planes throw back; write record or stop"},
    /* output */
    {"output: {file: out.mat}\n", ZV_SCHEMA, 4, 16, "out.mat",
     "file of the output must end in .h5 or .csv: that decides the form of the recording"},
    {"output: {rate: 1e9}\n", ZV_NUMBER, 4, 16, "1e9",
     "rate of the output is 1e+09; with a duration of 2 s that makes 2e+09 rows, more than 1e9; rate is"},
    {"output: {rate: 0}\n", ZV_NUMBER, 4, 16, "0", "rate of the output is 0; it must be greater than 0"},
    {"output: {interval: 1e-10}\n", ZV_NUMBER, 4, 20, "1e-10",
     "interval of the output is 1e-10; with a duration of 2 s that makes 2e+10 rows, more than 1e9;"},
    {"output: {rate: 10, interval: 0.1}\n", ZV_SCHEMA, 4, 30, "0.1",
     "interval of the output is not alone: rate, interval and every_step exclude each other; keep one"},
    {"output: {rate: 10, every_step: true}\n", ZV_SCHEMA, 4, 16, "10",
     "rate of the output is not alone: rate, interval and every_step exclude each other; keep one"},
    {"output: {channels: [q, vv]}\n", ZV_NAME, 4, 24, "vv",
     "there is no channel \"vv\"; there are q, v, a, tau, states, reference, forces, power, work, energy,"},
    {"output: {channels: [pose]}\n", ZV_SCHEMA, 4, 21, "pose", "channel \"pose\" needs a frame; write \"pose FRAME\""},
    {"output: {channels: [q elbow]}\n", ZV_SCHEMA, 4, 21, "q elbow", "channel \"q\" takes no name; write just \"q\""},
    {"output: {channels: [pose tol]}\n", ZV_NAME, 4, 21, "tol",
     "there is no frame or link \"tol\"; did you mean \"tool\"?"},
    {"output: {channels: [reactions elbw]}\n", ZV_NAME, 4, 21, "elbw",
     "there is no joint \"elbw\"; did you mean \"elbow\"?"},
    {"output: {channels: [q, v, q]}\n", ZV_NAME, 4, 27, "q", "channel \"q\" is listed twice; remove one"},
    {"output: {channels: q}\n", ZV_SCHEMA, 4, 20, "q",
     "channels of the output: expected a list, found \"q\"; write its items on lines that begin with \"- \""},
    {"output: {channels: [states]}\n", ZV_SCHEMA, 4, 21, "states", "channel \"states\" would be empty"},
    {"output: {checkpoint: 0}\n", ZV_NUMBER, 4, 22, "0", "checkpoint of the output is 0; it must be greater than 0"},
    {"output: {ledger: 1}\n", ZV_SCHEMA, 4, 18, "1", "ledger of the output: expected true or false, found \"1\""},
    {"output: {chanels: [q]}\n", ZV_SCHEMA, 4, 10, "chanels",
     "\"chanels\" is not a key of the output; did you mean \"channels\"?"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void show(const zvError *error) {
    char line[1024];
    print_message("  got %s %s [%s]\n", zv_status_name(error->status), zv_error_line(error, line, sizeof line),
                  error->token);
}

static bool refused(const Case *wanted) {
    char text[8192];
    zvError error = {0};
    zvScenario *scenario = NULL;
    snprintf(text, sizeof text, "%s%s", wanted->text[0] == '!' ? "" : HEAD, wanted->text + (wanted->text[0] == '!'));
    const zvStatus status = zv_scenario_read_memory("test/s.yaml", text, strlen(text), 0, NULL, &scenario, &error);
    const bool right = status == wanted->status && error.status == status && !scenario && error.line == wanted->line &&
                       error.column == wanted->column && strcmp(error.token, wanted->token) == 0 &&
                       strcmp(error.file, "test/s.yaml") == 0 && strstr(error.text, wanted->words);
    if (right) return true;
    print_message("%s  wanted %s %d:%d [%s] %s\n", wanted->text, zv_status_name(wanted->status), wanted->line,
                  wanted->column, wanted->token, wanted->words);
    if (status < 0) show(&error);
    zv_scenario_destroy(scenario);
    return false;
}

static void bad_scenarios(void **state) {
    (void)state;
    int wrong = 0;
    for (int i = 0; i < CASES; i++) wrong += !refused(&cases[i]);
    assert_int_equal(wrong, 0);
}

/* The texts are distinct: no two cases test the same sentence in the same place. */
static void cases_differ(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int j = 0; j < i; j++) assert_string_not_equal(cases[i].text, cases[j].text);
    assert_true(CASES >= 60);
}

typedef struct Change {
    const char *change;
    zvStatus status;
    const char *line; /* of the error, with its place */
} Change;

static const Change changes[] = {
    {"rtol", ZV_SYNTAX, "--set rtol: write key=value, for example --set integrator.rtol=1e-6"},
    {"=3", ZV_SYNTAX, "--set =3: write key=value"},
    {"duration=", ZV_SYNTAX, "--set duration=: a value is missing after the ="},
    {"duration=[1", ZV_SYNTAX, "--set duration=[1:2:1:"},
    {"duration=-1", ZV_NUMBER, "--set duration=-1:1:16: duration of the scenario is -1; it must be greater than 0"},
    {"integrator.rtl=1", ZV_SCHEMA,
     "--set integrator.rtl=1:1:7: \"rtl\" is not a key of the integrator; did you mean \"rtol\"?"},
    {"drives.1.kp=3", ZV_NAME,
     "--set drives.1.kp=3:1:14: \"1\" is no item of this list; its items are numbered 0 to 0"},
    {"drives.first.kp=3", ZV_NAME, "\"first\" is no item of this list"},
    {"duration.x=3", ZV_SCHEMA, "--set duration.x=3:1:16: expected a map or list before .x, found the value \"2\""},
    {"drives..kp=3", ZV_SYNTAX, "a key is missing in \"drives..kp\""},
    {"drives.0.kp=[1, 2]", ZV_SIZE, "--set drives.0.kp=[1, 2]:1:19: kp of drive \"pd\" is of wrong dimension"},
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_scenarios),
        cmocka_unit_test(cases_differ),
        cmocka_unit_test(bad_changes),
        cmocka_unit_test(missing_scenario),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
