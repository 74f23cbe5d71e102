#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Classes "quadratic blow-up" and "hash flooding": in every case of cost_driver.cc twice the input may need at most 2.2 times the instructions, and
# similar keys ("NAME, alike") at most 3 times those of random ones ("NAME, random"). linear_cost.sh DRIVER [MIN MAX] prints a table of instructions
# for each unit, and every ratio that is too large.
set -euo pipefail
driver=$1 min=${2:-1024} max=${3:-16384}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Vector code for memcpy of any length. For long ones it would use `rep movsb`, which is counted byte by byte and would look like a
# step.
export GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1073741824:glibc.cpu.x86_rep_stosb_threshold=1073741824
valgrind --quiet --tool=callgrind --callgrind-out-file="$work/out" "$driver" "$min" "$max" >"$work/said" 2>&1 ||
    { cat "$work/said"; exit 1; }

# One dump for each case and size: "desc: Trigger: Client Request: NAME|N" and "totals: I".
for file in "$work"/out.*; do
    sed -nE 's/^desc: Trigger: Client Request: (.*)$/\1/p; s/^totals: ([0-9]+).*/\1/p' "$file" | paste -sd'|'
done | grep -E '^[^|]+\|[0-9]+\|[0-9]+$' | sort -t'|' -k1,1 -k2,2n >"$work/counts"

cases=$(grep -cE '^    \{"' "$(dirname "$0")/cost_driver.cc")
awk -F'|' -v cases="$cases" '
    $1 != name { name = $1; last = 0; ++seen; printf "%s%-28s", (NR > 1 ? "\n" : ""), name }
    { printf " %8.1f", $3 / $2 }
    $3 < $2 / 100 { bad = bad sprintf("%s: n = %d: nothing was counted\n", name, $2) }
    last && $3 / last > 2.2 { bad = bad sprintf("%s: n = %d costs %.2f times what half of it does\n", name, $2, $3 / last) }
    { last = $3; cost[$1, $2] = $3; if ($1 ~ /, alike$/) alike[$1, $2] = $3 }
    END {
        for (place in alike) {
            split(place, part, SUBSEP)
            other = substr(part[1], 1, length(part[1]) - 5) "random"
            ++pairs
            if (!(alike[place] <= 3 * cost[other, part[2]])) bad = bad sprintf("%s: n = %d costs over 3 times random keys\n", part[1], part[2])
        }
        if (!pairs) bad = bad "nothing was compared with random keys\n"
        printf "\n%s", bad
        if (seen != cases) printf "%d cases counted, not %d\n", seen, cases
        exit (bad != "" || seen != cases)
    }' "$work/counts"
