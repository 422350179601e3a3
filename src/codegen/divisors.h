/* Divisors of a network's polynomials: what two terms have in common when their common factors are taken out, A + r B,
 * and what products have in common, x y. Two terms are enough: larger divisors come step by step [Rajski and
 * Vasudevamurthy, "The testability-preserving concurrent decomposition and factorization of Boolean expressions",
 * 1992, for logic; here with coefficients]. */
#ifndef ZI_CODEGEN_DIVISORS_H
#define ZI_CODEGEN_DIVISORS_H

#include "codegen/network.h"

/* Cubes i, j as g (ka A + kb B). */
typedef struct ziSplit {
    ziCube g, A, B;
} ziSplit;

typedef struct ziOccurrence {
    int i, j; /* cubes; j < 0: of a product */
    unsigned stamp_i, stamp_j;
    int next;
} ziOccurrence;

/* What a divisor is: A + r B of a sum, or a product of x = A (or of the number r, when A has no factor) and y = B. */
typedef struct ziDivisorName {
    int kind;                                /* 1: a sum, 2: a product */
    int length[2], part[2][ZI_CUBE_FACTORS]; /* factors of A and B */
    uint64_t number;                         /* r without its last bits, which are rounding */
} ziDivisorName;

typedef struct ziDivisor {
    uint64_t key; /* hash of the name */
    ziDivisorName name;
    int first;     /* occurrence */
    int x, y;      /* of a product; x < 0: the coefficient */
    int variable;  /* that is it, or -1 */
    double ka, kb; /* it is ka A + kb B */
    bool touched;  /* has new occurrences */
} ziDivisor;

typedef struct ziDivisors {
    ziNetwork *net;
    bool full;
    unsigned evaluation; /* marks cubes */
    size_t count, capacity;
    ziDivisor *divisor;
    size_t slots;
    int *table; /* index + 1 by key */
    size_t occurrences, occurrence_capacity;
    ziOccurrence *occurrence;
    size_t touched_count, touched_capacity;
    int *touched;
    size_t found, found_capacity;
    int *find; /* occurrences of the divisor evaluated last, disjoint */
} ziDivisors;

bool zi_divisors_open(ziDivisors *all, ziNetwork *net);
void zi_divisors_close(ziDivisors *all);

/* Occurrences that cube c makes with those after it in its polynomial, or with all of it, and in itself. */
void zi_divisors_add(ziDivisors *all, int c, bool with_all);
/* Operations saved by taking a divisor out of all that `find` lists then; sets ka, kb. */
int zi_divisor_gain(ziDivisors *all, int divisor);
/* The coefficient of g in what becomes g (ka A + kb B). */
double zi_split_quotient(const ziSplit *split, double ka, double kb);
bool zi_split(const ziNetwork *net, int i, int j, ziSplit *split);

#endif
