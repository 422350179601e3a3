/* Fresh guesses for assembling, and whether two positions are the same. */
#ifndef ZI_LOOPS_GUESS_H
#define ZI_LOOPS_GUESS_H

#include <stdint.h>

#include "model/tree.h"

typedef struct ziGuess {
    uint64_t state;
} ziGuess;

/* Uniform in (-1, 1). */
double zi_guess_next(ziGuess *guess);
/* Whether it is a free joint through which no loop goes: as the base of a robot that flies. Loops close or not wherever
 * it is. */
bool zi_joint_carries(const zvModel *model, int joint);
/* q := a random position within the limits; angles without them anywhere, lengths within `size`. Joints with a held
 * freedom (held is (nv) or NULL), those that carry whole loops and elastic coordinates stay as they are. */
void zi_guess_position(ziGuess *guess, const zvModel *model, double size, const unsigned char *held, double *q);
/* step (nv) := a random one, at most `most` times unit (nv); zero where given says so. */
void zi_guess_step(ziGuess *guess, const zvModel *model, const unsigned char *given, const double *unit, double most,
                   double *step);
/* No coordinate differs by more than `near`; whole turns and signs of quaternions do not count. */
bool zi_same_position(const zvModel *model, const double *a, const double *b, double near);

#endif
