// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/lws_log.h"

#include <libwebsockets.h>

#include <atomic>
#include <cstdio>

#include "server/http/web_clock.h"

namespace server {
namespace {

constexpr int kMaxLines = 8;
constexpr int64_t kSpanUs = 10'000'000;

std::atomic<uint64_t> left_out = 0;

void write_line(int, const char *line) {
    static std::atomic<int64_t> began_us = 0;
    static std::atomic<int> lines = 0;
    const int64_t now_us = clock_us();
    if (now_us - began_us > kSpanUs) began_us = now_us, lines = 0;
    const int number = ++lines;
    if (number > kMaxLines) ++left_out;
    else std::fprintf(stderr, "accp: libwebsockets: %s", line);
    if (number == kMaxLines)
        std::fputs("accp: libwebsockets: more lines of the next 10 s are only counted\n", stderr);
}

}  // namespace

void limit_lws_log() { lws_set_log_level(LLL_ERR, write_line); }

uint64_t left_out_lws_lines() { return left_out; }

}  // namespace server
