#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# install.sh SOURCE NPM DIRECTORY: installs the packages of SOURCE/package-lock.json in DIRECTORY, and other files of SOURCE for them; completed steps are skipped.
# DIRECTORY/node is the Node from npm, or the machine's own if npm has none for its processor.
set -euo pipefail
shopt -s nullglob
source=$1 npm=$2
here=$(cd "$(dirname "$0")" && pwd)
cd "$3"
cp "$source"/*.mjs "$source"/*.yml .
if ! cmp -s "$source/package-lock.json" node_modules/.installed; then
    cp "$source/package.json" "$source/package-lock.json" "$here/.npmrc" .
    "$npm" ci
    cp package-lock.json node_modules/.installed
fi
for node in node_modules/node-linux-*/bin/node "$(command -v node)"; do
    [ -x "$node" ] || continue
    ln -sf "$(realpath "$node")" node
    exit
done
echo 'install.sh: there is no node' >&2
exit 1
