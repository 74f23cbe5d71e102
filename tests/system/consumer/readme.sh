#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Checks the samples of README.md and docs/embedding.md. The samples of that page are copies of files that are compiled and run. Its frame in C is a copy of
# docs/examples/ten_lines.c, compiles against the installed library as the README describes, and turns the README's message into the README's frame and back.
# The installed command does the same. readme.sh BUILD
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

page=docs/embedding.md

# block FILE PATTERN: the first fenced block of the file after a line that matches.
block() {
    awk -v pattern="$2" '$0 ~ pattern { after = 1 } after && /^```/ { if (inside) exit; inside = 1; next } inside' "$root/$1"
}

# shown FILE: the lines between the marks of a source file, moved to the margin.
shown() {
    sed -n '/README begin/,/README end/{//!p}' "$1" | expand -t 4 | awk '
        { lines[NR] = $0; if (NF && (!margin || match($0, /[^ ]/) < margin)) margin = match($0, /[^ ]/) }
        END { for (i = 1; i <= NR; ++i) print substr(lines[i], margin ? margin : 1) }'
}

samples=0
while read -r file; do
    block "$page" "^<!-- $file -->\$" | diff - <(shown "$root/$file") || { printf '%s and %s differ\n' "$page" "$file"; exit 1; }
    samples=$((samples + 1))
done < <(sed -nE 's/^<!-- ([^ ]+) -->$/\1/p' "$root/$page" | grep -v '^docs/examples/ten_lines.c$')
[ $samples = 5 ] || { printf '%s shows %s languages, not 5\n' "$page" $samples; exit 1; }

block "$page" '^<!-- docs/examples/ten_lines.c -->$' >"$work/app.c"
tail -n +3 "$root/docs/examples/ten_lines.c" | diff - "$work/app.c" || { printf '%s and docs/examples/ten_lines.c differ\n' "$page"; exit 1; }

prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >/dev/null
libdir=$(dirname "$(find "$prefix" -name libaccp.so)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046  # words on purpose
cc -std=c99 -Wall -Wextra -pedantic -Werror -o "$work/app" "$work/app.c" $(pkg-config --cflags --libs accp) -Wl,-rpath,"$libdir"

block README.md '^# libaccp$' >"$work/sample"
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
