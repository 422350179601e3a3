/* Which of the compiled kernel sets runs on this machine. */
#ifndef ZI_REAL_ISA_H
#define ZI_REAL_ISA_H

enum { ZI_ISA_BASELINE, ZI_ISA_V3, ZI_ISA_V4, ZI_ISA_LEVELS };

/* The best level this machine has and this build contains. The environment variable ZVENO_ISA (baseline; v3, x86-64-v3
 * or avx2; v4, x86-64-v4 or avx512) may ask for a lower one. */
int zi_isa_best(void);
/* What ZVENO_ISA asks for when it is the name of no level, else NULL. */
const char *zi_isa_unknown(void);
#define ZI_ISA_NAMES "baseline, v3 (x86-64-v3, avx2) or v4 (x86-64-v4, avx512)"

/* Defines `const type *name(const zvModel *model)`, the table of kernels that fits the level of the model, out of
 * name_baseline, which a header declares, and those of higher levels as far as this build contains them. */
#define ZI_CHOOSE_KERNELS(type, name)        \
    ZI_DECLARE_KERNELS(type, name)           \
    const type *name(const zvModel *model) { \
        switch (model->isa) {                \
            ZI_CASES_OF_KERNELS(name)        \
        default: return &name##_baseline;    \
        }                                    \
    }

#if ZI_X86_LEVEL >= 4
#define ZI_DECLARE_KERNELS(type, name) extern const type name##_v3, name##_v4;
#define ZI_CASES_OF_KERNELS(name)      \
    case ZI_ISA_V4: return &name##_v4; \
    case ZI_ISA_V3:                    \
        return &name##_v3;
#elif ZI_X86_LEVEL >= 3
#define ZI_DECLARE_KERNELS(type, name) extern const type name##_v3;
#define ZI_CASES_OF_KERNELS(name) \
    case ZI_ISA_V3:               \
        return &name##_v3;
#else
#define ZI_DECLARE_KERNELS(type, name)
#define ZI_CASES_OF_KERNELS(name)
#endif

#endif
