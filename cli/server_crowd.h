/* Connections that have not shown the token yet. They may be a part of all only, so that none can keep the page from
 * those who know its address: whoever comes when there are too many takes the place of the one that came first. */
#ifndef ZVENO_CLI_SERVER_CROWD_H
#define ZVENO_CLI_SERVER_CROWD_H

#include <pthread.h>
#include <stdbool.h>

enum { CROWD_MOST = 16 };

/* From any thread. A file stays open while it is in the crowd. */
typedef struct Crowd {
    pthread_mutex_t lock;
    int count;
    int files[CROWD_MOST]; /* sockets, the oldest first */
} Crowd;

bool crowd_create(Crowd *crowd); /* false: the system has no lock to give */
void crowd_destroy(Crowd *crowd);
void crowd_enter(Crowd *crowd, int file);
/* It has shown the token, or is closed; it need not be there. */
void crowd_leave(Crowd *crowd, int file);

#endif
