# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Included by toolchain files. Sets accp_deps_dir, where script/bootstrap has put libraries of other systems. Programs are those of this machine, headers and
# libraries those of CMAKE_FIND_ROOT_PATH or CMAKE_SYSROOT. CMake's own trial builds read the toolchain file too, without the cache.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ACCP_DEPS_DIR)
set(accp_deps_dir ${CMAKE_CURRENT_LIST_DIR}/../.deps)
if(ACCP_DEPS_DIR)
    set(accp_deps_dir ${ACCP_DEPS_DIR})
elseif(NOT "$ENV{ACCP_DEPS_DIR}" STREQUAL "")
    set(accp_deps_dir $ENV{ACCP_DEPS_DIR})
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
