#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Compares the ABI with the stored one by debug information: baseline.sh LIBRARY. Any difference that abidiff reports is a
# failure, even a harmless one, because it returns 4 and not 8 for a widened field. For an intended change run script/abi-update,
# in the same commit as its line in docs/CHANGES.md.
set -euo pipefail
cd "$(dirname "$0")/../../.."
library=$1
# shellcheck source=tests/system/abi/dump.sh
. tests/system/abi/dump.sh

# The compiler may merge two equal functions, which would then be compared only once.
functions=$(abi_dump "$library" | grep -c "<function-decl name='accp_")
symbols=$(exported "$library" | grep -c '^accp_')
[ "$functions" = "$symbols" ] || { printf 'the debug information describes %s functions of %s\n' "$functions" "$symbols"; exit 1; }

abidiff --no-added-syms --headers-dir2 include/accp tests/system/abi/accp.abi "$library"
