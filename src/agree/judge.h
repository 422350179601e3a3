/* How far answers are apart: numbers in, ulps and ratios out. */
#ifndef ZI_AGREE_JUDGE_H
#define ZI_AGREE_JUDGE_H

#include <stddef.h>

enum { ZI_JUDGE_MOST = 24 }; /* answers to one question */

typedef struct ziDifference {
    double ulps;  /* in spacings of doubles at the largest number of the answers */
    double ratio; /* to what rounding explains */
} ziDifference;

/* answers: count of them, `width` numbers each; those that are NULL do not count. */

/* Entry by entry the one in the middle, or half way between the two in the middle; NaN where some answer is no finite
 * number. */
void zi_judge_median(size_t count, const double *const *answers, size_t width, double *median);
/* Largest less smallest. rounding is (width): what is to be expected of each entry; NULL: anything. Infinite when an
 * answer is no finite number, or differs where no rounding can be. */
ziDifference zi_judge_spread(size_t count, const double *const *answers, size_t width, const double *rounding);
/* Of one answer from the median; where that is no number, infinite for the answer that is not. */
ziDifference zi_judge_distance(const double *answer, const double *median, size_t width, const double *rounding);

#endif
