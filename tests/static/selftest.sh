#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# The checks can fail: each line below plants one fault in an empty project, and the check must find it; and one clean file must pass.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# plant CHECK EXPECTED FILE TEXT: what the check answers (0 clean, 1 found) to a project with that one file.
plant() {
    local check=$1 expected=$2 file=$3 text=$4 answer=0
    rm -rf "$work/src"
    mkdir -p "$work/$(dirname "$file")"
    printf '%s\n' "$text" >"$work/$file"
    "$here/$check.sh" "$work" >/dev/null 2>&1 || answer=$?
    [ "$answer" = "$expected" ] || { printf '%s answered %s, not %s: %s: %s\n' "$check" "$answer" "$expected" "$file" "$text"; failed=1; }
}

plant arrows 0 src/frame/a.cc '#include "base/arena.h"'
plant arrows 0 src/frame/a.cc '#include "frame/parse.h"'
plant arrows 0 src/capi/a.cc '#include "accp/frame.h"'
plant arrows 1 src/base/a.cc '#include "value/node.h"'
plant arrows 1 src/token/a.cc '#  include "store/store.h"'
plant arrows 1 src/frame/encode.cc '#include "frame/decode.h"'
plant arrows 1 src/frame/frame_decode.cc '#include "frame/encode_text.h"'
plant arrows 1 src/value/a.cc '#include "cli/main.h"'
plant arrows 1 src/value/a.cc '#include <chrono>'
plant arrows 1 src/attic/a.cc '#include <vector>'
plant arrows 0 src/cli/a.cc '#include <cstdio>'
mkdir -p "$work/src/base" && touch "$work/src/base/arena.h"
plant bare_code 0 src/value/a.cc '// malloc(1); new int; try { } /* free(x) */'
plant bare_code 0 src/value/a.cc '/* a new day: try
 it, and malloc(1) too */ int x;'
plant bare_code 0 src/value/a.cc 'const char *s = "new int \" try { malloc(1) }";'
plant bare_code 0 src/value/a.cc 'auto *n = new (memory) Node; bool b = renew(1) || a.free(2);'
plant bare_code 0 src/base/a.cc 'void *p = std::malloc(1);'
plant bare_code 0 src/capi/guard.h 'try { f(); } catch (...) { }'
plant bare_code 1 src/value/a.cc 'void *p = std::malloc(1);'
plant bare_code 1 src/value/a.cc '/* x */ free (p);'
plant bare_code 1 src/value/a.cc 'int *p = new int[3];'
plant bare_code 1 src/value/a.cc 'int *p = new (std::nothrow) int;'
plant bare_code 1 src/value/a.cc 'delete p;'
plant bare_code 1 src/value/a.cc 'auto p = std::make_unique<int>(1);'
plant bare_code 1 src/capi/frame.cc 'try { f(); }'
plant bare_code 1 src/capi/frame.cc '} catch (const X &) {'
exit $failed
