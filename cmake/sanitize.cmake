# Address and undefined-behaviour sanitizers; the first finding ends the program, so that a test fails.
if(ZVENO_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # clang checks calls through pointers and types of objects by a library of C++, which nothing here links
  add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-fno-sanitize=function$<COMMA>vptr>)
endif()
if(ZVENO_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
