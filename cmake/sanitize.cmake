# Address and undefined-behaviour sanitizers, or that of threads; the first finding ends the program, so that a test fails.
set(ZVENO_SANITIZER address,undefined CACHE STRING "which sanitizers: address,undefined or thread")
mark_as_advanced(ZVENO_SANITIZER)
if(ZVENO_SANITIZE)
  add_compile_options(-fsanitize=${ZVENO_SANITIZER} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ZVENO_SANITIZER})
  if(NOT ZVENO_SANITIZER STREQUAL thread) # whose findings end programs by TSAN_OPTIONS
    add_compile_options(-fno-sanitize-recover=all)
  endif()
  # clang checks calls through pointers and types of objects by a library of C++, which nothing here links
  add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-fno-sanitize=function$<COMMA>vptr>)
endif()
if(ZVENO_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
