/* In place of counting and generating, when a build is to do without a C++ compiler. */
#include "zveno/codegen.h"

static zvStatus refuse(zvError *error) {
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "",
                   "this build counts no operations and generates no code; configure it with -DZVENO_CODEGEN=ON");
}

const zvCountable *zv_countables(size_t *count) {
    *count = 0;
    return NULL;
}

zvStatus zv_count(const zvModel *model, const zvCountable *what, bool fold, zvCount *count, zvError *error) {
    (void)model, (void)what, (void)fold;
    *count = (zvCount){0};
    return refuse(error);
}

zvStatus zv_count_generated(const zvModel *model, zvGenerated function, int frame, zvOperations *operations,
                            zvError *error) {
    (void)model, (void)function, (void)frame;
    *operations = (zvOperations){0};
    return refuse(error);
}

zvStatus zv_generate(const zvModel *model, const zvGenerateOptions *options, const char *directory,
                     zvGenerateSummary *summary, zvError *error) {
    (void)model, (void)options, (void)directory;
    *summary = (zvGenerateSummary){0};
    return refuse(error);
}
