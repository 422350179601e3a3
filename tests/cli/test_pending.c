/* Connections that have not shown the token yet (cli/server/pending.h): a flood of them takes nothing from one that has
 * sent its request, however late its thread comes to read it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/pending.h"
#include "support/run_tests.h"

typedef struct Line {
    int server, client;
} Line;

static Line new_line(Pending *pending) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    pending_enter(pending, ends[0]);
    return (Line){ends[0], ends[1]};
}

static void close_line(Pending *pending, Line line) {
    pending_leave(pending, line.server);
    close(line.server);
    close(line.client);
}

/* Whether the server's end has been told to stop reading; looks without waiting. */
static bool is_ended(Line line) {
    char byte;
    return recv(line.server, &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 0;
}

static void a_request_amid_a_flood(void **state) {
    (void)state;
    enum { FLOOD = 5 * PENDING_MOST };
    static const char request[] = "GET /TOKEN/ HTTP/1.1\r\n\r\n", answer[] = "HTTP/1.1 200 OK\r\n\r\n";
    char bytes[64];
    Line flood[FLOOD];
    Pending pending;
    assert_true(pending_create(&pending));
    const Line page = new_line(&pending);
    assert_int_equal(send(page.client, request, sizeof request, MSG_NOSIGNAL), sizeof request);
    for (int i = 0; i < FLOOD; i++) flood[i] = new_line(&pending);
    assert_int_equal(recv(page.server, bytes, sizeof bytes, MSG_DONTWAIT), sizeof request);
    assert_string_equal(bytes, request);
    assert_int_equal(send(page.server, answer, sizeof answer, MSG_NOSIGNAL), sizeof answer);
    assert_int_equal(recv(page.client, bytes, sizeof bytes, MSG_DONTWAIT), sizeof answer);
    assert_string_equal(bytes, answer);
    for (int i = 0; i < FLOOD; i++) assert_int_equal(is_ended(flood[i]), i < FLOOD - PENDING_MOST);
    close_line(&pending, page);
    for (int i = 0; i < FLOOD; i++) close_line(&pending, flood[i]);
    pending_destroy(&pending);
}

/* One that has shown the token is no longer among them. */
static void who_has_left_stays(void **state) {
    (void)state;
    Line flood[PENDING_MOST + 1];
    Pending pending;
    assert_true(pending_create(&pending));
    const Line page = new_line(&pending);
    pending_leave(&pending, page.server);
    for (int i = 0; i <= PENDING_MOST; i++) flood[i] = new_line(&pending);
    assert_false(is_ended(page));
    assert_true(is_ended(flood[0]));
    assert_false(is_ended(flood[1]));
    close_line(&pending, page);
    for (int i = 0; i <= PENDING_MOST; i++) close_line(&pending, flood[i]);
    pending_destroy(&pending);
}

TESTS(a_request_amid_a_flood, who_has_left_stays)
