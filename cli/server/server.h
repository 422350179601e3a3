/* An HTTP server for one page: a few addresses under a random token, all of them answered from memory. */
#ifndef ZVENO_CLI_SERVER_SERVER_H
#define ZVENO_CLI_SERVER_SERVER_H

#include <stdint.h>

#include "complain.h"
#include "text.h"

enum {
    SERVER_PORT = 8420,       /* unless told otherwise */
    SERVER_BODY = 64 << 10,   /* bytes of a request's body */
    SERVER_CONNECTIONS = 64,  /* at once; a quarter of them without the token (Pending), others on their way out */
    SERVER_PATIENCE = 30,     /* s that a connection may say nothing */
    SERVER_OK = 200,          /* answers of routes */
    SERVER_BAD_REQUEST = 400, /* the body is not understood */
    SERVER_BROKEN = 500       /* out of memory */
};

/* What is served at http://HOST:PORT/TOKEN/path. Functions are called from several threads at once. */
typedef struct ServerRoute {
    const char *path;   /* "", "document.json" */
    const char *method; /* "GET" or "POST": of JSON */
    const char *type;   /* of the answer */
    /* Writes the answer and returns its status. body (size bytes, NUL after them) is that of a POST. */
    int (*answer)(void *context, const char *body, size_t size, Text *out);
    /* Or answers by and by: open makes a stream, NULL when out of memory; `after` is the id of the last event that the
     * page has seen, -1: none. next waits for something to send, false: that is all. */
    void *(*open)(void *context, int64_t after);
    bool (*next)(void *stream, Text *out);
    void (*close)(void *stream);
} ServerRoute;

typedef struct Server Server;

/* Where to listen. */
typedef struct ServerPlace {
    const char *address; /* NULL: 127.0.0.1 */
    int port;            /* 0: any that is free */
    bool exact;          /* this port or none; else one after it will do */
} ServerPlace;

/* Complains when this build has no server. */
Code server_available(void);
/* Takes a port and a token. Complains when it cannot. */
Code server_open(ServerPlace place, Server **server);
/* Serves from now on, in threads of its own. routes end with one whose path is NULL. */
Code server_start(Server *server, const ServerRoute *routes, void *context);
const char *server_url(const Server *server); /* "http://127.0.0.1:8420/TOKEN/" */
/* Closes all connections. Streams must not be waiting any more. NULL is allowed. */
void server_stop(Server *server);

#endif
