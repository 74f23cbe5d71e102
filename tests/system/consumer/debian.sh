#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Somebody with an empty Debian 12: the packages of this build install there, the commands of the README and the first program in C run, and nothing is left
# after purging. As root: debian.sh BUILD
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/../../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1  # a minute less
packaging/debs "$build" amd64 "$out"
packaging/check "$out" deb
