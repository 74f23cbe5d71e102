# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Toolchain file: this machine's gcc, with musl as the C library. The C++ library and all others are linked as archives. The programs run on this machine.
# `script/bootstrap musl` prepares the machine.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER gcc-12)
set(CMAKE_CXX_COMPILER g++-12)

include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
get_filename_component(CMAKE_FIND_ROOT_PATH ${accp_deps_dir}/musl ABSOLUTE)
if(NOT EXISTS ${CMAKE_FIND_ROOT_PATH}/whole)
    message(FATAL_ERROR "${CMAKE_FIND_ROOT_PATH} is missing or incomplete: run script/bootstrap musl")
endif()
set(target x86_64-linux-musl)
set(musl -specs=/usr/lib/${target}/musl-gcc.specs)
set(CMAKE_C_FLAGS_INIT ${musl})
# The specs replace the headers for C only. The last flag: libgcc's wrapper of threads need not ask whether the program has any.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=include OUTPUT_VARIABLE compiler_headers OUTPUT_STRIP_TRAILING_WHITESPACE)
string(JOIN " -isystem " CMAKE_CXX_FLAGS_INIT "${musl} -nostdinc -nostdinc++" ${CMAKE_FIND_ROOT_PATH}/include/c++ ${CMAKE_FIND_ROOT_PATH}/include/c++/${target}
    /usr/include/${target} "${compiler_headers} -D_GLIBCXX_GTHREAD_USE_WEAK=0")
# The specs leave the first option out, without which exceptions end the program. The second is for threads, which otherwise get 128 kB.
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-L${CMAKE_FIND_ROOT_PATH}/lib -Wl,--eh-frame-hdr -Wl,-z,stack-size=1048576")
endforeach()
set(CMAKE_C_STANDARD_LIBRARIES_INIT ${CMAKE_FIND_ROOT_PATH}/lib/musl.o)
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT ${CMAKE_C_STANDARD_LIBRARIES_INIT})
set(ACCP_WITHOUT_ICU ON)  # Debian's is for glibc
set(ACCP_STATIC_COMMAND ON)  # such a program runs on every Linux
