#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Tests that the checks can fail: each line below puts one fault into an empty project, which the check must find. One clean file must
# pass.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# plant CHECK EXPECTED FILE TEXT: runs the check on a project with that one file, and compares its exit
# status (0 clean, 1 found).
plant() {
    local check=$1 expected=$2 file=$3 text=$4 answer=0
    rm -rf "$work/src"
    mkdir -p "$work/$(dirname "$file")"
    printf '%s\n' "$text" >"$work/$file"
    "$here/$check" "$work" >/dev/null 2>&1 || answer=$?
    [ "$answer" = "$expected" ] || { printf '%s answered %s, not %s: %s: %s\n' "$check" "$answer" "$expected" "$file" "$text"; failed=1; }
}

plant arrows.py 0 src/frame/a.cc '#include "base/arena.h"'
plant arrows.py 0 src/frame/a.cc '#include "frame/parse.h"'
plant arrows.py 0 src/capi/a.cc '#include "accp/frame.h"'
plant arrows.py 1 src/base/a.cc '#include "value/node.h"'
plant arrows.py 1 src/token/a.cc '#  include "store/store.h"'
plant arrows.py 1 src/frame/encode.cc '#include "frame/decode.h"'
plant arrows.py 1 src/frame/frame_decode.cc '#include "frame/encode_text.h"'
plant arrows.py 1 src/value/a.cc '#include "cli/main.h"'
plant arrows.py 1 src/server/a.cc '#include "cli/main.h"'
plant arrows.py 0 src/cli/a.cc '#include "server/library/handles.h"'
plant arrows.py 1 src/nats/a.cc '#include "server/library/handles.h"'
plant arrows.py 0 src/value/a.cc '#include <chrono>'
plant arrows.py 1 src/value/a.cc 'auto now = std::chrono::steady_clock::now();'
plant arrows.py 1 src/value/a.cc '#include <ctime>'
plant arrows.py 0 src/transcript/a.cc '#include "frame/message/message.h"'
plant arrows.py 1 src/transcript/a.cc '#include "registry/schema.h"'
plant arrows.py 1 src/attic/a.cc '#include <vector>'
plant arrows.py 0 src/cli/a.cc '#include <cstdio>'
plant arrows.py 0 src/packet/panes/files.cc '#include <cstdio>'
plant arrows.py 1 src/packet/panes/panes.cc '#include <cstdio>'
plant arrows.py 1 src/packet/panes/files.cc '#include <ctime>'
plant arrows.py 1 src/packet/panes/a.cc '#include "session/session.h"'
mkdir -p "$work/src/base" && touch "$work/src/base/arena.h"
plant bare_code.sh 0 src/value/a.cc '// malloc(1); new int; try { } /* free(x) */'
plant bare_code.sh 0 src/value/a.cc '/* a new day: try
 it, and malloc(1) too */ int x;'
plant bare_code.sh 0 src/value/a.cc 'const char *s = "new int \" try { malloc(1) }";'
plant bare_code.sh 0 src/value/a.cc 'auto *n = new (memory) Node; bool b = renew(1) || a.free(2);'
plant bare_code.sh 0 src/base/a.cc 'void *p = std::malloc(1);'
plant bare_code.sh 0 src/capi/guard.h 'try { f(); } catch (...) { }'
plant bare_code.sh 1 src/value/a.cc 'void *p = std::malloc(1);'
plant bare_code.sh 1 src/value/a.cc '/* x */ free (p);'
plant bare_code.sh 1 src/value/a.cc 'int *p = new int[3];'
plant bare_code.sh 1 src/value/a.cc 'int *p = new (std::nothrow) int;'
plant bare_code.sh 1 src/value/a.cc 'delete p;'
plant bare_code.sh 1 src/value/a.cc 'auto p = std::make_unique<int>(1);'
plant bare_code.sh 1 src/capi/frame.cc 'try { f(); }'
plant bare_code.sh 1 src/capi/frame.cc '} catch (const X &) {'

# declare_one EXPECTED DECLARATION [COMMENT]: the result of face.py for a header with one function besides the two
# of a handle.
declare_one() {
    local answer=0
    mkdir -p "$work/include/accp"
    printf '#include "accp/x.h"\n' >"$work/include/accp/accp.h"
    : >"$work/include/accp/parts.h"
    {
        printf 'ACCP_API accp_status accp_x_new(const accp_config *config, accp_x **out, accp_error *err) ACCP_NOEXCEPT;\n'
        printf 'ACCP_API void accp_x_free(accp_x *x) ACCP_NOEXCEPT;\n/** %s */\n%s ACCP_NOEXCEPT;\n' "${3:-A function.}" "ACCP_API $2"
    } >"$work/include/accp/x.h"
    "$here/face.py" "$work" >/dev/null 2>&1 || answer=$?
    [ "$answer" = "$1" ] || { printf 'face.py answered %s, not %s: %s\n' "$answer" "$1" "$2"; failed=1; }
}

declare_one 0 'accp_status accp_x_put(accp_x *x, const char *key, size_t key_len, int64_t now_ms, accp_text *out, accp_error *err)'
declare_one 0 'const char *accp_x_name(int32_t x)'
declare_one 0 'const accp_node *accp_x_nodes(const accp_x *x, size_t *count_out)'
declare_one 0 'accp_text accp_x_text(const accp_x *x)'
declare_one 1 'uint32_t accp_x_get_size(const accp_x *x)'
declare_one 1 'accp_status accp_x_erase(accp_x *x, accp_error *err)'
declare_one 1 'accp_status accp_x_sync(accp_x *x)'
declare_one 1 'uint32_t accp_x_size(const accp_x *x, accp_error *err)'
declare_one 1 'const char *accp_x_text(const accp_x *x)'
declare_one 1 'accp_status accp_x_put(accp_x *x, const char *key, size_t len, accp_error *err)'
declare_one 1 'accp_status accp_x_text(accp_x *x, const char **out, size_t *len_out, accp_error *err)'
declare_one 1 'accp_status accp_x_text(accp_x *x, accp_error *err, accp_text *out)'
declare_one 1 'accp_status accp_x_text(accp_x *x, accp_text *out, int64_t now_ms, accp_error *err)'
declare_one 1 'accp_status accp_x_expire(accp_x *x, int64_t now, accp_error *err)'
declare_one 1 'accp_status accp_x_expire(accp_x *x, uint64_t now_ms, accp_error *err)'
declare_one 1 'const accp_node *accp_x_nodes(const accp_x *x)'
declare_one 1 'accp_status accp_y_new(const accp_config *config, accp_y **out, accp_error *err)'
declare_one 1 'accp_status accp_x_new(accp_x **out, accp_error *err)'
declare_one 1 'accp_status accp_x_load(const accp_config *config, const char *text, size_t text_len, accp_x **out, accp_error *err)'
# Yes or no.
declare_one 0 'int accp_x_is_fresh(const accp_x *x)' 'Returns 1 if it is fresh.'
declare_one 0 'int accp_x_next_text(accp_x *x, accp_text *out)'
declare_one 1 'int accp_x_fresh(const accp_x *x)'
declare_one 1 'int32_t accp_x_is_fresh(const accp_x *x)'
declare_one 1 'uint32_t accp_x_freshness(const accp_x *x)' 'Returns 1 if it is fresh.'
declare_one 1 'int accp_x_knows_key(const accp_x *x)'
# Numbers.
declare_one 0 'uint32_t accp_x_key_count(const accp_x *x)' 'Returns the number of keys.'
declare_one 0 'uint32_t accp_x_newest_key(const accp_x *x)' 'Returns the number of the newest key.'
declare_one 1 'uint32_t accp_x_keys(const accp_x *x)' 'Returns the number of keys.'
declare_one 1 'uint32_t accp_x_keys(const accp_x *x)' 'Returns how many keys there are.'
declare_one 1 'uint32_t accp_x_size(const accp_x *x)'
declare_one 1 'accp_status accp_x_count_keys(accp_x *x, uint64_t *out, accp_error *err)'
# The order of what goes in: what is asked, the time, the options.
declare_one 0 'accp_status accp_x_query(accp_x *x, int32_t what, int64_t now_ms, uint32_t flags, accp_text *out, accp_error *err)'
declare_one 1 'accp_status accp_x_query(accp_x *x, int32_t what, uint32_t flags, int64_t now_ms, accp_text *out, accp_error *err)'
declare_one 1 'accp_status accp_x_query(accp_x *x, int64_t now_ms, int32_t what, accp_text *out, accp_error *err)'
declare_one 1 'accp_status accp_x_query(accp_x *x, uint32_t flags, int32_t what, accp_text *out, accp_error *err)'
declare_one 1 'accp_status accp_x_query(accp_x *x, int what, accp_text *out, accp_error *err)'
# What comes out.
declare_one 0 'accp_status accp_x_query(accp_x *x, accp_text *out, int32_t *answer_out, accp_error *err)'
declare_one 1 'accp_status accp_x_query(accp_x *x, int32_t *answer_out, accp_text *out, accp_error *err)'
declare_one 1 'accp_status accp_x_query(accp_x *x, int32_t *answer_out, accp_error *err)'
declare_one 1 'accp_status accp_x_query(accp_x *x, accp_text *out, int32_t *answer, accp_error *err)'
# Failures.
declare_one 1 'int32_t accp_x_remove(accp_x *x, const char *key, size_t key_len)'
declare_one 1 'int32_t accp_x_query(accp_x *x)' 'Returns a negative accp_status if it fails.'
mkdir -p "$work/src/capi"
printf 'uint64_t accp_x_text_count(const accp_x *x) noexcept {\n    (void)capi::guard(nullptr, [] {});\n}\n' >"$work/src/capi/x.cc"
declare_one 1 'accp_text accp_x_text(const accp_x *x)'
rm -r "$work/src/capi"
declare_one 0 'accp_text accp_x_text(const accp_x *x)'
# Verbs.
declare_one 1 'accp_status accp_x_sweep(accp_x *x, int64_t now_ms, accp_error *err)'
declare_one 1 'accp_status accp_x_read(accp_x *x, const char *text, size_t text_len, accp_error *err)'
declare_one 1 'int32_t accp_x_find(const char *text, size_t text_len)'
declare_one 1 'accp_status accp_x_keys(accp_x *x, accp_text_function each, void *user, accp_error *err)'
# say EXPECTED LITERALS [ROOM]: the result of messages.py for a core with this text and one rule.
say() {
    local answer=0
    rm -rf "$work/src"
    mkdir -p "$work/include/accp"
    printf 'enum accp_rule { ACCP_RULE_MAX_TOKENS = 8 };\n' >"$work/include/accp/config.h"
    mkdir -p "$work/src/${3:-value}"
    printf 'const char *message = %s;\n' "$2" >"$work/src/${3:-value}/a.cc"
    "$here/messages.py" "$work" >/dev/null 2>&1 || answer=$?
    rm "$work/include/accp/config.h"
    [ "$answer" = "$1" ] || { printf 'messages.py answered %s, not %s: %s\n' "$answer" "$1" "$2"; failed=1; }
}

say 0 '"too much: raise rule max_tokens"'
say 0 '"ACCP_STEP"'
say 1 '"too much: raise rule max_token"'
say 1 '"too much: call accp_x_put()"'
say 1 '"too much: set ACCP_RULE_" "MAX_TOKENS"'
say 1 '"too much: call x_take_all"'
say 0 '"To see it: accp_resolve 5."' proxy
say 1 '"To see it: accp_resolve 5."'
say 1 '"To see it: accp_session_resolve 5."' proxy
# exemplify EXPECTED COMMENT: the result of header_examples.py for a header with this file comment.
exemplify() {
    local answer=0 header
    rm -rf "$work/examples"
    mkdir -p "$work/examples/include/accp"
    for header in accp parts; do
        printf '/**\n * @file\n * @code\n * puts("x");\n * @endcode\n */\n#include "accp/x.h"\n' >"$work/examples/include/accp/$header.h"
    done
    printf '/**\n * @file\n%b */\n#pragma once\nvoid accp_x_free(int x);\n' "$2" >"$work/examples/include/accp/x.h"
    "$here/header_examples.py" "$work/examples" >/dev/null 2>&1 || answer=$?
    [ "$answer" = "$1" ] || { printf 'header_examples.py answered %s, not %s: %s\n' "$answer" "$1" "$2"; failed=1; }
}

exemplify 0 ' * @code\n * accp_x_free(1);\n * @endcode\n'
exemplify 0 ' * @code\n * void end(int x) {\n *     accp_x_free(x);\n * }\n * @endcode\n'
exemplify 1 ' * No example.\n'
exemplify 1 ' * @code\n * accp_x_free(1)\n * @endcode\n'
exemplify 1 ' * @code\n * accp_x_free(1, 2);\n * @endcode\n'
exemplify 1 ' * @code\n * int unused;\n * accp_x_free(1);\n * @endcode\n'
exemplify 1 ' * @code\n * puts("nothing of this header");\n * @endcode\n'
printf 'int x;\n' >"$work/include/accp/lost.h"
declare_one 1 'accp_text accp_x_text(const accp_x *x)'
# Versions: each file that repeats the version is compared.
root=$here/../../..
mapfile -t repeats < <(sed -nE 's/^    \("([^"]+)", .*/\1/p' "$root/script/version")
[ ${#repeats[@]} -gt 10 ] || { printf 'script/version has only %s places\n' ${#repeats[@]}; failed=1; }
(cd "$root" && cp --parents CMakeLists.txt docs/CHANGES.md "${repeats[@]}" "$work")
version=$("$root/script/version")
"$root/script/version" --check "$work" >/dev/null || { printf 'script/version finds a fault in the project\n'; failed=1; }
for file in CMakeLists.txt docs/CHANGES.md "${repeats[@]}"; do
    sed -i "s/${version//./\\.}/9.8.7/" "$work/$file"
    ! "$root/script/version" --check "$work" >/dev/null || { printf 'script/version does not see another version in %s\n' "$file"; failed=1; }
    cp "$root/$file" "$work/$file"
done
sed -i 's/^#define ACCP_VERSION_PATCH .*/#define ACCP_VERSION_PATCH 99/' "$work/include/accp/version.h"
! "$root/script/version" --check "$work" >/dev/null || { printf 'script/version does not see another number in version.h\n'; failed=1; }
exit $failed
