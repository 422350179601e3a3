/* The scalar of the kernels, and the names under which one kernel is compiled for several instruction sets.
 * Kernel rules: no data-dependent branches, transcendental functions only through here, no compound literals. */
#ifndef ZI_REAL_REAL_H
#define ZI_REAL_REAL_H

#ifndef ZI_ISA
#define ZI_ISA _baseline
#endif

#define ZI_PASTE_(a, b) a##b
#define ZI_PASTE(a, b) ZI_PASTE_(a, b)
/* The symbol of a kernel for the instruction set this file is being compiled for. */
#define ZI_KERNEL(name) ZI_PASTE(name, ZI_ISA)

#ifdef ZI_REAL_HEADER
#include ZI_REAL_HEADER /* another number, of whoever compiles kernels (tests); C++, with ZI_TRACE */
#elif defined ZI_TRACE
#include "real/trace.h" /* a number that writes down what is done with it; C++ */
#elif defined ZI_WIDE
#include "real/wide.h" /* numbers of several states at once, one per lane; C++ */
#else
typedef double real;
/* Numbers that are only read: of the model or of the state. */
typedef const double *real_source;

/* Whether pivots are checked; where they are not, what they are compared with need not be known. */
enum { REAL_CHECKS_PIVOTS = 1 };

/* Whether pivots are large enough: one answer per state. */
typedef int real_ok;

/* a > b where a kernel checks a pivot. A traced program takes it for granted and guards its divisors instead. */
static inline real_ok real_exceeds(real a, real b) { return a > b; }

/* Numbers that recursions work on side by side (dynamics/reduced_transform.h). */
#define REAL_UNROLL 1

/* Kinematics is done, what follows is the method: for counting operations. */
#define real_stage() ((void)0)
#endif

/* For all numbers of an entry (REAL_UNROLL), by the same instructions: copies of a loop's body would be fused to
 * multiply-adds each in its own way, and an answer would depend on the place of its state. */
#if defined __clang__
#define FOR_UNROLL(k) _Pragma("clang loop unroll(disable)") for (int k = 0; k < REAL_UNROLL; k++)
#else
#define FOR_UNROLL(k) _Pragma("GCC unroll 1") for (int k = 0; k < REAL_UNROLL; k++)
#endif

/* Small steps of hot loops are inlined, unless ZI_PLAIN_INLINE leaves it to the compiler, where that would take minutes
 * and gain nothing: with sanitizers, and on scalars that record or count. Rare branches stay out of their way. */
#ifdef ZI_PLAIN_INLINE
#define ZI_HOT inline __attribute__((unused))
#else
#define ZI_HOT inline __attribute__((always_inline, unused))
#endif
#define ZI_COLD __attribute__((noinline, unused))

#endif
