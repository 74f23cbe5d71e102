# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Toolchain file: macOS on arm64, by zig 0.11 (clang 16 and headers of macOS) on Debian. It compiles the objects of the library; nothing is linked or run.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
find_program(ACCP_ZIG zig REQUIRED)
set(CMAKE_C_COMPILER ${ACCP_ZIG} cc -target aarch64-macos)
set(CMAKE_CXX_COMPILER ${ACCP_ZIG} c++ -target aarch64-macos)
set(CMAKE_INSTALL_NAME_TOOL llvm-install-name-tool-14)

# Because nothing is linked, stand-ins for the headers that mimalloc needs and zig lacks, and the headers of this machine's packages are enough.
set(headers ${CMAKE_BINARY_DIR}/headers)
file(WRITE ${headers}/sys/syscall.h "")
file(WRITE ${headers}/CommonCrypto/CommonCryptoError.h "")
file(WRITE ${headers}/CommonCrypto/CommonRandom.h "enum { kCCSuccess };\nint CCRandomGenerateBytes(void *, unsigned long);\n")
set(CMAKE_C_FLAGS_INIT "-isystem ${headers}")
foreach(library MD:sha2 LZ4:lz4 YAML:yaml SQLITE:sqlite3)
    string(REPLACE ":" ";" library ${library})
    list(POP_FRONT library name)
    file(COPY /usr/include/${library}.h DESTINATION ${headers})
    set(ACCP_${name}_INCLUDE_DIR ${headers} CACHE PATH "")
    set(ACCP_${name}_LIBRARY none CACHE FILEPATH "")
endforeach()
