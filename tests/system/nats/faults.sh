#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# faults.sh NATS_SERVER PROGRAM ARGUMENTS: runs a test of failing nodes. nats-server before 2.10 sometimes loses or reorders acknowledged messages
# (docs/store.md). With such a version a failed test is run once more, with a note. A fault of ours fails twice, or with a newer server.
set -uo pipefail
server=${NATS_SERVER:-$1}
shift
"$@" && exit
version=$("$server" --version)
[[ $version =~ v([0-9]+)\.([0-9]+) ]] || { printf 'faults.sh: no version in: %s\n' "$version" >&2; exit 1; }
((BASH_REMATCH[1] > 2 || (BASH_REMATCH[1] == 2 && BASH_REMATCH[2] >= 10))) && exit 1
printf 'faults.sh: once more, as this is %s\n' "$version"
exec "$@"
