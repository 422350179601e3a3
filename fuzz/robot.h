/* What every robot target does with an input. */
#ifndef FUZZ_ROBOT_H
#define FUZZ_ROBOT_H

#include "zveno/read.h"

/* Reads a robot from memory, checks it, freezes it, writes it, reads that again, and moves it when it is small. */
void fuzz_robot(const char *name, const char *bytes, size_t size, zvFormat format);

#endif
