/* A tiny HTTP client, and zveno view as a process to talk to. Goes with process.h. */
#ifndef ZV_TESTS_CLI_HTTP_H
#define ZV_TESTS_CLI_HTTP_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "process.h"

enum { HTTP_CAPACITY = 1 << 24, STOP_PATIENCE = 25 }; /* s; less than the server gives those who say nothing */

typedef struct Page {
    int port;
    char token[64];
} Page;

typedef struct Reply {
    int status;       /* 0: the connection was closed without an answer */
    const char *head; /* status line and headers */
    const char *body; /* chunks put together */
} Reply;

static pid_t server; /* 0: none */
static char reply_buffer[HTTP_CAPACITY];

/* Starts zveno ARGUMENTS... (closed by NULL) and waits for the address it prints. */
static inline Page start_page(const char *const *arguments) {
    Page page = {0};
    put_file("out.txt", "");
    server = start_zveno(arguments);
    for (double begin = clock_now(); clock_now() - begin < PATIENCE; sleep_for(0.01)) {
        static char text[TRANSCRIPT_CAPACITY];
        get_file("out.txt", text);
        const char *url = strstr(text, "http://127.0.0.1:");
        if (!url || !strchr(text, '\n')) continue;
        assert_int_equal(sscanf(url, "http://127.0.0.1:%d/%40[0-9a-f]/", &page.port, page.token), 2);
        assert_int_equal(strlen(page.token), 32);
        return page;
    }
    get_file("err.txt", complained);
    fail_msg("no address was printed; %s", complained);
    return page;
}

/* Sends a signal; the exit code, which does not wait for connections that say nothing. */
static inline int stop_page(int number) {
    const double start = clock_now();
    assert_int_equal(kill(server, number), 0);
    const int code = wait_for(server);
    server = 0;
    assert_true(clock_now() - start < STOP_PATIENCE);
    return code;
}

/* What a test that failed left behind. */
static inline int end_page(void **state) {
    (void)state;
    if (!server) return 0;
    kill(server, SIGKILL);
    wait_for(server);
    server = 0;
    return 0;
}

static inline int connect_to(int port) {
    const struct timeval patience = {.tv_sec = PATIENCE};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int file = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(file >= 0);
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(file, (const struct sockaddr *)&address, sizeof address), 0);
    return file;
}

/* As much as is taken: whoever refuses a request may close before all of it has come. */
static inline void send_all(int file, const char *bytes, size_t size) {
    while (size) {
        const ssize_t sent = send(file, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

/* Until the other side closes. */
static inline size_t receive_all(int file, char *bytes, size_t capacity) {
    size_t size = 0;
    for (ssize_t got; size + 1 < capacity && (got = recv(file, bytes + size, capacity - 1 - size, 0)) > 0;)
        size += (size_t)got;
    bytes[size] = '\0';
    return size;
}

/* Chunks of "Transfer-Encoding: chunked" in place. */
static inline void join_chunks(char *body) {
    char *to = body;
    const char *from = body;
    for (;;) {
        char *end = NULL;
        const size_t size = strtoul(from, &end, 16);
        if (end == from || size == 0) break;
        from = strstr(end, "\r\n") + 2;
        memmove(to, from, size);
        to += size;
        from += size + 2;
    }
    *to = '\0';
}

static inline Reply reply_of(int file) {
    receive_all(file, reply_buffer, sizeof reply_buffer);
    close(file);
    Reply reply = {.head = reply_buffer, .body = ""};
    char *end = strstr(reply_buffer, "\r\n\r\n");
    if (!end) return reply;
    *end = '\0';
    char *body = end + 4;
    assert_int_equal(sscanf(reply_buffer, "HTTP/1.%*d %d", &reply.status), 1);
    if (strstr(reply_buffer, "Transfer-Encoding: chunked")) join_chunks(body);
    reply.body = body;
    return reply;
}

/* The whole request is given but for its last header, which closes the connection, and the body. */
static inline Reply ask_raw(int port, const char *head, const char *body) {
    const int file = connect_to(port);
    send_all(file, head, strlen(head));
    send_all(file, "Connection: close\r\n\r\n", strlen("Connection: close\r\n\r\n"));
    send_all(file, body, strlen(body));
    return reply_of(file);
}

/* METHOD /TOKEN/path with the right Host; more headers, each closed by \r\n, and a body. */
static inline Reply ask(const Page *page, const char *method, const char *path, const char *headers, const char *body) {
    char head[4096];
    snprintf(head, sizeof head, "%s /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s", method, page->token, path, page->port,
             headers);
    return ask_raw(page->port, head, body);
}

static inline Reply get(const Page *page, const char *path) { return ask(page, "GET", path, "", ""); }

static inline Reply post(const Page *page, const char *path, const char *body) {
    char headers[128];
    snprintf(headers, sizeof headers, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
    return ask(page, "POST", path, headers, body);
}

static inline void expect_status(Reply reply, int status) {
    if (reply.status != status)
        fail_msg("status %d, expected %d\n%s\n%s", reply.status, status, reply.head, reply.body);
}

#endif
