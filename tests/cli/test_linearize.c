/* "zveno linearize" and "zveno response": numbers of a pendulum by hand, files byte by byte, every complaint. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#include <math.h>

#include "support/near.h"

static const double g = 9.81;

/* 2 kg on a thread of 0.5 m with a damper, held by a controller: J = 0.5 kg m^2. */
static void put_pendulum(void) {
    put_file("pendulum.yaml", "zveno: 1\nname: pendulum\nlinks:\n  - {name: base}\n"
                              "  - {name: bob, mass: 2, com: [0, 0, -0.5]}\n"
                              "joints:\n  - {name: pivot, type: revolute, parent: base, child: bob, axis: [0, 1, 0], "
                              "damping: 0.3}\nframes:\n  - {name: tip, link: bob, pose: {xyz: [0, 0, -0.5]}}\n");
    put_file("held.yaml", "zveno_scenario: 1\nmodel: pendulum.yaml\nduration: 2\n"
                          "drives: [{name: hold, type: pid, joint: pivot, kp: 40, ki: 10, kd: 3, reference: 0}]\n");
}

/* One number of the answer. */
static void expect_near(const char *json, const char *path, double expected, double tolerance) {
    zvDocument *document = parse(json);
    double value = NAN;
    assert_int_equal(zv_node_number(node_at(zv_document_root(document), path), path, &value, NULL), ZV_OK);
    assert_named_near(path, value, expected, tolerance * (1 + fabs(expected)));
    zv_document_destroy(document);
}

static void matrices_of_a_pendulum(void **state) {
    (void)state;
    put_pendulum();
    Transcript t = zveno("linearize pendulum.yaml --json");
    expect_silence(t);
    expect_text(t.out, "states.1.name", "v.pivot");
    expect_text(t.out, "inputs.0.name", "tau.pivot");
    expect_near(t.out, "A.1.0", -g / 0.5, 1e-11);
    expect_near(t.out, "A.1.1", -0.3 / 0.5, 1e-11);
    expect_near(t.out, "B.1.0", 1 / 0.5, 1e-12);
    expect_near(t.out, "M.0.0", 0.5, 1e-12);
    expect_near(t.out, "K.0.0", g, 1e-11);
    expect_near(t.out, "damping.0.0", 0.3, 1e-11);
    t = zveno("linearize held.yaml --inputs \"reference hold,load tip.fx\" --outputs \"forces,pose tip.x\" --json");
    expect_silence(t);
    expect_text(t.out, "states.2.name", "states.hold pivot integral");
    expect_near(t.out, "A.1.0", -(g + 40) / 0.5, 1e-11);
    expect_near(t.out, "A.1.2", 10 / 0.5, 1e-11);
    expect_near(t.out, "A.2.0", -1, 1e-11);
    expect_near(t.out, "B.1.0", 40 / 0.5, 1e-11);
    expect_near(t.out, "B.1.1", -0.5 / 0.5, 1e-11); /* a turn about y moves the tip back */
    expect_near(t.out, "C.2.0", -0.5, 1e-9);
    assert_null(strstr(t.out, "\"K\"")); /* an integral is a state */
}

static void states_and_times(void **state) {
    (void)state;
    put_pendulum();
    Transcript t = zveno_with("[{q: [0.5]}, {q: [1], v: [2]}]", "linearize pendulum.yaml --state - --json");
    expect_silence(t);
    expect_near(t.out, "models.0.A.1.0", -g / 0.5 * cos(0.5), 1e-11);
    expect_near(t.out, "models.1.A.1.0", -g / 0.5 * cos(1), 1e-11);
    expect_near(t.out, "models.1.rate.0", 2, 1e-14);
    t = zveno("linearize held.yaml --at 0:1:0.5 --set initial.q=[0.4] --json");
    expect_silence(t);
    expect_near(t.out, "models.2.t", 1, 1e-15);
    expect_near(t.out, "models.0.A.1.0", -(g * cos(0.4) + 40) / 0.5, 1e-11);
    t = zveno("linearize held.yaml --at 0.5");
    expect_part(t.out, "3 states, 1 input, 1 output, t = 0.5 s");
}

/* The number at a place of a file that was written little-endian. */
static double number_in(const char *file, size_t at) {
    static char bytes[TRANSCRIPT_CAPACITY];
    double number;
    get_file(file, bytes);
    memcpy(&number, bytes + at, sizeof number);
    return number;
}

static bool bytes_in(const char *file, size_t at, const char *expected, size_t size) {
    static char bytes[TRANSCRIPT_CAPACITY];
    get_file(file, bytes);
    return memcmp(bytes + at, expected, size) == 0;
}

/* The first two arrays of a file of MATLAB by its format, t (1 x 1) and A (2 x 2) by columns; the head of a zip, of
 * NumPy. */
static void files_byte_by_byte(void **state) {
    (void)state;
    put_pendulum();
    Transcript t = zveno("linearize pendulum.yaml -o one.mat");
    assert_string_equal(t.out, "wrote one.mat: 2 states, 1 input, 1 output, 1 time\n");
    assert_true(bytes_in("one.mat", 0, "MATLAB 5.0 MAT-file", 19));
    assert_true(bytes_in("one.mat", 124, "\x00\x01IM", 4));
    static const char head[] =
        "\x0e\x00\x00\x00\x40\x00\x00\x00\x06\x00\x00\x00\x08\x00\x00\x00\x06\x00\x00\x00\x00\x00"
        "\x00\x00\x05\x00\x00\x00\x08\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00"
        "\x01\x00\x00\x00t\x00\x00\x00\x00\x00\x00\x00\x09\x00\x00\x00\x08\x00\x00\x00";
    assert_true(bytes_in("one.mat", 128, head, sizeof head - 1));
    assert_true(number_in("one.mat", 192) == 0);
    assert_true(bytes_in("one.mat", 240,
                         "\x01\x00\x00\x00\x01\x00\x00\x00"
                         "A",
                         9));
    assert_near(number_in("one.mat", 264), 0, 0);
    assert_near(number_in("one.mat", 272), -g / 0.5, 1e-10);
    assert_near(number_in("one.mat", 280), 1, 0);
    assert_near(number_in("one.mat", 288), -0.6, 1e-11);
    t = zveno("linearize pendulum.yaml -o one.npz");
    expect_silence(t);
    assert_true(bytes_in("one.npz", 0, "PK\x03\x04", 4));
    assert_true(bytes_in("one.npz", 30,
                         "t.npy\x93"
                         "NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }",
                         71));
    /* the sum of t.npy, worked out by another program (zlib.crc32) */
    assert_true(bytes_in("one.npz", 14, "\x0b+\x11\x8e", 4));
    t = zveno("linearize held.yaml --at 0:1:0.5 -o many.csv");
    expect_silence(t);
    t = zveno("info many.csv");
    expect_part(t.out, "many.csv: 3 rows");
    t = zveno("linearize pendulum.yaml -o one.json");
    static char json[TRANSCRIPT_CAPACITY];
    get_file("one.json", json);
    expect_near(json, "A.1.0", -g / 0.5, 1e-11);
}

static void reductions(void **state) {
    (void)state;
    put_pendulum();
    Transcript t = zveno("linearize held.yaml --inputs \"reference hold\" --reduce balanced:2 --json");
    expect_silence(t);
    expect_text(t.out, "states.1.name", "x2");
    t = zveno("linearize held.yaml --reduce tiny");
    expect_code(t, 2);
    expect_part(t.err, "expected --reduce minimal or balanced:N, found \"tiny\"\n");
    t = zveno("linearize held.yaml --at 0:1:0.5 --reduce minimal");
    expect_part(t.err, "expected one time for --reduce, found 3: ");
    t = zveno("linearize pendulum.yaml --inputs tau --outputs q --reduce minimal --json");
    expect_silence(t);
    expect_text(t.out, "states.0.name", "x1");
}

/* q / tau = 1 / (0.5 s^2 + 3.3 s + g + 40) without the integral. */
static void responses(void **state) {
    (void)state;
    put_pendulum();
    Transcript t = zveno("response held.yaml --set drives.hold.ki=0 --show poles,zeros,frequency,sigma,step,impulse "
                         "--to 1 --count 11 --frequencies 0.1:10 --json");
    expect_silence(t);
    const double k = g + 40, d = 3.3, J = 0.5, w = 2 * acos(-1) * 10;
    expect_near(t.out, "poles.0.0", -d / (2 * J), 1e-11);
    expect_near(t.out, "frequency.omega.10", w, 1e-12);
    expect_near(t.out, "frequency.pairs.0.size.10", 1 / hypot(k - J * w * w, d * w), 1e-10);
    expect_near(t.out, "frequency.pairs.0.phase.10", atan2(-d * w, k - J * w * w), 1e-10);
    const double s = d / (2 * J), wd = sqrt(k / J - s * s);
    expect_near(t.out, "step.pairs.0.y.3", (1 - exp(-0.3 * s) * (cos(0.3 * wd) + s / wd * sin(0.3 * wd))) / k, 1e-11);
    expect_near(t.out, "impulse.pairs.0.y.3", exp(-0.3 * s) * sin(0.3 * wd) / (J * wd), 1e-11);
    t = zveno("response held.yaml --set drives.hold.ki=0 --break hold --json");
    expect_silence(t);
    expect_text(t.out, "margins.0.drive", "hold pivot");
    expect_text(t.out, "margins.0.stable", "true");
    t = zveno("response held.yaml --over drives.hold.kp=10:90:3 --json");
    expect_silence(t);
    expect_near(t.out, "locus.values.1", 50, 1e-15);
    t = zveno("response held.yaml");
    expect_part(t.out, "tau.pivot -> q.pivot: 1 zero\n");
}

static void complaints(void **state) {
    (void)state;
    static const struct {
        const char *words;
        int code;
        const char *told;
    } wrong[] = {
        {"linearize pendulum.yaml --outputs q.pivo", 1,
         "expected a known entry, found \"pivo\"; did you mean \"pivot\"?"},
        {"linearize pendulum.yaml --outputs pos", 1, "expected a known channel, found \"pos\"; did you mean \"pose\"?"},
        {"linearize pendulum.yaml --inputs tau.pivt", 1,
         "expected a known input, found \"tau.pivt\"; did you mean \"tau.pivot\"?"},
        {"linearize pendulum.yaml --inputs \"load tipp\"", 1, "did you mean \"load tip\"?"},
        {"linearize pendulum.yaml --outputs reference", 1,
         "expected a channel with values, found \"reference\" without; leave it out"},
        {"linearize pendulum.yaml --state none.json", 1, "none.json: there is no such file; check the path"},
        {"linearize held.yaml --at 1 --state none.json", 2,
         "expected --at, a time of the run, or --state, found both; leave one out"},
        {"linearize held.yaml --at soon", 2, "expected --at T or FROM:TO:STEP in s, found \"soon\""},
        {"linearize held.yaml --at -1", 2, "expected --at no sooner than the scenario starts, 0 s, found -1 s"},
        {"linearize held.yaml --at 0.1:1:0.2", 2, "with FROM a whole number of steps behind the start, 0 s"},
        {"linearize held.yaml -o a.txt", 2, "expected -o FILE.json, .mat, .npz, .h5 or .csv, found \"a.txt\""},
        {"response held.yaml --show bode", 2, "part of a response"},
        {"response held.yaml --break grip", 1, "grip"},
        {"response held.yaml --over drives.hold.kp=1:2", 2, "expected --over KEY=FROM:TO:N with N from 2 to 2000"},
        {"response held.yaml --show step -o a.txt", 1, ""},
        {"response held.yaml -o a.svg", 2,
         "expected one of frequency, nichols, sigma, step, impulse and --over to draw, found 0"},
        {"response held.yaml --at 0:1:0.5", 2, "expected one state to respond, found 3; give --at one time"},
        {"response held.yaml --show frequency --frequencies 3:1", 2,
         "expected --frequencies FROM:TO in Hz, 0 < FROM < TO, found \"3:1\""},
    };
    put_pendulum();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Transcript t = zveno(wrong[i].words);
        expect_part(t.err, wrong[i].told);
        if (*wrong[i].told) expect_code(t, wrong[i].code);
        assert_string_equal(t.out, "");
    }
    Transcript t = zveno("linearize pendulum.yaml --inputs \"load tip.fy\" --outputs q");
    expect_code(t, 0);
    expect_part(t.err, "warning: input \"load tip.fy\" moves nothing at this state; leave it out\n");
}

TESTS_BETWEEN(make_folder, remove_folder, matrices_of_a_pendulum, states_and_times, files_byte_by_byte, reductions,
              responses, complaints)
