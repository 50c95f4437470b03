# What `cmake --install` puts where, and the package files that find_package(quantiplan) reads.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/quantiplan)

install(TARGETS quantiplan EXPORT quantiplan-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/quantiplan TYPE INCLUDE
  FILES_MATCHING PATTERN "*.hpp")
if(TARGET quantiplan_program)
  install(TARGETS quantiplan_program)
  if(TARGET quantiplan_mpi)
    install(TARGETS quantiplan_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/quantiplan)
  endif()
  if(NOT CMAKE_CROSSCOMPILING)
    set(about ${PROJECT_BINARY_DIR}/about)
    install(FILES ${about}/quantiplan.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${about}/quantiplan DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${about}/_quantiplan DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${about}/quantiplan.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
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
  ${PROJECT_SOURCE_DIR}/cmake/FindZSTD.cmake
  DESTINATION ${package_dir})

# For builds without CMake. The prefix is that of the install, which `--prefix` may change.
install(CODE "set(CMAKE_INSTALL_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
set(PROJECT_VERSION \"${PROJECT_VERSION}\")
set(PROJECT_DESCRIPTION \"${PROJECT_DESCRIPTION}\")
configure_file(\"${PROJECT_SOURCE_DIR}/cmake/quantiplan.pc.in\"
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/quantiplan.pc\" @ONLY)")
