/* A number of the kernels that counts what is done with it, for comparing with zv_count. C++. As there, what pivots are
 * compared with is not computed. */
#ifndef ZV_TEST_CODEGEN_COUNTING_REAL_H
#define ZV_TEST_CODEGEN_COUNTING_REAL_H

#include <math.h>

#define restrict
#define _Static_assert static_assert
#define REAL_UNROLL 1

struct Executed {
    long long mul, add, div, trig;
};
extern Executed executed;

/* Members that are not inlined have names, and the library has a `real` of its own. */
inline namespace counting {
struct real {
    double x;
    real() = default;
    real(double value) : x(value) {}
    real(int value) : x(value) {}
    real operator-() const { return real(-x); }
};
} // namespace counting

static inline real operator+(real a, real b) { return executed.add++, real(a.x + b.x); }
static inline real operator-(real a, real b) { return executed.add++, real(a.x - b.x); }
static inline real operator*(real a, real b) { return executed.mul++, real(a.x * b.x); }
static inline real operator/(real a, real b) { return executed.div++, real(a.x / b.x); }
static inline real &operator+=(real &a, real b) { return a = a + b; }
static inline real &operator-=(real &a, real b) { return a = a - b; }
static inline real &operator*=(real &a, real b) { return a = a * b; }
static inline real &operator/=(real &a, real b) { return a = a / b; }

static inline real sin(real a) { return executed.trig++, real(sin(a.x)); }
static inline real cos(real a) { return executed.trig++, real(cos(a.x)); }
static inline real sqrt(real a) { return executed.div++, real(sqrt(a.x)); }

inline namespace counting {
class real_source {
    const double *known;
    const real *moving;

  public:
    real_source(const double *numbers) : known(numbers), moving(nullptr) {}
    real_source(const real *numbers) : known(nullptr), moving(numbers) {}
    real operator[](int i) const { return known ? real(known[i]) : moving[i]; }
    real_source operator+(int i) const { return known ? real_source(known + i) : real_source(moving + i); }
};
} // namespace counting

static inline bool operator<(real a, real b) { return a.x < b.x; }
static inline bool operator>(real a, real b) { return a.x > b.x; }
static inline bool operator!=(real a, real b) { return a.x != b.x; }
static inline real floor(real a) { return floor(a.x); }
static inline real fabs(real a) { return fabs(a.x); }
static inline real fmin(real a, real b) { return b.x < a.x ? b : a; }
static inline real fmax(real a, real b) { return b.x > a.x ? b : a; }

enum { REAL_CHECKS_PIVOTS = 0 };
typedef int real_ok;
static inline real_ok real_exceeds(real, real) { return 1; }
static inline void real_stage() {}

#endif
