#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Which room may include which: arrows.sh [ROOT]. Prints every include that goes against the arrows
#   base <- {value, text} <- message <- {frame, transcript} <- {registry, token, store, render} <- {context, profile, delivery} <- {codec, packet, plan} <- {session, panes, execute, present} <- capi
# and fails if there is one. Outside, host <- {server, nats} and server <- cli <- conformance see the public headers and those before them. The core reads no clock and prints nothing.
set -euo pipefail
cd "${1:-$(dirname "$0")/../../..}"
declare -A rank=([base]=0 [value]=1 [text]=1 [message]=2 [frame]=3 [transcript]=3 [registry]=4 [token]=4 [store]=4 [render]=4 [context]=5 [profile]=5 [delivery]=5 [codec]=6 [session]=7 [panes]=7 [packet]=6 [plan]=6 [execute]=7 [present]=7 [capi]=9)
declare -A outer=([host]=1 [nats]=2 [server]=2 [cli]=3 [conformance]=4)
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
        [ ! -e "src/$target" ] && [ -z "${outer[$other]:-}" ] || [ "${outer[$other]:-9}" -lt "${outer[$room]}" ] || complain "$file" "$room must not include $other: $target"
    elif [ "$file <$target>" = 'src/panes/files.cc <cstdio>' ]; then
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
