#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# A user of the static library. An installed and moved build works for a C program without libaccp.so, with CMake and with pkg-config, beside a library of the
# user that contains one of our names. The archive has no global names except ours. static.sh BUILD SHARED; SHARED is ON if BUILD has the shared library too
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 shared=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
archive=$(find "$work/prefix" -name libaccp.a)
libdir=$(dirname "$archive")
if [ "$shared" = OFF ] && [ -n "$(find "$work/prefix" -name 'libaccp.so*')" ]; then
    printf 'there is a shared library\n'
    exit 1
fi

nm --defined-only --extern-only "$archive" | awk 'NF == 3 { ++count; if ($3 !~ /^accp_/) { print "not ours: " $3; bad = 1 } }
    END { if (count < 100) { print "only " count + 0 " names"; bad = 1 } exit bad }'

# needs_no_accp PROGRAM: checks that it runs without our libraries.
needs_no_accp() {
    "$1" >"$work/said"
    [ -s "$work/said" ]
    ! readelf -d "$1" | grep -F libaccp || { printf '%s needs libaccp.so\n' "$1"; exit 1; }
}

# A function of the program with a name of SQLite. If the archive had a global one, linking would
# fail.
printf 'int sqlite3_open(const char *name, void **out);\nint sqlite3_open(const char *name, void **out) { *out = 0; return name == 0; }\n' >"$work/own.c"
export PKG_CONFIG_PATH=$libdir/pkgconfig
link=$(pkg-config $([ "$shared" = OFF ] || printf %s --static) --libs accp)
# shellcheck disable=SC2046,SC2086  # words on purpose
cc -std=c99 -o "$work/by_pkgconfig" "$here/frame_report.c" "$work/own.c" $(pkg-config --cflags accp) ${link/-laccp/-l:libaccp.a}
needs_no_accp "$work/by_pkgconfig"

library=accp::accp_static
[ "$shared" = ON ] || library=accp::accp
cmake -G Ninja -S "$here/cmake" -B "$work/out" -DSOURCE="$here/frame_report.c" -DLIBRARY=$library -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/out" >/dev/null
needs_no_accp "$work/out/frame_report"
