/* The page of reports, bundled by viewer/build.mjs: one HTML text with an empty document in it. */
#ifndef ZVENO_CLI_PAGE_BUNDLE_H
#define ZVENO_CLI_PAGE_BUNDLE_H

#include <stddef.h>

extern const unsigned char page_bundle[];
extern const size_t page_bundle_size; /* 0: this build has no page */

#endif
