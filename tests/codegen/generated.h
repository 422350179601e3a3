/* Generates code for a robot, compiles it with the warnings users have on, and loads it into the test. */
#ifndef ZV_TESTS_CODEGEN_GENERATED_H
#define ZV_TESTS_CODEGEN_GENERATED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dlfcn.h>

#include "zveno/codegen.h"

#ifndef ZV_CC
#define ZV_CC "cc"
#endif
#define WARNINGS                                                                                     \
    "-std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Wfloat-conversion " \
    "-Wstrict-prototypes -Wmissing-prototypes -Werror"

static char folder[] = "/tmp/zveno-generate-XXXXXX";

static inline int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state) {
    (void)state;
    char line[64];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

static inline void expect_command(const char *format, ...) {
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (system(line) != 0) fail_msg("this failed: %s", line);
}

typedef int (*Checked3)(const double *, const double *, const double *, double *);
typedef int (*Checked1)(const double *, double *);
typedef void (*Plain3)(const double *, const double *, const double *, double *);
typedef void (*Plain2)(const double *, const double *, double *);
typedef void (*Plain1)(const double *, double *);

/* The functions of a file in double precision. */
typedef struct Code {
    void *handle;
    Plain3 inverse;
    Checked3 forward;
    Plain1 mass, gravity, pose, jacobian;
    Checked1 minv;
    Plain2 bias;
} Code;

/* A pointer to data becomes one to a function, as POSIX has it. */
static inline void find_symbol(const Code *code, const char *symbol, void *to) {
    void *found = dlsym(code->handle, symbol);
    if (!found) fail_msg("%s is missing", symbol);
    memcpy(to, &found, sizeof found);
}
static inline void find(const Code *code, const char *name, zvGenerated function, void *to) {
    char symbol[128];
    snprintf(symbol, sizeof symbol, "%s_%s", name, zv_generated_name(function));
    find_symbol(code, symbol, to);
}

/* options: of the compiler, beside the warnings */
static inline Code compile(const char *compiler, const char *options, const char *name) {
    Code code = {0};
    expect_command("%s " WARNINGS " %s -fPIC -shared %s/%s.c -o %s/%s.so -lm", compiler, options, folder, name, folder,
                   name);
    char path[256];
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    code.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!code.handle) fail_msg("%s", dlerror());
    return code;
}

/* All but derivatives. */
enum { UNDERIVED = (1u << ZV_GENERATED_INVERSE_DERIVATIVES) - 1 };

/* Long functions take long to optimise. */
static inline Code load(const char *name, int nv) {
    Code code = compile(ZV_CC, nv <= 6 ? "-O2" : "-O0", name);
    find(&code, name, ZV_GENERATED_INVERSE, &code.inverse);
    find(&code, name, ZV_GENERATED_FORWARD, &code.forward);
    find(&code, name, ZV_GENERATED_MASS, &code.mass);
    find(&code, name, ZV_GENERATED_MINV, &code.minv);
    find(&code, name, ZV_GENERATED_BIAS, &code.bias);
    find(&code, name, ZV_GENERATED_GRAVITY, &code.gravity);
    find(&code, name, ZV_GENERATED_POSE, &code.pose);
    find(&code, name, ZV_GENERATED_JACOBIAN, &code.jacobian);
    return code;
}

static inline void write_code(const zvModel *model, const zvCodegenOptions *options) {
    zvCodegenSummary summary;
    zvError error = {0};
    if (zv_codegen(model, options, folder, &summary, &error) < 0) fail_msg("%s: %s", options->name, error.text);
    assert_int_equal(summary.file_count, options->model_file ? 3 : 2);
}

/* All functions but derivatives for the last frame, with a harness when a file is named. */
static inline Code generate(const zvModel *model, const char *name, const char *file) {
    write_code(model,
               &(zvCodegenOptions){
                   .name = name, .model_file = file, .functions = UNDERIVED, .frame = zv_model_nframe(model) - 1});
    return load(name, zv_model_nv(model));
}

#endif
