/* HTTP by libmicrohttpd: a thread per connection, so that streams and long answers may simply wait. */
#define _POSIX_C_SOURCE 200809L
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "server/pending.h"
#include "server/server.h"
#include "server/socket.h"

/* Who may ask: the token in the address, and the names under which the server is meant to be known. */

enum { TOKEN_DIGITS = 32 }; /* 128 bits */

/* Random digits from the system, NUL after them. False: it has none to give. */
static bool token_make(char token[TOKEN_DIGITS + 1]);
/* Whether url is "/TOKEN/...": then what follows, else NULL. Takes the same time wherever they differ. */
static const char *token_strip(const char *url, const char *token);

/* Whether a Host header means this server: localhost, 127.0.0.1, [::1], the name it was told to listen to, or the
 * numeric address `local` at which the connection came in; with the port. A page of another site whose name was made to
 * point here (DNS rebinding) sends its own name. listen and local may be NULL. */
static bool host_is_ours(const char *host, const char *listen, const char *local, int port);
/* Whether an Origin header is that of pages of this host. */
static bool origin_is_ours(const char *origin, const char *host);
/* application/json, with or without parameters. */
static bool type_is_json(const char *type);

enum {
    HEADERS = 16 << 10, /* bytes of a request's line and headers; more is refused by the library */
    TOO_MUCH = 1 << 20, /* bytes of a body after which the connection is closed without an answer */
    STREAM_PIECE = 32 << 10
};

struct Server {
    struct MHD_Daemon *daemon;
    const ServerRoute *routes;
    void *context;
    ServerSocket socket;
    Pending pending;
    char *listen; /* the address as it was given, or NULL */
    char token[TOKEN_DIGITS + 1];
    char url[sizeof "http://:65535//" + 256 + TOKEN_DIGITS];
};

/* One request from its headers to its end. */
typedef struct Request {
    const ServerRoute *route;
    Text body;
    size_t left_out; /* bytes beyond what a body may have */
} Request;

/* Answers --------------------------------------------------------------------------------------------- */

/* Nothing but the page's own script, style and pictures, and this address. */
static const char policy[] = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                             "img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                             "frame-ancestors 'none'";

/* Headers that every answer has: no caches, no frames, no scripts but the page's own. */
static enum MHD_Result deliver(struct MHD_Connection *connection, int status, const char *type, const char *allow,
                               struct MHD_Response *response) {
    if (!response) return MHD_NO;
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Content-Security-Policy", policy);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    if (allow) MHD_add_response_header(response, "Allow", allow);
    const enum MHD_Result done = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return done;
}

/* The text's bytes become the answer's. */
static enum MHD_Result send_text(struct MHD_Connection *connection, int status, const char *type, Text *text) {
    char *bytes = text->bytes;
    const size_t size = text->size;
    *text = (Text){0};
    return deliver(connection, status, type, NULL, MHD_create_response_from_buffer(size, bytes, MHD_RESPMEM_MUST_FREE));
}

static enum MHD_Result refuse_request(struct MHD_Connection *connection, int status, const char *allow,
                                      const char *why) {
    return deliver(connection, status, "text/plain; charset=utf-8", allow,
                   MHD_create_response_from_buffer(strlen(why), (void *)why, MHD_RESPMEM_PERSISTENT));
}

/* Streams --------------------------------------------------------------------------------------------- */

typedef struct ResponseStream {
    const ServerRoute *route;
    void *source;
    Text text;
    size_t sent; /* bytes of it */
} ResponseStream;

/* Called by the server whenever the page can take more; waits in the route until there is something. */
static ssize_t read_stream(void *context, uint64_t position, char *bytes, size_t space) {
    (void)position;
    ResponseStream *s = context;
    if (s->sent == s->text.size) {
        text_clear(&s->text);
        s->sent = 0;
        if (!s->route->next(s->source, &s->text)) return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (s->text.failed || s->text.size == 0) return MHD_CONTENT_READER_END_WITH_ERROR;
    const size_t left = s->text.size - s->sent, size = left < space ? left : space;
    memcpy(bytes, s->text.bytes + s->sent, size);
    s->sent += size;
    return (ssize_t)size;
}

static void free_stream(void *context) {
    ResponseStream *s = context;
    if (s->source) s->route->close(s->source);
    text_free(&s->text);
    free(s);
}

/* What a page that lost its connection says it has seen. */
static int64_t last_event(struct MHD_Connection *connection) {
    const char *text = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Last-Event-ID");
    char *end = NULL;
    if (!text || text[0] < '0' || text[0] > '9' || strlen(text) > 15) return -1;
    const long long number = strtoll(text, &end, 10);
    return *end ? -1 : number;
}

static enum MHD_Result send_stream(const Server *server, struct MHD_Connection *connection, const ServerRoute *route) {
    ResponseStream *s = calloc(1, sizeof *s);
    if (!s) return MHD_NO;
    *s = (ResponseStream){.route = route, .source = route->open(server->context, last_event(connection))};
    struct MHD_Response *response =
        s->source ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_PIECE, read_stream, s, free_stream)
                  : NULL;
    if (!response) free_stream(s);
    return deliver(connection, SERVER_OK, route->type, NULL, response);
}

/* Requests -------------------------------------------------------------------------------------------- */

static const ServerRoute *find_route(const Server *server, const char *path) {
    for (const ServerRoute *route = server->routes; route->path; route++)
        if (!strcmp(route->path, path)) return route;
    return NULL;
}

/* -1: unknown */
static int file_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static bool is_addressed(const Server *server, struct MHD_Connection *connection, const char *host) {
    char local[256];
    const bool known = server_socket_local(file_of(connection), local, sizeof local);
    return host_is_ours(host, server->listen, known ? local : NULL, server->socket.port);
}

static const char *header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* What is wrong with a request, seen from its headers; *why is NULL when nothing is. */
static enum MHD_Result check_request(Server *server, struct MHD_Connection *connection, const char *url,
                                     const char *method, const ServerRoute **route, const char **why) {
    const char *host = header(connection, "Host"), *origin = header(connection, "Origin"),
               *length = header(connection, "Content-Length");
    if (!is_addressed(server, connection, host))
        return refuse_request(connection, MHD_HTTP_FORBIDDEN, NULL, *why = "This server is not known by that name.\n");
    const char *path = token_strip(url, server->token);
    if (!path)
        return refuse_request(connection, MHD_HTTP_FORBIDDEN, NULL,
                              *why = "The address lacks the token that zveno printed.\n");
    pending_leave(&server->pending, file_of(connection));
    *route = find_route(server, path);
    if (!*route) return refuse_request(connection, MHD_HTTP_NOT_FOUND, NULL, *why = "There is nothing here.\n");
    if (strcmp(method, (*route)->method) != 0)
        return refuse_request(connection, MHD_HTTP_METHOD_NOT_ALLOWED, (*route)->method,
                              *why = "Not by this method.\n");
    if (strcmp(method, "POST") != 0) return MHD_YES;
    if (origin && !origin_is_ours(origin, host))
        return refuse_request(connection, MHD_HTTP_FORBIDDEN, NULL, *why = "Only pages of this server may ask.\n");
    if (!type_is_json(header(connection, "Content-Type")))
        return refuse_request(connection, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, NULL, *why = "JSON is asked for.\n");
    if (length && strtoull(length, NULL, 10) > SERVER_BODY)
        return refuse_request(connection, MHD_HTTP_CONTENT_TOO_LARGE, NULL, *why = "At most 64 KiB.\n");
    return MHD_YES;
}

/* At the head of a request: refuses it, or makes the memory that its body goes to. */
static enum MHD_Result begin_request(Server *server, struct MHD_Connection *connection, const char *url,
                                     const char *method, void **memory) {
    const ServerRoute *route = NULL;
    const char *why = NULL;
    const enum MHD_Result result = check_request(server, connection, url, method, &route, &why);
    if (why) return result;
    Request *request = calloc(1, sizeof *request);
    if (!request) return MHD_NO;
    request->route = route;
    *memory = request;
    return MHD_YES;
}

static enum MHD_Result take_body(Request *request, const char *bytes, size_t size) {
    const size_t space = SERVER_BODY - request->body.size, fits = size < space ? size : space;
    text_put(&request->body, bytes, fits);
    request->left_out += size - fits;
    return request->left_out > TOO_MUCH ? MHD_NO : MHD_YES;
}

/* At the end of a request: the route answers from memory; large bodies were cut and are refused. */
static enum MHD_Result answer_request(const Server *server, struct MHD_Connection *connection, Request *request) {
    const ServerRoute *route = request->route;
    Text out = {0};
    if (request->left_out) return refuse_request(connection, MHD_HTTP_CONTENT_TOO_LARGE, NULL, "At most 64 KiB.\n");
    if (route->open) return send_stream(server, connection, route);
    text_puts(&request->body, "");
    int status = SERVER_BROKEN;
    if (request->body.bytes && !request->body.failed)
        status = route->answer(server->context, request->body.bytes, request->body.size, &out);
    if (!out.failed && status != SERVER_BROKEN) return send_text(connection, status, route->type, &out);
    text_free(&out);
    return refuse_request(connection, SERVER_BROKEN, NULL, "Out of memory.\n");
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *bytes, size_t *size, void **memory) {
    (void)version;
    Server *server = context;
    if (!*memory) return begin_request(server, connection, url, method, memory);
    if (*size == 0) return answer_request(server, connection, *memory);
    const enum MHD_Result result = take_body(*memory, bytes, *size);
    *size = 0;
    return result;
}

static void forget(void *context, struct MHD_Connection *connection, void **memory,
                   enum MHD_RequestTerminationCode code) {
    (void)context, (void)connection, (void)code;
    Request *request = *memory;
    if (!request) return;
    text_free(&request->body);
    free(request);
    *memory = NULL;
}

/* The library closes the socket after this. */
static void come_and_go(void *context, struct MHD_Connection *connection, void **memory,
                        enum MHD_ConnectionNotificationCode code) {
    (void)memory;
    Server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        pending_enter(&server->pending, file_of(connection));
    else
        pending_leave(&server->pending, file_of(connection));
}

/* Addresses are compared as they were sent: "%2e" stays what it is. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context, (void)connection;
    return strlen(text);
}

/* Start and end --------------------------------------------------------------------------------------- */

/* Signals are for the thread that waits for them, not for those of the library. */
static struct MHD_Daemon *start_daemon(Server *server) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL, handle, server,
        MHD_OPTION_LISTEN_SOCKET, server->socket.file, MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVER_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVER_PATIENCE, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_NOTIFY_COMPLETED, forget, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, come_and_go, server, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return daemon;
}

static Code take_place(Server *server, ServerPlace place) {
    if (!token_make(server->token)) return complain(CODE_INPUT, "the system gives no random numbers for the token");
    if (place.address && !(server->listen = strdup(place.address))) return complain_memory();
    if (!server_socket_open(place, &server->socket)) return CODE_INPUT;
    snprintf(server->url, sizeof server->url, "http://%s:%d/%s/", server->socket.name, server->socket.port,
             server->token);
    return CODE_DONE;
}

Code server_available(void) { return CODE_DONE; }

/* Nothing is left open when a part of it fails. */
Code server_open(ServerPlace place, Server **server) {
    Server *made = *server = calloc(1, sizeof *made);
    if (!made) return complain_memory();
    made->socket.file = -1;
    if (!pending_create(&made->pending)) {
        free(made);
        *server = NULL;
        return complain_memory();
    }
    const Code code = take_place(made, place);
    if (code == CODE_DONE) return code;
    server_stop(made);
    *server = NULL;
    return code;
}

Code server_start(Server *server, const ServerRoute *routes, void *context) {
    server->routes = routes;
    server->context = context;
    if (server->socket.wide)
        warn("others can reach this page over the network, without encryption; whoever knows its address can read it");
    server->daemon = start_daemon(server);
    return server->daemon ? CODE_DONE : complain(CODE_INPUT, "the server cannot be started");
}

const char *server_url(const Server *server) { return server->url; }

void server_stop(Server *server) {
    if (!server) return;
    if (server->daemon)
        MHD_stop_daemon(server->daemon); /* closes the socket as well */
    else if (server->socket.file >= 0)
        server_socket_close(&server->socket);
    pending_destroy(&server->pending);
    free(server->listen);
    free(server);
}

/* Who may ask. */

static bool token_make(char token[TOKEN_DIGITS + 1]) {
    unsigned char bits[TOKEN_DIGITS / 2];
    if (getrandom(bits, sizeof bits, 0) != (ssize_t)sizeof bits) return false;
    for (size_t i = 0; i < sizeof bits; i++) snprintf(token + 2 * i, 3, "%02x", bits[i]);
    return true;
}

static const char *token_strip(const char *url, const char *token) {
    if (strnlen(url, TOKEN_DIGITS + 2) < TOKEN_DIGITS + 2 || url[0] != '/') return NULL;
    unsigned different = (unsigned char)(url[TOKEN_DIGITS + 1] ^ '/');
    for (int i = 0; i < TOKEN_DIGITS; i++) different |= (unsigned char)(url[1 + i] ^ token[i]);
    return different ? NULL : url + TOKEN_DIGITS + 2;
}

/* name:port, and without the port when it is that of HTTP; an IPv6 address may be named without its brackets. */
static bool is_named(const char *host, const char *name, int port) {
    char whole[256];
    const bool bare = strchr(name, ':') && name[0] != '[';
    const int length = snprintf(whole, sizeof whole, bare ? "[%s]:%d" : "%s:%d", name, port);
    if (length < 0 || (size_t)length >= sizeof whole) return false;
    if (!strcasecmp(host, whole)) return true;
    if (port != 80) return false;
    *strrchr(whole, ':') = '\0';
    return !strcasecmp(host, whole);
}

static bool host_is_ours(const char *host, const char *listen, const char *local, int port) {
    const char *const names[] = {"localhost", "127.0.0.1", "[::1]", listen, local};
    for (size_t i = 0; host && i < sizeof names / sizeof names[0]; i++)
        if (names[i] && is_named(host, names[i], port)) return true;
    return false;
}

static bool origin_is_ours(const char *origin, const char *host) {
    static const char scheme[] = "http://";
    return !strncasecmp(origin, scheme, sizeof scheme - 1) && !strcasecmp(origin + sizeof scheme - 1, host);
}

static bool type_is_json(const char *type) {
    static const char json[] = "application/json";
    if (!type || strncasecmp(type, json, sizeof json - 1) != 0) return false;
    const char *rest = type + sizeof json - 1;
    rest += strspn(rest, " \t");
    return *rest == '\0' || *rest == ';';
}
