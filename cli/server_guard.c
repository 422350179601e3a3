/* Who may ask. */
#define _POSIX_C_SOURCE 200809L
#include "server_guard.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool token_make(char token[TOKEN_DIGITS + 1]) {
    unsigned char bits[TOKEN_DIGITS / 2];
    if (getrandom(bits, sizeof bits, 0) != (ssize_t)sizeof bits) return false;
    for (size_t i = 0; i < sizeof bits; i++) snprintf(token + 2 * i, 3, "%02x", bits[i]);
    return true;
}

const char *token_strip(const char *url, const char *token) {
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

bool host_is_ours(const char *host, const char *listen, const char *local, int port) {
    const char *const names[] = {"localhost", "127.0.0.1", "[::1]", listen, local};
    for (size_t i = 0; host && i < sizeof names / sizeof names[0]; i++)
        if (names[i] && is_named(host, names[i], port)) return true;
    return false;
}

bool origin_is_ours(const char *origin, const char *host) {
    static const char scheme[] = "http://";
    return !strncasecmp(origin, scheme, sizeof scheme - 1) && !strcasecmp(origin + sizeof scheme - 1, host);
}

bool type_is_json(const char *type) {
    static const char json[] = "application/json";
    if (!type || strncasecmp(type, json, sizeof json - 1) != 0) return false;
    const char *rest = type + sizeof json - 1;
    rest += strspn(rest, " \t");
    return *rest == '\0' || *rest == ';';
}
