#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# A build of one binding needs only the tools of that binding. Without a JDK the C# binding can be configured, and the Java binding reports what
# is missing. Without SWIG both report it. bindings.sh SOURCE DEPS
set -euo pipefail
source=$1 deps=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset JAVA_HOME

configure() { # LANGUAGES ARGUMENT...
    rm -rf "$work/build"
    cmake -G Ninja -S "$source" -B "$work/build" -DACCP_DEPS_DIR="$deps" -DACCP_BUILD_BINDINGS="$1" -DACCP_BUILD_TESTS=OFF -DACCP_BUILD_CLI=OFF \
        -DACCP_BUILD_EXAMPLES=OFF -DCMAKE_IGNORE_PATH='/usr/lib/jvm/default-java/include;/usr/lib/jvm/java-17-openjdk-amd64/include' "${@:2}" >"$work/said" 2>&1
}

refused() { # WHAT LANGUAGES ARGUMENT...
    if configure "${@:2}"; then printf 'configured without: %s\n' "$1"; exit 1; fi
    tr -s ' \n' ' ' <"$work/said" | grep -qF -e "$1" || { cat "$work/said"; exit 1; }
}

configure csharp || { cat "$work/said"; exit 1; }
refused 'run script/bootstrap bindings java (Debian: default-jdk-headless)' java
refused 'run script/bootstrap bindings csharp (Debian: swig)' csharp -DACCP_SWIG=
refused "no binding 'cobol'" cobol
if "$source/script/bootstrap" bindings cobol >"$work/said" 2>&1; then exit 1; fi
grep -qF "no binding 'cobol': csharp, go, java" "$work/said"
