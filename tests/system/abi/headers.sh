#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Checks that each public header compiles alone and without a warning in every language that may include it:
# headers.sh CC CXX.
set -euo pipefail
cd "$(dirname "$0")/../../.."
cc=$1 cxx=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0

for header in include/accp/*.h; do
    # Included twice to test the include guard. The declaration keeps the file from being empty.
    name=accp/$(basename "$header")
    printf '#include <%s>\n#include <%s>\nint accp_header_compiles(void);\n' "$name" "$name" | tee "$work/alone.c" >"$work/alone.cc"
    "$cc" -std=c99 -Wall -Wextra -pedantic -Werror -Iinclude -fsyntax-only "$work/alone.c"
    for standard in 11 17 20; do
        "$cxx" "-std=c++$standard" -Wall -Wextra -pedantic -Werror -Iinclude -fsyntax-only "$work/alone.cc"
    done
    count=$((count + 1))
done
[ "$count" -ge 8 ]
