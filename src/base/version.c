/* The version text. */
#include "zveno/version.h"

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *zv_version(void) { return VERSION(ZV_VERSION_MAJOR, ZV_VERSION_MINOR, ZV_VERSION_PATCH); }
