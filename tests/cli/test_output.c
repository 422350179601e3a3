/* What is written: digits, strings, streams that do not take it. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

static void numbers_read_back_exactly(void **state) {
    (void)state;
    /* the gravity of the file is printed as it was read */
    static const double values[3] = {0.1, 1.0 / 3, 5e-324};
    const Transcript t = zveno("info arm.urdf --json --gravity 0.1,0.33333333333333331,5e-324");
    expect_silence(t);
    expect_part(t.out, "\"gravity\": [0.1, ");
    zvDocument *document = parse(t.out);
    const zvNode *node = node_at(zv_document_root(document), "gravity");
    for (int i = 0; i < 3; i++) assert_true(strtod(node->items[i]->text, NULL) == values[i]);
    zv_document_destroy(document);
}

static void strings_are_escaped(void **state) {
    (void)state;
    put_file("odd.urdf", "<robot name=\"звено &quot;a\\b&quot; &#9;tab\"><link name=\"a\"/></robot>");
    Transcript t = zveno("info odd.urdf --json");
    expect_silence(t);
    expect_part(t.out, "\"name\": \"звено \\\"a\\\\b\\\" \\ttab\"");
    t = zveno("info odd.urdf");
    expect_silence(t);
    expect_part(t.out, "robot звено \"a\\b\" \\x09tab:");
}

/* U+009B opens an escape sequence, U+202E and U+2066 turn the direction of writing; others stay as they are. */
static void characters_that_steer_are_escaped(void **state) {
    (void)state;
    put_file("steer.urdf",
             "<robot name=\"a&#x9b;b&#x202e;c&#x2066;d&#xa0;e&#x2014;f\"><link name=\"x&#x85;y\"/></robot>");
    Transcript t = zveno("info steer.urdf");
    expect_silence(t);
    expect_part(t.out, "robot a\\u009bb\\u202ec\\u2066d\xc2\xa0"
                       "e\xe2\x80\x94"
                       "f:");
    expect_part(t.out, "x\\u0085y");
    put_file("steer.yaml", "zveno: 1\nlinks:\n  - {name: a, \"ma\\u202ess\": 1}\n");
    t = zveno("info steer.yaml");
    expect_failure(t, 1, "steer.yaml:3:15: ");
    expect_part(t.err, "found \"ma?ss\"");
    assert_null(strstr(t.err, "\xe2\x80\xae"));
    expect_failure(zveno("frame arm.urdf --frame $(printf 'a\\302\\233b')"), 1, "a\\u009bb");
}

static void a_robot_that_cannot_move_has_empty_answers(void **state) {
    (void)state;
    put_file("rock.urdf", "<robot name=\"rock\"><link name=\"a\"/></robot>");
    Transcript t = zveno("inverse rock.urdf --json");
    expect_silence(t);
    assert_string_equal(t.out, "{\n  \"tau\": []\n}\n");
    expect_silence(zveno("terms rock.urdf --json"));
    expect_silence(zveno("terms rock.urdf"));
    expect_silence(zveno("frame rock.urdf --frame a"));
}

static void a_full_disk_is_noticed(void **state) {
    (void)state;
    if (access("/dev/full", W_OK)) skip();
    const Transcript t = shell("\"$Z\" info arm.urdf >/dev/full");
    expect_failure(t, 1, "could not be written");
}

static void a_closed_pipe_is_noticed(void **state) {
    (void)state;
    /* opened for reading and writing, then for writing, then the only reader goes: no second process, no race */
    const Transcript t = shell("mkfifo pipe; exec 3<>pipe; exec 4>pipe; exec 3<&-; \"$Z\" info arm.urdf >&4; echo $?");
    assert_string_equal(t.out, "1\n");
    expect_part(t.err, "could not be written");
}

static void a_closed_output_is_noticed(void **state) {
    (void)state;
    expect_failure(shell("\"$Z\" info arm.urdf >&-"), 1, "could not be written");
    expect_failure(shell("\"$Z\" bogus >&-"), 2, "expected a known verb");
}

TESTS_BETWEEN(make_folder, remove_folder, numbers_read_back_exactly, strings_are_escaped,
              characters_that_steer_are_escaped, a_robot_that_cannot_move_has_empty_answers, a_full_disk_is_noticed,
              a_closed_pipe_is_noticed, a_closed_output_is_noticed)
