include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Everything that find_package(headwise) offers: headwise::headwise is the three libraries together.
add_library(headwise INTERFACE)
add_library(headwise::headwise ALIAS headwise)
target_link_libraries(headwise INTERFACE headwise::layers headwise::optim)

install(TARGETS headwise headwise_autograd headwise_layers headwise_optim
        EXPORT headwise ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} FILE_SET HEADERS)
install(EXPORT headwise NAMESPACE headwise:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headwise
        FILE headwise-targets.cmake)
configure_package_config_file(cmake/headwise-config.cmake.in headwise-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headwise)
write_basic_package_version_file(headwise-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/headwise-config.cmake ${PROJECT_BINARY_DIR}/headwise-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headwise)
