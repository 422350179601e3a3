/* Code that is loaded while the program runs. */
#ifndef BENCH_LIBRARY_H
#define BENCH_LIBRARY_H

#include <stdbool.h>

/* NULL when there is no such file or it cannot be loaded. */
void *library_open(const char *path);
/* Puts the address of a symbol into *pointer, a pointer to a function or to data; false when there is none. */
bool library_find(void *library, const char *symbol, void *pointer);
void library_close(void *library); /* NULL: nothing */

#endif
