/* Sines and cosines inside of a generated file. */
#ifndef ZI_CODEGEN_EMIT_SINCOS_H
#define ZI_CODEGEN_EMIT_SINCOS_H

#include "codegen/emit_text.h"

/* Of one state: four at a time. */
void zi_code_sincos(ziCodeText *text, const char *name);
/* Of one joint in several states; comes after the types of emit_batch.h. */
void zi_code_sincos_lanes(ziCodeText *text, const char *name);

#endif
