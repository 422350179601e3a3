/* HDF5 itself, not through our reader: its functions are looked up in the running program, so that tests need neither
 * its headers nor a build that has it. */
#ifndef ZV_TESTS_RECORD_HDF5_CALLS_H
#define ZV_TESTS_RECORD_HDF5_CALLS_H

#include "record/sample.h"

#include <dlfcn.h>

typedef int64_t Id; /* hid_t */

static inline void *symbol(const char *name) { return dlsym(dlopen(NULL, RTLD_LAZY), name); }

/* Calls with up to seven arguments, which HDF5 takes as integers or pointers. */
static inline int64_t call7(const char *name, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f,
                            int64_t g) {
    void *address = symbol(name);
    int64_t (*function)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
    if (!address) fail_msg("%s is not in HDF5", name);
    memcpy(&function, &address, sizeof function);
    return function(a, b, c, d, e, f, g);
}

static inline int64_t call(const char *name, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f) {
    return call7(name, a, b, c, d, e, f, 0);
}

/* Those that return int fill the lower half of the register only. */
static inline int call_int(const char *name, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f) {
    return (int)call(name, a, b, c, d, e, f);
}

static inline Id constant(const char *name) {
    const Id *address = symbol(name);
    assert_non_null(address);
    return *address;
}

static inline int64_t text_of(const void *pointer) { return (int64_t)(intptr_t)pointer; }

static inline Id open_dataset(Id file, const char *path) {
    Id dataset = call("H5Dopen2", file, text_of(path), 0, 0, 0, 0);
    if (dataset < 0) fail_msg("there is no %s", path);
    return dataset;
}

#endif
