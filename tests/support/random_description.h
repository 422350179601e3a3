/* Random descriptions for tests of readers and writers: every type of joint, loop, curve and shape, names that YAML
 * finds difficult, numbers of every size. They are not robots: names need not fit together. */
#ifndef ZV_TESTS_RANDOM_DESCRIPTION_H
#define ZV_TESTS_RANDOM_DESCRIPTION_H

#include <stdint.h>

#include "zveno/builder.h"

/* The same seed gives the same description. To be destroyed by the caller. */
zvBuilder *random_description(uint64_t seed);

#endif
