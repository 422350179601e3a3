/* Which of the compiled kernel sets runs on this machine. */
#ifndef ZI_REAL_ISA_H
#define ZI_REAL_ISA_H

enum { ZI_ISA_BASELINE, ZI_ISA_V3, ZI_ISA_V4, ZI_ISA_LEVELS };

/* The best level this machine has and this build contains. The environment variable ZVENO_ISA
 * (baseline, x86-64-v3, x86-64-v4) may ask for a lower one. */
int zi_isa_best(void);

#endif
