/* Connections that have not shown the token yet. They may be a part of all only, so that none can keep the page from
 * those who know its address: whoever comes when there are too many takes the place of the one that came first. That
 * one is read no further, and its thread closes it; what it has sent by then is answered, so that requests of the page
 * that come amid a flood of others are not lost. */
#ifndef ZVENO_CLI_SERVER_PENDING_H
#define ZVENO_CLI_SERVER_PENDING_H

#include <pthread.h>
#include <stdbool.h>

enum { PENDING_MOST = 16 };

/* From any thread. A file stays open while it is pending. */
typedef struct Pending {
    pthread_mutex_t lock;
    int count;
    int files[PENDING_MOST]; /* sockets, the oldest first */
} Pending;

bool pending_create(Pending *pending); /* false: the system has no lock to give */
void pending_destroy(Pending *pending);
void pending_enter(Pending *pending, int file);
/* It has shown the token, or is closed; it need not be there. */
void pending_leave(Pending *pending, int file);

#endif
