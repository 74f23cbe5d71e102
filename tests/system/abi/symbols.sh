#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Checks that libaccp.so exports exactly the listed names: symbols.sh LIBRARY. And that it neither contains nor replaces the
# host's allocator.
set -euo pipefail
cd "$(dirname "$0")/../../.."
library=$1

# shellcheck source=tests/system/abi/dump.sh
. tests/system/abi/dump.sh
exported "$library" | diff tests/system/abi/symbols.txt - || { printf 'the exported symbols changed (script/abi-update, if that is meant)\n'; exit 1; }
if exported "$library" | grep -vE '^(accp_[a-z0-9_]+@@)?ACCP_[0-9]+\.[0-9]+$'; then
    printf 'these are no names of ours\n'
    exit 1
fi
# Not even with hidden symbols: operator new and delete, malloc and related functions come from the
# host.
if nm --defined-only "$library" | grep -E ' (malloc|calloc|realloc|free|posix_memalign|aligned_alloc|memalign|_Zn[wa][a-zA-Z0-9_]*|_Zd[la][a-zA-Z0-9_]*)$'; then
    printf 'the library defines an allocator of the host\n'
    exit 1
fi
