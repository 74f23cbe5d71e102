#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# install.sh NPM DIRECTORY: the packages of package-lock.json in DIRECTORY, and the scripts beside them; nothing is done twice. DIRECTORY/node is the Node that
# came with them, or the machine's own where its processor has none there.
set -euo pipefail
npm=$1
here=$(cd "$(dirname "$0")" && pwd)
cd "$2"
cp "$here"/*.mjs "$here"/*.yml .
if ! cmp -s "$here/package-lock.json" node_modules/.installed; then
    cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" .
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
