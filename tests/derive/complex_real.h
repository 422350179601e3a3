/* The scalar x + i y of the kernels, for derivatives by complex step: f(x + i h) = f(x) + i h f'(x) + O(h^2), and h is
 * so small that its square is nothing beside 1. C++; decisions are those of the real part. */
#ifndef ZV_TEST_DERIVE_COMPLEX_REAL_H
#define ZV_TEST_DERIVE_COMPLEX_REAL_H

#include <math.h>

#define restrict
#define _Static_assert(...) static_assert(true) /* what is asserted is room for numbers of half the size */
#define REAL_UNROLL 1

/* Members that are not inlined have names, and the library has a `real` of its own. */
inline namespace stepping {
struct real {
    double x, y;
    real() = default;
    real(double re) : x(re), y(0) {}
    real(int re) : x(re), y(0) {}
    static real of(double re, double im) {
        real z(re);
        z.y = im;
        return z;
    }
    real operator-() const { return of(-x, -y); }
};
} // namespace stepping

static inline real operator+(real a, real b) { return real::of(a.x + b.x, a.y + b.y); }
static inline real operator-(real a, real b) { return real::of(a.x - b.x, a.y - b.y); }
static inline real operator*(real a, real b) { return real::of(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
static inline real operator/(real a, real b) {
    const double square = b.x * b.x + b.y * b.y;
    return real::of((a.x * b.x + a.y * b.y) / square, (a.y * b.x - a.x * b.y) / square);
}
static inline real &operator+=(real &a, real b) { return a = a + b; }
static inline real &operator-=(real &a, real b) { return a = a - b; }
static inline real &operator*=(real &a, real b) { return a = a * b; }
static inline real &operator/=(real &a, real b) { return a = a / b; }

static inline real sin(real a) { return real::of(sin(a.x) * cosh(a.y), cos(a.x) * sinh(a.y)); }
static inline real cos(real a) { return real::of(cos(a.x) * cosh(a.y), -sin(a.x) * sinh(a.y)); }
static inline real sqrt(real a) { return real::of(sqrt(a.x), a.y / (2 * sqrt(a.x))); } /* y much less than x */

inline namespace stepping {
class real_source {
    const double *known;
    const real *varied;

  public:
    real_source(const double *numbers) : known(numbers), varied(nullptr) {}
    real_source(const real *numbers) : known(nullptr), varied(numbers) {}
    real operator[](int i) const { return known ? real(known[i]) : varied[i]; }
    real_source operator+(int i) const { return known ? real_source(known + i) : real_source(varied + i); }
};
} // namespace stepping

static inline bool operator<(real a, real b) { return a.x < b.x; }
static inline bool operator>(real a, real b) { return a.x > b.x; }
static inline bool operator!=(real a, real b) { return a.x != b.x; }
static inline real floor(real a) { return floor(a.x); }
static inline real fmin(real a, real b) { return b.x < a.x ? b : a; }
static inline real fmax(real a, real b) { return b.x > a.x ? b : a; }

enum { REAL_CHECKS_PIVOTS = 1 };
typedef int real_ok;
static inline real_ok real_exceeds(real a, real b) { return a.x > b.x; }
static inline void real_stage() {}

#endif
