# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Toolchain file: this machine's gcc, with the headers and the C library of Debian 11, so that the result runs with every glibc from 2.31 on. The C++
# library and all others are linked as archives. `script/bootstrap release` prepares the machine.
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
get_filename_component(CMAKE_SYSROOT ${accp_deps_dir}/glibc-2.31 ABSOLUTE)
if(NOT EXISTS ${CMAKE_SYSROOT}/owners)
    message(FATAL_ERROR "${CMAKE_SYSROOT} is missing: run script/bootstrap release")
endif()
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-gnu)
set(libraries ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})

# gcc would take the start-up files and libraries of this machine first. libgcc_s stays shared: gcc 12's archive of it needs glibc 2.35.
set(CMAKE_C_FLAGS_INIT -B${libraries})
set(CMAKE_CXX_FLAGS_INIT -B${libraries})
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L${libraries} -L${CMAKE_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE} -static-libstdc++")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${CMAKE_EXE_LINKER_FLAGS_INIT} -Wl,--exclude-libs,ALL")
set(CMAKE_MODULE_LINKER_FLAGS_INIT ${CMAKE_SHARED_LINKER_FLAGS_INIT})

# Parts of the C library until 2.33.
set(CMAKE_C_STANDARD_LIBRARIES_INIT "-lpthread -ldl")
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-lpthread -ldl")

# libwebsockets and OpenSSL as archives, with what they need.
set(WEBSOCKETS_LIBRARY ${libraries}/libwebsockets.a ${libraries}/libcap.a ${libraries}/libz.a CACHE STRING "")
set(OPENSSL_USE_STATIC_LIBS ON)
