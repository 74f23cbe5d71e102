#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# store_url.sh STORE_URL LIBACCP LIBACCP-NATS: every host opens a store by one URL. libaccp does not link NATS. It finds libaccp-nats in its own directory, and reports what to
# install if it is missing. Without LIBACCP-NATS (a build without it) only that error is checked.
set -euo pipefail
program=$1 library=$2 nats=${3:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$library" "$dir/libaccp.so.1"
told() { LD_LIBRARY_PATH=$dir "$program" "$@"; }
wants() {
    local text=$1
    shift
    told "$@" >"$dir/said"
    grep -qF -- "$text" "$dir/said" || { printf 'wanted: %s\ntold:   ' "$text"; cat "$dir/said"; exit 1; }
}
! readelf -d "$library" | grep -iF nats || { echo 'libaccp links NATS'; exit 1; }

wants 'memory:: open' memory:
wants ': open' "sqlite:$dir/file"
for url in nowhere:x x '' NATS://127.0.0.1:1/a redis://127.0.0.1:1; do
    wants 'ERR_ARG: no such kind of store: a store is memory:, sqlite:PATH or nats://HOST:PORT/PREFIX' "$url"
done
if ! ldconfig -p | grep -qF libaccp-nats.so.1; then
    for scheme in nats tls; do
        wants 'ERR_ARG: nats:// needs the library libaccp-nats.so.1, which is not installed: ' "$scheme://127.0.0.1:1/a"
    done
fi
echo 'no library' >"$dir/libaccp-nats.so.1"
wants 'ERR_ARG: nats:// needs the library libaccp-nats.so.1, which is found but cannot be loaded' nats://127.0.0.1:1/a
cp "$library" "$dir/libaccp-nats.so.1"
wants 'ERR_ARG: nats:// needs the library libaccp-nats.so.1, which is found but is not a store back end' nats://127.0.0.1:1/a
[ -n "$nats" ] || exit 0
cp "$nats" "$dir/libaccp-nats.so.1"
wants 'ERR_IO: no NATS server listens' nats://127.0.0.1:1/a
wants 'ERR_ARG: ' nats://127.0.0.1:1/
