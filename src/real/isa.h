/* Which of the compiled kernel sets runs on this machine. */
#ifndef ZV_REAL_ISA_H
#define ZV_REAL_ISA_H

enum { ZV_ISA_BASELINE, ZV_ISA_V3, ZV_ISA_V4, ZV_ISA_LEVELS };

/* The best level this machine has and this build contains. The environment variable ZVENO_ISA
 * (baseline, x86-64-v3, x86-64-v4) may ask for a lower one. */
int zv_isa_best(void);

#endif
