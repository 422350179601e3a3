/* The scalar that is many: a number of several states at once, one per lane of a vector register. C++, because
 * operators of C cannot be given a meaning; everything else of the kernels is read unchanged. Numbers of the model
 * are the same in all lanes. All bits zero are the number 0. */
#ifndef ZI_REAL_WIDE_H
#define ZI_REAL_WIDE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define restrict __restrict__
#define _Static_assert static_assert

#ifdef ZI_SINGLE
typedef float lane;
typedef uint32_t lane_bit;
typedef int32_t lane_truth;
#else
typedef double lane;
typedef uint64_t lane_bit;
typedef int64_t lane_truth;
#endif

/* Recursions are chains of operations that wait for each other: REAL_UNROLL of them go side by side, and share what it
 * takes to find out about a body. Their states, sixteen of them where registers allow, fill a line of the cache or two,
 * so that each line of a caller's arrays is met once. */
#if defined __AVX512F__
enum { REAL_BYTES = 64 };
#define REAL_UNROLL 2
#elif defined __AVX__
enum { REAL_BYTES = 32 };
#define REAL_UNROLL 4
#else
enum { REAL_BYTES = 16 };
#define REAL_UNROLL 4
#endif
enum { REAL_LANES = REAL_BYTES / sizeof(lane) };

typedef lane lanes __attribute__((vector_size(REAL_BYTES)));
typedef lane loose_lanes __attribute__((vector_size(REAL_BYTES), aligned(sizeof(lane)))); /* anywhere in an array */
typedef lane_bit lane_bits __attribute__((vector_size(REAL_BYTES)));
typedef lane_truth lane_truths __attribute__((vector_size(REAL_BYTES)));

#define REAL_INLINE static inline __attribute__((always_inline))

struct real {
    lanes v;
    real() = default; /* memory of a scratch memory becomes a number by assignment */
    /* by register: as bytes, structures of numbers would be copied in pieces that later loads have to wait for */
    __attribute__((always_inline)) real(const real &other) : v(other.v) {}
    __attribute__((always_inline)) real &operator=(const real &other) {
        v = other.v;
        return *this;
    }
    __attribute__((always_inline)) real(double value) : v((lane)value - lanes{}) {} /* x - 0 is x, also for x = -0 */
    __attribute__((always_inline)) real(float value) : v((lane)value - lanes{}) {}
    __attribute__((always_inline)) real(int value) : real((double)value) {}
    static __attribute__((always_inline)) real of(lanes v) {
        real x;
        x.v = v;
        return x;
    }
    real operator-() const { return of(-v); }
    real &operator+=(real b);
    real &operator-=(real b);
    real &operator*=(real b);
    real &operator/=(real b);
};

REAL_INLINE real operator+(real a, real b) { return real::of(a.v + b.v); }
REAL_INLINE real operator-(real a, real b) { return real::of(a.v - b.v); }
REAL_INLINE real operator*(real a, real b) { return real::of(a.v * b.v); }
REAL_INLINE real operator/(real a, real b) { return real::of(a.v / b.v); }
inline __attribute__((always_inline)) real &real::operator+=(real b) { return *this = *this + b; }
inline __attribute__((always_inline)) real &real::operator-=(real b) { return *this = *this - b; }
inline __attribute__((always_inline)) real &real::operator*=(real b) { return *this = *this * b; }
inline __attribute__((always_inline)) real &real::operator/=(real b) { return *this = *this / b; }

REAL_INLINE real sqrt(real a) {
    for (int i = 0; i < REAL_LANES; i++) a.v[i] = (lane)__builtin_sqrt(a.v[i]); /* one instruction for all */
    return a;
}
/* For joints that need a sine where they stand; the others take sincos_array. */
REAL_INLINE real sin(real a) {
    for (int i = 0; i < REAL_LANES; i++) a.v[i] = (lane)__builtin_sin(a.v[i]);
    return a;
}
REAL_INLINE real cos(real a) {
    for (int i = 0; i < REAL_LANES; i++) a.v[i] = (lane)__builtin_cos(a.v[i]);
    return a;
}

/* Numbers that are only read: of the model or of the states. */
class real_source {
    const double *known;
    const real *wide;

  public:
    __attribute__((always_inline)) real_source(const double *numbers) : known(numbers), wide(nullptr) {}
    __attribute__((always_inline)) real_source(const real *numbers) : known(nullptr), wide(numbers) {}
    __attribute__((always_inline)) real operator[](int i) const { return known ? real(known[i]) : wide[i]; }
    __attribute__((always_inline)) real_source operator+(int i) const {
        return known ? real_source(known + i) : real_source(wide + i);
    }
};

/* One verdict per lane: all bits of a sound one are set. */
struct real_ok {
    lane_truths m;
    real_ok() = default;
    real_ok(int ok) : m(lane_truths{} - (lane_truth)(ok != 0)) {}
    explicit real_ok(lane_truths mask) : m(mask) {}
    real_ok &operator&=(real_ok b) {
        m &= b.m;
        return *this;
    }
    explicit operator bool() const { /* all of them */
        lane_truth all = -1;
        for (int i = 0; i < REAL_LANES; i++) all &= m[i];
        return all != 0;
    }
};
static inline real_ok operator&&(real_ok a, real_ok b) { return real_ok(a.m & b.m); }

enum { REAL_JUDGES = 1 };
static inline real_ok real_exceeds(real a, real b) { return real_ok(a.v > b.v); }
static inline void real_stage() {}

/* Decisions by numbers of a state cannot be taken for all lanes at once: joints that need them are refused before.
 * Where such a number is the same in all lanes, the first one tells. */
static inline bool operator<(real a, real b) { return a.v[0] < b.v[0]; }
static inline bool operator>(real a, real b) { return a.v[0] > b.v[0]; }
static inline bool operator!=(real a, real b) { return a.v[0] != b.v[0]; }
static inline real floor(real a) { return a; }
static inline real fmin(real a, real) { return a; }
static inline real fmax(real a, real) { return a; }

#endif
