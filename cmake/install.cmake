# SPDX-License-Identifier: MIT
# `cmake --install build/release --prefix DIR`, then find_package(pliant) and link pliant::pliant or
# pliant::runtime.
include(CMakePackageConfigHelpers)

install(TARGETS pliant pliant_runtime EXPORT pliant_targets FILE_SET HEADERS)
install(TARGETS pliant_command)
install(FILES ${PROJECT_BINARY_DIR}/printed/pliant.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/printed/pliant.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pliant)
install(FILES ${PROJECT_BINARY_DIR}/printed/_pliant
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${PROJECT_BINARY_DIR}/printed/pliant.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(EXPORT pliant_targets NAMESPACE pliant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/pliant-config.cmake.in ${PROJECT_BINARY_DIR}/pliant-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pliant-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pliant-config.cmake
              ${PROJECT_BINARY_DIR}/pliant-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
