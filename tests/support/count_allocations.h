/* Counts the allocations of the program that includes it, once, where the C library lets itself be stood in for;
 * elsewhere `allocations` stays 0. */
#ifndef ZV_TEST_COUNT_ALLOCATIONS_H
#define ZV_TEST_COUNT_ALLOCATIONS_H

#include <stdlib.h> /* also tells whose C library it is */

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
static long allocations;
void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    allocations++;
    return __libc_realloc(old, size);
}
#else
static const long allocations;
#endif

#endif
