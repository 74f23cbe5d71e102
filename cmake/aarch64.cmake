# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Toolchain file: Linux on 64-bit ARM, from a Debian on another processor. The programs run in qemu. `script/bootstrap aarch64` prepares the
# machine.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
get_filename_component(CMAKE_FIND_ROOT_PATH ${accp_deps_dir}/aarch64 ABSOLUTE)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Libraries that a program loads at run time (ICU) are in the same directory as those that it was
# linked with.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=${CMAKE_FIND_ROOT_PATH}/usr/lib/aarch64-linux-gnu)
# The command's libraries, if `script/bootstrap release` has fetched them: their headers are in two folders, and they need libraries of their own.
if(EXISTS ${CMAKE_FIND_ROOT_PATH}/usr/include/libwebsockets.h)
    set(WEBSOCKETS_INCLUDE_DIR ${CMAKE_FIND_ROOT_PATH}/usr/include ${CMAKE_FIND_ROOT_PATH}/usr/include/${CMAKE_LIBRARY_ARCHITECTURE} CACHE STRING "")
    foreach(folder lib usr/lib)
        string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,-rpath-link,${CMAKE_FIND_ROOT_PATH}/${folder}/${CMAKE_LIBRARY_ARCHITECTURE}")
    endforeach()
endif()
# Some of all tests start the command with variables of their own, so it finds the C library and the others without any.
if(ACCP_TEST_ALL)
    set(paths " -Wl,--disable-new-dtags -Wl,-rpath,/usr/aarch64-linux-gnu/lib:${CMAKE_FIND_ROOT_PATH}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
    string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,--dynamic-linker=/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1${paths}")
    string(APPEND CMAKE_SHARED_LINKER_FLAGS_INIT ${paths})
    string(APPEND CMAKE_MODULE_LINKER_FLAGS_INIT ${paths})
endif()
