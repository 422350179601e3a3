/* The scalar that records: a number is an edge of the thread's tape. C++, because operators of C cannot be given a
 * meaning; everything else of the kernels is read unchanged. All bits zero are the constant 0. */
#ifndef ZI_REAL_TRACE_H
#define ZI_REAL_TRACE_H

#include "real/tape.h"

#define restrict /* C++ has no such word */
#define _Static_assert static_assert

/* No member stays a symbol of its own: archives define names of the library alone. */
#define ZI_INLINE __attribute__((always_inline))
struct real {
    ziEdge edge;
    real() = default; /* memory of a scratch memory becomes a number by assignment */
    ZI_INLINE real(double value) : edge(zi_tape_constant(zi_tape_current(), value)) {}
    ZI_INLINE real(int value) : real((double)value) {}
    ZI_INLINE static real of(ziEdge edge) {
        real x;
        x.edge = edge;
        return x;
    }
    ZI_INLINE real operator-() const { return of(zi_edge_negate(edge)); }
    ZI_INLINE real &operator+=(real b);
    ZI_INLINE real &operator-=(real b);
    ZI_INLINE real &operator*=(real b);
    ZI_INLINE real &operator/=(real b);
};

static inline real operator+(real a, real b) { return real::of(zi_tape_add(zi_tape_current(), a.edge, b.edge)); }
static inline real operator-(real a, real b) { return a + (-b); }
static inline real operator*(real a, real b) { return real::of(zi_tape_mul(zi_tape_current(), a.edge, b.edge)); }
static inline real operator/(real a, real b) { return real::of(zi_tape_div(zi_tape_current(), a.edge, b.edge)); }
inline real &real::operator+=(real b) { return *this = *this + b; }
inline real &real::operator-=(real b) { return *this = *this - b; }
inline real &real::operator*=(real b) { return *this = *this * b; }
inline real &real::operator/=(real b) { return *this = *this / b; }

static inline real sin(real a) { return real::of(zi_tape_sin(zi_tape_current(), a.edge)); }
static inline real cos(real a) { return real::of(zi_tape_cos(zi_tape_current(), a.edge)); }
static inline real sqrt(real a) { return real::of(zi_tape_sqrt(zi_tape_current(), a.edge)); }
static inline real tanh(real a) { return real::of(zi_tape_tanh(zi_tape_current(), a.edge)); }

/* Numbers that are only read: of the model or of the state. */
class real_source {
    const double *known;
    const real *traced;

  public:
    real_source(const double *numbers) : known(numbers), traced(nullptr) {}
    real_source(const real *numbers) : known(nullptr), traced(numbers) {}
    real operator[](int i) const { return known ? real(known[i]) : traced[i]; }
    real_source operator+(int i) const { return known ? real_source(known + i) : real_source(traced + i); }
};

/* Decisions by a number of the state: no straight-line program has them. The tape remembers, the answer is arbitrary.
 */
static inline bool trace_decides(const char *what) {
    zi_tape_branch(zi_tape_current(), what);
    return false;
}
static inline bool operator<(real, real) { return trace_decides("a comparison"); }
static inline bool operator>(real, real) { return trace_decides("a comparison"); }
static inline bool operator<=(real, real) { return trace_decides("a comparison"); }
static inline bool operator>=(real, real) { return trace_decides("a comparison"); }
static inline bool operator==(real, real) { return trace_decides("a comparison"); }
static inline bool operator!=(real, real) { return trace_decides("a comparison"); }
static inline real floor(real a) { return trace_decides("floor") ? a : a; }
static inline real fabs(real a) { return trace_decides("an absolute value") ? a : a; }
static inline real fmin(real a, real b) { return trace_decides("a smaller of two") ? a : b; }
static inline real fmax(real a, real b) { return trace_decides("a larger of two") ? a : b; }

enum { REAL_CHECKS_PIVOTS = 0 };
#define REAL_UNROLL 1
typedef int real_ok;
static inline real_ok real_exceeds(real, real) { return 1; }
static inline void real_stage() { zi_tape_stage(zi_tape_current()); }
#define REAL_PART(part) zi_tape_part(zi_tape_current(), part)

#endif
