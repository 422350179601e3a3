/* Application. A certificate: every method of every table answers the same questions about random states of one robot,
 * and the answers are compared; so are those of each recursion by itself, of lanes in either precision, and
 * derivatives. The instruction set is the one that the model was frozen for.
 *
 * Methods that are right still differ by rounding. How much is unavoidable is the size that the terms of an answer have
 * before they cancel, its error scale, pushed through the inverse of the mass matrix where a system is solved:
 *
 *   ratio = |x - y| / (depth eps error scale)
 *
 * with depth the number of bodies on the longest path. Methods agree when no ratio is above the factor. ulps are the
 * same differences in spacings of doubles (or singles, where eps is 2^-24) at the largest number of the answer. What
 * differs is told in two ways: of a question the spread of all answers, largest less smallest entry by entry, which the
 * result goes by; of a method how far it is from the median of all, which tells who is to blame. */
#ifndef ZVENO_AGREE_H
#define ZVENO_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zveno/work.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct zvAgreeProgress {
    int samples, done; /* states asked for, and compared completely so far */
    double elapsed;    /* wall clock, s */
} zvAgreeProgress;

typedef struct zvAgreeOptions {
    int samples;   /* random states; default 100 */
    uint64_t seed; /* of them; default 1 */
    double factor; /* largest ratio of methods that agree; default 32 */
    /* Default 0: no limit. Else no state is begun that would not end within so long. If already the first takes longer
     * the methods that were not asked by then have a why; and of robots beyond the cost of a chain of 500 joints
     * methods are left out whose cost grows with the cube. One call is never cut short. */
    double seconds;
    double timing; /* wall-clock seconds to spend on timing each method, about; 0: not timed; default 0.004 */
    /* Called before each call of a method and after each state, so often; false: stop. May be NULL. */
    bool (*tell)(void *context, const zvAgreeProgress *now);
    void *context;
} zvAgreeOptions;

zvAgreeOptions zv_agree_options_default(void); /* the defaults above */

typedef struct zvAgreeQuestion {
    const char *name;    /* "mass", "forward", ... */
    const char *meaning; /* "M(q)" */
    int method, methods; /* its rows among those of zv_agreement_method */
    int compared;        /* states at which two methods or more answered */
    int singular;        /* states at which all agreed that there is no answer */
    double ulps, ratio;  /* largest spread; infinite where an answer is not a number or only some found none */
    int worst;           /* state of that ratio, from 0; -1: none */
    bool agrees;         /* also when nothing was compared */
} zvAgreeQuestion;

typedef struct zvAgreeMethod {
    const char *name;   /* row of a table, or how else the answer is found */
    const char *why;    /* why it was not asked, or NULL: it was */
    int answered;       /* states */
    double ulps, ratio; /* largest distance from the median */
    double seconds;     /* of one call, the fastest of several batches; 0: not timed */
} zvAgreeMethod;

/* Room for the answers of all methods; the model must live longer. */
typedef struct zvAgreement zvAgreement;

/* generated: also the straight-line programs that codegen.h would write for this robot, up to 12 degrees of freedom; to
 * find them may take seconds. NULL and error: out of memory, a robot too large for matrices (nv > 2048), or one of
 * which nothing moves (nv = 0). */
zvAgreement *zv_agreement_create(const zvModel *model, bool generated, zvError *error);
void zv_agreement_destroy(zvAgreement *agreement); /* NULL is let pass */

/* Draws states (positions within the limits of joints, at most a turn from zero, closed where there are loops), asks
 * and compares; allocates nothing. options NULL: defaults. ZV_OK: done, whatever the result. ZV_INTERRUPTED: tell said
 * stop; what was compared so far counts. ZV_CLOSURE: no position was found that closes the loops. ZV_NUMBER: options
 * that make no sense. */
zvStatus zv_agree(const zvModel *model, zvWork *work, zvAgreement *agreement, const zvAgreeOptions *options,
                  zvError *error);

/* Of the last zv_agree: */
bool zv_agreement_holds(
    const zvAgreement *agreement); /* the result: every question agrees, and something was compared */
int zv_agreement_samples(const zvAgreement *agreement);      /* states compared */
int zv_agreement_depth(const zvAgreement *agreement);        /* bodies on the longest path */
double zv_agreement_condition(const zvAgreement *agreement); /* largest |M| |M^-1|, 1-norm; 0: never regular */
size_t zv_agreement_questions(const zvAgreement *agreement);
const zvAgreeQuestion *zv_agreement_question(const zvAgreement *agreement, size_t question);
const zvAgreeMethod *zv_agreement_method(const zvAgreement *agreement, size_t method);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
