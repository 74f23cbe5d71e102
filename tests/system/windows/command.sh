#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# The command on Windows: bytes, names of files, stores, projects, the MCP server, and what it refuses. command.sh ACCP OPEN_INPUT EMULATOR...
set -euo pipefail
accp=$(realpath "$1")
open_input=$(realpath "$2")
shift 2
emulator=("$@")
# Their names as Windows has them.
program=Z:${accp//\//\\} holder=Z:${open_input//\//\\}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    printf 'not so: %s\n' "$*"
    exit 1
}

accp() {
    timeout 300 "${emulator[@]}" "$accp" "$@"
}

# same FILE FILE WHAT
same() {
    cmp "$1" "$2" || fail "$3"
}

# refused STATUS TEXT ARGUMENT...: the command ends with this status, and standard error is this line.
refused() {
    local status=0 wanted=$1 text=$2
    shift 2
    accp "$@" >out 2>err </dev/null || status=$?
    [ "$status" = "$wanted" ] && grep -qF "accp: $text" err || fail "accp $* ends with $status: $(cat out err)"
}

# The start
accp --version >out
grep -q '^accp ' out || fail "accp --version: $(cat out)"
accp --help >out
grep -q 'encode' out || fail "accp --help: $(cat out)"
grep -q $'\r' out && fail 'the help has carriage returns'

# Bytes: UTF-8, a carriage return and a Ctrl+Z in a text, files and pipes
printf '%s\n' '{"agent":"planner","intent":"req","operation":"plan","payload":{"task":"Größe 中文 🚀","raw":"a\r\nb\u001ac"}}' >messages
accp encode <messages >frames
accp decode <frames >back
same messages back 'encode and decode give the message back'
accp encode <messages | accp decode >back
same messages back 'encode and decode give the message back through a pipe'
sed 's/$/\r/' messages >crlf
accp encode crlf >back
same frames back 'a message may end with CR LF'
printf '@planner>req:plan{task:a}\032\r\n' >odd
accp parse odd >back && fail 'a frame does not end with CR LF'
grep -qF '"offset":25' back || fail "a control character is reported at its byte: $(cat back)"
printf 'a\r\nb\032c\n@p>req:plan{t:a}\n' | accp unfold >back
printf '@p>req:plan{t:a}\n' >expected
same expected back 'unfold ignores other text'

# Names of files, arguments and exit statuses
mkdir 'Größe 中文'
cp messages 'Größe 中文/é.jsonl'
accp encode 'Größe 中文/é.jsonl' >back || fail 'a file with a name in UTF-8 is read'
same frames back 'a name of a file may be in UTF-8'
refused 2 'Größe: ' encode Größe
refused 2 '' encode --no-such-option
printf 'no message\n' | accp encode >out 2>err && fail 'a refused record ends with status 1'
grep -qF 'accp: record 1: ' err || fail "a refused record is reported: $(cat err)"

# A store in a file, closed and opened again
store='sqlite:Größe 中文/s.sqlite'
seq -f '{"agent":"user","intent":"note","operation":"say","payload":"Nachricht %g: Größe"}' 20 >talk
accp session append --store "$store" talk >out || fail "accp session append: $(cat out)"
[ "$(tail -n 1 out)" = 20 ] || fail "20 records: $(cat out)"
[ -f 'Größe 中文/s.sqlite' ] || fail 'the store is in the file that was named'
accp session context --store "$store" >out
grep -qF 'Nachricht 20: Größe' out || fail "the context of a session: $(cat out)"
accp store verify "$store" >out || fail "accp store verify: $(cat out)"

# Two processes write to a store at a time
seq -f '{"agent":"user","intent":"note","operation":"say","payload":"%g"}' 200 >many
for one in a b; do
    accp session append --store sqlite:both.sqlite --session $one many >out.$one 2>err.$one &
done
wait %1 || fail "the first of two writers: $(cat err.a)"
wait %2 || fail "the second of two writers: $(cat err.b)"
for one in a b; do
    [ "$(tail -n 1 out.$one)" = 200 ] || fail "a writer of two has 200 records: $(tail -n 1 out.$one)"
done
accp store verify sqlite:both.sqlite >out || fail "accp store verify: $(cat out)"

# Packets in files and in a project
printf '# User\nAdd a login with JWT. Never log tokens.\n# Assistant\nWe decided to use JWT because it is stateless. Größe matters.\n' >chat.md
accp context generate 'Add the login' --conversation chat.md >packet.yaml || fail 'a packet of a conversation'
accp context validate packet.yaml >out || fail "accp context validate: $(cat out)"
mkdir -p 'Pro jekt ä/src'
printf 'int login(const char *name);\n' >'Pro jekt ä/src/login.c'
accp context generate 'Add the login' --pane 1 --directory 'Pro jekt ä' --conversation chat.md --code 'Pro jekt ä' >out || fail "accp context generate --pane: $(cat out)"
[ -f 'Pro jekt ä/.agentwire/context/pane-1.yaml' ] || fail 'the packet of a pane is a file of the project'
accp context read --pane 1 --directory 'Pro jekt ä' >out || fail 'accp context read'
grep -qF 'login' out || fail "accp context read: $(cat out)"
for one in 1 2 3 4; do
    accp context push --pane 1 --directory 'Pro jekt ä' packet.yaml >"push.$one" 2>&1 &
done
for one in 1 2 3 4; do
    wait %$one || fail "four writers of a pane: $(cat push.*)"
done
accp context clear --pane 1 --directory 'Pro jekt ä' >out || fail "accp context clear: $(cat out)"
accp context read --pane 1 --directory 'Pro jekt ä' >out 2>&1 && fail 'a cleared packet is gone'
accp context restore --pane 1 --directory 'Pro jekt ä' >out || fail "accp context restore: $(cat out)"

# The MCP server
initialize='{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}'
call='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"session_append","arguments":{"messages":[{"role":"user","content":"Größe"}]}}}'
printf '%s\r\n%s\n' "$initialize" "$call" | accp mcp --store "$store" --session mcp >out || fail "accp mcp ends with $?"
[ "$(wc -l <out)" = 2 ] && grep -qF '"serverInfo"' out && grep -qF '1 appended, 1 records' out || fail "accp mcp answers: $(cat out)"
accp session context --store "$store" --session mcp | grep -qF Größe || fail 'the session of accp mcp outlives it'

# Ctrl+C ends the server as the end of its input does, which also ends a last line without LF. Wine makes it of SIGINT.
printf '%s\n%s\n%s' "$initialize" "$call" "$call" >calls
"${emulator[@]}" "$open_input" calls "$program" mcp --store "sqlite:$work/stopped.sqlite" --session mcp >out &
starter=$!
for ((i = 0; i < 300; ++i)); do
    [ "$(wc -l <out)" = 2 ] && break
    sleep 0.1
done
server=$(pgrep -f "^Z:.*accp.exe mcp --store sqlite:$work/stopped.sqlite") || fail "accp mcp answers while its input is open: $(cat out)"
kill -INT "$server"
for ((i = 0; i < 300; ++i)); do
    kill -0 "$starter" 2>/dev/null || break
    sleep 0.1
done
if kill -0 "$starter" 2>/dev/null; then
    kill -KILL "$server"
    fail 'Ctrl+C ends accp mcp'
fi
wait "$starter" || fail "after Ctrl+C accp mcp ends with $?"
grep -qF '1 appended, 2 records' out || fail "accp mcp answers what it read before Ctrl+C: $(cat out)"
accp session context --store sqlite:stopped.sqlite --session mcp | grep -qF Größe || fail 'what was said before Ctrl+C is in the store'

# Programs that the command starts, one of which does not end
accp stats --baseline "frame=$program encode" messages >out || fail "accp stats --baseline: $(cat out)"
grep -qE '^  frame +[0-9]+' out || fail "a program's output is a row: $(cat out)"
refused 2 '--baseline x: x.bat: No such file or directory' stats --baseline x=x.bat messages
cp "$accp" here.exe  # others may write in the working directory
refused 2 '--baseline x: here: No such file or directory' stats --baseline x=here messages
refused 2 "--extract $holder: it took too long and was killed" context generate 'Add the login' --conversation chat.md --extract "$holder calls $program mcp --session killed" --extract-seconds 2
pgrep -f 'mcp --session killed' && fail 'what a killed program started is killed too'

# What is not there
refused 2 'accp serve is not in the build for Windows' serve
refused 2 'accp proxy is not in this build; build with -DACCP_SERVER=ON' proxy
refused 2 'accp mcp wrap is not in the build for Windows' mcp wrap -- x
refused 2 'accp sacp agent is not in the build for Windows' sacp agent --name a --tool x=y
refused 2 'accp context setup is not in the build for Windows' context setup codex
refused 2 'accp context spawn is not in the build for Windows' context spawn x --pane 1 -- y

# The conformance vectors, some of which run the command. Texts for people need ICU.
status=0
accp conformance --level 3 >out || status=$?
[ "$status" = 1 ] && [ "$(sed -nE 's/^FAIL +(\S+).*/\1/p' out | tr '\n' ' ')" = 'SACP-9D-01 SACP-9D-02 SACP-9D-03 ' ] || fail "accp conformance ends with $status: $(grep -v ^pass out)"
