/* Sines and cosines inside of a generated file. */
#ifndef ZV_CODEGEN_EMIT_SINCOS_H
#define ZV_CODEGEN_EMIT_SINCOS_H

#include "codegen/emit_text.h"

/* Of one state: four at a time. */
void zv_code_sincos(zvCodeText *text, const char *name);
/* Of one joint in several states; comes after the types of emit_batch.h. */
void zv_code_sincos_lanes(zvCodeText *text, const char *name);

#endif
