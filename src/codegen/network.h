/* A program as a network of polynomials: sums of products in which associativity and distributivity are free to choose.
 *
 * A variable is an input, a function of other variables (quotient, sine, ...), or a polynomial: a list of cubes
 * k x y z. Its operations, as it stands: cubes - 1 additions, and of every cube its factors - 1 multiplications,
 * k = +-1 not being one. Cubes that occur twice are counted twice, until a divisor is taken out (divide.c). */
#ifndef ZV_CODEGEN_NETWORK_H
#define ZV_CODEGEN_NETWORK_H

#include "real/tape.h"
#include "zveno/status.h"

enum { ZV_CUBE_FACTORS = 8, ZV_NO_CUBE = -1 };

typedef struct zvCube {
    double k;
    int length;
    int factor[ZV_CUBE_FACTORS]; /* variables, ascending */
    int owner, next;             /* variable; next of its cubes */
    unsigned stamp, mark;        /* counts changes; scratch of divisors.c */
} zvCube;

typedef struct zvVariable {
    zvTapeOp op; /* ZV_TAPE_ADD: a polynomial */
    zvEdge a, b; /* operands: variables with a sign; of an input its number; of sine and cosine, b is each other or 0 */
    int first, cubes;
    int uses;
} zvVariable;

typedef struct zvNetwork {
    bool full;  /* out of memory */
    int parted; /* differences opened within products: what nearly cancelled in them does so later, and larger */
    size_t count, room;
    zvVariable *variable;
    size_t cubes, cube_room;
    zvCube *cube;
} zvNetwork;

/* How far products and sums that are used more than once are opened where they are used. */
typedef struct zvOpening {
    int factors; /* products of up to so many factors */
    int terms;   /* sums of up to so many terms, within sums */
    int spread;  /* sums of up to so many terms, used once, within products */
} zvOpening;

/* Variable i is node i of the tape. zv_network_close in either case. */
bool zv_network_open(zvNetwork *net, const zvTape *tape, size_t count, const zvEdge *output);
void zv_network_close(zvNetwork *net);

/* -1 when out of memory */
int zv_network_variable(zvNetwork *net);
/* A cube k of no factors at the head of a polynomial. */
int zv_network_cube(zvNetwork *net, int owner, double k);
/* False when it has no room. */
bool zv_cube_multiply(zvCube *cube, int factor);
int zv_cube_compare(const zvCube *a, const zvCube *b); /* by factors */
static inline int zv_cube_cost(int length, double k) {
    const int factors = length + (k != 1 && k != -1);
    return factors > 1 ? factors - 1 : 0;
}

/* Sums within sums and products within products become one; like terms and squares of sine and cosine are gathered. */
bool zv_network_collapse(zvNetwork *net, const zvOpening *opening);
/* Common factors and common subexpressions: the divisor that saves most is taken out until none saves anything;
 * the seed decides between equals. */
bool zv_network_divide(zvNetwork *net, unsigned seed);
/* As a tape, opened here. */
zvStatus zv_network_write(const zvNetwork *net, size_t count, const zvEdge *output, zvTape *to, zvEdge *moved);

#endif
