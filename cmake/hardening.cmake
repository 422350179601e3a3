# How binaries find libraries, and what release builds do against errors that are still in them.
#
# Paths of libraries: those outside of this project alone, built as installed. CMake would pad the path of a binary that it
# changes when installing with empty entries, and an empty entry means the current folder.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

# Addresses of functions are resolved at start and read-only afterwards (full RELRO), stacks are not executable, programs
# lie anywhere (PIE, above). In optimised builds functions with arrays check their stack before they return, and functions
# of libc that are told the size of a buffer look at it (_FORTIFY_SOURCE); sanitizers do that better. Kernels and lanes go
# without the two: they call nothing of libc that has a size, and no size of theirs comes from a file.
option(ZVENO_HARDEN "full RELRO, stack protector and _FORTIFY_SOURCE in optimised builds" ON)
set(hardened OFF)
set(hardened_options "")
if(ZVENO_HARDEN AND NOT ZVENO_SANITIZE AND NOT CMAKE_SYSTEM_NAME STREQUAL Darwin)
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
    set(hardened ON)
    set(hardened_options -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  endif()
endif()
