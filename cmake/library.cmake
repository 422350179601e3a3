# libzveno: the core (libc and libm only) and, when switched on, the readers.
# Kernels (src/*/kernel_*.c) are compiled once per instruction set and chosen at run time.

file(GLOB core_sources CONFIGURE_DEPENDS
  src/base/*.c src/real/*.c src/linalg/*.c src/model/*.c src/work/*.c src/kinematics/*.c src/dynamics/*.c)
file(GLOB kernel_sources CONFIGURE_DEPENDS src/*/kernel_*.c)
list(REMOVE_ITEM core_sources ${kernel_sources})

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

function(zveno_kernels suffix)
  zveno_object(zveno_kernels${suffix} ${kernel_sources})
  target_compile_definitions(zveno_kernels${suffix} PRIVATE ZV_ISA=${suffix})
  target_compile_options(zveno_kernels${suffix} PRIVATE -O3 ${ARGN})
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

if(ZVENO_NATIVE)
  zveno_kernels(_baseline -march=native)
else()
  zveno_kernels(_baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    zveno_kernels(_v3 -march=x86-64-v3)
    zveno_kernels(_v4 -march=x86-64-v4 -mprefer-vector-width=256)
    target_compile_definitions(zveno_core PRIVATE ZV_X86_LEVELS)
  endif()
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
