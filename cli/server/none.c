/* Stands in for the server where the build has none (ZVENO_HTTP=OFF). */
#include "server/server.h"

Code server_available(void) {
    return complain(CODE_USAGE, "expected a build that serves pages, found one that does not; build with "
                                "-DZVENO_HTTP=ON (needs libmicrohttpd), or write a page with zveno report");
}

Code server_open(ServerPlace place, Server **server) {
    (void)place;
    *server = NULL;
    return server_available();
}

Code server_start(Server *server, const ServerRoute *routes, void *context) {
    (void)server, (void)routes, (void)context;
    return server_available();
}

const char *server_url(const Server *server) {
    (void)server;
    return "";
}

void server_stop(Server *server) { (void)server; }
