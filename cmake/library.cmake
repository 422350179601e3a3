# Two libraries, each static and shared, from objects that are compiled once:
#
#   libzveno-core   what a controller links: include/zveno/core.h; libc, libm and, for batches, threads
#   libzveno        everything, the core included: include/zveno/zveno.h
#
# A program links one of the two. The second contains the first and does not link to it, because folders of applications use
# names of the core (zi_*) that no shared library exports. Exported is what the public headers declare (they say so by a
# visibility pragma), all else is hidden. Kernels (src/*/kernel_*.c) are compiled once per instruction set and chosen at
# run time.
option(ZVENO_SHARED "shared libraries beside the static ones" ON)
if(ZVENO_SANITIZE OR ZVENO_FUZZ)
  set(ZVENO_SHARED OFF) # sanitized tests look inside the static ones
endif()

set(core_rooms base real linalg spatial beam model work kinematics dynamics loops opspace derive)
set(application_rooms motion integrate record modes actuate agree mesh maps)
foreach(tier core application)
  set(globs ${${tier}_rooms})
  list(TRANSFORM globs REPLACE "(.+)" "src/\\1/*.c")
  file(GLOB ${tier}_sources CONFIGURE_DEPENDS ${globs})
endforeach()
set(tape ${PROJECT_SOURCE_DIR}/src/real/tape.c) # what tracing writes on
file(GLOB kernel_sources CONFIGURE_DEPENDS src/*/kernel_*.c)
file(GLOB sundials_sources CONFIGURE_DEPENDS src/integrate/sundials*.c)
file(GLOB hdf5_sources CONFIGURE_DEPENDS src/record/hdf5*.c)
file(GLOB lapack_sources CONFIGURE_DEPENDS src/modes/lapack*.c)
set(lapack_none ${PROJECT_SOURCE_DIR}/src/modes/lapack_none.c)
list(REMOVE_ITEM core_sources ${kernel_sources} ${tape} ${PROJECT_SOURCE_DIR}/src/derive/tangents_none.c)
list(REMOVE_ITEM application_sources ${sundials_sources} ${hdf5_sources} ${lapack_sources})
list(REMOVE_ITEM lapack_sources ${lapack_none})

set(libraries zveno zveno_core)
if(ZVENO_SHARED)
  list(APPEND libraries zveno_shared zveno_core_shared)
endif()
foreach(library ${libraries})
  string(REGEX REPLACE "_shared$" "" static ${library})
  string(REPLACE "_" "-" file ${static})
  string(REPLACE "zveno_core" "core" exported ${static})
  if(library STREQUAL static)
    add_library(${library} STATIC)
    if(ZVENO_SHARED)
      string(APPEND exported _static)
    endif()
  else()
    add_library(${library} SHARED)
    target_link_options(${library} PRIVATE -Wl,-Bsymbolic-functions -Wl,--no-undefined
      -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exported.map)
    set_target_properties(${library} PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exported.map)
  endif()
  add_library(zveno::${exported} ALIAS ${library})
  # Before 1.0 another minor version is another binary interface.
  set_target_properties(${library} PROPERTIES OUTPUT_NAME ${file} EXPORT_NAME ${exported} VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE C)
  target_include_directories(${library} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PUBLIC m)
endforeach()

# Objects of the core go into all libraries, others into those of the whole; ARGN: libraries these objects need.
function(zveno_add tier objects)
  foreach(library ${libraries})
    if(tier STREQUAL core OR NOT library MATCHES "_core")
      target_sources(${library} PRIVATE $<TARGET_OBJECTS:${objects}>)
      target_link_libraries(${library} PRIVATE ${ARGN})
    endif()
  endforeach()
  if(ARGN)
    target_link_libraries(${objects} PRIVATE ${ARGN})
  endif()
endfunction()

function(zveno_object name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE zveno_warnings)
  # Fused multiply-add where the machine has it; strict C17 would turn contraction off.
  target_compile_options(${name} PRIVATE -ffp-contract=fast -fno-math-errno -fno-trapping-math)
  # No program replaces functions that the library calls itself: they may be inlined as in a static library.
  if(NOT name MATCHES "kernels|lanes") # these have nothing public
    target_compile_options(${name} PRIVATE -fno-semantic-interposition ${hardened_options})
  endif()
endfunction()

# Recursions by components have nothing that belongs into one register: packing them costs more than it saves.
set(no_packing $<IF:$<C_COMPILER_ID:GNU>,-fno-tree-vectorize,-fno-vectorize;-fno-slp-vectorize>)
set_source_files_properties(src/dynamics/kernel_reduced.c PROPERTIES COMPILE_OPTIONS "${no_packing}")

# Less compiles sooner, for builds that only try whether they build. Sanitized kernels at -O3 and in one piece would take
# minutes to compile, and no more would be found.
set(ZVENO_OPTIMISE -O3 CACHE STRING "how kernels and lanes are optimised")
mark_as_advanced(ZVENO_OPTIMISE)
set(optimise ${ZVENO_OPTIMISE})
if(ZVENO_SANITIZE)
  set(optimise -O1)
endif()

function(zveno_kernels suffix)
  zveno_object(zveno_kernels${suffix} ${kernel_sources})
  target_compile_definitions(zveno_kernels${suffix} PRIVATE ZI_ISA=${suffix})
  target_compile_options(zveno_kernels${suffix} PRIVATE ${optimise} ${ARGN})
  target_compile_definitions(zveno_kernels${suffix} PRIVATE $<$<BOOL:${ZVENO_SANITIZE}>:ZI_PLAIN_INLINE>)
  zveno_add(core zveno_kernels${suffix})
endfunction()

zveno_object(zveno_core_objects ${core_sources})
zveno_add(core zveno_core_objects)
zveno_object(zveno_application ${application_sources})
zveno_add(application zveno_application)

# The highest x86-64 level of kernels and of lanes; 0: the baseline alone. In a sanitized build kernels end at v3, since v4
# has no lines of its own, and lanes at the baseline: the other levels have the same lines.
set(kernel_level 0)
set(lane_level 0)
if(ZVENO_LEVELS AND NOT ZVENO_NATIVE AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(kernel_level 4)
  set(lane_level 4)
  if(ZVENO_SANITIZE)
    set(kernel_level 3)
    set(lane_level 0)
  endif()
endif()

zveno_kernels(_baseline $<$<BOOL:${ZVENO_NATIVE}>:-march=native>)
if(kernel_level GREATER_EQUAL 3)
  zveno_kernels(_v3 -march=x86-64-v3)
endif()
if(kernel_level GREATER_EQUAL 4)
  zveno_kernels(_v4 -march=x86-64-v4 -mprefer-vector-width=256)
endif()
target_compile_definitions(zveno_core_objects PRIVATE ZI_X86_LEVEL=${kernel_level})

# Lanes: kernels compiled as C++ on numbers of several states at once, per instruction set, in double and in single
# precision; and threads. No exceptions, no run-time types: the library stays C.
function(zveno_lanes suffix)
  foreach(precision "" _single)
    zveno_object(zveno_lanes${precision}${suffix} src/batch/lanes.cpp)
    target_compile_definitions(zveno_lanes${precision}${suffix} PRIVATE ZI_ISA=${precision}${suffix} ZI_WIDE
      $<$<STREQUAL:${precision},_single>:ZI_SINGLE>)
    target_compile_options(zveno_lanes${precision}${suffix} PRIVATE -std=c++20 ${optimise}
      -ffp-contract=off # what is fused is written down (src/real/wide.h)
      -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics ${ARGN}
      # Sanitized at -O1 each of these would take 18 s to compile, and inlined by force 40 s; so it takes 6 s.
      $<$<BOOL:${ZVENO_SANITIZE}>:-Og>)
    target_compile_definitions(zveno_lanes${precision}${suffix} PRIVATE $<$<BOOL:${ZVENO_SANITIZE}>:ZI_PLAIN_INLINE>)
    zveno_add(core zveno_lanes${precision}${suffix})
  endforeach()
endfunction()

if(ZVENO_BATCH)
  enable_language(CXX)
  set(CMAKE_CXX_LINKER_PREFERENCE_PROPAGATES 0) # nothing of C++ is left to link: programs are linked as C
  find_package(Threads REQUIRED)
  file(GLOB batch_sources CONFIGURE_DEPENDS src/batch/*.c)
  list(FILTER batch_sources EXCLUDE REGEX "_none\\.c$")
  zveno_object(zveno_batch ${batch_sources})
  zveno_add(core zveno_batch ${CMAKE_THREAD_LIBS_INIT})
  zveno_lanes(_baseline $<$<BOOL:${ZVENO_NATIVE}>:-march=native>)
  if(lane_level)
    zveno_lanes(_v3 -march=x86-64-v3)
    zveno_lanes(_v4 -march=x86-64-v4 -mprefer-vector-width=512)
  endif()
  target_compile_definitions(zveno_batch PRIVATE ZI_X86_LEVEL=${lane_level})
  target_compile_definitions(zveno_application PRIVATE ZI_WITH_BATCH)
else()
  target_sources(zveno_core_objects PRIVATE ${PROJECT_SOURCE_DIR}/src/batch/batch_none.c)
endif()

# Tangents: kernels compiled as C++ on numbers that carry slopes.
if(ZVENO_BATCH OR ZVENO_CODEGEN)
  enable_language(CXX)
  set(CMAKE_CXX_LINKER_PREFERENCE_PROPAGATES 0)
  zveno_object(zveno_tangents src/derive/tangents.cpp)
  target_compile_definitions(zveno_tangents PRIVATE ZI_TRACE ZI_PLAIN_INLINE ZI_REAL_HEADER="derive/jet.h")
  target_compile_options(zveno_tangents PRIVATE -std=c++20 -O2 -fvisibility=hidden -fno-exceptions -fno-rtti -Wno-psabi
    -fno-threadsafe-statics $<$<BOOL:${ZVENO_SANITIZE}>:-Og>)
  zveno_add(core zveno_tangents)
else()
  target_sources(zveno_core_objects PRIVATE ${PROJECT_SOURCE_DIR}/src/derive/tangents_none.c)
endif()

if(ZVENO_READERS)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LIBXML2 REQUIRED IMPORTED_TARGET libxml-2.0)
  pkg_check_modules(LIBYAML REQUIRED IMPORTED_TARGET yaml-0.1)
  file(GLOB read_sources CONFIGURE_DEPENDS src/read/*.c)
  zveno_object(zveno_read ${read_sources})
  zveno_add(application zveno_read PkgConfig::LIBXML2 PkgConfig::LIBYAML)
endif()

if(ZVENO_SUNDIALS)
  find_package(SUNDIALS REQUIRED COMPONENTS cvode arkode nvecserial sunlinsoldense sunlinsolspgmr)
  zveno_object(zveno_sundials ${sundials_sources})
  target_compile_definitions(zveno_application PRIVATE ZI_WITH_SUNDIALS)
  zveno_add(application zveno_sundials SUNDIALS::cvode SUNDIALS::arkode SUNDIALS::nvecserial SUNDIALS::sunlinsoldense
    SUNDIALS::sunlinsolspgmr)
endif()

if(ZVENO_HDF5)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
  zveno_object(zveno_hdf5 ${hdf5_sources})
  target_compile_definitions(zveno_application PRIVATE ZI_WITH_HDF5)
  zveno_add(application zveno_hdf5 PkgConfig::HDF5)
endif()

if(ZVENO_LAPACK)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
  zveno_object(zveno_lapack ${lapack_sources})
  zveno_add(application zveno_lapack PkgConfig::LAPACKE)
else()
  target_sources(zveno_application PRIVATE ${lapack_none})
endif()

if(ZVENO_READERS)
  file(GLOB simulate_sources CONFIGURE_DEPENDS src/simulate/*.c src/linear/*.c)
  if(simulate_sources)
    zveno_object(zveno_simulate ${simulate_sources})
    zveno_add(application zveno_simulate)
  endif()
endif()

# The tracer: kernels compiled as C++ on a scalar that records. No exceptions, no run-time types: the library stays C.
if(ZVENO_CODEGEN)
  enable_language(CXX)
  set(CMAKE_CXX_LINKER_PREFERENCE_PROPAGATES 0) # nothing of C++ is left to link: programs are linked as C
  file(GLOB codegen_sources CONFIGURE_DEPENDS src/codegen/*.c src/codegen/*.cpp)
  list(FILTER codegen_sources EXCLUDE REGEX "_none\\.c$")
  zveno_object(zveno_codegen ${codegen_sources} ${tape})
  target_compile_options(zveno_codegen PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-std=c++20 -O1 -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics>)
  # Inlined by force it would take 27 s to compile in place of 3 s; sanitized and at -O1 twice as long as at -O0.
  target_compile_options(zveno_codegen PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${ZVENO_SANITIZE}>>:-O0>)
  target_compile_definitions(zveno_codegen PRIVATE $<$<COMPILE_LANGUAGE:CXX>:ZI_TRACE> $<$<COMPILE_LANGUAGE:CXX>:ZI_PLAIN_INLINE>)
  target_compile_definitions(zveno_application PRIVATE ZI_WITH_CODEGEN)
  zveno_add(application zveno_codegen)
else()
  set(codegen ${PROJECT_SOURCE_DIR}/src/codegen)
  target_sources(zveno_application PRIVATE ${codegen}/codegen_none.c ${codegen}/generated_name.c)
endif()
