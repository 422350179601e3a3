/* Core. Version of the library. */
#ifndef ZVENO_VERSION_H
#define ZVENO_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define ZV_VERSION_MAJOR 0
#define ZV_VERSION_MINOR 2
#define ZV_VERSION_PATCH 0

/* "0.2.0" */
const char *zv_version(void);
/* Instruction set the kernels run on here: "baseline", "x86-64-v3" or "x86-64-v4". */
const char *zv_isa_name(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
