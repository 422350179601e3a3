# Install rules: headers, libraries, command, pkg-config files and CMake package; all relocatable.
#
# CMake targets zveno::core and zveno::zveno are the shared libraries (the static ones where ZVENO_SHARED is off);
# zveno::core_static and, with the component "static", zveno::zveno_static are the static ones. pkg-config names them
# zveno-core, zveno, zveno-core-static, zveno-static.
include(CMakePackageConfigHelpers)

set(destinations ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The static library of everything names the packages it needs, so its users must find them first: a file of its own.
install(TARGETS zveno EXPORT zvenoStaticTargets ${destinations})
set(linked_targets zveno_core)
if(ZVENO_SHARED)
  list(APPEND linked_targets zveno_core_shared zveno_shared)
endif()
install(TARGETS ${linked_targets} EXPORT zvenoTargets ${destinations})
install(DIRECTORY include/zveno DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TARGET zveno_cli)
  install(TARGETS zveno_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/zveno)
foreach(set Targets StaticTargets)
  install(EXPORT zveno${set} NAMESPACE zveno:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/zvenoConfig.cmake.in ${PROJECT_BINARY_DIR}/zvenoConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/zvenoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/zvenoConfig.cmake ${PROJECT_BINARY_DIR}/zvenoConfigVersion.cmake
  DESTINATION ${package_dir})

# A static library does not carry its dependencies, so its users need them as if they were their own: its file names
# them without --static too, which would ask for static twins of the dependencies of these as well.
set(whole_packages "")
if(ZVENO_READERS)
  list(APPEND whole_packages libxml-2.0 yaml-0.1)
endif()
if(ZVENO_HDF5)
  list(APPEND whole_packages hdf5-serial)
endif()
if(ZVENO_LAPACK)
  list(APPEND whole_packages lapacke)
endif()
list(JOIN whole_packages ", " whole_packages)
set(core_libraries -lm)
if(ZVENO_BATCH AND CMAKE_THREAD_LIBS_INIT)
  string(APPEND core_libraries " ${CMAKE_THREAD_LIBS_INIT}")
endif()
set(whole_libraries ${core_libraries})
if(ZVENO_SUNDIALS) # has no pkg-config file
  string(PREPEND whole_libraries
    "-lsundials_cvode -lsundials_arkode -lsundials_nvecserial -lsundials_sunlinsoldense -lsundials_sunlinsolspgmr ")
endif()
# The prefix is found from where the file lies: pkg-config's ${pcfiledir}.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
function(zveno_pkg_config pc_name pc_description pc_libs pc_packages)
  configure_file(cmake/zveno.pc.in ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
set(core_description "${PROJECT_DESCRIPTION}: what a controller links")
set(core_archive "\${libdir}/libzveno-core.a ${core_libraries}")
set(whole_archive "\${libdir}/libzveno.a ${whole_libraries}")
zveno_pkg_config(zveno-core-static "${core_description}" "${core_archive}" "")
zveno_pkg_config(zveno-static "${PROJECT_DESCRIPTION}" "${whole_archive}" "${whole_packages}")
if(ZVENO_SHARED)
  zveno_pkg_config(zveno-core "${core_description}" "-L\${libdir} -lzveno-core -lm" "")
  zveno_pkg_config(zveno "${PROJECT_DESCRIPTION}" "-L\${libdir} -lzveno -lm" "")
else()
  zveno_pkg_config(zveno-core "${core_description}" "${core_archive}" "")
  zveno_pkg_config(zveno "${PROJECT_DESCRIPTION}" "${whole_archive}" "${whole_packages}")
endif()
