/* See allocator.h. glibc offers its own functions under names that are not replaced: __libc_malloc and so on. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "allocator.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

extern const char __executable_start[], etext[]; /* set by the linker: the code of the executable */

static const char *forbidden;
static long countdown; /* requests until the failing one; 0: none fails */
static Whose failing;
static bool fail_forever;
static bool refused;
static long outstanding;

void allocator_forbid(const char *what) { forbidden = what; }

void allocator_fail(long n, Whose whose, bool forever) {
    countdown = n;
    failing = whose;
    fail_forever = forever;
    refused = false;
}

bool allocator_refused(void) { return refused; }

long allocator_outstanding(void) { return outstanding; }

static void say(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0) abort();
}

/* Called on every request and release; stdio would allocate, hence plain writes. */
static void watch(void) {
    if (!forbidden) return;
    const char *what = forbidden;
    forbidden = NULL;
    say(what);
    say(" allocates or frees memory\n");
    abort();
}

/* Whether this request is the one to be refused. */
static bool refuse(const void *caller) {
    watch();
    if (countdown == 0) return false;
    uintptr_t at = (uintptr_t)caller;
    bool ours = at >= (uintptr_t)__executable_start && at < (uintptr_t)etext;
    if (failing == OURS && !ours) return false;
    if (countdown > 1) {
        countdown--;
        return false;
    }
    if (!fail_forever) countdown = 0;
    refused = true;
    errno = ENOMEM;
    return true;
}

static void *counted(void *block) {
    outstanding += block != NULL;
    return block;
}

/* Visible from outside, whatever the build's default: hidden ones would serve the executable alone. */
#define VISIBLE __attribute__((visibility("default")))

VISIBLE void *malloc(size_t size) {
    if (refuse(__builtin_return_address(0))) return NULL;
    return counted(__libc_malloc(size));
}

VISIBLE void *calloc(size_t count, size_t size) {
    if (refuse(__builtin_return_address(0))) return NULL;
    return counted(__libc_calloc(count, size));
}

VISIBLE void *realloc(void *block, size_t size) {
    if (refuse(__builtin_return_address(0))) return NULL;
    void *moved = __libc_realloc(block, size);
    if (!block) return counted(moved);
    if (!moved && size == 0) outstanding--; /* glibc: a release */
    return moved;
}

VISIBLE void *aligned_alloc(size_t alignment, size_t size) {
    if (refuse(__builtin_return_address(0))) return NULL;
    return counted(__libc_memalign(alignment, size));
}

VISIBLE int posix_memalign(void **block, size_t alignment, size_t size) {
    if (refuse(__builtin_return_address(0))) return ENOMEM;
    *block = counted(__libc_memalign(alignment, size));
    return *block ? 0 : ENOMEM;
}

VISIBLE void free(void *block) {
    if (!block) return;
    watch();
    outstanding--;
    __libc_free(block);
}
