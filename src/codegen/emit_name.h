/* Names of files and functions. */
#ifndef ZI_CODEGEN_EMIT_NAME_H
#define ZI_CODEGEN_EMIT_NAME_H

#include "zveno/codegen.h"

enum { ZI_NAME_ROOM = 64 };

/* options->name when it is a C identifier, or one made of the model's name: "KUKA iiwa 14" becomes kuka_iiwa_14, "zv"
 * rzv. Names of the library, words of C and its headers are refused. */
zvStatus zi_code_name(const zvModel *model, const zvGenerateOptions *options, char name[ZI_NAME_ROOM], zvError *error);

#endif
