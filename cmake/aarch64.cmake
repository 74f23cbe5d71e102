# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Toolchain file: Linux on 64-bit ARM, from a Debian on another processor. The programs run in qemu. `script/bootstrap aarch64` prepares the
# machine.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# Headers and libraries are those of ARM, programs those of this machine. CMake's own trial builds read this file too,
# without the cache.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ACCP_DEPS_DIR)
set(accp_deps_dir ${CMAKE_CURRENT_LIST_DIR}/../.deps)
if(ACCP_DEPS_DIR)
    set(accp_deps_dir ${ACCP_DEPS_DIR})
elseif(NOT "$ENV{ACCP_DEPS_DIR}" STREQUAL "")
    set(accp_deps_dir $ENV{ACCP_DEPS_DIR})
endif()
get_filename_component(CMAKE_FIND_ROOT_PATH ${accp_deps_dir}/aarch64 ABSOLUTE)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Libraries that a program loads at run time (ICU) are in the same directory as those that it was
# linked with.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=${CMAKE_FIND_ROOT_PATH}/usr/lib/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
