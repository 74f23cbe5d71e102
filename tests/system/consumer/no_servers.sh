#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# The command of a build with ACCP_SERVER=OFF: what needs sockets says so, the rest works. no_servers.sh ACCP
set -euo pipefail
accp=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    printf 'not so: %s\n' "$*"
    exit 1
}

# missing WHAT ARGUMENT...: the command refuses these arguments, and names the option of the build.
missing() {
    local what=$1 status=0
    shift
    timeout 60 "$accp" "$@" >said 2>&1 </dev/null || status=$?
    [ $status = 2 ] && grep -qxF "accp: $what is not in this build; build with -DACCP_SERVER=ON" said || fail "accp $* ends with $status: $(cat said)"
}

message='{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth"}}'
[ "$("$accp" encode <<<"$message" | "$accp" decode)" = "$message" ] || fail 'encode and decode give the message back'

# The MCP server answers, so its hooks are complete without an embedder.
initialize='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}'
timeout 60 "$accp" mcp <<<"$initialize" >said 2>&1 || fail "accp mcp ends with $?: $(cat said)"
grep -qF '"serverInfo"' said || fail "accp mcp answers: $(cat said)"

missing 'accp serve' serve
missing 'accp proxy' proxy
missing 'mcp wrap --url' mcp wrap --url http://127.0.0.1:1/
missing --embedder mcp --embedder http://127.0.0.1:1/#none
printf "# A\n" >chat.md
missing --model context generate 'Read the plan' --conversation chat.md --model http://127.0.0.1:1/#none
