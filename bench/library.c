/* The one place that knows the dynamic linker. */
#define _POSIX_C_SOURCE 200809L
#include "library.h"

#include <dlfcn.h>
#include <string.h>

void *library_open(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }

/* dlsym gives a data pointer; POSIX says that it may be read as a function's. */
bool library_find(void *library, const char *symbol, void *pointer) {
    void *found = dlsym(library, symbol);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}

void library_close(void *library) {
    if (library) dlclose(library);
}
