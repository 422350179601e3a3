/* Greedy division ends where no single step helps. From there the program is opened a little further than is good for
 * it and divided again, and what is not worse is gone on from. Differences that are opened within products may have
 * been of nearly equal numbers: of programs that cost the same the one in whose making fewest were opened is kept.
 * Programs of a robot are small enough to try that often. */
#include "codegen/simplify.h"

#include <stdlib.h>

#include "codegen/network.h"
#include "codegen/schedule.h"

enum { MOST_TRIALS = 60, WORK = 150000 /* nodes of all rounds together */ };

static const ziOpening plain = {.factors = ZI_CUBE_FACTORS};
static const ziOpening openings[] = {
    {8, 0, 0}, {8, 0, 2}, {8, 0, 3}, {8, 0, 8}, {0, 0, 2}, {8, 2, 2}, {8, 2, 0}, {3, 0, 2},
};
enum { OPENINGS = sizeof openings / sizeof *openings };

typedef struct Program {
    ziTape tape;
    size_t count;
    ziEdge *output;
    int parted; /* differences that were opened within products in making it */
} Program;

static bool program_open(Program *p, size_t count) {
    *p = (Program){.count = count, .output = malloc((count + 1) * sizeof *p->output)};
    return p->output;
}

static void program_close(Program *p) {
    zi_tape_close(&p->tape);
    free(p->output);
    *p = (Program){0};
}

static void swap(Program *a, Program *b) {
    const Program c = *a;
    *a = *b;
    *b = c;
}

/* Divisions and functions weigh what they cost. */
static long long cost(const Program *p) {
    const zvOperations o = zi_tape_operations(&p->tape);
    return o.mul + o.add + 8 * o.div + 20 * o.trig;
}

/* One round: opened, divided, written and pruned. */
static zvStatus divide(const Program *from, const ziOpening *opening, unsigned seed, Program *to) {
    if (!program_open(to, from->count)) return ZV_MEMORY;
    ziNetwork net;
    ziTape raw = {0};
    zvStatus status = ZV_MEMORY;
    if (zi_network_open(&net, &from->tape, from->count, from->output) && zi_network_collapse(&net, opening) &&
        zi_network_divide(&net, seed))
        status = zi_network_write(&net, from->count, from->output, &raw, to->output);
    to->parted = from->parted + net.parted;
    zi_network_close(&net);
    if (status == ZV_OK) status = zi_prune(&raw, from->count, to->output, &to->tape, to->output);
    zi_tape_close(&raw);
    return status;
}

/* Rounds until the count falls no more, or work is used up. */
static zvStatus settle(Program *p, unsigned seed, long long *work) {
    for (;;) {
        Program next;
        *work -= p->tape.count;
        const zvStatus status = divide(p, &plain, seed, &next);
        const bool better = status == ZV_OK && cost(&next) < cost(p);
        if (better) swap(p, &next);
        program_close(&next);
        if (!better || *work < 0) return status;
    }
}

static bool preferred(const Program *a, const Program *b) {
    const long long difference = cost(a) - cost(b);
    return difference < 0 || (difference == 0 && a->parted < b->parted);
}

/* Goes on from next, which is closed or kept; what is left behind stays in best unless next is preferred to it. */
static void go_on(Program *at, Program *best, Program *next) {
    Program *kept = best->output ? best : at;
    if (preferred(next, kept)) {
        program_close(best);
    } else if (kept == at) {
        swap(best, at);
    }
    swap(at, next);
    program_close(next);
}

/* best: empty while it is the one at hand. */
static zvStatus search(Program *at, Program *best) {
    long long work = WORK;
    unsigned seed = 0;
    zvStatus status = ZV_OK;
    for (int t = 0; t < MOST_TRIALS && (t == 0 || work > 0) && status == ZV_OK; t++) {
        Program next;
        const unsigned kind = t < OPENINGS ? (unsigned)t : (seed >> 16) % OPENINGS;
        work -= at->tape.count;
        status = divide(at, &openings[kind], seed, &next);
        if (status == ZV_OK) status = settle(&next, seed, &work);
        if (status == ZV_OK && cost(&next) <= cost(at))
            go_on(at, best, &next);
        else
            program_close(&next);
        if (t >= OPENINGS - 1) seed = 1664525u * seed + 1013904223u;
    }
    if (best->output) swap(at, best);
    return status;
}

zvStatus zi_simplify(const ziTape *from, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved) {
    Program best, other = {0};
    zvStatus status = program_open(&best, count) ? ZV_OK : ZV_MEMORY;
    *to = (ziTape){0};
    if (status == ZV_OK) status = zi_prune(from, count, output, &best.tape, best.output);
    if (status == ZV_OK) status = search(&best, &other);
    if (status == ZV_OK) status = zi_schedule(&best.tape, count, best.output, to, moved);
    program_close(&best);
    program_close(&other);
    return status;
}
