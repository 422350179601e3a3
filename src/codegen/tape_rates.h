/* Derivatives by time of what stands on a tape. */
#ifndef ZI_CODEGEN_TAPE_RATES_H
#define ZI_CODEGEN_TAPE_RATES_H

#include "real/tape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* rate (count): edges of the rates of `of` when input k has the rate that is input k + shift. rate may follow `of` in
 * one array. A counting tape knows nothing of them. The tape is full where memory runs out. */
void zi_tape_rates(ziTape *tape, int shift, size_t count, const ziEdge *of, ziEdge *rate);

#ifdef __cplusplus
}
#endif
#endif
