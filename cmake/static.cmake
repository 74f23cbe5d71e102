# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# libaccp.a, beside the shared library or (BUILD_SHARED_LIBS=OFF) instead of it: one object with everything that is linked in. Its only global names are
# accp_*, so that a program may contain another simdjson, mimalloc, LZ4, libyaml or SQLite.
set(object ${PROJECT_BINARY_DIR}/accp_whole.o)
set(archives $<TARGET_FILE:accp_mimalloc> $<TARGET_FILE:accp_simdjson> ${ACCP_MD_LIBRARY} ${ACCP_LZ4_LIBRARY} ${ACCP_YAML_LIBRARY})
if(ACCP_SQLITE)
    list(APPEND archives ${ACCP_SQLITE_LIBRARY})
endif()
# CMake may have found another linker, which lacks --force-group-allocation.
set(linker ${CMAKE_LINKER})
if(NOT CMAKE_CROSSCOMPILING)
    find_program(ACCP_GNU_LD NAMES ld.bfd REQUIRED)
    set(linker ${ACCP_GNU_LD})
endif()
# Section groups are dissolved. Otherwise the linker would replace one of ours by one of the program with the same name, which
# our code cannot reach.
add_custom_command(OUTPUT ${object}
    COMMAND ${linker} -r --force-group-allocation -o ${object}.tmp
        --whole-archive $<TARGET_FILE:accp_core> --no-whole-archive --start-group ${archives} --end-group
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=accp_* ${object}.tmp ${object}
    COMMAND ${CMAKE_COMMAND} -E rm ${object}.tmp
    DEPENDS accp_core accp_mimalloc accp_simdjson
    VERBATIM)
add_library(accp_static STATIC ${object})
set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
set_target_properties(accp_static PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME accp EXPORT_NAME accp_static)
target_include_directories(accp_static INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set(ACCP_STATIC_LIBS stdc++ m pthread ${CMAKE_DL_LIBS})
target_link_libraries(accp_static INTERFACE ${ACCP_STATIC_LIBS})
