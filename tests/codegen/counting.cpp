/* Kernels and rows as C++ on the counting number. */
#define ZI_ISA _counting

#include "codegen/counting.h"

#include <vector>

#include "codegen/scalar_rows.h"

Executed executed;

static std::vector<real> numbers(int count, const double *x) { return std::vector<real>(x, x + count); }

bool execute_row(const zvModel *model, zvQuestion question, const char *name, const double *q, const double *v,
                 const double *x, double *answer, zvOperations *operations) {
    const ziRow row = scalar_row(question, name);
    zvWork *work = zv_work_create(model, nullptr);
    const std::vector<real> Q = numbers(model->nq, q), V = numbers(model->nv, v), X = numbers(model->nv, x);
    std::vector<real> to(zv_answer_size(question, model));
    executed = Executed{};
    const bool done =
        row && work && row({model, work->scratch, Q.data(), V.data(), X.data(), nullptr, to.data()}) == ZV_OK;
    *operations = {executed.mul, executed.add, executed.div, executed.trig};
    for (size_t i = 0; i < to.size(); i++) answer[i] = to[i].x;
    zv_work_destroy(work);
    return done;
}
