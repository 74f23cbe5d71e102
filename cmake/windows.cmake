# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Toolchain file: Windows on x86-64, by MinGW-w64 on Debian. The programs run in Wine. `script/bootstrap windows` prepares the machine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
# Wine finds accp.dll by WINEPATH, which has a form of its own: Z: is the root.
set(CMAKE_CROSSCOMPILING_EMULATOR env WINEDEBUG=-all WINEPATH=Z:${CMAKE_BINARY_DIR} wine)

include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
get_filename_component(CMAKE_FIND_ROOT_PATH ${accp_deps_dir}/windows ABSOLUTE)
