# libzveno: the core (libc and libm only) and, when switched on, readers, integrators, recordings and simulation.
# Kernels (src/*/kernel_*.c) are compiled once per instruction set and chosen at run time.

file(GLOB core_sources CONFIGURE_DEPENDS
  src/base/*.c src/real/*.c src/linalg/*.c src/beam/*.c src/model/*.c src/work/*.c src/kinematics/*.c src/dynamics/*.c
  src/motion/*.c src/integrate/*.c src/record/*.c src/modes/*.c src/opspace/*.c src/loops/*.c
  src/derive/*.c src/actuate/*.c src/agree/*.c src/mesh/*.c)
file(GLOB kernel_sources CONFIGURE_DEPENDS src/*/kernel_*.c)
file(GLOB sundials_sources CONFIGURE_DEPENDS src/integrate/sundials*.c)
file(GLOB hdf5_sources CONFIGURE_DEPENDS src/record/hdf5*.c)
file(GLOB lapack_sources CONFIGURE_DEPENDS src/modes/lapack*.c)
set(lapack_none ${PROJECT_SOURCE_DIR}/src/modes/lapack_none.c)
list(REMOVE_ITEM core_sources ${kernel_sources} ${sundials_sources} ${hdf5_sources} ${lapack_sources})
list(REMOVE_ITEM lapack_sources ${lapack_none})

function(zveno_object name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE zveno_warnings)
  # Fused multiply-add where the machine has it; strict C17 would turn contraction off.
  target_compile_options(${name} PRIVATE -ffp-contract=fast -fno-math-errno -fno-trapping-math)
  if(BUILD_SHARED_LIBS)
    target_compile_options(${name} PRIVATE -include ${PROJECT_SOURCE_DIR}/cmake/exported.h)
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
  target_compile_definitions(zveno_kernels${suffix} PRIVATE $<$<BOOL:${ZVENO_SANITIZE}>:ZI_WATCHED>)
  target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_kernels${suffix}>)
endfunction()

zveno_object(zveno_core ${core_sources})
add_library(zveno)
add_library(zveno::zveno ALIAS zveno)
target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_core>)
set_target_properties(zveno PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE C)
target_include_directories(zveno PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(zveno PUBLIC m)

# The highest x86-64 level of kernels and of lanes; 0: the baseline alone. In a sanitized build kernels end at v3, since v4
# has no lines of its own, and lanes at the baseline, since they are not sanitized (below).
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
target_compile_definitions(zveno_core PRIVATE ZI_X86_LEVEL=${kernel_level})

# Lanes: kernel texts read as C++ on numbers of several states at once, per instruction set, in double and in single
# precision; and threads. No exceptions, no run-time types: the library stays C.
function(zveno_lanes suffix)
  foreach(precision "" _single)
    zveno_object(zveno_lanes${precision}${suffix} src/batch/lanes.cpp)
    target_compile_definitions(zveno_lanes${precision}${suffix} PRIVATE ZI_ISA=${precision}${suffix} ZI_WIDE
      $<$<STREQUAL:${precision},_single>:ZI_SINGLE>)
    target_compile_options(zveno_lanes${precision}${suffix} PRIVATE -std=c++20 ${optimise}
      -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics ${ARGN}
      # Sanitizers would compile each of these for minutes; tests/batch guards the callers' arrays instead.
      $<$<BOOL:${ZVENO_SANITIZE}>:-fno-sanitize=all>)
    target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_lanes${precision}${suffix}>)
  endforeach()
endfunction()

if(ZVENO_BATCH)
  enable_language(CXX)
  set(CMAKE_CXX_LINKER_PREFERENCE_PROPAGATES 0) # nothing of C++ is left to link: programs are linked as C
  find_package(Threads REQUIRED)
  file(GLOB batch_sources CONFIGURE_DEPENDS src/batch/*.c)
  list(FILTER batch_sources EXCLUDE REGEX "_none\\.c$")
  zveno_object(zveno_batch ${batch_sources})
  target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_batch>)
  target_link_libraries(zveno PUBLIC ${CMAKE_THREAD_LIBS_INIT})
  zveno_lanes(_baseline $<$<BOOL:${ZVENO_NATIVE}>:-march=native>)
  if(lane_level)
    zveno_lanes(_v3 -march=x86-64-v3)
    zveno_lanes(_v4 -march=x86-64-v4 -mprefer-vector-width=512)
  endif()
  target_compile_definitions(zveno_batch PRIVATE ZI_X86_LEVEL=${lane_level})
else()
  target_sources(zveno_core PRIVATE ${PROJECT_SOURCE_DIR}/src/batch/batch_none.c)
endif()

if(ZVENO_READERS)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LIBXML2 REQUIRED IMPORTED_TARGET libxml-2.0)
  pkg_check_modules(LIBYAML REQUIRED IMPORTED_TARGET yaml-0.1)
  file(GLOB read_sources CONFIGURE_DEPENDS src/read/*.c)
  zveno_object(zveno_read ${read_sources})
  target_link_libraries(zveno_read PRIVATE PkgConfig::LIBXML2 PkgConfig::LIBYAML)
  target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_read>)
  target_link_libraries(zveno PRIVATE PkgConfig::LIBXML2 PkgConfig::LIBYAML)
endif()

if(ZVENO_SUNDIALS)
  find_package(SUNDIALS REQUIRED COMPONENTS cvode arkode nvecserial sunlinsoldense sunlinsolspgmr)
  zveno_object(zveno_sundials ${sundials_sources})
  set(sundials_libraries SUNDIALS::cvode SUNDIALS::arkode SUNDIALS::nvecserial SUNDIALS::sunlinsoldense
    SUNDIALS::sunlinsolspgmr)
  target_link_libraries(zveno_sundials PRIVATE ${sundials_libraries})
  target_compile_definitions(zveno_core PRIVATE ZI_WITH_SUNDIALS)
  target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_sundials>)
  target_link_libraries(zveno PRIVATE ${sundials_libraries})
endif()

if(ZVENO_HDF5)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
  zveno_object(zveno_hdf5 ${hdf5_sources})
  target_link_libraries(zveno_hdf5 PRIVATE PkgConfig::HDF5)
  target_compile_definitions(zveno_core PRIVATE ZI_WITH_HDF5)
  target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_hdf5>)
  target_link_libraries(zveno PRIVATE PkgConfig::HDF5)
endif()

if(ZVENO_LAPACK)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
  zveno_object(zveno_lapack ${lapack_sources})
  target_link_libraries(zveno_lapack PRIVATE PkgConfig::LAPACKE)
  target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_lapack>)
  target_link_libraries(zveno PRIVATE PkgConfig::LAPACKE)
else()
  target_sources(zveno_core PRIVATE ${lapack_none})
endif()

if(ZVENO_READERS)
  file(GLOB simulate_sources CONFIGURE_DEPENDS src/simulate/*.c)
  if(simulate_sources)
    zveno_object(zveno_simulate ${simulate_sources})
    target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_simulate>)
  endif()
endif()

# The tracer: kernel texts read as C++ on a scalar that records. No exceptions, no run-time types: the library stays C.
if(ZVENO_CODEGEN)
  enable_language(CXX)
  set(CMAKE_CXX_LINKER_PREFERENCE_PROPAGATES 0) # nothing of C++ is left to link: programs are linked as C
  file(GLOB codegen_sources CONFIGURE_DEPENDS src/codegen/*.c src/codegen/*.cpp)
  list(FILTER codegen_sources EXCLUDE REGEX "_none\\.c$")
  zveno_object(zveno_codegen ${codegen_sources})
  target_compile_options(zveno_codegen PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-std=c++20 -O1 -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics>)
  target_compile_definitions(zveno_codegen PRIVATE $<$<COMPILE_LANGUAGE:CXX>:ZI_TRACE>)
  target_compile_definitions(zveno_core PRIVATE ZI_WITH_CODEGEN)
  target_sources(zveno PRIVATE $<TARGET_OBJECTS:zveno_codegen>)
else()
  set(codegen ${PROJECT_SOURCE_DIR}/src/codegen)
  target_sources(zveno_core PRIVATE ${codegen}/codegen_none.c ${codegen}/generated_name.c)
endif()
