/* Included first everywhere in a shared build (library.cmake): what the public headers declare is visible from
 * outside, all else stays hidden. So the headers themselves are the list of exported functions. */
/* System headers come in through the public ones: sources that ask for POSIX come too late. */
#define _XOPEN_SOURCE 700
#pragma GCC visibility push(default)
#include "zveno/zveno.h"
#pragma GCC visibility pop
