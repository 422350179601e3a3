/* The socket that a server listens on. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/socket.h"

enum { PORTS_TRIED = 100, WAITING = 64 };

typedef union Address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_storage space;
} Address;

static void set_port(Address *a, int port) {
    if (a->any.sa_family == AF_INET6)
        a->six.sin6_port = htons((uint16_t)port);
    else
        a->four.sin_port = htons((uint16_t)port);
}

static int port_of(int file) {
    Address a = {0};
    socklen_t size = sizeof a;
    if (getsockname(file, &a.any, &size)) return 0;
    return ntohs(a.any.sa_family == AF_INET6 ? a.six.sin6_port : a.four.sin_port);
}

/* -1 and errno */
static int listen_at(const Address *a, socklen_t size) {
    const int file = socket(a->any.sa_family, SOCK_STREAM, 0), yes = 1;
    if (file < 0) return -1;
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes); /* a port that was closed a moment ago is free */
    if (!bind(file, &a->any, size) && !listen(file, WAITING)) return file;
    const int reason = errno;
    close(file);
    errno = reason;
    return -1;
}

/* Numeric or a name; the first address that fits, as the system orders them. */
static bool find_address(const char *name, Address *a, socklen_t *size) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
    const int failure = getaddrinfo(name, NULL, &hints, &found);
    if (failure) {
        complain(CODE_INPUT, "cannot listen to \"%s\": %s; give an address of this machine, such as 127.0.0.1", name,
                 gai_strerror(failure));
        return false;
    }
    const bool fits = found->ai_addrlen <= sizeof *a;
    if (fits) memcpy(a, found->ai_addr, found->ai_addrlen);
    *size = found->ai_addrlen;
    freeaddrinfo(found);
    return fits;
}

static bool is_loopback(const Address *a) {
    if (a->any.sa_family == AF_INET6) return IN6_IS_ADDR_LOOPBACK(&a->six.sin6_addr);
    return ntohl(a->four.sin_addr.s_addr) >> 24 == 127;
}

static bool is_every(const Address *a) {
    if (a->any.sa_family == AF_INET6) return IN6_IS_ADDR_UNSPECIFIED(&a->six.sin6_addr);
    return a->four.sin_addr.s_addr == htonl(INADDR_ANY);
}

static bool refuse_address(const char *name, int port) {
    if (errno == EADDRINUSE)
        complain(CODE_INPUT, "port %d of %s is in use; give another one, or none: any that is free is --port 0", port,
                 name);
    else
        complain(CODE_INPUT, "cannot listen to port %d of %s: %s", port, name, strerror(errno));
    return false;
}

/* The loopback stands for all addresses: it is among them. */
static void name_host(const char *name, const Address *a, ServerSocket *out) {
    const bool six = a->any.sa_family == AF_INET6, bare = strchr(name, ':') && name[0] != '[';
    if (is_every(a)) name = six ? "[::1]" : "127.0.0.1";
    snprintf(out->name, sizeof out->name, bare && !is_every(a) ? "[%s]" : "%s", name);
}

/* The port that was named or none; otherwise the next free one, so that two views can run. */
bool server_socket_open(ServerPlace place, ServerSocket *out) {
    const char *name = place.address ? place.address : "127.0.0.1";
    Address a = {0};
    socklen_t size = 0;
    *out = (ServerSocket){.file = -1};
    if (!find_address(name, &a, &size)) return false;
    const int tries = place.exact || place.port == 0 ? 1 : PORTS_TRIED;
    for (int i = 0; i < tries && out->file < 0; i++) {
        set_port(&a, place.port + i);
        out->file = listen_at(&a, size);
        if (out->file < 0 && errno != EADDRINUSE) return refuse_address(name, place.port + i);
    }
    if (out->file < 0) return refuse_address(name, place.port);
    out->port = port_of(out->file);
    out->wide = !is_loopback(&a);
    name_host(name, &a, out);
    if (place.port && out->port != place.port)
        remark("port %d is in use; this page is at port %d", place.port, out->port);
    return true;
}

void server_socket_close(ServerSocket *socket) {
    if (socket->file >= 0) close(socket->file);
    socket->file = -1;
}

bool server_socket_local(int connection, char *text, size_t size) {
    Address a = {0};
    socklen_t length = sizeof a;
    if (getsockname(connection, &a.any, &length)) return false;
    if (getnameinfo(&a.any, length, text, (socklen_t)size, NULL, 0, NI_NUMERICHOST)) return false;
    static const char mapped[] = "::ffff:"; /* IPv4 that came to a socket of IPv6 */
    const size_t prefix = sizeof mapped - 1;
    if (!strncmp(text, mapped, prefix)) memmove(text, text + prefix, strlen(text + prefix) + 1);
    return true;
}
