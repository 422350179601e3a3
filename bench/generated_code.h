/* Straight-line code of a robot, written by zv_codegen, compiled by the machine's compiler for this machine, and
 * loaded. */
#ifndef BENCH_GENERATED_CODE_H
#define BENCH_GENERATED_CODE_H

#include "engine.h"
#include "zveno/codegen.h"

typedef struct GeneratedCode {
    unsigned functions; /* bits of zvGenerated */
    void *library;
} GeneratedCode;

/* Code for the tasks (bits), each function for one state and for four at once. False, with the reason, when there is
 * none at all; functions that are too large are left out and named in *why. */
bool generated_code_open(const zvModel *model, int frame, unsigned tasks, GeneratedCode *code, zvError *why);
void generated_code_close(GeneratedCode *code);

/* Whether there is a function that answers a task. */
bool generated_code_has(const GeneratedCode *code, Task task);
/* The function that answers a task, NULL in *pointer when it was left out; suffix "" or "_batch". */
bool generated_code_find(const GeneratedCode *code, Task task, const char *suffix, void *pointer);

#endif
