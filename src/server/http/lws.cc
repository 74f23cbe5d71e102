// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/lws.h"

#include <libwebsockets.h>

#include <atomic>
#include <cstdio>

#include "server/http/clock.h"

namespace server {
namespace {

constexpr int kMaxLines = 8;
constexpr int64_t kSpanUs = 10'000'000;

std::atomic<uint64_t> line_count = 0;

void write_line(int, const char *line) {
    static std::atomic<int64_t> began_us = 0;
    static std::atomic<int> lines = 0;
    const int64_t now_us = clock_us();
    if (now_us - began_us > kSpanUs) began_us = now_us, lines = 0;
    const int number = ++lines;
    ++line_count;
    if (number <= kMaxLines) std::fprintf(stderr, "accp: libwebsockets: %s", line);
    if (number == kMaxLines)
        std::fputs("accp: libwebsockets: more lines of the next 10 s are only counted\n", stderr);
}

}  // namespace

std::string header_text(lws *wsi, lws_token_indexes token) {
    const int length = web().hdr_total_length(wsi, token);
    if (length <= 0) return {};
    std::string text(static_cast<size_t>(length) + 1, '\0');
    const int copied = web().hdr_copy(wsi, text.data(), length + 1, token);
    text.resize(copied > 0 ? static_cast<size_t>(copied) : 0);
    return text;
}

std::string header_text(lws *wsi, std::string_view name) {
    const int size = static_cast<int>(name.size());
    const int length = web().hdr_custom_length(wsi, name.data(), size);
    if (length <= 0) return {};
    std::string text(static_cast<size_t>(length) + 1, '\0');
    if (web().hdr_custom_copy(wsi, text.data(), length + 1, name.data(), size) < 0) return {};
    text.resize(static_cast<size_t>(length));
    return text;
}

void limit_lws_log() { web().set_log_level(LLL_ERR, write_line); }

uint64_t lws_line_count() { return line_count; }

}  // namespace server
