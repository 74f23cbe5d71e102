#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Words that may occur in one place only: bare_code.sh [ROOT]. Memory is allocated in src/base. Exceptions of the library are caught in src/capi/guard.h,
# and before the functions of a host, because an out-of-memory exception must not pass through them. Server, command, libaccp-nats and the
# proxy are exempt.
# Comments, texts and #include lines do not count, and neither does placement new into existing memory.
set -euo pipefail
cd "${1:-$(dirname "$0")/../../..}"

# Each line of the files without comments and texts, after "FILE:LINE: ".
code_of() {
    awk '{
        line = $0
        if (FNR == 1) inside = 0
        gsub(/\\["\\]/, "", line); gsub(/"[^"]*"/, "\"\"", line)
        if (inside) { if (!sub(/^.*\*\//, "", line)) next; inside = 0 }
        gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line); sub(/\/\/.*/, "", line)
        if (sub(/\/\*.*/, "", line)) inside = 1
        if (line !~ /^[[:space:]]*#[[:space:]]*include/) printf "%s:%d: %s\n", FILENAME, FNR, line
    }' "$@"
}

found=0
# stands_only PATTERN WHERE WHY: fails if a line of src/ outside WHERE (a regular expression of paths)
# matches.
stands_only() {
    local pattern=$1 where=$2 why=$3 hits files
    mapfile -t files < <(find src -type f \( -name '*.h' -o -name '*.cc' -o -name '*.c' \) | grep -vE "$where" | sort)
    [ ${#files[@]} -gt 0 ] || return 0
    hits=$(code_of "${files[@]}" | grep -E "$pattern" || true)
    [ -z "$hits" ] || { printf '%s\n%s\n' "$why:" "$hits"; found=1; }
}

word='(^|[^A-Za-z0-9_.])'
stands_only "$word(std::)?(malloc|calloc|realloc|free|strdup)[[:space:]]*\(" '^src/base/' 'memory is taken in src/base only'
stands_only "$word(new[[:space:]]+[A-Za-z_:]|new[[:space:]]*\(std::nothrow|delete[[:space:]([])" '^src/(base|nats)/' 'memory is taken in src/base only'
stands_only "$word(make_unique|make_shared)[[:space:]]*<" '^src/(base|server|cli|nats|proxy)/' 'memory is taken in src/base only'
stands_only "$word(try|catch)[[:space:]]*[({]" '^src/(capi/guard\.h$|store/plugin_port\.h$|server/|cli/|nats/|proxy/)' 'exceptions end in src/capi/guard.h only'
exit $found
