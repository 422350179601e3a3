/* Divisors of a network's polynomials: what two terms have in common when their common factors are taken out, A + r B,
 * and what products have in common, x y. Two terms are enough: larger divisors come step by step [Rajski and
 * Vasudevamurthy, "The testability-preserving concurrent decomposition and factorization of Boolean expressions",
 * 1992, for logic; here with coefficients]. */
#ifndef ZV_CODEGEN_DIVISORS_H
#define ZV_CODEGEN_DIVISORS_H

#include "codegen/network.h"

/* Cubes i, j as g (ka A + kb B). */
typedef struct zvSplit {
    zvCube g, A, B;
} zvSplit;

typedef struct zvOccurrence {
    int i, j; /* cubes; j < 0: of a product */
    unsigned stamp_i, stamp_j;
    int next;
} zvOccurrence;

/* What a divisor is: A + r B of a sum, or a product of x = A (or of the number r, when A has no factor) and y = B. */
typedef struct zvDivisorName {
    int kind;                                /* 1: a sum, 2: a product */
    int length[2], part[2][ZV_CUBE_FACTORS]; /* factors of A and B */
    uint64_t number;                         /* r without its last bits, which are rounding */
} zvDivisorName;

typedef struct zvDivisor {
    uint64_t key; /* hash of the name */
    zvDivisorName name;
    int first;     /* occurrence */
    int x, y;      /* of a product; x < 0: the coefficient */
    int variable;  /* that is it, or -1 */
    double ka, kb; /* it is ka A + kb B */
    bool touched;  /* has new occurrences */
} zvDivisor;

typedef struct zvDivisors {
    zvNetwork *net;
    bool full;
    unsigned evaluation; /* marks cubes */
    size_t count, room;
    zvDivisor *divisor;
    size_t slots;
    int *table; /* index + 1 by key */
    size_t occurrences, occurrence_room;
    zvOccurrence *occurrence;
    size_t touched_count, touched_room;
    int *touched;
    size_t found, found_room;
    int *find; /* occurrences of the divisor evaluated last, disjoint */
} zvDivisors;

bool zv_divisors_open(zvDivisors *all, zvNetwork *net);
void zv_divisors_close(zvDivisors *all);

/* Occurrences that cube c makes with those after it in its polynomial, or with all of it, and in itself. */
void zv_divisors_add(zvDivisors *all, int c, bool with_all);
/* Operations saved by taking a divisor out of all that `find` lists then; sets ka, kb. */
int zv_divisor_gain(zvDivisors *all, int divisor);
/* The coefficient of g in what becomes g (ka A + kb B). */
double zv_split_quotient(const zvSplit *split, double ka, double kb);
bool zv_split(const zvNetwork *net, int i, int j, zvSplit *split);

#endif
