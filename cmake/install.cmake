# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Installs library, headers, command, pkg-config file, CMake package, schema of messages, documents and licences. The installed tree may be moved
# afterwards.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/accp)

set(libraries)
if(BUILD_SHARED_LIBS)
    list(APPEND libraries accp)
endif()
if(TARGET accp_static)
    list(APPEND libraries accp_static)
endif()
# accp.dll has its place beside the programs.
install(TARGETS ${libraries} EXPORT accpTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/accp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Stores in NATS: a separate library.
if(TARGET accp_nats)
    install(TARGETS accp_nats EXPORT accpTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

install(EXPORT accpTargets NAMESPACE accp:: DESTINATION ${package_dir})
configure_package_config_file(cmake/accpConfig.cmake.in accpConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(accpConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/accpConfig.cmake ${PROJECT_BINARY_DIR}/accpConfigVersion.cmake DESTINATION ${package_dir})

# Libraries that a program links in addition: always with the archive alone, otherwise with `pkg-config
# --static`.
list(TRANSFORM ACCP_STATIC_LIBS PREPEND -l OUTPUT_VARIABLE libs)
list(JOIN libs " " libs)
set(ACCP_PC_LIBS "")
set(ACCP_PC_LIBS_PRIVATE "${libs}")
if(NOT BUILD_SHARED_LIBS)
    set(ACCP_PC_LIBS " ${libs}")
    set(ACCP_PC_LIBS_PRIVATE "")
endif()

# The .pc file finds the prefix relative to its own directory.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH ACCP_PC_TO_PREFIX ${CMAKE_INSTALL_PREFIX}/${pc_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" ACCP_PC_TO_PREFIX "${ACCP_PC_TO_PREFIX}")
configure_file(pkgconfig/accp.pc.in accp.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/accp.pc DESTINATION ${pc_dir})
if(TARGET accp_nats)
    configure_file(pkgconfig/accp-nats.pc.in accp-nats.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/accp-nats.pc DESTINATION ${pc_dir})
endif()

# The schema of messages, for other programs that validate them.
install(FILES data/sacp/sacp-0.1.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/accp)

# Installs the documents at the paths in README.md.
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
    REGEX "/docs/(man$|man/|tokens/measured\\.json)" EXCLUDE REGEX "\\.(md|svg|c|cc|h|py|mjs|rs)$")
install(FILES ${mimalloc}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.mimalloc)
install(FILES ${simdjson}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.simdjson)
install(FILES data/vocabularies/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.vocabularies)
# Installs the licence of a Debian package whose code is in our binaries: as LICENSE.NAME, from the first of the packages that is there.
function(accp_install_licence name)
    foreach(package ${ARGN})
        foreach(root "${CMAKE_SYSROOT}" "")
            if(EXISTS ${root}/usr/share/doc/${package}/copyright)
                install(FILES ${root}/usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.${name})
                return()
            endif()
        endforeach()
    endforeach()
endfunction()
accp_install_licence(libmd libmd-dev libmd0)
accp_install_licence(lz4 liblz4-dev liblz4-1)
accp_install_licence(libyaml libyaml-dev libyaml-0-2)
if(ACCP_SQLITE)
    accp_install_licence(sqlite libsqlite3-dev libsqlite3-0)
endif()
if(TARGET accp_cli)
    accp_install_licence(cli11 libcli11-dev)
endif()
# The portable build has more in it, and that for musl.
if(CMAKE_EXE_LINKER_FLAGS MATCHES "-static-libstdc\\+\\+" OR NOT ACCP_GLIBC)
    accp_install_licence(libstdc++ libstdc++6)
endif()
if(ACCP_STATIC_COMMAND)
    accp_install_licence(musl musl)
endif()
if(WIN32)
    accp_install_licence(mingw-w64 mingw-w64-x86-64-dev)
endif()
if(TARGET accp_web AND WEBSOCKETS_LIBRARY MATCHES "\\.a")
    accp_install_licence(libwebsockets libwebsockets-dev)
    accp_install_licence(openssl libssl-dev)
    accp_install_licence(libcap libcap-dev)
    accp_install_licence(zlib zlib1g-dev)
endif()
if(TARGET accp_cli)
    if(NOT ACCP_STATIC_COMMAND)
        set_target_properties(accp_cli accp_conformance PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    endif()
    install(TARGETS accp_cli accp_conformance RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET accp_cli AND NOT WIN32)
    # The name that the proposal gives to the command. It is not installed if a command of that name exists here,
    # or anywhere that it would hide.
    install(CODE "
        set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/agentwire\")
        find_program(found agentwire)
        if(NOT found AND NOT EXISTS \"\${link}\" AND NOT IS_SYMLINK \"\${link}\")
            file(CREATE_LINK accp \"\${link}\" SYMBOLIC)
        endif()")
endif()
