/* Engines of others, found on this machine. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "engine.h"

enum { MOST_PEERS = 6 };

typedef struct Peers {
    int count;
    const Peer *peer[MOST_PEERS];
    void *library[MOST_PEERS];
} Peers;

/* Loads the modules zveno-peer-*.so in the folder that $ZVENO_PEERS names, or, when it is not set, in the folder
 * `peers` beside the program, else where an installed program has them. */
Peers peers_find(void);
void peers_forget(Peers *peers);

#endif
