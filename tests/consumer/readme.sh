#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# What the README shows is true: its C is docs/examples/ten_lines.c word by word, compiles as the README says against what was installed, and
# turns the README's message into the README's frame and back; its command does too. readme.sh BUILD
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block PATTERN: the first fenced block of the README that begins behind a line that matches.
block() {
    awk -v pattern="$1" '$0 ~ pattern { behind = 1 } behind && /^```/ { if (inside) exit; inside = 1; next } inside' "$root/README.md"
}

block '^<!-- docs/examples/ten_lines.c -->$' >"$work/app.c"
tail -n +3 "$root/docs/examples/ten_lines.c" | diff - "$work/app.c" || { printf 'the README and docs/examples/ten_lines.c differ\n'; exit 1; }

prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >/dev/null
libdir=$(dirname "$(find "$prefix" -name libaccp.so)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046  # words on purpose
cc -std=c99 -Wall -Wextra -pedantic -Werror -o "$work/app" "$work/app.c" $(pkg-config --cflags --libs accp) -Wl,-rpath,"$libdir"

block '^# libaccp$' >"$work/sample"
message=$(sed -n 1p "$work/sample")
{ sed -n 2p "$work/sample"; printf '%s\n' "$message"; } >"$work/expected"
"$work/app" "$message" | diff "$work/expected" - || { printf 'the sample of the README does not answer what the README shows\n'; exit 1; }

answer=0
"$work/app" '{"agent":"planner"' 2>"$work/error" || answer=$?
[ "$answer" = 1 ] && grep -q '^E1001 at byte 18: ' "$work/error" || { printf 'broken JSON: %s %s\n' "$answer" "$(cat "$work/error")"; exit 1; }

if [ -x "$prefix/bin/accp" ]; then
    printf '%s\n' "$message" | "$prefix/bin/accp" encode | diff <(sed -n 2p "$work/sample") -
    sed -n 2p "$work/sample" | "$prefix/bin/accp" decode | diff <(printf '%s\n' "$message") -
    shown=$(grep -o '`accp encode --ignore [^`]*`' "$root/README.md" | tr -d '`')
    (cd "$root" && PATH=$prefix/bin:$PATH && $shown >"$work/frames" && [ -s "$work/frames" ])
fi
