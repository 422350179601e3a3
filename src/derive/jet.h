/* The scalar of tangents: a number with its rate along one direction (t), its slopes along several others (d), and
 * the slopes of that rate (e): f(x + s y + r_k z_k) up to s r_k. C++; decisions are those of the number. */
#ifndef ZI_DERIVE_JET_H
#define ZI_DERIVE_JET_H

#include <math.h>

#define restrict
#define _Static_assert(...) static_assert(true) /* what is asserted is room for plain numbers */
#define REAL_UNROLL 1

enum { JET_SLOPES = 4 };
typedef double jet_slopes __attribute__((vector_size(8 * JET_SLOPES)));

/* Members that are not inlined have names, and the library has a `real` of its own. */
inline namespace tangents {
struct real {
    double x, t;
    jet_slopes d, e;
    real() = default;
    real(double number) : x(number), t(0), d{}, e{} {}
    real(int number) : x(number), t(0), d{}, e{} {}
    real(double number, double rate, jet_slopes slopes, jet_slopes mixed) : x(number), t(rate), d(slopes), e(mixed) {}
    real operator-() const { return real(-x, -t, -d, -e); }
};
} // namespace tangents

/* g(a) for a function of one number with derivatives g0, g1, g2. */
static inline real jet_of(real a, double g0, double g1, double g2) {
    return real(g0, g1 * a.t, g1 * a.d, g1 * a.e + (g2 * a.t) * a.d);
}

static inline real operator+(real a, real b) { return real(a.x + b.x, a.t + b.t, a.d + b.d, a.e + b.e); }
static inline real operator-(real a, real b) { return real(a.x - b.x, a.t - b.t, a.d - b.d, a.e - b.e); }
static inline real operator*(real a, real b) {
    return real(a.x * b.x, a.x * b.t + a.t * b.x, a.x * b.d + b.x * a.d, a.x * b.e + a.t * b.d + b.t * a.d + b.x * a.e);
}
/* Model numbers are plain: most products are with one. */
static inline real operator*(double a, real b) { return real(a * b.x, a * b.t, a * b.d, a * b.e); }
static inline real operator*(real a, double b) { return b * a; }
static inline real operator*(int a, real b) { return (double)a * b; }
static inline real operator*(real a, int b) { return (double)b * a; }
static inline real jet_inverse(real a) {
    const double y = 1 / a.x, square = y * y;
    return jet_of(a, y, -square, 2 * square * y);
}
static inline real operator/(real a, real b) { return a * jet_inverse(b); }
static inline real &operator+=(real &a, real b) { return a = a + b; }
static inline real &operator-=(real &a, real b) { return a = a - b; }
static inline real &operator*=(real &a, real b) { return a = a * b; }
static inline real &operator/=(real &a, real b) { return a = a / b; }

static inline real sin(real a) {
    const double s = sin(a.x);
    return jet_of(a, s, cos(a.x), -s);
}
static inline real cos(real a) {
    const double c = cos(a.x);
    return jet_of(a, c, -sin(a.x), -c);
}
/* At zero, where it has no slope, a number: there kernels look at nothing but its value. */
static inline real sqrt(real a) {
    if (!(a.x > 0)) return real(sqrt(a.x));
    const double root = sqrt(a.x), slope = 0.5 / root;
    return jet_of(a, root, slope, -0.5 * slope / a.x);
}
static inline real fabs(real a) { return a.x < 0 ? -a : a; }
static inline real atan2(real y, real x) { /* through the angle to the direction of the numbers themselves */
    const double square = x.x * x.x + y.x * y.x;
    if (!(square > 0)) return real(atan2(y.x, x.x));
    const real c = (x.x * x + y.x * y) / square, s = (x.x * y - y.x * x) / square;
    const real small = s / c; /* zero, with slopes: atan has the second derivative 0 there */
    return real(atan2(y.x, x.x), small.t, small.d, small.e);
}

inline namespace tangents {
class real_source {
    const double *known;
    const real *varied;

  public:
    real_source(const double *numbers) : known(numbers), varied(nullptr) {}
    real_source(const real *numbers) : known(nullptr), varied(numbers) {}
    real operator[](int i) const { return known ? real(known[i]) : varied[i]; }
    real_source operator+(int i) const { return known ? real_source(known + i) : real_source(varied + i); }
};
} // namespace tangents

static inline bool operator<(real a, real b) { return a.x < b.x; }
static inline bool operator>(real a, real b) { return a.x > b.x; }
static inline bool operator<=(real a, real b) { return a.x <= b.x; }
static inline bool operator>=(real a, real b) { return a.x >= b.x; }
static inline bool operator==(real a, real b) { return a.x == b.x; }
static inline bool operator!=(real a, real b) { return a.x != b.x; }
static inline real floor(real a) { return floor(a.x); }
static inline real ceil(real a) { return ceil(a.x); }
static inline real fmin(real a, real b) { return b.x < a.x ? b : a; }
static inline real fmax(real a, real b) { return b.x > a.x ? b : a; }

enum { REAL_CHECKS_PIVOTS = 1 };
typedef int real_ok;
#define real_exceeds(a, b) ((real_ok)((a).x > (b).x))
static inline void real_stage() {}

#endif
