# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# The third-party code that is compiled in or linked in and stays hidden: mimalloc (memory), simdjson (JSON), libmd (SHA-256), LZ4, libyaml,
# SQLite (stores in files).
if(NOT ACCP_DEPS_DIR)
    set(ACCP_DEPS_DIR ${PROJECT_SOURCE_DIR}/.deps CACHE PATH "" FORCE)
endif()
set(mimalloc ${ACCP_DEPS_DIR}/mimalloc-2.0.9)
set(simdjson ${ACCP_DEPS_DIR}/simdjson-3.0.1)
foreach(file ${mimalloc}/src/static.c ${simdjson}/singleheader/simdjson.cpp)
    if(NOT EXISTS ${file})
        message(FATAL_ERROR "${file} is missing: run script/bootstrap build (or set ACCP_DEPS_DIR)")
    endif()
endforeach()

# Under sanitizers it is enough that their memory accesses are watched: checking the rest too takes minutes to compile.
set(effort -O3)
if(ACCP_SANITIZE)
    set(effort -O1 -fno-sanitize=undefined)
endif()

# Without MI_MALLOC_OVERRIDE the host's malloc is left alone. initial-exec: no hidden allocation when a thread first calls us.
# MI_NO_GETENV: the host's environment does not steer us.
add_library(accp_mimalloc STATIC ${mimalloc}/src/static.c)
target_include_directories(accp_mimalloc SYSTEM PUBLIC ${mimalloc}/include)
target_compile_definitions(accp_mimalloc PUBLIC MI_STATIC_LIB PRIVATE MI_DEBUG=0 MI_NO_GETENV)
set_target_properties(accp_mimalloc PROPERTIES C_STANDARD 11)
target_compile_options(accp_mimalloc PRIVATE -w ${effort} -ftls-model=initial-exec)

add_library(accp_simdjson STATIC ${simdjson}/singleheader/simdjson.cpp)
target_include_directories(accp_simdjson SYSTEM PUBLIC ${simdjson}/singleheader)
target_compile_options(accp_simdjson PRIVATE -w ${effort})

# Debian's libmd, its archive and never its shared object: one object file, no initialiser, and no package to ask for where libaccp is used.
find_path(ACCP_MD_INCLUDE_DIR sha2.h)
find_library(ACCP_MD_LIBRARY NAMES libmd.a)
if(NOT ACCP_MD_INCLUDE_DIR OR NOT ACCP_MD_LIBRARY)
    message(FATAL_ERROR "libmd is missing: run script/bootstrap build (Debian: libmd-dev)")
endif()
add_library(accp_md STATIC IMPORTED)
set_target_properties(accp_md PROPERTIES IMPORTED_LOCATION ${ACCP_MD_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ACCP_MD_INCLUDE_DIR})

# Debian's LZ4, its archive too.
find_path(ACCP_LZ4_INCLUDE_DIR lz4.h)
find_library(ACCP_LZ4_LIBRARY NAMES liblz4.a)
if(NOT ACCP_LZ4_INCLUDE_DIR OR NOT ACCP_LZ4_LIBRARY)
    message(FATAL_ERROR "LZ4 is missing: run script/bootstrap build (Debian: liblz4-dev)")
endif()
add_library(accp_lz4 STATIC IMPORTED)
set_target_properties(accp_lz4 PROPERTIES IMPORTED_LOCATION ${ACCP_LZ4_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ACCP_LZ4_INCLUDE_DIR})

# Debian's libyaml, its archive too.
find_path(ACCP_YAML_INCLUDE_DIR yaml.h)
find_library(ACCP_YAML_LIBRARY NAMES libyaml.a)
if(NOT ACCP_YAML_INCLUDE_DIR OR NOT ACCP_YAML_LIBRARY)
    message(FATAL_ERROR "libyaml is missing: run script/bootstrap build (Debian: libyaml-dev)")
endif()
add_library(accp_yaml STATIC IMPORTED)
set_target_properties(accp_yaml PROPERTIES IMPORTED_LOCATION ${ACCP_YAML_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ACCP_YAML_INCLUDE_DIR})

# Debian's SQLite, its archive too: a copy that is ours alone, whatever the host links, and configured without touching the host's.
if(ACCP_SQLITE)
    find_path(ACCP_SQLITE_INCLUDE_DIR sqlite3.h)
    find_library(ACCP_SQLITE_LIBRARY NAMES libsqlite3.a)
    if(NOT ACCP_SQLITE_INCLUDE_DIR OR NOT ACCP_SQLITE_LIBRARY)
        message(FATAL_ERROR "SQLite is missing: run script/bootstrap build (Debian: libsqlite3-dev), or leave it out with -DACCP_SQLITE=OFF")
    endif()
    add_library(accp_sqlite STATIC IMPORTED)
    set_target_properties(accp_sqlite PROPERTIES IMPORTED_LOCATION ${ACCP_SQLITE_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ACCP_SQLITE_INCLUDE_DIR}
        IMPORTED_LINK_INTERFACE_LIBRARIES m)
endif()
