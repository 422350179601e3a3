# Address and undefined-behaviour sanitizers; the first finding ends the program, so that a test fails.
if(ZVENO_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(ZVENO_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
