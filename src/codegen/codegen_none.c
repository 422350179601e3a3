/* In place of counting and generating, when a build is to do without a C++ compiler. */
#include "zveno/codegen.h"

#include "base/require.h"

static zvStatus refuse_codegen(zvError *error) {
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "",
                   "expected a build that counts operations and generates code, found one without; configure it with "
                   "-DZVENO_CODEGEN=ON");
}

bool zv_can_count(void) { return false; }

bool zv_printed_operations(zvQuestion question, const zvMethod *method, int n, zvOperations *operations) {
    ZI_REQUIRE(method && operations);
    (void)question, (void)method, (void)n, (void)operations;
    return false;
}

zvStatus zv_count(const zvModel *model, zvQuestion question, const zvMethod *method, bool fold, zvCount *count,
                  zvError *error) {
    ZI_REQUIRE(model && method && count);
    (void)model, (void)question, (void)method, (void)fold;
    *count = (zvCount){0};
    return refuse_codegen(error);
}

zvStatus zv_count_sums(const zvModel *model, zvSumCount sums[ZV_SUMS], zvError *error) {
    ZI_REQUIRE(model && sums);
    (void)model;
    for (int i = 0; i < ZV_SUMS; i++) sums[i] = (zvSumCount){.name = "", .row = ""};
    return refuse_codegen(error);
}

zvStatus zv_count_generated(const zvModel *model, zvGenerated function, int frame, zvOperations *operations,
                            zvError *error) {
    ZI_REQUIRE(model && operations);
    (void)model, (void)function, (void)frame;
    *operations = (zvOperations){0};
    return refuse_codegen(error);
}

zvStatus zv_codegen(const zvModel *model, const zvCodegenOptions *options, const char *directory,
                    zvCodegenSummary *summary, zvError *error) {
    ZI_REQUIRE(model && options && directory && summary);
    (void)model, (void)options, (void)directory;
    *summary = (zvCodegenSummary){0};
    return refuse_codegen(error);
}
