/* Sines and cosines inside of a generated file: four at a time. */
#ifndef ZV_CODEGEN_EMIT_SINCOS_H
#define ZV_CODEGEN_EMIT_SINCOS_H

#include "codegen/emit_text.h"

void zv_code_sincos(zvCodeText *text, const char *name);

#endif
