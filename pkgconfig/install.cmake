# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# What is installed: library, headers, command, pkg-config file, CMake package, documents, licences. All of it may be moved afterwards.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/accp)

install(TARGETS accp EXPORT accpTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/accp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT accpTargets NAMESPACE accp:: DESTINATION ${package_dir})
configure_package_config_file(pkgconfig/accpConfig.cmake.in accpConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(accpConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/accpConfig.cmake ${PROJECT_BINARY_DIR}/accpConfigVersion.cmake DESTINATION ${package_dir})

# The .pc file finds the prefix from where it lies itself.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH ACCP_PC_TO_PREFIX ${CMAKE_INSTALL_PREFIX}/${pc_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" ACCP_PC_TO_PREFIX "${ACCP_PC_TO_PREFIX}")
configure_file(pkgconfig/accp.pc.in accp.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/accp.pc DESTINATION ${pc_dir})

# The documents that README.md names lie where it says.
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
    REGEX "/docs/(man$|man/|tokens/measured\\.json)" EXCLUDE REGEX "\\.(md|svg|c|cc|h|py|mjs|rs)$")
install(FILES ${mimalloc}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.mimalloc)
install(FILES ${simdjson}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.simdjson)
install(FILES data/vocabularies/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.vocabularies)
foreach(copyright /usr/share/doc/libmd-dev/copyright /usr/share/doc/libmd0/copyright)
    if(EXISTS ${copyright})
        install(FILES ${copyright} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.libmd)
        break()
    endif()
endforeach()
if(ACCP_SQLITE)
    foreach(copyright /usr/share/doc/libsqlite3-dev/copyright /usr/share/doc/libsqlite3-0/copyright)
        if(EXISTS ${copyright})
            install(FILES ${copyright} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.sqlite)
            break()
        endif()
    endforeach()
endif()
if(TARGET accp_cli)
    set_target_properties(accp_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    install(TARGETS accp_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
