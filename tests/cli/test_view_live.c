/* zveno view of runs and recordings: rows while they come, their end, what is left when the server ends. */
#define _XOPEN_SOURCE 700
#include "http.h"

static const char swing[] = "zveno_scenario: 1\n"
                            "title: A driven arm\n"
                            "model: " ZV_SOURCE_DIR "/models/two_link.yaml\n"
                            "duration: 3\n"
                            "initial: {q: {joint1: -0.5, joint2: 0.3}}\n"
                            "drives:\n"
                            "  - {name: push, type: torque, joints: all,\n"
                            "     law: {type: harmonic, amplitude: [9, 2], frequency: [3, 5]}}\n"
                            "integrator: {method: rk4, step: 1e-3}\n"
                            "output: {rate: 200, channels: [q, v, tau, energy]}\n";

/* An event that happens, and then an impossible force. */
static const char breaks[] =
    "zveno_scenario: 1\n"
    "model: {inline: {links: [{name: ground}, {name: rod, mass: 1, com: [0, 0, -1]}], joints: [{name: pivot, type: "
    "continuous, parent: ground, child: rod, axis: [0, 1, 0]}]}}\n"
    "duration: 1\n"
    "initial: {v: {pivot: 1}}\n"
    "drives: [{name: whip, type: torque, joint: pivot, law: {type: table, times: [0, 0.5, 1], points: [0, 0, "
    "1e200]}}]\n"
    "events: [{name: moved, type: threshold, channel: q.pivot, value: 0.1, action: record}]\n"
    "output: {rate: 100, channels: [q, v]}\n";

static const char *const live_page[] = {"view", "swing.yaml", "--port", "0", NULL};

/* Numbers of all "rows" events, which must follow one another without gaps; to be freed. */
static double *rows_of_events(const char *events, size_t *count, size_t first) {
    size_t capacity = 1 << 16, rows = first;
    double *values = malloc(capacity * sizeof *values);
    *count = 0;
    for (const char *at = events; (at = strstr(at, "event: rows\ndata: ")) != NULL;) {
        size_t index = 0;
        assert_int_equal(sscanf(at, "event: rows\ndata: {\"first\": %zu,", &index), 1);
        assert_int_equal(index, rows);
        at = strstr(at, "\"rows\": [") + strlen("\"rows\": [");
        for (; *at != '\n'; at++) {
            if (*at == '[') rows++;
            if (!strchr("-0123456789n", *at)) continue;
            if (*count == capacity) values = realloc(values, (capacity *= 2) * sizeof *values);
            assert_non_null(values);
            char *end = NULL;
            values[(*count)++] = *at == 'n' ? NAN : strtod(at, &end);
            at = *at == 'n' ? at + 3 : end - 1;
        }
    }
    return values;
}

/* Numbers of a CSV recording, row after row; to be freed. */
static double *rows_of_csv(const char *name, size_t *count, size_t *width) {
    size_t size, capacity = 1 << 16;
    char *bytes = load_file(name, &size);
    const char *at = table_of_csv(bytes);
    double *values = malloc(capacity * sizeof *values);
    *width = 1;
    for (; *at != '\n'; at++) *width += *at == ',';
    *count = 0;
    while (*++at) {
        char *end = NULL;
        if (*count == capacity) values = realloc(values, (capacity *= 2) * sizeof *values);
        assert_non_null(values);
        values[(*count)++] = strtod(at, &end);
        assert_ptr_not_equal(at, end);
        at = end;
    }
    free(bytes);
    return values;
}

static void expect_simulated(const char *events, size_t skipped) {
    size_t count, want, width;
    expect_code(zveno("simulate swing.yaml -o swing.csv --restart --quiet"), 0);
    double *csv = rows_of_csv("swing.csv", &want, &width), *live = rows_of_events(events, &count, skipped);
    assert_int_equal(want, 601 * width);
    assert_int_equal(count + skipped * width, want);
    assert_memory_equal(live, csv + skipped * width, count * sizeof *live);
    free(csv);
    free(live);
}

/* Every page gets all rows, those of zveno simulate to the last bit; one that was cut off goes on. */
static void rows_come(void **state) {
    (void)state;
    const Page page = start_page(live_page);
    for (int i = 0; i < 2; i++) {
        const Reply reply = get(&page, "rows");
        expect_status(reply, 200);
        expect_part(reply.head, "Content-Type: text/event-stream");
        expect_part(reply.head, "Cache-Control: no-store");
        expect_part(reply.body,
                    "event: end\ndata: {\"ending\": \"end of duration\", \"failed\": false, \"document\": true}\n\n");
        expect_simulated(reply.body, 0);
    }
    const Reply rest = ask(&page, "GET", "rows", "Last-Event-ID: 500\r\n", "");
    expect_part(rest.body, "id: 601\n");
    expect_simulated(rest.body, 500);
    const Reply odd = ask(&page, "GET", "rows", "Last-Event-ID: 9999999\r\n", "");
    expect_simulated(odd.body, 0);
    expect_status(ask(&page, "POST", "rows", "Content-Type: application/json\r\nContent-Length: 0\r\n", ""), 405);
    expect_status(post(&page, "assemble", "{}"), 404);
    assert_int_equal(stop_page(SIGINT), 0);
}

static const zvNode *named(const zvNode *list, const char *name) {
    for (int i = 0; i < list->count; i++)
        if (!strcmp(node_at(list->items[i], "name")->text, name)) return list->items[i];
    fail_msg("no \"%s\"", name);
    return NULL;
}

/* The document knows channels from the start, and in the end what the recording would have told. */
static void document_of_a_run(void **state) {
    (void)state;
    const Page page = start_page(live_page);
    assert_non_null(strstr(get(&page, "rows").body, "event: end"));
    zvDocument *document = parse(get(&page, "document.json").body);
    const zvNode *root = zv_document_root(document), *recording = node_at(root, "recordings.0");
    assert_string_equal(node_at(root, "kind")->text, "live");
    assert_string_equal(node_at(recording, "rows")->text, "0");
    assert_string_equal(node_at(recording, "title")->text, "A driven arm");
    const zvNode *channels = node_at(recording, "channels");
    assert_int_equal(channels->count, 4);
    assert_string_equal(node_at(channels, "2.name")->text, "tau");
    assert_string_equal(node_at(channels, "2.labels.1")->text, "joint2");
    assert_string_equal(node_at(channels, "2.units.1")->text, "N m");
    assert_string_equal(node_at(recording, "q")->text, "0");
    assert_string_equal(node_at(recording, "model.nq")->text, "2");
    const zvNode *notes = node_at(recording, "notes");
    expect_part(node_at(named(notes, "scenario"), "text")->text, "frequency: [3, 5]");
    expect_part(node_at(named(notes, "command"), "text")->text, "zveno view swing.yaml");
    expect_part(node_at(named(notes, "statistics"), "text")->text, "steps");
    assert_true(node_at(recording, "ledger")->count > 2);
    zv_document_destroy(document);
    assert_int_equal(stop_page(SIGINT), 0);
}

static void a_run_that_fails(void **state) {
    (void)state;
    static const char *const words[] = {"view", "breaks.yaml", "--port", "0", NULL};
    put_file("breaks.yaml", breaks);
    const Page page = start_page(words);
    const Reply reply = get(&page, "rows");
    expect_part(reply.body, "event: rows");
    expect_part(reply.body, "event: end\ndata: {\"ending\": ");
    expect_part(reply.body, "\"failed\": true");
    zvDocument *document = parse(get(&page, "document.json").body);
    const zvNode *event = node_at(zv_document_root(document), "recordings.0.events.0");
    assert_string_equal(node_at(event, "name")->text, "moved");
    zv_document_destroy(document);
    assert_int_equal(stop_page(SIGINT), 0);
    get_file("err.txt", complained);
    expect_part(complained, "zveno: error: ");
}

/* Ctrl-C while the run goes on and pages watch: within two seconds, and what is recorded is valid. */
static void ends_in_the_middle(void **state) {
    (void)state;
    static const char *const words[] = {"view",         "swing.yaml", "--port",   "0", "--set",
                                        "duration=1e5", "-o",         "long.csv", NULL};
    const Page page = start_page(words);
    int files[3];
    char head[256], bytes[256];
    snprintf(head, sizeof head, "GET /%s/rows HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", page.token, page.port);
    for (int i = 0; i < 3; i++) {
        files[i] = connect_to(page.port);
        send_all(files[i], head, strlen(head));
        assert_true(recv(files[i], bytes, sizeof bytes, 0) > 0); /* and then reads no more */
    }
    expect_status(get(&page, "document.json"), 200);
    assert_int_equal(stop_page(SIGINT), 0);
    for (int i = 0; i < 3; i++) close(files[i]);
    get_file("err.txt", complained);
    expect_part(complained, "note: long.csv has ");
    size_t count, width;
    double *csv = rows_of_csv("long.csv", &count, &width);
    assert_int_equal(count % width, 0);
    assert_true(count > 0);
    free(csv);
}

/* Ctrl-C is told to a page that reads, so that it does not wait for the server to come back; soon, although another
 * page reads no more. */
static void the_end_is_told(void **state) {
    (void)state;
    static const char *const words[] = {"view", "swing.yaml", "--port", "0", "--set", "duration=1e5", NULL};
    const Page page = start_page(words);
    int files[2];
    char head[256], bytes[256];
    snprintf(head, sizeof head, "GET /%s/rows HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", page.token, page.port);
    for (int i = 0; i < 2; i++) {
        files[i] = connect_to(page.port);
        send_all(files[i], head, strlen(head));
        assert_true(recv(files[i], bytes, sizeof bytes, 0) > 0);
    }
    const double start = clock_now();
    assert_int_equal(kill(server, SIGINT), 0);
    receive_all(files[0], reply_buffer, sizeof reply_buffer);
    const int code = wait_for(server);
    server = 0;
    assert_int_equal(code, 0);
    assert_true(clock_now() - start < STOP_PATIENCE);
    expect_part(reply_buffer, "event: end\ndata: {\"ending\": \"zveno view was stopped\", \"failed\": false, "
                              "\"document\": false}\n\n");
    for (int i = 0; i < 2; i++) close(files[i]);
}

/* A run that would have no page does not begin. */
static void no_port_no_run(void **state) {
    (void)state;
    char line[256];
    const Page page = start_page(live_page);
    snprintf(line, sizeof line, "view swing.yaml --port %d -o unborn.csv", page.port);
    expect_failure(zveno(line), 1, "is in use");
    assert_false(has_file("unborn.csv"));
    assert_false(has_file("unborn.csv.checkpoint"));
    assert_int_equal(stop_page(SIGINT), 0);
}

static void bad_scenarios(void **state) {
    (void)state;
    put_file("bad.yaml", "zveno_scenario: 1\nmodel: none.yaml\nduration: 1\n");
    expect_failure(zveno("view bad.yaml --port 0"), 1, "none.yaml");
    expect_failure(zveno("view swing.yaml --base free --port 0"), 2, "is a scenario");
    expect_failure(zveno("view swing.yaml --port 0 -o none/x.csv"), 1, "none/x.csv");
    expect_failure(zveno("view swing.yaml --port 0 --set integrator.method=magic"), 1, "magic");
}

static void recordings(void **state) {
    (void)state;
    static const char *const words[] = {"view", "one.csv", "two.csv", "--port", "0", "--rows", "5000", NULL};
    expect_code(zveno("simulate swing.yaml -o one.csv --restart --quiet"), 0);
    expect_code(zveno("simulate swing.yaml -o two.csv --restart --quiet --set duration=1"), 0);
    const Page page = start_page(words);
    zvDocument *document = parse(get(&page, "document.json").body);
    const zvNode *root = zv_document_root(document);
    assert_string_equal(node_at(root, "kind")->text, "report");
    assert_string_equal(node_at(root, "recordings.0.rows")->text, "601");
    assert_string_equal(node_at(root, "recordings.1.rows")->text, "201");
    assert_string_equal(node_at(root, "recordings.0.time_name")->text, "time");
    assert_string_equal(node_at(root, "recordings.0.time_unit")->text, "s");
    expect_part(node_at(root, "command")->text, "view one.csv two.csv --rows 5000");
    zv_document_destroy(document);
    expect_status(get(&page, "rows"), 404);
    expect_status(get(&page, "one.csv"), 404);
    assert_int_equal(stop_page(SIGTERM), 0);
}

/* Rows that go along something else than time say what. */
static void other_times(void **state) {
    (void)state;
    static const struct {
        const char *table, *name, *unit;
    } cases[] = {{"angle [deg],x [N]\n0,1\n1,2\n", "angle", "deg"},
                 {"x [N],y [N]\n3,1\n1,2\n", "row", "1"},
                 {"t,x\n0,1\n1,2\n", "t", "1"}};
    static const char *const words[] = {"view", "table.csv", "--port", "0", NULL};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_file("table.csv", cases[i].table);
        const Page page = start_page(words);
        zvDocument *document = parse(get(&page, "document.json").body);
        const zvNode *recording = node_at(zv_document_root(document), "recordings.0");
        assert_string_equal(node_at(recording, "time_name")->text, cases[i].name);
        assert_string_equal(node_at(recording, "time_unit")->text, cases[i].unit);
        zv_document_destroy(document);
        assert_int_equal(stop_page(SIGTERM), 0);
    }
}

/* Names in the ledger are those of the run, whatever characters they have; as a run and as a recording. */
static void names_of_accounts(void **state) {
    (void)state;
    static const char strange[] =
        "zveno_scenario: 1\n"
        "model: {inline: {links: [{name: ground}, {name: rod, mass: 1, com: [0, 0, -1]}], joints: [{name: \"a,b\\n"
        "store,fake,99\\nthe \\\"odd\\\" one\", type: continuous, parent: ground, child: rod, axis: [0, 1, 0],\n"
        "  damping: 0.1}]}}\n"
        "duration: 1\n"
        "output: {rate: 10, channels: [q, v]}\n";
    static const char *const words[2][5] = {{"view", "strange.yaml", "--port", "0"},
                                            {"view", "strange.csv", "--port", "0"}};
    put_file("strange.yaml", strange);
    expect_code(zveno("simulate strange.yaml -o strange.csv --restart --quiet"), 0);
    for (int i = 0; i < 2; i++) {
        const Page page = start_page(words[i]);
        if (i == 0) assert_non_null(strstr(get(&page, "rows").body, "event: end"));
        zvDocument *document = parse(get(&page, "document.json").body);
        const zvNode *ledger = node_at(zv_document_root(document), "recordings.0.ledger");
        int odd = 0;
        for (int k = 0; k < ledger->count; k++) {
            const char *name = node_at(ledger->items[k], "name")->text;
            assert_string_not_equal(name, "fake");
            assert_string_not_equal(node_at(ledger->items[k], "J")->text, "99");
            const char *part = strstr(name, "a,b\nstore,fake,99\nthe \"odd\" one");
            odd += part && strlen(part) == strlen("a,b\nstore,fake,99\nthe \"odd\" one");
        }
        assert_true(odd > 0);
        named(ledger, "kinetic");
        zv_document_destroy(document);
        assert_int_equal(stop_page(SIGTERM), 0);
    }
}

/* A recording in another folder knows where the model was, and so where its meshes are. */
static void meshes_of_a_recording(void **state) {
    (void)state;
    static const char *const words[] = {"view", "records/disk.csv", "--port", "0", NULL};
    expect_code(shell("mkdir -p robots/shapes records"), 0);
    put_file("robots/shapes/disk.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    put_file("robots/disk.yaml", "zveno: 1\n"
                                 "links:\n"
                                 "  - {name: ground}\n"
                                 "  - {name: disk, mass: 1, com: [0, 0, -1], shapes: [{kind: mesh, file: "
                                 "shapes/disk.obj}]}\n"
                                 "joints:\n"
                                 "  - {name: pivot, type: continuous, parent: ground, child: disk, axis: [0, 1, 0]}\n");
    put_file("disk.yaml", "zveno_scenario: 1\nmodel: robots/disk.yaml\nduration: 0.1\noutput: {rate: 10, channels: "
                          "[q]}\n");
    expect_code(zveno("simulate disk.yaml -o records/disk.csv --restart --quiet"), 0);
    const Page page = start_page(words);
    zvDocument *document = parse(get(&page, "document.json").body);
    const zvNode *root = zv_document_root(document);
    assert_int_equal(node_at(root, "problems")->count, 0);
    assert_int_equal(node_at(root, "recordings.0.model.meshes")->count, 1);
    /* a page travels: it does not tell where the model lay */
    const zvNode *notes = node_at(root, "recordings.0.notes");
    assert_true(notes->count > 0);
    for (int i = 0; i < notes->count; i++)
        assert_string_not_equal(node_at(notes->items[i], "name")->text, "model file");
    zv_document_destroy(document);
    assert_int_equal(stop_page(SIGTERM), 0);
}

static int prepare(void **state) {
    if (make_folder(state)) return -1;
    put_file("swing.yaml", swing);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(rows_come, end_page),
        cmocka_unit_test_teardown(document_of_a_run, end_page),
        cmocka_unit_test_teardown(a_run_that_fails, end_page),
        cmocka_unit_test_teardown(ends_in_the_middle, end_page),
        cmocka_unit_test_teardown(no_port_no_run, end_page),
        cmocka_unit_test(bad_scenarios),
        cmocka_unit_test_teardown(recordings, end_page),
        cmocka_unit_test_teardown(the_end_is_told, end_page),
        cmocka_unit_test_teardown(other_times, end_page),
        cmocka_unit_test_teardown(names_of_accounts, end_page),
        cmocka_unit_test_teardown(meshes_of_a_recording, end_page),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
