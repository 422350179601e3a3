/* Names of letters: which are meant, and which clash. */
#ifndef ZI_CODEGEN_LETTER_NAMES_H
#define ZI_CODEGEN_LETTER_NAMES_H

#include "codegen/letters.h"

/* Marks what the list names as chosen and gives it the letters that stand behind =. */
zvStatus zi_letters_choose(const zvModel *model, const char *symbols, ziLetters *letters, zvError *error);

#endif
