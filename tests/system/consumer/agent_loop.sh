#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# The program in docs/examples/ffi that gives tools to a model prints the expected output in both formats, with only the shared library. The program in
# docs/context.md is a copy of the one that is compiled. Numbers of tokens are not compared, because the engine may change them. agent_loop.sh LIBRARY
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
library=$1
examples=$root/docs/examples
export PYTHONDONTWRITEBYTECODE=1

without_sizes() { sed -E 's/^a request of [0-9]+/a request of N/; s/^[0-9]+ tokens in all/N tokens in all/' "$@"; }

for form in openai anthropic; do
    python3 "$examples/ffi/agent_loop.py" "$library" $form | without_sizes |
        diff <(without_sizes "$examples/ffi/agent_loop_$form.expected") - || { printf 'agent_loop.py %s\n' $form; exit 1; }
done
if python3 "$examples/ffi/agent_loop.py" "$library" 2>&1 | grep -v '^usage: agent_loop.py'; then exit 1; fi

diff <(sed -n '/README begin/,/README end/{//!p}' "$examples/model_turns.c") \
    <(awk '/^<!-- examples\/model_turns.c -->$/ { behind = 1 } behind && /^```/ { if (inside) exit; inside = 1; next } inside' "$root/docs/context.md") ||
    { printf 'docs/context.md does not show docs/examples/model_turns.c\n'; exit 1; }
