/* Names of users in LaTeX, in any alphabet. */
#ifndef ZI_CODEGEN_LATEX_NAME_H
#define ZI_CODEGEN_LATEX_NAME_H

#include "codegen/code.h"

/* A name: what LaTeX would act on is escaped, and it may be broken. */
void zi_latex_name(ziCode *code, const char *name);
/* Notes the letters of a name for zi_latex_alphabets. */
typedef struct ziAlphabet {
    unsigned *letter;
    size_t count, capacity;
    bool full;
} ziAlphabet;
void zi_alphabet_note(ziAlphabet *alphabet, const char *name);
/* The lines of a preamble that make these letters print: by a font of the engine, an encoding of pdfLaTeX, or else as
 * Greek mathematics, as the Latin letters of ISO 9, as the number of the character. */
void zi_latex_alphabets(ziCode *code, const ziAlphabet *alphabet);
void zi_alphabet_free(ziAlphabet *alphabet);

#endif
