#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Which room may include which: arrows.sh [ROOT]. Prints every include that goes against the arrows
#   base <- {value, text} <- frame <- {registry, token, store, render, transcript} <- {context, delivery} <- {codec, packet, sacp} <- session <- capi <- {server, nats} <- cli
# and fails if there is one. server, nats and cli include the public headers of the library, not its rooms. The core reads no clock and prints nothing.
set -euo pipefail
cd "${1:-$(dirname "$0")/../../..}"
declare -A rank=([base]=0 [value]=1 [text]=1 [frame]=2 [registry]=3 [token]=3 [store]=3 [render]=3 [transcript]=3 [context]=4 [delivery]=4 [codec]=5 [packet]=5 [sacp]=5 [session]=6 [capi]=7)
declare -A outer=([nats]=1 [server]=1 [cli]=2)
forbidden='iostream|fstream|cstdio|stdio\.h|ctime|time\.h|thread|sys/socket\.h'
# <chrono> is there for its calendar; asking what time it is has one of these names.
clock='(system|steady|high_resolution|utc|tai|gps|file)_clock'
found=0

complain() {
    printf '%s: %s\n' "$1" "$2"
    found=1
}

# check FILE ROOM INCLUDED, the last as it stands between "" or <>.
check() {
    local file=$1 room=$2 target=$3 other=${3%%/*}
    case "$(basename "$file") $(basename "$target")" in
    *encode*\ *decode* | *decode*\ *encode*) complain "$file" "encode and decode know each other: $target" ;;
    esac
    [ "$other" != "$room" ] && [ "$other" != accp ] || return 0
    if [ -n "${outer[$room]:-}" ]; then
        [ "$room $target" != 'nats server/json/base64.h' ] || return 0  # compiled into both
        [ ! -e "src/$target" ] && [ -z "${outer[$other]:-}" ] || [ "${outer[$other]:-9}" -lt "${outer[$room]}" ] || complain "$file" "$room must not include $other: $target"
    elif [ "$file <$target>" = 'src/packet/panes/files.cc <cstdio>' ]; then
        return 0  # of it renameat(), which puts a file in another's place
    elif [[ $target =~ ^($forbidden)$ ]]; then
        complain "$file" "the core has no clock, no output, no threads: <$target>"
    elif [ -n "${rank[$other]:-}" ]; then
        [ "${rank[$other]}" -lt "${rank[$room]}" ] || complain "$file" "$room must not include $other: $target"
    elif [ -n "${outer[$other]:-}" ]; then
        complain "$file" "$room must not include $other: $target"
    fi
}

while read -r file; do
    room=${file#src/}
    room=${room%%/*}
    if [ -z "${rank[$room]:-}" ] && [ -z "${outer[$room]:-}" ]; then
        complain "$file" "no such room: $room"
        continue
    fi
    if [ -z "${outer[$room]:-}" ] && grep -qE "$clock" "$file"; then
        complain "$file" "the core has no clock: $(grep -oE -m1 "$clock" "$file")"
    fi
    while read -r target; do
        check "$file" "$room" "$target"
    done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]*)[">].*/\1/p' "$file")
done < <(find src -type f \( -name '*.h' -o -name '*.cc' -o -name '*.c' \) | sort)
exit $found
