/* Stands in for the page where the build has none (ZVENO_VIEWER=OFF). */
#include "page/bundle.h"

const unsigned char page_bundle[] = {0};
const size_t page_bundle_size = 0;
