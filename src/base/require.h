/* Preconditions of public functions: what a correct program never breaks. Debug builds end with the condition, the file
 * and the line; release builds do not look. What the world can break is a status instead (zveno/status.h).
 *
 *     ZI_REQUIRE(model && q && tau)           pointers that have to be given, sizes that have to fit
 *     ZI_REQUIRE(model && ZI_ARRAY(q, nq))    an array; one of no numbers may be NULL
 *     ZI_REQUIRE_INDEX(frame, count)          0 <= frame < count
 *
 * That a workspace belongs to the model zi_scratch_of sees (work/scratch.h). */
#ifndef ZI_BASE_REQUIRE_H
#define ZI_BASE_REQUIRE_H

#include <assert.h>

#define ZI_REQUIRE(condition) assert(condition)
#define ZI_ARRAY(array, count) ((array) || (count) == 0)
#define ZI_REQUIRE_INDEX(index, count) assert((index) >= 0 && (index) < (count))

#endif
