/* The tables of methods: the rows of methods.h with functions of rows.h on doubles, and what a method is defined for.
 */
#include "dynamics/methods.h"

#include <string.h>

#include "base/require.h"
#include "dynamics/rows.h"

/* Functions of the rows as callers see them. */
#define RUN(function, ...)                                                                               \
    static zvStatus run_##function(const zvModel *model, zvWork *work, const double *q, const double *v, \
                                   const double *x, const double *fext, double *answer) {                \
        const ziQuery query = {model, zi_scratch_of(model, work), q, v, x, fext, answer};                \
        return row_##function(query);                                                                    \
    }
ZI_MASS_ROWS(RUN)
ZI_BIAS_ROWS(RUN)
ZI_INVERSE_ROWS(RUN)
ZI_FORWARD_ROWS(RUN)
ZI_INVERSE_MASS_ROWS(RUN)

#define METHOD(function, name, cost, source, domain) {name, run_##function, cost, source, domain},
static const zvMethod mass_methods[] = {ZI_MASS_ROWS(METHOD)};
static const zvMethod bias_methods[] = {ZI_BIAS_ROWS(METHOD)};
static const zvMethod inverse_methods[] = {ZI_INVERSE_ROWS(METHOD)};
static const zvMethod forward_methods[] = {ZI_FORWARD_ROWS(METHOD)};
static const zvMethod inverse_mass_methods[] = {ZI_INVERSE_MASS_ROWS(METHOD)};

typedef struct MethodTable {
    const char *question;
    const zvMethod *rows;
    size_t count;
} MethodTable;

static const MethodTable tables[ZV_QUESTIONS] = {
    [ZV_QUESTION_MASS] = {"mass", mass_methods, ZI_MASS_ROW_COUNT},
    [ZV_QUESTION_BIAS] = {"bias", bias_methods, ZI_BIAS_ROW_COUNT},
    [ZV_QUESTION_INVERSE] = {"inverse", inverse_methods, ZI_INVERSE_ROW_COUNT},
    [ZV_QUESTION_FORWARD] = {"forward", forward_methods, ZI_FORWARD_ROW_COUNT},
    [ZV_QUESTION_INVERSE_MASS] = {"inverse-mass", inverse_mass_methods, ZI_INVERSE_MASS_ROW_COUNT},
};

const zvMethod *zv_methods(zvQuestion question, size_t *count) {
    ZI_REQUIRE(count && (unsigned)question < ZV_QUESTIONS);
    *count = tables[question].count;
    return tables[question].rows;
}

const zvMethod *zv_method_named(zvQuestion question, const char *name) {
    ZI_REQUIRE(name && (unsigned)question < ZV_QUESTIONS);
    for (size_t i = 0; i < tables[question].count; i++)
        if (strcmp(tables[question].rows[i].name, name) == 0) return &tables[question].rows[i];
    return NULL;
}

const char *zv_question_name(zvQuestion question) {
    ZI_REQUIRE((unsigned)question < ZV_QUESTIONS);
    return tables[question].question;
}

size_t zv_answer_size(zvQuestion question, const zvModel *m) {
    ZI_REQUIRE(m && (unsigned)question < ZV_QUESTIONS);
    const size_t nv = (size_t)m->nv;
    return question == ZV_QUESTION_MASS || question == ZV_QUESTION_INVERSE_MASS ? nv * nv : nv;
}

const zvMethod *zv_method_chosen(zvQuestion question, const zvModel *model, bool loaded, char *why, size_t size) {
    ZI_REQUIRE(model && (unsigned)question < ZV_QUESTIONS && (why || size == 0));
    return &tables[question].rows[zi_auto_row(question, model, loaded, why, size)];
}

const char *zv_domain_obstacle(unsigned domain, const zvModel *m, bool loaded) {
    ZI_REQUIRE(m);
    if (domain & ZV_DOMAIN_RIGID && m->tree.ne) return "defined for rigid links only";
    if (domain & ZV_DOMAIN_UNCOUPLED && m->coupling.count) return "defined without coupled mimic joints only";
    return domain & ZV_DOMAIN_UNLOADED && loaded ? "defined without external forces only" : NULL;
}

bool zv_domain_holds(unsigned domain, const zvModel *m) { return !zv_domain_obstacle(domain, m, false); }

/* One sentence per combination of bits. */
const char *zv_domain_words(unsigned domain) {
    static const char *const words[8] = {
        "",
        "rigid links",
        "no external forces",
        "rigid links, no external forces",
        "no coupled mimic joints",
        "rigid links, no coupled mimic joints",
        "no external forces, no coupled mimic joints",
        "rigid links, no external forces, no coupled mimic joints",
    };
    return words[domain & 7];
}
