#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Somebody who installs an artefact of this build: the commands of the README and the first program in C run. As root: artefact.sh BUILD KIND
#   deb      Debian's packages, in an empty Debian 12; nothing is left after purging
#   musl     the tarball, in a root without a C library
#   windows  the zip, in a new prefix of Wine
set -euo pipefail
build=$(realpath "$1") kind=$2
cd "$(dirname "$0")/../../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1  # a minute less
case $kind in
deb) packaging/debs "$build" amd64 "$out" ;;
musl) packaging/archive "$build" musl "$out" ;;
windows) packaging/archive "$build" Windows "$out" ;;
*) exit 2 ;;
esac
packaging/check "$out" "$kind"
