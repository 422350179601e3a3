# One list of warnings for everything we compile.
add_library(zveno_warnings INTERFACE)
target_compile_options(zveno_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla)
if(ZVENO_WERROR)
  target_compile_options(zveno_warnings INTERFACE -Werror)
endif()
