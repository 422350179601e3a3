/* The socket that a server listens on. */
#ifndef ZVENO_CLI_SERVER_SOCKET_H
#define ZVENO_CLI_SERVER_SOCKET_H

#include "server/server.h"

typedef struct ServerSocket {
    int file;       /* -1: none */
    int port;       /* as it came to be */
    char name[256]; /* for addresses that people open: "127.0.0.1", "[::1]" */
    bool wide;      /* not the loopback: others can reach it */
} ServerSocket;

/* Complains when it cannot be; false then. */
bool server_socket_open(ServerPlace place, ServerSocket *out);
void server_socket_close(ServerSocket *socket);
/* Numeric address at which a connection came in, without port; false: unknown. */
bool server_socket_local(int connection, char *text, size_t size);

#endif
