/* Which of the compiled kernel sets runs on this machine. */
#include "real/isa.h"

#include <stdlib.h>
#include <string.h>

#include "zveno/version.h"

static const char *const names[ZI_ISA_LEVELS] = {"baseline", "x86-64-v3", "x86-64-v4"};

/* The highest level that both this processor supports and the kernels were compiled for. */
static int machine_level(void) {
#if ZI_X86_LEVEL >= 3
    __builtin_cpu_init();
#if defined(__clang__) || \
    __GNUC__ < 12 /* these do not know the levels by name: test what every such machine lacks or has */
    int v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    int v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512cd");
#else
    int v3 = __builtin_cpu_supports("x86-64-v3"), v4 = __builtin_cpu_supports("x86-64-v4");
#endif
    return v4 && ZI_X86_LEVEL >= 4 ? ZI_ISA_V4 : v3 ? ZI_ISA_V3 : ZI_ISA_BASELINE;
#else
    return ZI_ISA_BASELINE;
#endif
}

/* Names of a level that ZVENO_ISA may have. */
static const struct {
    const char *name;
    int level;
} spellings[] = {
    {"baseline", ZI_ISA_BASELINE}, {"x86-64-v3", ZI_ISA_V3}, {"v3", ZI_ISA_V3},     {"avx2", ZI_ISA_V3},
    {"x86-64-v4", ZI_ISA_V4},      {"v4", ZI_ISA_V4},        {"avx512", ZI_ISA_V4},
};

/* The level of that name, ZI_ISA_LEVELS when nobody asks for one, -1: there is none of that name. */
static int asked_level(const char *asked) {
    if (!asked || !*asked) return ZI_ISA_LEVELS;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        if (strcmp(asked, spellings[i].name) == 0) return spellings[i].level;
    }
    return -1;
}

const char *zi_isa_unknown(void) {
    const char *asked = getenv("ZVENO_ISA");
    return asked_level(asked) < 0 ? asked : NULL;
}

int zi_isa_best(void) {
    const int level = machine_level(), asked = asked_level(getenv("ZVENO_ISA"));
    return asked >= 0 && asked < level ? asked : level;
}

const char *zv_isa_name(void) { return names[zi_isa_best()]; }
