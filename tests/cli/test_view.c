/* zveno view as a server: what it serves, what it refuses, how it ends. */
#define _XOPEN_SOURCE 700
#include "http.h"

static const char *const model_page[] = {"view", ZV_SOURCE_DIR "/models/five_bar.yaml", "--port", "0", NULL};

/* Page, document, headers --------------------------------------------------------------------------------- */

static void page_and_document(void **state) {
    (void)state;
    static const char *const headers[] = {"Content-Security-Policy: default-src 'none';",
                                          "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
                                          "Cache-Control: no-store", "Cross-Origin-Resource-Policy: same-origin"};
    const Page page = start_page(model_page);
    Reply reply = get(&page, "");
    expect_status(reply, 200);
    expect_part(reply.head, "Content-Type: text/html; charset=utf-8");
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) expect_part(reply.head, headers[i]);
    expect_part(reply.body, "\"kind\": \"served\"");
    reply = get(&page, "document.json");
    expect_status(reply, 200);
    expect_part(reply.head, "Content-Type: application/json");
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) expect_part(reply.head, headers[i]);
    zvDocument *document = parse(reply.body);
    const zvNode *root = zv_document_root(document);
    assert_string_equal(node_at(root, "kind")->text, "model");
    assert_string_equal(node_at(root, "model.nq")->text, "4");
    assert_int_equal(node_at(root, "recordings")->count, 0);
    zv_document_destroy(document);
    assert_int_equal(stop_page(SIGINT), 0);
    get_file("out.txt", printed);
    expect_part(printed, "/  (Ctrl-C ends)\n");
}

/* Two runs have different tokens; --json tells the address to programs. */
static void address(void **state) {
    (void)state;
    static const char *const words[] = {"view", ZV_SOURCE_DIR "/models/two_link.yaml", "--port", "0", "--json", NULL};
    const Page one = start_page(words);
    assert_int_equal(stop_page(SIGTERM), 0);
    get_file("out.txt", printed);
    zvDocument *document = parse(printed);
    char url[128];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/%s/", one.port, one.token);
    assert_string_equal(node_at(zv_document_root(document), "url")->text, url);
    zv_document_destroy(document);
    const Page two = start_page(words);
    assert_string_not_equal(one.token, two.token);
    assert_int_equal(stop_page(SIGTERM), 0);
}

/* Refusals ------------------------------------------------------------------------------------------------ */

/* In heads T stands for the token, P for the port. */
typedef struct Trick {
    int status;
    const char *head;
} Trick;

#define HOST "Host: 127.0.0.1:P\r\n"
static const Trick tricks[] = {
    {200, "GET /T/ HTTP/1.1\r\n" HOST},
    {200, "GET /T/ HTTP/1.1\r\nHost: localhost:P\r\n"},
    {200, "GET /T/ HTTP/1.1\r\nHost: LOCALHOST:P\r\n"},
    {200, "GET /T/ HTTP/1.1\r\nHost: [::1]:P\r\n"},
    {200, "GET /T/document.json?again=1 HTTP/1.1\r\n" HOST},
    /* another name that points here, another port, none */
    {403, "GET /T/ HTTP/1.1\r\nHost: evil.example:P\r\n"},
    {403, "GET /T/ HTTP/1.1\r\nHost: 127.0.0.1.evil.example:P\r\n"},
    {403, "GET /T/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n"},
    {403, "GET /T/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"},
    {403, "GET /T/ HTTP/1.1\r\nHost: \r\n"},
    {403, "GET /T/ HTTP/1.0\r\n"},
    /* no token, a wrong one, a part of it */
    {403, "GET / HTTP/1.1\r\n" HOST},
    {403, "GET /favicon.ico HTTP/1.1\r\n" HOST},
    {403, "GET /document.json HTTP/1.1\r\n" HOST},
    {403, "GET /00000000000000000000000000000000/ HTTP/1.1\r\n" HOST},
    {403, "GET /T HTTP/1.1\r\n" HOST},
    {403, "GET /T0/ HTTP/1.1\r\n" HOST},
    {403, "GET /0T/ HTTP/1.1\r\n" HOST},
    {403, "GET //T/ HTTP/1.1\r\n" HOST},
    {403, "GET /./T/ HTTP/1.1\r\n" HOST},
    {403, "GET /../../etc/passwd HTTP/1.1\r\n" HOST},
    {403, "POST / HTTP/1.1\r\n" HOST "Content-Length: 0\r\n"},
    /* other paths */
    {404, "GET /T/../../etc/passwd HTTP/1.1\r\n" HOST},
    {404, "GET /T/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" HOST},
    {404, "GET /T/..%2f..%2fetc%2fpasswd HTTP/1.1\r\n" HOST},
    {404, "GET /T//etc/passwd HTTP/1.1\r\n" HOST},
    {404, "GET /T// HTTP/1.1\r\n" HOST},
    {404, "GET /T/./ HTTP/1.1\r\n" HOST},
    {404, "GET /T/document.json/ HTTP/1.1\r\n" HOST},
    {404, "GET /T/document.json%00 HTTP/1.1\r\n" HOST},
    {404, "GET /T/%64ocument.json HTTP/1.1\r\n" HOST},
    {404, "GET /T/DOCUMENT.JSON HTTP/1.1\r\n" HOST},
    {404, "GET /T/five_bar.yaml HTTP/1.1\r\n" HOST},
    {404, "GET /T/rows HTTP/1.1\r\n" HOST}, /* of a run; this is a model */
    /* other methods */
    {405, "POST /T/ HTTP/1.1\r\n" HOST "Content-Length: 0\r\n"},
    {405, "PUT /T/document.json HTTP/1.1\r\n" HOST "Content-Length: 0\r\n"},
    {405, "DELETE /T/ HTTP/1.1\r\n" HOST},
    {405, "OPTIONS /T/assemble HTTP/1.1\r\n" HOST},
    {405, "GET /T/assemble HTTP/1.1\r\n" HOST},
    {405, "BREW /T/ HTTP/1.1\r\n" HOST},
    /* forms of other sites */
    {415, "POST /T/assemble HTTP/1.1\r\n" HOST "Content-Length: 0\r\n"},
    {415, "POST /T/assemble HTTP/1.1\r\n" HOST "Content-Type: text/plain\r\nContent-Length: 0\r\n"},
    {415, "POST /T/assemble HTTP/1.1\r\n" HOST "Content-Type: application/jsonp\r\nContent-Length: 0\r\n"},
    {403, "POST /T/assemble HTTP/1.1\r\n" HOST
          "Origin: http://evil.example\r\nContent-Type: application/json\r\nContent-Length: 0\r\n"},
    {403,
     "POST /T/assemble HTTP/1.1\r\n" HOST "Origin: null\r\nContent-Type: application/json\r\nContent-Length: 0\r\n"},
    {400, "POST /T/assemble HTTP/1.1\r\n" HOST
          "Origin: http://127.0.0.1:P\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 0\r\n"},
    /* too much: said beforehand */
    {413, "POST /T/assemble HTTP/1.1\r\n" HOST "Content-Type: application/json\r\nContent-Length: 65537\r\n"},
    {413, "POST /T/assemble HTTP/1.1\r\n" HOST "Content-Type: application/json\r\nContent-Length: 99999999999\r\n"},
};

static void fill(const Trick *trick, const Page *page, char *out) {
    char before = ' ';
    for (const char *c = trick->head; *c; before = *c++) {
        const bool token = *c == 'T' && (before == '/' || before == '0') && strchr("/ 0", c[1]);
        if (token)
            out += sprintf(out, "%s", page->token);
        else if (*c == 'P' && before == ':')
            out += sprintf(out, "%d", page->port);
        else
            *out++ = *c;
    }
    *out = '\0';
}

static void refusals(void **state) {
    (void)state;
    const Page page = start_page(model_page);
    for (size_t i = 0; i < sizeof tricks / sizeof tricks[0]; i++) {
        char head[1024];
        fill(&tricks[i], &page, head);
        const Reply reply = ask_raw(page.port, head, "");
        if (reply.status != tricks[i].status)
            fail_msg("%s\n%s: %d, not %d", tricks[i].head, reply.head, reply.status, tricks[i].status);
        if (reply.status != 200 && strstr(reply.body, "root:")) fail_msg("%s shows a file", head);
        if (reply.status == 405) expect_part(reply.head, strstr(head, "assemble") ? "Allow: POST" : "Allow: GET");
    }
    assert_int_equal(stop_page(SIGINT), 0);
}

/* Too much without saying so, or in the address, or never coming to an end: an answer or none, and the next is served.
 */
static void oversize(void **state) {
    (void)state;
    enum { CHUNK = 4096, CHUNKS = 40, LONG = 100000 };
    const Page page = start_page(model_page);
    char *body = calloc((CHUNK + 8) * CHUNKS + 8, 1), *at = body;
    for (int i = 0; i < CHUNKS; i++) {
        at += sprintf(at, "1000\r\n");
        memset(at, ' ', CHUNK);
        at += CHUNK;
        at += sprintf(at, "\r\n");
    }
    strcpy(at, "0\r\n\r\n");
    expect_status(
        ask(&page, "POST", "assemble", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", body), 413);
    free(body);
    char *head = calloc(2 * LONG, 1);
    memset(head + sprintf(head, "GET /%s/", page.token), 'a', LONG);
    strcat(head, " HTTP/1.1\r\n");
    const int address = ask_raw(page.port, head, "").status;
    if (address && address != 414 && address != 431) fail_msg("a long address: %d", address);
    const int start = sprintf(head, "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Long: ", page.token, page.port);
    memset(head + start, 'a', LONG);
    strcpy(head + start + LONG, "\r\n");
    const int header = ask_raw(page.port, head, "").status;
    if (header && header != 431) fail_msg("a long header: %d", header);
    free(head);
    const int silent = connect_to(page.port);
    expect_status(get(&page, ""), 200);
    assert_int_equal(stop_page(SIGINT), 0); /* although one connection still says nothing */
    close(silent);
}

/* Many who do not know the token and never come to the end of their requests keep nobody out, and do not outlive the
 * server. Those who know it stay, whoever comes. */
static void many_strangers(void **state) {
    (void)state;
    enum { MANY = 120, AT_ONCE = 15 };
    static const char half[] = "GET / HTTP/1.1\r\nX-Slow: ";
    char head[256], answer[256];
    int files[MANY];
    const Page page = start_page(model_page);
    const int kept = connect_to(page.port);
    snprintf(head, sizeof head, "GET /%s/none HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", page.token, page.port);
    send_all(kept, head, strlen(head));
    assert_true(recv(kept, answer, sizeof answer, 0) > 0);
    for (int i = 0; i < MANY; i++) {
        files[i] = connect_to(page.port);
        send_all(files[i], half, strlen(half));
        if (i % AT_ONCE != AT_ONCE - 1) continue;
        const double begin = clock_now();
        while (get(&page, "").status != 200) { /* those in the way leave */
            assert_true(clock_now() - begin < PATIENCE);
            sleep_for(0.1);
        }
    }
    send_all(kept, head, strlen(head));
    assert_true(recv(kept, answer, sizeof answer, 0) > 0);
    assert_int_equal(stop_page(SIGINT), 0);
    for (int i = 0; i < MANY; i++) close(files[i]);
    close(kept);
}

/* Closing loops ------------------------------------------------------------------------------------------- */

static double number_at(const char *json, const char *path) {
    double value = NAN;
    zvDocument *document = parse(json);
    assert_int_equal(zv_node_number(node_at(zv_document_root(document), path), path, &value, NULL), ZV_OK);
    zv_document_destroy(document);
    return value;
}

/* The loops of the answer are closed as zveno assemble sees them, and what is held has not moved. */
static void assembles(void **state) {
    (void)state;
    static const double angles[] = {0.3, 0.8, 1.2};
    const Page page = start_page(model_page);
    for (int i = 0; i < 3; i++) {
        char body[256], line[512];
        snprintf(body, sizeof body, "{\"q\": [%.17g, 0.1, 0.2, -0.1], \"held\": [\"motor1\"]}", angles[i]);
        const Reply reply = post(&page, "assemble", body);
        expect_status(reply, 200);
        expect_part(reply.body, "\"closed\": true");
        expect_part(reply.body, "\"message\": null");
        assert_true(number_at(reply.body, "q.0") == angles[i]);
        assert_true(number_at(reply.body, "residual") <= 1e-12);
        double q[4];
        for (int k = 0; k < 4; k++) {
            char path[8];
            snprintf(path, sizeof path, "q.%d", k);
            q[k] = number_at(reply.body, path);
        }
        snprintf(line, sizeof line,
                 "echo '{q: [%.17g, %.17g, %.17g, %.17g]}' | \"$Z\" assemble '" ZV_SOURCE_DIR
                 "/models/five_bar.yaml' --hold motor1,elbow4,motor2,elbow3 --state - --json",
                 q[0], q[1], q[2], q[3]);
        expect_code(shell(line), 0); /* nothing may move, so it is closed already */
    }
    assert_int_equal(stop_page(SIGINT), 0);
}

static void cannot_assemble(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *body, *part;
    } cases[] = {
        {200, "{\"q\": [0, 0, 3.14, 0], \"held\": [\"motor1\", \"motor2\", \"elbow3\"]}", "cannot close"},
        {400, "{\"q\": [0.8, 0, 0]}", "q: expected 4 numbers"},
        {400, "{\"q\": [0.8, 0, 0, null]}", "number 4 of q"},
        {400, "{\"q\": [0.8, 0, 0, NaN]}", "expected a finite number"},
        {400, "{\"q\": [0.8, 0, 0, 1e999]}", "number 4 of q"},
        {400, "{\"q\": [0.8, 0, 0, \"x\"]}", "number 4 of q"},
        {400, "{\"q\": {}}", "q"},
        {400, "{\"held\": []}", "no q"},
        {400, "{\"q\": [0.8, 0, 0, 0], \"held\": [\"motor9\"]}", "motor9"},
        {400, "{\"q\": [0.8, 0, 0, 0], \"held\": [[]]}", "held"},
        {400, "{\"q\": [0.8, 0, 0, 0], \"held\": \"motor1\"}", "held"},
        {400, "{\"q\": [0.8, 0, 0, 0], \"hold\": []}", "hold"},
        {400, "[]", "request"},
        {400, "{\"q\": [", ""},
        {400, "", "request"},
    };
    const Page page = start_page(model_page);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Reply reply = post(&page, "assemble", cases[i].body);
        if (reply.status != cases[i].status) fail_msg("%s: %d\n%s", cases[i].body, reply.status, reply.body);
        expect_part(reply.head, "Content-Type: application/json");
        zvDocument *document = parse(reply.body);
        const zvNode *root = zv_document_root(document);
        assert_string_equal(node_at(root, "closed")->text, "false");
        expect_part(node_at(root, "message")->text, cases[i].part);
        zv_document_destroy(document);
    }
    assert_int_equal(stop_page(SIGINT), 0);
}

/* A free base: a quaternion may not be zero; its label holds the whole joint. */
static void quaternions(void **state) {
    (void)state;
    static const char *const words[] = {"view", ZV_SOURCE_DIR "/models/two_link.yaml", "--base", "free", "--port", "0",
                                        NULL};
    const Page page = start_page(words);
    Reply reply =
        post(&page, "assemble", "{\"q\": [0,0,0, 0,0,0,1.0001, 0.5,0.5], \"held\": [\"root_joint.qw\", \"joint2\"]}");
    expect_status(reply, 200);
    assert_true(number_at(reply.body, "q.6") == 1);
    reply = post(&page, "assemble", "{\"q\": [0,0,0, 0,0,0,0, 0.5,0.5]}");
    expect_status(reply, 400);
    expect_part(reply.body, "expected quaternions of length 1, found one");
    assert_int_equal(stop_page(SIGINT), 0);
}

/* Ports and usage ----------------------------------------------------------------------------------------- */

static void ports(void **state) {
    (void)state;
    char line[512];
    const Page page = start_page(model_page);
    snprintf(line, sizeof line, "view '" ZV_SOURCE_DIR "/models/two_link.yaml' --port %d", page.port);
    Transcript t = zveno(line);
    expect_code(t, 1);
    assert_string_equal(t.out, "");
    snprintf(line, sizeof line, "port %d of 127.0.0.1 is in use", page.port);
    expect_part(t.err, line);
    assert_int_equal(kill(server, 0), 0);
    assert_int_equal(stop_page(SIGINT), 0);
    expect_failure(zveno("view '" ZV_SOURCE_DIR "/models/two_link.yaml' --port 0 --listen nowhere.invalid"), 1,
                   "cannot listen to \"nowhere.invalid\"");
}

/* Without --port the next one will do, and is told. */
static void next_port(void **state) {
    (void)state;
    static const char *const words[] = {"view", ZV_SOURCE_DIR "/models/two_link.yaml", NULL};
    struct sockaddr_in usual = {.sin_family = AF_INET, .sin_port = htons(8420)};
    usual.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int file = socket(AF_INET, SOCK_STREAM, 0);
    if (!bind(file, (const struct sockaddr *)&usual, sizeof usual)) listen(file, 1); /* else someone else has it */
    const Page page = start_page(words);
    assert_in_range(page.port, 8421, 8519);
    expect_status(get(&page, ""), 200);
    get_file("err.txt", complained);
    expect_part(complained, "note: port 8420 is in use; this page is at port ");
    assert_int_equal(stop_page(SIGINT), 0);
    close(file);
}

/* Whoever lets others in is told so. */
static void others(void **state) {
    (void)state;
    static const char *const words[] = {
        "view", ZV_SOURCE_DIR "/models/two_link.yaml", "--port", "0", "--listen", "0.0.0.0", NULL};
    const Page page = start_page(words);
    expect_status(get(&page, ""), 200);
    get_file("err.txt", complained);
    expect_part(complained, "warning: others can reach this page");
    assert_int_equal(stop_page(SIGINT), 0);
}

static void usage(void **state) {
    (void)state;
    put_file("arm.urdf", arm_urdf);
    put_file("table.csv", "time,x\n0,1\n1,2\n");
    expect_failure(zveno("view"), 2, "found none");
    expect_failure(zveno("view -"), 2, "standard input");
    expect_failure(zveno("view none.yaml"), 1, "none.yaml");
    expect_failure(zveno("view none.h5"), 1, "none.h5");
    expect_failure(zveno("view arm.urdf --port 70000"), 2, "--port");
    expect_failure(zveno("view arm.urdf -o duration.h5"), 2, "is a model");
    expect_failure(zveno("view arm.urdf arm.urdf"), 2, "recordings only");
    expect_failure(zveno("view table.csv --base free"), 2, "is a recording");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(page_and_document, end_page),
        cmocka_unit_test_teardown(address, end_page),
        cmocka_unit_test_teardown(refusals, end_page),
        cmocka_unit_test_teardown(oversize, end_page),
        cmocka_unit_test_teardown(many_strangers, end_page),
        cmocka_unit_test_teardown(assembles, end_page),
        cmocka_unit_test_teardown(cannot_assemble, end_page),
        cmocka_unit_test_teardown(quaternions, end_page),
        cmocka_unit_test_teardown(ports, end_page),
        cmocka_unit_test_teardown(others, end_page),
        cmocka_unit_test_teardown(next_port, end_page),
        cmocka_unit_test(usage),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
