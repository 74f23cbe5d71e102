#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Checks that generated files are not stale: the Ragel output, docs/errors.md, the version script.
set -euo pipefail
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

script/ragel "$work/generated"
diff -r "$work/generated" ragel/generated || { printf 'ragel/generated is stale: run script/ragel\n'; exit 1; }

script/errors-doc "$work/errors.md"
diff "$work/errors.md" docs/errors.md || { printf 'docs/errors.md is stale: run script/errors-doc\n'; exit 1; }

# The version script has exactly the functions of the headers.
sed -nE 's/^ACCP_API .*[ *](accp_[a-z0-9_]+)\(.*/\1/p' include/accp/*.h | sort >"$work/declared"
sed -nE 's/^ +(accp_[a-z0-9_]+);$/\1/p' src/accp.map | sort >"$work/mapped"
diff "$work/declared" "$work/mapped" || { printf 'src/accp.map and the headers differ\n'; exit 1; }
