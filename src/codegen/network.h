/* A program as a network of polynomials: sums of products in which associativity and distributivity are free to choose.
 *
 * A variable is an input, a function of other variables (quotient, sine, ...), or a polynomial: a list of cubes
 * k x y z. Its operations, as it stands: cubes - 1 additions, and of every cube its factors - 1 multiplications,
 * k = +-1 not being one. Cubes that occur twice are counted twice, until a divisor is taken out (divide.c). */
#ifndef ZI_CODEGEN_NETWORK_H
#define ZI_CODEGEN_NETWORK_H

#include "real/tape.h"
#include "zveno/status.h"

enum { ZI_CUBE_FACTORS = 8, ZI_NO_CUBE = -1 };

typedef struct ziCube {
    double k;
    int length;
    int factor[ZI_CUBE_FACTORS]; /* variables, ascending */
    int owner, next;             /* variable; next of its cubes */
    unsigned stamp, mark;        /* counts changes; scratch of divisors.c */
} ziCube;

typedef struct ziVariable {
    ziTapeOp op; /* ZI_TAPE_ADD: a polynomial */
    ziEdge a, b; /* operands: variables with a sign; of an input its number; of sine and cosine, b is each other or 0 */
    int first, cubes;
    int uses;
} ziVariable;

typedef struct ziNetwork {
    bool full;  /* out of memory */
    int parted; /* differences opened within products: what nearly cancelled in them does so later, and larger */
    size_t count, capacity;
    ziVariable *variable;
    size_t cubes, cube_capacity;
    ziCube *cube;
} ziNetwork;

/* How far products and sums that are used more than once are opened where they are used. */
typedef struct ziOpening {
    int factors; /* products of up to so many factors */
    int terms;   /* sums of up to so many terms, within sums */
    int spread;  /* sums of up to so many terms, used once, within products */
} ziOpening;

/* Variable i is node i of the tape. zi_network_close in either case. */
bool zi_network_open(ziNetwork *net, const ziTape *tape, size_t count, const ziEdge *output);
void zi_network_close(ziNetwork *net);

/* -1 when out of memory */
int zi_network_variable(ziNetwork *net);
/* A cube k of no factors at the head of a polynomial. */
int zi_network_cube(ziNetwork *net, int owner, double k);
/* False when it is full. */
bool zi_cube_multiply(ziCube *cube, int factor);
int zi_cube_compare(const ziCube *a, const ziCube *b); /* by factors */
static inline int zi_cube_cost(int length, double k) {
    const int factors = length + (k != 1 && k != -1);
    return factors > 1 ? factors - 1 : 0;
}

/* Sums within sums and products within products become one; like terms and squares of sine and cosine are gathered. */
bool zi_network_collapse(ziNetwork *net, const ziOpening *opening);
/* Common factors and common subexpressions: the divisor that saves most is taken out until none saves anything;
 * the seed decides between equals. */
bool zi_network_divide(ziNetwork *net, unsigned seed);
/* As a tape, opened here. */
zvStatus zi_network_write(const ziNetwork *net, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved);

#endif
