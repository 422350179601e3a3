#include "server/pending.h"

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

bool pending_create(Pending *pending) {
    pending->count = 0;
    return !pthread_mutex_init(&pending->lock, NULL);
}

void pending_destroy(Pending *pending) { pthread_mutex_destroy(&pending->lock); }

static void drop(Pending *pending, int i) {
    pending->count--;
    memmove(pending->files + i, pending->files + i + 1, (size_t)(pending->count - i) * sizeof *pending->files);
}

void pending_enter(Pending *pending, int file) {
    pthread_mutex_lock(&pending->lock);
    if (pending->count == PENDING_MOST) {
        shutdown(pending->files[0], SHUT_RD); /* what has come is read, then its end; answers still go out */
        drop(pending, 0);
    }
    pending->files[pending->count++] = file;
    pthread_mutex_unlock(&pending->lock);
}

void pending_leave(Pending *pending, int file) {
    pthread_mutex_lock(&pending->lock);
    for (int i = 0; i < pending->count; i++) {
        if (pending->files[i] != file) continue;
        drop(pending, i);
        break;
    }
    pthread_mutex_unlock(&pending->lock);
}
