# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Sourced by the ABI tests and by script/abi-update, at the top of the checkout.

# exported LIBRARY prints its exported symbols with versions, sorted.
exported() {
    nm -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort
}

# abi_dump LIBRARY prints its ABI as the headers show it. Paths of our files are relative (-ffile-prefix-map), so it has no paths of this
# machine. The locations of types must stay: with --short-locs abidiff regards a narrowed field as private.
abi_dump() {
    abidw --exported-interfaces-only --headers-dir include/accp --drop-private-types --no-corpus-path --no-comp-dir-path \
        --no-elf-needed "$1"
}
