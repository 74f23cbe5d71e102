#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Builds each fuzz target with its seeds and the dictionary into $OUT. OSS-Fuzz sets CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE and OUT.
# Without OSS-Fuzz, at the top of the project, for two targets:
#   mkdir -p build/oss-fuzz-out && CC=clang-14 CXX=clang++-14 CFLAGS='-O1 -fsanitize=address' CXXFLAGS='-O1 -fsanitize=address' LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
#   OUT=build/oss-fuzz-out TARGETS='fuzz_parse fuzz_json' tests/system/fuzz/oss-fuzz/build.sh
set -euo pipefail
work=${WORK:-build/oss-fuzz}
cmake -G Ninja -S . -B "$work" -DCMAKE_BUILD_TYPE=None -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DACCP_BUILD_FUZZ=ON -DACCP_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
    -DACCP_BUILD_CLI=OFF -DACCP_BUILD_BENCH=OFF -DACCP_BUILD_EXAMPLES=OFF
targets=${TARGETS:-$(cmake --build "$work" --target help | sed -n 's/^\(fuzz_[a-z_0-9]*\): phony$/\1/p')}
# shellcheck disable=SC2086  # several words
cmake --build "$work" -j "$(nproc)" --target $targets
for target in $targets; do
    cp "$work/tests/system/fuzz/$target" "$OUT/"
    cp tests/system/fuzz/accp.dict "$OUT/$target.dict"
    rm -f "$OUT/${target}_seed_corpus.zip"
    zip -qjr "$OUT/${target}_seed_corpus.zip" "$work/tests/system/fuzz/seeds/${target#fuzz_}"
done
