# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Sourced, at the top of the checkout, by the ABI tests and by script/abi-update.

# exported LIBRARY prints what it exports, with versions, sorted.
exported() {
    nm -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort
}

# abi_dump LIBRARY prints what the headers show of its ABI. No paths of this machine: those of our files are relative (-ffile-prefix-map).
# The places of types must stay in: with --short-locs abidiff takes a narrowed field for a private matter.
abi_dump() {
    abidw --exported-interfaces-only --headers-dir include/accp --drop-private-types --no-corpus-path --no-comp-dir-path \
        --no-elf-needed "$1"
}
