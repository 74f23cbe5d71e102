# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Options to link the shared library: it exports the names of src/accp.map. GNU's linker reads that file; others get a list of the names.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/accp.map)
file(STRINGS src/accp.map names REGEX "^        accp_")
string(REGEX MATCHALL "accp_[a-z0-9_]+" names "${names}")
if(WIN32)
    string(REPLACE ";" "\n" names "EXPORTS;${names}")
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/accp.def CONTENT "${names}\n")
    target_sources(accp PRIVATE ${PROJECT_BINARY_DIR}/accp.def)
    set_target_properties(accp PROPERTIES PREFIX "")
    target_link_options(accp PRIVATE -Wl,--gc-sections)
elseif(APPLE)
    string(REPLACE ";" "\n_" names "_${names}")
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/accp.exports CONTENT "${names}\n")
    target_link_options(accp PRIVATE -Wl,-exported_symbols_list,${PROJECT_BINARY_DIR}/accp.exports -Wl,-dead_strip)
else()
    target_link_options(accp PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/accp.map -Wl,--no-undefined-version
        -Wl,--gc-sections -Wl,-z,nodelete -Wl,-z,relro,-z,now)
    if(NOT ACCP_SANITIZE)
        target_link_options(accp PRIVATE -Wl,--no-undefined)
    endif()
endif()
