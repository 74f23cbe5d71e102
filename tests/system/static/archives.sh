#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Checks that the compiled objects do not contain certain things: archives.sh DIRECTORY with the three archives.
#   - Nothing of ours runs when the library is loaded. simdjson has no static initialiser either, mimalloc exactly one: _mi_process_init.
#   - A file built for a newer processor (symbols_avx2.cc) shares no inline function with the others: the linker might keep its copy for all.
set -euo pipefail
cd "$1"

for archive in libaccp_core.a libaccp_simdjson.a libaccp_mimalloc.a; do
    [ "$(readelf -hW "$archive" | grep -c '^File:')" -gt 0 ] || { printf '%s: empty\n' "$archive"; exit 1; }
    expected=
    [ $archive != libaccp_mimalloc.a ] || expected=static.c.o
    found=$(readelf -SW "$archive" | awk '/^File:/ { file = $2 } / \.(init_array|ctors|preinit_array)/ { sub(/.*\(/, "", file); sub(/\)$/, "", file); print file }' | sort -u)
    [ "$found" = "$expected" ] || { printf 'static initialisers in %s: %s\n' "$archive" "$found"; exit 1; }
done
constructors=$(nm libaccp_mimalloc.a | grep -cE ' (_GLOBAL__sub_.*|_mi_process_init)$')
[ "$constructors" = 1 ] || { printf 'mimalloc runs %s functions on load\n' "$constructors"; exit 1; }

shared=$(nm -C libaccp_core.a | awk '/:$/ { file = $0; next } file ~ /_(ssse3|avx2|avx512)\.cc\.o:$/ && / [WVu] / { print file, $0 }')
[ -z "$shared" ] || { printf 'inline functions built for a newer processor:\n%s\n' "$shared"; exit 1; }
