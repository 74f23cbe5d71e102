#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# command.sh NATS-SERVER ACCP LIBACCP-NATS: the command with a node of its own: the promises of a back end, sessions copied from a file and back, and a
# session that continues.
set -euo pipefail
server=$1 accp=$2
LD_LIBRARY_PATH=$(dirname "$3")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
dir=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 $pid; rm -rf "$dir"' EXIT
for _ in 1 2 3 4 5; do
    port=$((10000 + RANDOM % 22000))
    "$server" -a 127.0.0.1 -p $port -js -sd "$dir/js" -l "$dir/log" &
    pid=$!
    for _ in $(seq 600); do
        sleep 0.1
        kill -0 $pid 2>/dev/null || break
        ! grep -q 'Server is ready' "$dir/log" 2>/dev/null || break 2
    done
    pid=
done
place=nats://127.0.0.1:$port/command
"$accp" store conformance --plugin "$3" nats://127.0.0.1:$port/promises | tee "$dir/promises"
grep -q '18 of 18' "$dir/promises"

for i in 1 2 3; do
    printf '{"agent":"a","intent":"done","operation":"step","payload":{"out":"%s"}}\n' $i | "$accp" session append --store "sqlite:$dir/file" --session "s$i" >/dev/null
done
"$accp" store export "sqlite:$dir/file" >"$dir/there"
"$accp" store import "$place" <"$dir/there"
"$accp" store export "$place" | diff "$dir/there" -
printf '{"agent":"a","intent":"done","operation":"step","payload":{"out":"more"}}\n' | "$accp" session append --store "$place" --session s2 >/dev/null
"$accp" session log --store "$place" --session s2 | grep -q more
"$accp" store verify "$place"
"$accp" store stats "$place" | grep -q 'sessions *3'
"$accp" store status "$place" | grep -q '^stream ACCP-command$'
"$accp" store status --json "$place" | grep -q '"stream ACCP-command":{"replicas":1,"messages":[1-9]'
"$accp" store export "$place" | "$accp" store import "sqlite:$dir/back"
"$accp" store export "$place" | diff - <("$accp" store export "sqlite:$dir/back")
! "$accp" store stats nats://127.0.0.1:$port/nobody 2>"$dir/said"
grep -q 'the store does not exist' "$dir/said"
"$accp" store status "sqlite:$dir/file" | grep -q 'acknowledged *on the device'
