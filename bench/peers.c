/* Modules are looked for in one folder: the first that has any. */
#define _POSIX_C_SOURCE 200809L
#include "peers.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library.h"

/* Takes a module that has the symbol and version of this bench, and closes any other. */
static void take(Peers *peers, const char *path) {
    const Peer *peer = NULL;
    if (peers->count == MOST_PEERS) return;
    void *library = library_open(path);
    if (!library) return;
    if (!library_find(library, PEER_SYMBOL, &peer) || peer->version != PEER_VERSION) {
        library_close(library);
        return;
    }
    peers->peer[peers->count] = peer;
    peers->library[peers->count++] = library;
}

static void look_in(Peers *peers, const char *folder) {
    char pattern[4200];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/zveno-peer-*.so", folder);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; ++i) take(peers, found.gl_pathv[i]);
    globfree(&found);
}

/* The folder of the program; false when the system does not tell. */
static bool program_folder(char *folder, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

/* The folder that the user names, or one near the program; the first that has modules. */
Peers peers_find(void) {
    static const char *const beside[] = {"peers", "../../peers",
                                         BENCH_PEERS_FOLDER}; /* of a study, of zveno-full as built and as installed */
    Peers peers = {0};
    char program[2048], folder[4096];
    const char *told = getenv("ZVENO_PEERS");
    if (told) {
        look_in(&peers, told);
    } else if (program_folder(program, sizeof program)) {
        for (int i = 0; i < 3 && peers.count == 0; ++i) {
            snprintf(folder, sizeof folder, "%s/%s", program, beside[i]);
            look_in(&peers, folder);
        }
    }
    return peers;
}

void peers_forget(Peers *peers) {
    for (int i = 0; i < peers->count; ++i) library_close(peers->library[i]);
    *peers = (Peers){0};
}
