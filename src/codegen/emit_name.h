/* Names of files and functions. */
#ifndef ZV_CODEGEN_EMIT_NAME_H
#define ZV_CODEGEN_EMIT_NAME_H

#include "zveno/codegen.h"

enum { ZV_NAME_ROOM = 64 };

/* options->name when it is a C identifier, or one made of the model's name: "KUKA iiwa 14" becomes kuka_iiwa_14, "zv"
 * rzv. Names of the library, words of C and its headers are refused. */
zvStatus zv_code_name(const zvModel *model, const zvGenerateOptions *options, char name[ZV_NAME_ROOM], zvError *error);

#endif
