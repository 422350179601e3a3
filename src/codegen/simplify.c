#include "codegen/simplify.h"

#include <stdio.h>
#include <stdlib.h>

#include "codegen/network.h"
#include "codegen/schedule.h"

typedef struct Program {
    zvTape tape;
    zvEdge *output;
} Program;

static long long cost(const zvTape *tape) {
    const zvOperations o = zv_tape_operations(tape);
    return o.mul + o.add + 8 * o.div + 20 * o.trig;
}

/* One round: opened, divided, written and pruned. */
static zvStatus improve(const zvTape *from, size_t count, const zvEdge *output, const zvOpening *opening, unsigned seed,
                        zvTape *to, zvEdge *moved) {
    zvNetwork net;
    zvTape raw = {0};
    zvStatus status = ZV_MEMORY;
    *to = (zvTape){0};
    if (zv_network_open(&net, from, count, output) && zv_network_collapse(&net, opening) &&
        zv_network_divide(&net, seed))
        status = zv_network_write(&net, count, output, &raw, moved);
    zv_network_close(&net);
    if (status == ZV_OK) status = zv_prune(&raw, count, moved, to, moved);
    zv_tape_close(&raw);
    return status;
}

zvStatus zv_simplify(const zvTape *from, size_t count, const zvEdge *output, zvTape *to, zvEdge *moved) {
    static const zvOpening openings[] = {{8, 0, 0}, {8, 0, 2}, {8, 0, 3}, {8, 0, 8}, {8, 2, 0}, {8, 2, 2}, {8, 3, 3}, {0, 0, 2}, {3, 0, 2}};
    enum { KINDS = sizeof openings / sizeof *openings };
    zvEdge *tried = malloc((count ? count : 1) * sizeof *tried);
    zvEdge *tried2 = malloc((count ? count : 1) * sizeof *tried);
    zvStatus status = zv_prune(from, count, output, to, moved);
    if (!tried) status = ZV_MEMORY;
    unsigned seed = 0;
    int trials = getenv("TRIALS") ? atoi(getenv("TRIALS")) : 100;
    int wins[16] = {0};
    for (int t = 0; t < trials && status == ZV_OK; t++) {
        zvTape next;
        const int kind = t < KINDS ? t : (int)((seed >> 16) % KINDS);
        status = improve(to, count, moved, &openings[kind], t < KINDS ? 0 : seed | 1, &next, tried);
        seed = seed * 1664525u + 1013904223u;
        for (;;) {
            zvTape more;
            status = improve(&next, count, tried, &openings[0], seed, &more, tried2);
            if (status != ZV_OK || cost(&more) >= cost(&next)) {
                zv_tape_close(&more);
                break;
            }
            zv_tape_close(&next);
            next = more;
            for (size_t i = 0; i < count; i++) tried[i] = tried2[i];
        }
        if (status == ZV_OK && cost(&next) <= cost(to)) {
            if (cost(&next) < cost(to)) wins[kind]++;
            zvTape last = *to;
            *to = next;
            next = last;
            for (size_t i = 0; i < count; i++) moved[i] = tried[i];
        }
        zv_tape_close(&next);
    }
    if (getenv("WINS")) {
        for (int i = 0; i < KINDS; i++) printf("%d ", wins[i]);
        printf("\n");
    }
    if (status == ZV_OK) {
        zvTape last;
        status = zv_schedule(to, count, moved, &last, tried);
        zv_tape_close(to);
        *to = last;
        for (size_t i = 0; i < count; i++) moved[i] = tried[i];
    }
    free(tried);
    free(tried2);
    return status;
}
