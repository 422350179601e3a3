/* Connections that have not shown the token yet. */
#define _POSIX_C_SOURCE 200809L
#include "server_crowd.h"

#include <string.h>
#include <sys/socket.h>

bool crowd_create(Crowd *crowd) {
    crowd->count = 0;
    return !pthread_mutex_init(&crowd->lock, NULL);
}

void crowd_destroy(Crowd *crowd) { pthread_mutex_destroy(&crowd->lock); }

static void drop(Crowd *crowd, int i) {
    crowd->count--;
    memmove(crowd->files + i, crowd->files + i + 1, (size_t)(crowd->count - i) * sizeof *crowd->files);
}

void crowd_enter(Crowd *crowd, int file) {
    pthread_mutex_lock(&crowd->lock);
    if (crowd->count == CROWD_MOST) {
        shutdown(crowd->files[0], SHUT_RDWR); /* its thread sees that and closes */
        drop(crowd, 0);
    }
    crowd->files[crowd->count++] = file;
    pthread_mutex_unlock(&crowd->lock);
}

void crowd_leave(Crowd *crowd, int file) {
    pthread_mutex_lock(&crowd->lock);
    for (int i = 0; i < crowd->count; i++) {
        if (crowd->files[i] != file) continue;
        drop(crowd, i);
        break;
    }
    pthread_mutex_unlock(&crowd->lock);
}
