/* Kernels as C++ on complex numbers. */
#define ZI_ISA _complex

#include "derive/complex_step.h"

#include <stdlib.h>
#include <string.h>

#include <vector>

#include "derive/columns.h"
#include "derive/joint_change.h"
#include "derive/kernels.h"
#include "dynamics/elastic.h"
#include "dynamics/kernels.h"
#include "kinematics/outward.h"
#include "real/sincos.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
namespace {
namespace in_newton_euler {
#include "dynamics/kernel_newton_euler.c"
}
namespace in_derive {
#include "derive/kernel_derive.c"
}
namespace in_respond {
#include "dynamics/kernel_respond.c"
}
} // namespace
#pragma GCC diagnostic pop

namespace {

const double step = 1e-30;

std::vector<real> moved(int n, const double *x, const double *dx) {
    std::vector<real> z((size_t)n);
    for (int i = 0; i < n; i++) z[(size_t)i] = real::of(x[i], step * dx[i]);
    return z;
}

/* A scratch memory for complex numbers: twice what a workspace would have, and more. */
struct Room {
    std::vector<unsigned char> bytes;
    ziScratch scratch;
    explicit Room(const ziTree *t)
        : bytes(1 << 18 | (size_t)(t->nb + t->nv + 1) * 4 * (ZI_SCRATCH_PER_BODY + ZI_SCRATCH_PER_COORDINATE)) {
        scratch.next = bytes.data() + (64 - (size_t)bytes.data() % 64);
        scratch.end = bytes.data() + bytes.size();
    }
};

} // namespace

void complex_step(const zvModel *model, const double *q, const double *dq, const double *v, const double *dv,
                  const double *a, double *dtau) {
    const ziTree *t = &model->tree;
    const std::vector<double> still((size_t)t->nv);
    const std::vector<real> zq = moved(t->nq, q, dq), zv = moved(t->nv, v, dv), za = moved(t->nv, a, still.data());
    std::vector<real> tau((size_t)t->nv);
    Room room(t);
    in_newton_euler::zi_newton_euler_complex(t, room.scratch, zq.data(), zv.data(), za.data(), t->gravity, nullptr,
                                             tau.data(), nullptr);
    for (int i = 0; i < t->nv; i++) dtau[i] = tau[(size_t)i].y / step;
}

void complex_derive(const zvModel *model, const double *q, const double *v, const double *a, double *dq, double *dv) {
    const ziTree *t = &model->tree;
    const std::vector<double> still((size_t)(t->nq + t->nv));
    const std::vector<real> zq = moved(t->nq, q, still.data()), zv = moved(t->nv, v, still.data()),
                            za = moved(t->nv, a, still.data());
    const size_t square = (size_t)t->nv * (size_t)t->nv;
    std::vector<real> by_q(square), by_v(square);
    Room room(t);
    ziLoads nothing = {nullptr, nullptr};
    in_derive::zi_derive_inverse_complex(t, room.scratch, zq.data(), zv.data(), za.data(), t->gravity, nothing,
                                         by_q.data(), by_v.data(), nullptr);
    for (size_t i = 0; i < square; i++) {
        dq[i] = by_q[i].x;
        dv[i] = by_v[i].x;
    }
}
