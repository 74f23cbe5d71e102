# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Compiler flags of our own code: the target accp_flags, which all our targets link.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

if(WIN32)
    # Bit fields as everywhere else. The stack of Windows is aligned to 16 bytes, and gcc assumes 32 for vectors that it puts there.
    add_compile_options(-Wa,-muse-unaligned-vector-move -mno-ms-bitfields)
    add_compile_definitions(_WIN32_WINNT=0x0A00 __USE_MINGW_ANSI_STDIO=1 YAML_DECLARE_STATIC NOMINMAX)
    # A program needs no library of the compiler. Files have no time, so that two builds are equal.
    add_link_options(-static -Wl,--no-insert-timestamp)
endif()

if(APPLE)
    add_compile_definitions(st_mtim=st_mtimespec)  # its name of the member of struct stat
endif()

# Keeps paths of the machine out of the binaries.
add_compile_options(-ffunction-sections -fdata-sections -fno-plt "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)  # names that no tool can make local in the static library
endif()
if(ACCP_SANITIZE)
    add_compile_definitions(ACCP_EXACT_READS)  # keeps vector loads within a text
    add_compile_options(-fsanitize=${ACCP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${ACCP_SANITIZE})
    if(CMAKE_C_COMPILER_ID MATCHES "Clang")
        # For programs in C that link our C++ code.
        add_link_options(-fsanitize-link-c++-runtime)
        string(APPEND CMAKE_C_STANDARD_LIBRARIES " -lstdc++")
    endif()
endif()
if(ACCP_COVERAGE)
    # clang's. Each program adds to a file of its own (%m), which its processes share, even those with an empty environment.
    set(counts -fprofile-instr-generate=${PROJECT_BINARY_DIR}/profiles/%m.profraw)
    add_compile_options(${counts} -fcoverage-mapping)
    add_link_options(${counts})
endif()
if(ACCP_BUILD_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

add_library(accp_flags INTERFACE)
target_compile_options(accp_flags INTERFACE -Wall -Wextra $<$<BOOL:${ACCP_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(accp_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)  # gcc 12 reports an overlap in libstdc++'s own operator+
endif()
