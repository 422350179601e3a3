/* The scalar that records: a number is an edge of the thread's tape. C++, because operators of C cannot be given a
 * meaning; everything else of the kernel texts is read unchanged. All bits zero are the constant 0. */
#ifndef ZV_REAL_TRACE_H
#define ZV_REAL_TRACE_H

#include "real/tape.h"

#define restrict /* C++ has no such word */
#define _Static_assert static_assert

struct real {
    zvEdge edge;
    real() = default; /* memory of a desk becomes a number by assignment */
    real(double value) : edge(zv_tape_constant(zv_tape_current(), value)) {}
    real(int value) : real((double)value) {}
    static real of(zvEdge edge) {
        real x;
        x.edge = edge;
        return x;
    }
    real operator-() const { return of(zv_edge_negate(edge)); }
    real &operator+=(real b);
    real &operator-=(real b);
    real &operator*=(real b);
    real &operator/=(real b);
};

static inline real operator+(real a, real b) { return real::of(zv_tape_add(zv_tape_current(), a.edge, b.edge)); }
static inline real operator-(real a, real b) { return a + (-b); }
static inline real operator*(real a, real b) { return real::of(zv_tape_mul(zv_tape_current(), a.edge, b.edge)); }
static inline real operator/(real a, real b) { return real::of(zv_tape_div(zv_tape_current(), a.edge, b.edge)); }
inline real &real::operator+=(real b) { return *this = *this + b; }
inline real &real::operator-=(real b) { return *this = *this - b; }
inline real &real::operator*=(real b) { return *this = *this * b; }
inline real &real::operator/=(real b) { return *this = *this / b; }

static inline real sin(real a) { return real::of(zv_tape_sin(zv_tape_current(), a.edge)); }
static inline real cos(real a) { return real::of(zv_tape_cos(zv_tape_current(), a.edge)); }
static inline real sqrt(real a) { return real::of(zv_tape_sqrt(zv_tape_current(), a.edge)); }

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
    zv_tape_branch(zv_tape_current(), what);
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

enum { REAL_JUDGES = 0 };
#define REAL_SIDES 1
typedef int verdict;
static inline verdict real_exceeds(real, real) { return 1; }
static inline void real_stage() { zv_tape_stage(zv_tape_current()); }

#endif
