# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# The third-party code that is compiled or linked into the library with hidden symbols: mimalloc (memory), simdjson (JSON), libmd (SHA-256),
# LZ4, libyaml, SQLite (stores in files).
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

# Under sanitizers only its memory accesses are checked; checking the rest too takes minutes to compile.
set(effort -O3)
if(ACCP_SANITIZE)
    set(effort -O1 -fno-sanitize=undefined)
endif()

# Without MI_MALLOC_OVERRIDE the host's malloc is not replaced. initial-exec: no hidden allocation in a thread's first call.
# With musl there is none anyway, and its loader refuses initial-exec in a library that is loaded late.
# MI_NO_GETENV: the host's environment has no effect.
include(CheckSymbolExists)
check_symbol_exists(__GLIBC__ features.h ACCP_GLIBC)
add_library(accp_mimalloc STATIC ${mimalloc}/src/static.c)
target_include_directories(accp_mimalloc SYSTEM PUBLIC ${mimalloc}/include)
target_compile_definitions(accp_mimalloc PUBLIC MI_STATIC_LIB PRIVATE MI_DEBUG=0 MI_NO_GETENV)
set_target_properties(accp_mimalloc PROPERTIES C_STANDARD 11)
target_compile_options(accp_mimalloc PRIVATE -w ${effort} $<$<BOOL:${ACCP_GLIBC}>:-ftls-model=initial-exec>)

add_library(accp_simdjson STATIC ${simdjson}/singleheader/simdjson.cpp)
target_include_directories(accp_simdjson SYSTEM PUBLIC ${simdjson}/singleheader)
target_compile_options(accp_simdjson PRIVATE -w ${effort})

# Makes the target accp_NAME from a Debian package: uses its archive and never its shared object, so that users of libaccp need no package. OR: what else to
# do.
function(accp_add_archive name title header archive package)
    cmake_parse_arguments(PARSE_ARGV 5 arg "" "OR" "")
    string(TOUPPER accp_${name} prefix)
    find_path(${prefix}_INCLUDE_DIR ${header})
    find_library(${prefix}_LIBRARY NAMES ${archive})
    if(NOT ${prefix}_INCLUDE_DIR OR NOT ${prefix}_LIBRARY)
        message(FATAL_ERROR "${title} is missing: run script/bootstrap build (Debian: ${package})${arg_OR}")
    endif()
    add_library(accp_${name} STATIC IMPORTED)
    set_target_properties(accp_${name} PROPERTIES IMPORTED_LOCATION ${${prefix}_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${${prefix}_INCLUDE_DIR})
endfunction()

accp_add_archive(md libmd sha2.h libmd.a libmd-dev)  # one object file, no initialiser
accp_add_archive(lz4 LZ4 lz4.h liblz4.a liblz4-dev)
accp_add_archive(yaml libyaml yaml.h libyaml.a libyaml-dev)
# A private copy, independent of what the host links, and configured without affecting the host's
# copy.
if(ACCP_SQLITE)
    accp_add_archive(sqlite SQLite sqlite3.h libsqlite3.a libsqlite3-dev OR ", or leave it out with -DACCP_SQLITE=OFF")
    set_target_properties(accp_sqlite PROPERTIES IMPORTED_LINK_INTERFACE_LIBRARIES m)
endif()
