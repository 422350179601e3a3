/* zveno plot: pictures of recordings; zveno info and convert of them. */
#define _XOPEN_SOURCE 700
#include "process.h"
#include "support/run_tests.h"

#include <math.h>

static const char fall[] = "zveno_scenario: 1\n"
                           "title: Two links <fall> & swing\n"
                           "model: " ZV_SOURCE_DIR "/models/two_link.yaml\n"
                           "duration: 1\n"
                           "initial: {q: {joint1: -0.5, joint2: 0.3}}\n"
                           "output: {rate: 50, channels: [q, v, energy, pose link2]}\n";

/* Every element that is opened is closed in order, and nothing stands after the root. */
static void expect_well_formed(const char *xml) {
    enum { DEPTH = 64 };
    const char *open[DEPTH];
    size_t lengths[DEPTH];
    int depth = 0;
    assert_int_equal(strncmp(xml, "<?xml ", 6), 0);
    const char *at = strstr(xml, "?>") + 2;
    for (; (at = strchr(at, '<')); at = strchr(at, '>') + 1) {
        const char *name = at + 1 + (at[1] == '/'), *end = strchr(at, '>');
        const size_t length = strcspn(name, " />\n");
        assert_non_null(end);
        if (at[1] == '/') {
            assert_true(depth-- > 0);
            assert_true(lengths[depth] == length && !strncmp(open[depth], name, length));
        } else if (end[-1] != '/') {
            assert_true(depth < DEPTH);
            open[depth] = name, lengths[depth++] = length;
        }
    }
    assert_int_equal(depth, 0);
}

/* Skips the test in a build without cairo. */
static void need_pictures(void) {
    if (strstr(zveno("plot fall.csv -o probe.svg").err, "expected a build that draws pictures")) skip();
}

static void svg_says_what_it_shows(void **state) {
    (void)state;
    need_pictures();
    const Transcript t = zveno("plot fall.csv");
    expect_silence(t);
    expect_part(t.out,
                "wrote fall.svg: q [rad], v [rad/s], energy [J], pose link2 [m], pose link2; 51 rows, t = 0 to 1 s");
    size_t size;
    char *svg = load_file("fall.svg", &size);
    expect_well_formed(svg);
    expect_part(svg, "<title>Two links &lt;fall&gt; &amp; swing</title>");
    expect_part(svg, "q [rad]: joint1, joint2\n");
    expect_part(svg, "pose link2 [m]: x, y, z\n");
    expect_part(svg, "pose link2: qx, qy, qz, qw\n");
    free(svg);
    assert_false(has_file("fall.svg.part"));
}

static void pictures_are_deterministic(void **state) {
    (void)state;
    need_pictures();
    static const char *const forms[] = {"svg", "png"};
    for (int i = 0; i < 2; i++) {
        char line[128];
        snprintf(line, sizeof line, "\"$Z\" plot fall.csv -o a.%s && \"$Z\" plot fall.csv -o b.%s && cmp a.%s b.%s",
                 forms[i], forms[i], forms[i], forms[i]);
        expect_silence(shell(line));
    }
}

static unsigned big_endian(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3];
}

static void png_has_the_size_asked_for(void **state) {
    (void)state;
    need_pictures();
    expect_silence(zveno("plot fall.csv --channels q,v.joint2 --size 640x480 -o small.png"));
    size_t size;
    char *png = load_file("small.png", &size);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(big_endian(png + 16), 640);
    assert_int_equal(big_endian(png + 20), 480);
    assert_memory_equal(png + size - 8, "IEND", 4);
    free(png);
}

static void channels_and_entries(void **state) {
    (void)state;
    need_pictures();
    Transcript t = zveno("plot fall.csv --channels 'q.joint2, energy.gap,q.joint1' --from 0.2 --to 0.4 -o part.svg");
    expect_silence(t);
    expect_part(t.out, "wrote part.svg: q [rad], energy [J]; 11 rows, t = 0.2 to 0.4 s\n");
    size_t size;
    char *svg = load_file("part.svg", &size);
    expect_part(svg, "q [rad]: joint2, joint1\nenergy [J]: gap\n");
    free(svg);
    t = zveno("plot fall.csv --channels enrgy -o no.svg");
    expect_failure(t, 1, "expected a known channel, found \"enrgy\"; did you mean \"energy\"?");
    expect_part(t.err, "known: t");
    expect_part(t.err, "pose link2");
    t = zveno("plot fall.csv --channels q.jont2 -o no.svg");
    expect_failure(t, 1, "expected a known entry of channel \"q\", found \"jont2\"; did you mean \"joint");
    expect_part(t.err, "known: joint1, joint2\n");
    assert_false(has_file("no.svg"));
}

static void bad_usage(void **state) {
    (void)state;
    need_pictures();
    expect_failure(zveno("plot"), 2, "expected the recording, found none");
    expect_failure(zveno("plot fall.csv --size 640"), 2, "--size WxH");
    expect_failure(zveno("plot fall.csv --size 10x10"), 2, "--size WxH");
    expect_failure(zveno("plot fall.csv --size 640x480x2"), 2, "--size WxH");
    expect_failure(zveno("plot fall.csv --from 2 --to 1"), 2, "--from");
    expect_failure(zveno("plot fall.csv --channels ,"), 2, "--channels");
    expect_failure(zveno("plot fall.csv -o fall.jpg"), 2, ".svg or .png");
    expect_failure(zveno("plot fall.csv --from 7 -o no.svg"), 1, "it covers 0 to 1 s");
    expect_failure(zveno("plot nowhere.csv"), 1, "nowhere.csv");
    expect_failure(zveno("plot fall.csv -o nowhere/fall.svg"), 1, "nowhere/fall.svg");
    expect_failure(zveno("plot fall.yaml"), 1, "fall.yaml");
}

/* A recording written by hand: `rows` rows of a zigzag, `width` times, with one spike in the middle. */
static void put_recording(const char *name, int rows, int width) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("# zveno recording, format 1\n", file);
    fprintf(file, "# rows %d\n# channel \"t\" width 1 unit \"s\" about \"time\"\n", rows);
    fprintf(file, "# channel \"x\" width %d unit \"m\" about \"by hand\"\n", width);
    fputs("t [s]", file);
    for (int i = 0; i < width; i++) fprintf(file, ",x.%d [m]", i);
    for (int row = 0; row < rows; row++) {
        fprintf(file, "\n%.9g", (double)row / (rows - 1));
        for (int i = 0; i < width; i++) fputs(row == rows / 2 ? ",1" : row % 2 ? ",0.25" : ",0", file);
    }
    fputs("\n", file);
    fclose(file);
}

/* Points of the longest path of a picture and how far they reach in y. */
static int longest_path(const char *name, double *reach) {
    size_t size;
    char *svg = load_file(name, &size);
    int most = 0;
    for (const char *at = svg; (at = strstr(at, " d=\"M")); at++) {
        double low = INFINITY, high = -INFINITY;
        int points = 0;
        for (const char *c = at + 4; *c && *c != '"'; c++) {
            double x, y;
            if ((*c != 'M' && *c != 'L') || sscanf(c + 1, "%lf %lf", &x, &y) != 2) continue;
            low = fmin(low, y), high = fmax(high, y);
            points++;
        }
        if (points > most) most = points, *reach = high - low;
    }
    free(svg);
    return most;
}

static void long_recordings_are_thinned_but_keep_their_peaks(void **state) {
    (void)state;
    need_pictures();
    double plain = 0, thinned = 0;
    put_recording("short.csv", 201, 1);
    put_recording("long.csv", 60001, 1);
    expect_silence(zveno("plot short.csv --size 800x400"));
    expect_silence(zveno("plot long.csv --size 800x400"));
    assert_int_equal(longest_path("short.svg", &plain), 201);
    assert_true(longest_path("long.svg", &thinned) < 4 * 800);
    assert_true(plain > 200 && fabs(plain - thinned) < 0.1);
}

/* Entry k of forty moves by k mod 7 + k / 100: the twelve that move most are drawn, in their order. */
static void wide_channels_are_thinned_with_a_note(void **state) {
    (void)state;
    need_pictures();
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "# zveno recording, format 1\n# rows 2\n"
                                   "# channel \"t\" width 1 unit \"s\" about \"time\"\n"
                                   "# channel \"x\" width 40 unit \"m\" about \"by hand\"\nt [s]");
    for (int k = 0; k < 40; k++) used += (size_t)snprintf(text + used, sizeof text - used, ",x.%d [m]", k);
    for (int row = 0; row < 2; row++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "\n%d", row);
        for (int k = 0; k < 40; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, ",%g", 5 + row * (k % 7 + k / 100.0));
    }
    snprintf(text + used, sizeof text - used, "\n");
    put_file("wide.csv", text);
    expect_silence(zveno("plot wide.csv"));
    size_t size;
    char *svg = load_file("wide.svg", &size);
    expect_part(svg, "x [m]: 5, 6, 12, 13, 19, 20, 26, 27, 32, 33, 34, 39; 12 of 40 shown\n");
    free(svg);
}

static void info_lists_channels(void **state) {
    (void)state;
    Transcript t = zveno("info fall.csv");
    expect_silence(t);
    expect_part(t.out, "recording fall.csv: 51 rows, t = 0 to 1 s\n");
    expect_part(t.out, "joint1, joint2 ");
    expect_part(t.out, "m, 1 ");
    t = zveno("info fall.csv --json");
    expect_silence(t);
    expect_text(t.out, "channels.1.name", "q");
    expect_text(t.out, "channels.1.labels.1", "joint2");
    expect_text(t.out, "rows", "51");
    expect_failure(zveno("info fall.csv --base free"), 2, "found the recording fall.csv");
}

/* From CSV to HDF5 and back to the same table. */
static void convert_and_back(void **state) {
    (void)state;
    Transcript t = zveno("convert fall.csv -o fall.h5");
    if (t.code && strstr(t.err, "HDF5")) skip();
    expect_silence(t);
    assert_string_equal(t.out, "wrote fall.h5: 51 rows of 5 channels\n");
    expect_silence(zveno("convert fall.h5 -o back.csv --json"));
    size_t size;
    char *first = load_file("fall.csv", &size), *second = load_file("back.csv", &size);
    assert_string_equal(first, second);
    free(first);
    free(second);
    expect_failure(zveno("convert fall.csv"), 2, "expected a file to convert the recording to, found none");
    expect_failure(zveno("convert fall.csv -o fall.txt"), 1, "fall.txt");
}

static void truncated_recordings_are_refused(void **state) {
    (void)state;
    static const char *const words[] = {"plot", "info", "convert"};
    need_pictures();
    static const char *const files[] = {"fall.csv", "fall.h5"};
    for (int f = 0; f < 2; f++) {
        if (!has_file(files[f])) continue;
        for (int part = 1; part < 8; part++) {
            char line[256];
            snprintf(line, sizeof line, "head -c $(($(wc -c <%s) * %d / 8)) %s >cut%s", files[f], part, files[f],
                     strchr(files[f], '.'));
            expect_silence(shell(line));
            for (int v = 0; v < 3; v++) {
                snprintf(line, sizeof line, "%s cut%s%s", words[v], strchr(files[f], '.'),
                         v == 0   ? " -o cut.svg"
                         : v == 2 ? f ? " -o copy.csv" : " -o copy.h5"
                                  : "");
                expect_failure(zveno(line), 1, "cut.");
            }
        }
    }
    assert_false(has_file("cut.svg") || has_file("copy.csv") || has_file("copy.h5"));
}

/* --from and --to choose the rows that count; where there are none, show says so as plot does. */
static void show_of_a_window(void **state) {
    (void)state;
    expect_failure(zveno("show fall.csv --from 5"), 1, "expected rows in that time, found none; it covers 0 to 1 s");
    expect_failure(zveno("show fall.csv --from 5 --json"), 1, "expected rows in that time, found none");
    expect_failure(zveno("show fall.csv --from 0.5 --to 0.2"), 2, "expected --from below --to, found 0.5 and 0.2");
    const Transcript t = zveno("show fall.csv --channels time --from 0.5 --to 0.6 --every 0.05");
    expect_silence(t);
    expect_part(t.out, "0.5 ");
    expect_part(t.out, "\nleast          0.5\n");
    expect_part(t.out, "\ngreatest       0.6\n");
}

static int prepare(void **state) {
    if (make_folder(state)) return -1;
    put_file("fall.yaml", fall);
    return zveno("simulate fall.yaml --quiet -o fall.csv").code;
}

TESTS_BETWEEN(prepare, remove_folder, svg_says_what_it_shows, pictures_are_deterministic, png_has_the_size_asked_for,
              channels_and_entries, bad_usage, long_recordings_are_thinned_but_keep_their_peaks,
              wide_channels_are_thinned_with_a_note, info_lists_channels, show_of_a_window, convert_and_back,
              truncated_recordings_are_refused)
