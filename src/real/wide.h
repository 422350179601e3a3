/* The scalar that is many: a number of several states at once, one per lane of a vector register. C++, because
 * operators of C cannot be given a meaning; everything else of the kernels is read unchanged. Numbers of the model
 * are the same in all lanes. All bits zero are the number 0. */
#ifndef ZI_REAL_WIDE_H
#define ZI_REAL_WIDE_H

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined __FMA__
#include <immintrin.h>
#endif

/* Members that are not inlined have names: each precision and instruction set has its own, or the linker would keep one
 * of them for all. So it would do with copies of structures of numbers; those are inlined, or bytes (ZI_PLAIN_INLINE).
 */
#define ZI_WIDE_SCALAR ZI_KERNEL(wide)
inline namespace ZI_WIDE_SCALAR {

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

/* Operators are inlined even where their callers are large, unless sanitizers watch every one of them: those would
 * compile for minutes. */
#ifdef ZI_PLAIN_INLINE
#define REAL_MEMBER inline
#else
#define REAL_MEMBER inline __attribute__((always_inline))
#endif
#define REAL_INLINE static REAL_MEMBER

struct real {
    lanes v;
    real() = default; /* memory of a scratch memory becomes a number by assignment */
#ifndef ZI_PLAIN_INLINE
    /* by register: as bytes, structures of numbers would be copied in pieces that later loads have to wait for */
    REAL_MEMBER real(const real &other) : v(other.v) {}
    REAL_MEMBER real &operator=(const real &other) {
        v = other.v;
        return *this;
    }
#endif
    REAL_MEMBER real(double value) : v((lane)value - lanes{}) {} /* x - 0 is x, also for x = -0 */
    REAL_MEMBER real(float value) : v((lane)value - lanes{}) {}
    REAL_MEMBER real(int value) : real((double)value) {}
    static REAL_MEMBER real of(lanes v) {
        real x;
        x.v = v;
        return x;
    }
    real operator-() const { return of(-v); }
    real &operator+=(real b);
    real &operator-=(real b);
    real &operator*=(real b);
    real &operator/=(real b);
    real &operator+=(struct wide_product p);
    real &operator-=(struct wide_product p);
};

/* a b + c, a b - c and c - a b, rounded once where the processor has that instruction. */
#if defined __FMA__ && defined __AVX512F__ && defined ZI_SINGLE
#define WIDE_FUSED(operation) (lanes) _mm512_##operation##_ps((__m512)a, (__m512)b, (__m512)c)
#elif defined __FMA__ && defined __AVX512F__
#define WIDE_FUSED(operation) (lanes) _mm512_##operation##_pd((__m512d)a, (__m512d)b, (__m512d)c)
#elif defined __FMA__ && defined ZI_SINGLE
#define WIDE_FUSED(operation) (lanes) _mm256_##operation##_ps((__m256)a, (__m256)b, (__m256)c)
#elif defined __FMA__
#define WIDE_FUSED(operation) (lanes) _mm256_##operation##_pd((__m256d)a, (__m256d)b, (__m256d)c)
#endif
#if defined WIDE_FUSED
REAL_INLINE lanes wide_fmadd(lanes a, lanes b, lanes c) { return WIDE_FUSED(fmadd); }
REAL_INLINE lanes wide_fmsub(lanes a, lanes b, lanes c) { return WIDE_FUSED(fmsub); }
REAL_INLINE lanes wide_fnmadd(lanes a, lanes b, lanes c) { return WIDE_FUSED(fnmadd); }
#undef WIDE_FUSED
#elif defined __ARM_FEATURE_FMA
REAL_INLINE lanes wide_fmadd(lanes a, lanes b, lanes c) {
    for (int i = 0; i < REAL_LANES; i++) c[i] = (lane)__builtin_fma(a[i], b[i], c[i]);
    return c;
}
REAL_INLINE lanes wide_fmsub(lanes a, lanes b, lanes c) { return wide_fmadd(a, b, -c); }
REAL_INLINE lanes wide_fnmadd(lanes a, lanes b, lanes c) { return wide_fmadd(-a, b, c); }
#else
REAL_INLINE lanes wide_fmadd(lanes a, lanes b, lanes c) { return a * b + c; }
REAL_INLINE lanes wide_fmsub(lanes a, lanes b, lanes c) { return a * b - c; }
REAL_INLINE lanes wide_fnmadd(lanes a, lanes b, lanes c) { return c - a * b; }
#endif

/* A product that is not rounded yet: what is added to it in the same expression is fused with it, by this rule and not
 * by the compiler's choice (-ffp-contract=off): answers have the same bits from any compiler, loop or width of
 * registers, and from x86-64-v3 on from any instruction set. Of two products the second is rounded. */
struct wide_product {
    lanes a, b;
    REAL_MEMBER operator real() const { return real::of(a * b); }
    REAL_MEMBER wide_product operator-() const { return {-a, b}; }
};

REAL_INLINE real operator+(real a, real b) { return real::of(a.v + b.v); }
REAL_INLINE real operator-(real a, real b) { return real::of(a.v - b.v); }
REAL_INLINE wide_product operator*(real a, real b) { return {a.v, b.v}; }
REAL_INLINE real operator/(real a, real b) { return real::of(a.v / b.v); }
REAL_INLINE real operator+(wide_product p, real c) { return real::of(wide_fmadd(p.a, p.b, c.v)); }
REAL_INLINE real operator+(real c, wide_product p) { return real::of(wide_fmadd(p.a, p.b, c.v)); }
REAL_INLINE real operator+(wide_product p, wide_product q) { return p + real(q); }
REAL_INLINE real operator-(wide_product p, real c) { return real::of(wide_fmsub(p.a, p.b, c.v)); }
REAL_INLINE real operator-(real c, wide_product p) { return real::of(wide_fnmadd(p.a, p.b, c.v)); }
REAL_INLINE real operator-(wide_product p, wide_product q) { return p - real(q); }
REAL_MEMBER real &real::operator+=(wide_product p) { return *this = *this + p; }
REAL_MEMBER real &real::operator-=(wide_product p) { return *this = *this - p; }
REAL_MEMBER real &real::operator+=(real b) { return *this = *this + b; }
REAL_MEMBER real &real::operator-=(real b) { return *this = *this - b; }
REAL_MEMBER real &real::operator*=(real b) { return *this = *this * b; }
REAL_MEMBER real &real::operator/=(real b) { return *this = *this / b; }

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
    REAL_MEMBER real_source(const double *numbers) : known(numbers), wide(nullptr) {}
    REAL_MEMBER real_source(const real *numbers) : known(nullptr), wide(numbers) {}
    REAL_MEMBER real operator[](int i) const { return known ? real(known[i]) : wide[i]; }
    REAL_MEMBER real_source operator+(int i) const { return known ? real_source(known + i) : real_source(wide + i); }
};

/* One answer per lane: all bits of a true one are set. */
struct real_ok {
    lane_truths m;
    real_ok() = default;
    real_ok(int ok) : m(lane_truths{} - (lane_truth)(ok != 0)) {}
    explicit real_ok(lane_truths mask) : m(mask) {}
    real_ok &operator&=(real_ok b) {
        m &= b.m;
        return *this;
    }
    explicit operator bool() const { /* whether all of them are */
        lane_truth all = -1;
        for (int i = 0; i < REAL_LANES; i++) all &= m[i];
        return all != 0;
    }
    bool any() const {
        lane_truth any = 0;
        for (int i = 0; i < REAL_LANES; i++) any |= m[i];
        return any != 0;
    }
};
static inline real_ok operator&&(real_ok a, real_ok b) { return real_ok(a.m & b.m); }

enum { REAL_CHECKS_PIVOTS = 1 };
static inline real_ok real_exceeds(real a, real b) { return real_ok(a.v > b.v); }
static inline void real_stage() {}

/* The answer of a comparison. Lanes can part at a branch, which no kernel can follow: it must be the same for all
 * of them. Joints and links whose kernels branch by numbers of the state are refused before (splines, elastic
 * links). */
struct real_branch : real_ok {
    explicit real_branch(lane_truths mask) : real_ok(mask) {}
    explicit operator bool() const {
        assert(any() == real_ok::operator bool());
        return any();
    }
};
static inline real_branch operator<(real a, real b) { return real_branch(a.v < b.v); }
static inline real_branch operator>(real a, real b) { return real_branch(a.v > b.v); }
static inline real_branch operator!=(real a, real b) { return real_branch(a.v != b.v); }

static inline real floor(real a) {
    for (int i = 0; i < REAL_LANES; i++) a.v[i] = (lane)__builtin_floor((double)a.v[i]);
    return a;
}
/* As those of C: the other one where one is not a number. */
static inline real fmin(real a, real b) {
    for (int i = 0; i < REAL_LANES; i++) a.v[i] = (lane)__builtin_fmin((double)a.v[i], (double)b.v[i]);
    return a;
}
static inline real fmax(real a, real b) {
    for (int i = 0; i < REAL_LANES; i++) a.v[i] = (lane)__builtin_fmax((double)a.v[i], (double)b.v[i]);
    return a;
}

} // namespace ZI_WIDE_SCALAR

#endif
