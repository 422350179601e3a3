/* Functions for which the library is the better choice: generated code so long that it is less than half as fast again.
 *
 * Code runs as fast as its instructions come, and long code does not come from the first cache (docs/codegen.md, What
 * bounds it); the library's loops do. So statements decide. Measured with `./dev bench ROBOT` on Zen 4, one state, time
 * of the library over that of the code:
 *
 *   statements: gain      anymal_c (18)  h1 (25)    g1 (35)    talos (44)
 *   inverse               526: 1.7       834: 1.5   1199: 1.6  1660: 1.1
 *   bias                  482: 1.8       772: 1.6   1125: 1.6  1562: 1.2
 *   forward               1041: 2.3      1846: 1.5  3292: 1.2  4450: 1.0
 *   mass                  337: 2.6       700: 2.1   1435: 1.6  1976: 1.3
 *   minv                  1063: 3.7      2118: 2.6  2291: 1.7  3193: 1.2
 *   inverse_derivatives   2220: 1.5      4195: 1.0  7969: 0.8  12101: 0.7
 *   forward_derivatives   2788: 1.9      5174: 1.5  9740: 1.0  14713: 1.0 */
#ifndef ZI_CODEGEN_ADVICE_H
#define ZI_CODEGEN_ADVICE_H

#include <stdbool.h>

#include "zveno/codegen.h"

/* Beyond so many statements; of functions that are not listed code of any length gains. */
static inline bool zi_library_is_better(zvGenerated function, long long statements) {
    static const int longest[ZV_GENERATED_FUNCTIONS] = {[ZV_GENERATED_INVERSE] = 1300,
                                                        [ZV_GENERATED_FORWARD] = 1850,
                                                        [ZV_GENERATED_MASS] = 1600,
                                                        [ZV_GENERATED_MINV] = 2600,
                                                        [ZV_GENERATED_BIAS] = 1300,
                                                        [ZV_GENERATED_INVERSE_DERIVATIVES] = 2400,
                                                        [ZV_GENERATED_FORWARD_DERIVATIVES] = 5200};
    return longest[function] > 0 && statements > longest[function];
}

#endif
