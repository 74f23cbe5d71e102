# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# cmake -DXZ=xz -DIN=NAME.merges.xz -DTOOL=program -DOUT=NAME.image -P unpack.cmake: what `xz -dc IN | TOOL > OUT` does, without a shell.
execute_process(COMMAND ${XZ} -dc ${IN} COMMAND ${TOOL} OUTPUT_FILE ${OUT} RESULTS_VARIABLE results)
if(NOT results STREQUAL "0;0")
    file(REMOVE ${OUT})
    message(FATAL_ERROR "${IN}: cannot be unpacked (${results})")
endif()
