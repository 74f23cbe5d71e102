#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Installs the build, moves the installed tree, and builds and runs a program with it: installed.sh BUILD pkgconfig|cmake.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 way=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mkdir "$work/moved"
mv "$work/first" "$work/moved/prefix"
libdir=$(dirname "$(find "$work/moved/prefix" -name libaccp.so)")
if grep -rlF -e "$work/first" -e "$build" "$work/moved/prefix" --include='*.pc' --include='*.cmake'; then
    printf 'these files know where they were built\n'
    exit 1
fi

case $way in
pkgconfig)
    mkdir "$work/out"
    PKG_CONFIG_PATH=$libdir/pkgconfig make -s -f "$here/pkgconfig/Makefile" OUT="$work/out" SOURCE="$here/frame_report.c"
    ;;
cmake)
    cmake -G Ninja -S "$here/cmake" -B "$work/out" -DSOURCE="$here/frame_report.c" -DCMAKE_PREFIX_PATH="$work/moved/prefix" >/dev/null
    cmake --build "$work/out" >/dev/null
    ;;
esac
"$work/out/frame_report"
ldd "$work/out/frame_report" | grep -F "libaccp.so.1 => $work/moved/prefix/" || { printf 'the program runs with another libaccp\n'; exit 1; }

# The command finds its library in the moved tree.
if [ -x "$work/moved/prefix/bin/accp" ]; then
    "$work/moved/prefix/bin/accp" --version
    # Its other name, if the machine had no such command.
    [ ! -L "$work/moved/prefix/bin/agentwire" ] || "$work/moved/prefix/bin/agentwire" context roles --worker >/dev/null
    [ -L "$work/moved/prefix/bin/agentwire" ] || command -v agentwire
fi
