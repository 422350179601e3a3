# Install rules: headers, library, command, pkg-config file and CMake package; all relocatable.
include(CMakePackageConfigHelpers)

install(TARGETS zveno EXPORT zvenoTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/zveno DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TARGET zveno_cli)
  # The command finds a shared library beside itself, wherever the prefix is moved.
  file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(zveno_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS zveno_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/zveno)
install(EXPORT zvenoTargets NAMESPACE zveno:: DESTINATION ${package_dir})
configure_package_config_file(cmake/zvenoConfig.cmake.in ${PROJECT_BINARY_DIR}/zvenoConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/zvenoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/zvenoConfig.cmake ${PROJECT_BINARY_DIR}/zvenoConfigVersion.cmake
  DESTINATION ${package_dir})

# A static library does not carry its dependencies, so its users need them as if they were their own:
# then pkg-config must name them without --static too.
set(pc_dependencies "")
if(ZVENO_READERS)
  list(APPEND pc_dependencies libxml-2.0 yaml-0.1)
endif()
if(ZVENO_HDF5)
  list(APPEND pc_dependencies hdf5-serial)
endif()
if(ZVENO_LAPACK)
  list(APPEND pc_dependencies lapacke)
endif()
list(JOIN pc_dependencies ", " pc_dependencies)
# SUNDIALS has no pkg-config file.
set(pc_libraries "")
if(ZVENO_SUNDIALS AND NOT BUILD_SHARED_LIBS)
  set(pc_libraries "-lsundials_cvode -lsundials_arkode -lsundials_nvecserial -lsundials_sunlinsoldense -lsundials_sunlinsolspgmr")
endif()
set(pc_requires Requires)
if(BUILD_SHARED_LIBS)
  set(pc_requires Requires.private)
endif()
# The prefix is found from where the file lies: pkg-config's ${pcfiledir}.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/zveno.pc.in ${PROJECT_BINARY_DIR}/zveno.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/zveno.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
