# What `cmake --install` puts where, and the package files that find_package(quantiplan) reads.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/quantiplan)

install(TARGETS quantiplan EXPORT quantiplan-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/quantiplan TYPE INCLUDE
  FILES_MATCHING PATTERN "*.hpp")
if(TARGET quantiplan_program)
  install(TARGETS quantiplan_program)
endif()

install(EXPORT quantiplan-targets NAMESPACE quantiplan:: DESTINATION ${package_dir})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/quantiplan-config.cmake.in
  ${PROJECT_BINARY_DIR}/quantiplan-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/quantiplan-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/quantiplan-config.cmake
  ${PROJECT_BINARY_DIR}/quantiplan-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindGMP.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindMPFR.cmake
  DESTINATION ${package_dir})
