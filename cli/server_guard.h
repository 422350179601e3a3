/* Who may ask: the token in the address, and the names under which the server is meant to be known. */
#ifndef ZVENO_CLI_SERVER_GUARD_H
#define ZVENO_CLI_SERVER_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum { TOKEN_DIGITS = 32 }; /* 128 bits */

/* Random digits from the system, NUL after them. False: it has none to give. */
bool token_make(char token[TOKEN_DIGITS + 1]);
/* Whether url is "/TOKEN/...": then what follows, else NULL. Takes the same time wherever they differ. */
const char *token_strip(const char *url, const char *token);

/* Whether a Host header means this server: localhost, 127.0.0.1, [::1], the name it was told to listen to, or the
 * numeric address `local` at which the connection came in; with the port. A page of another site whose name was made to
 * point here (DNS rebinding) sends its own name. listen and local may be NULL. */
bool host_is_ours(const char *host, const char *listen, const char *local, int port);
/* Whether an Origin header is that of pages of this host. */
bool origin_is_ours(const char *origin, const char *host);
/* application/json, with or without parameters. */
bool type_is_json(const char *type);

#endif
