/* Every computation of the library on one robot. */
#ifndef FUZZ_ANSWERS_H
#define FUZZ_ANSWERS_H

#include "zveno/model.h"

/* Asks all there is to ask about a robot of up to 24 degrees of freedom; larger ones are passed over. Answers may be
 * refused by a status: looked for are crashes, and answers without a status that are no numbers although the state is
 * harmless. */
void fuzz_answers(const zvModel *model);

#endif
