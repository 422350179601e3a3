# One list of warnings for everything we compile.
add_library(zveno_warnings INTERFACE)
target_compile_options(zveno_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> -Wpointer-arith -Wwrite-strings -Wvla
  -Wno-psabi) # a note about vector types between gcc 4 and later, of no concern inside one library
if(ZVENO_WERROR)
  target_compile_options(zveno_warnings INTERFACE -Werror)
endif()
