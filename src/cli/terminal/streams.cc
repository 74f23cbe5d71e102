// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/streams.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/host.h"

namespace cli {
namespace {

constexpr size_t kMaxExcerptBytes = 60;
constexpr std::string_view kWordEnds = "@>:{}[]|,~\"";

bool is_word_byte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte != 0x7F && kWordEnds.find(c) == std::string_view::npos;
}

// The length of a JSON string, with both quotes.
size_t string_length(std::string_view text) {
    for (size_t i = 1; i < text.size(); i += text[i] == '\\' ? 2 : 1)
        if (text[i] == '"') return i + 1;
    return text.size();
}

// A backslash and the character after it belong to the word.
size_t word_length(std::string_view text) {
    size_t len = 0;
    while (len < text.size() && is_word_byte(text[len])) len += text[len] == '\\' ? 2 : 1;
    return std::min(len, text.size());
}

}  // namespace

void Writer::flush() {
    size_t done = 0;
    while (done < text.size()) {
        const ssize_t wrote = write_bytes(fd_, text.data() + done, text.size() - done);
        if (wrote >= 0) {
            done += static_cast<size_t>(wrote);
            continue;
        }
        const int error = errno;
        text.clear();  // do not try again
        if (on_failure_ == OnFailure::kIgnore) return;
        if (error == EPIPE) throw ReaderGone();
        throw OutputFailure(std::string("standard output: ") + std::strerror(error));
    }
    text.clear();
}

Progress::Progress(const char *unit, bool reads_input)
    : unit_(unit),
      is_enabled_(is_terminal(STDERR_FILENO) &&
                  (!reads_input || (!is_terminal(STDIN_FILENO) && !is_terminal(STDOUT_FILENO)))),
      next_(Clock::now() + std::chrono::seconds(1)) {}

void Progress::show(uint64_t records, uint64_t bytes) {
    if (!is_enabled_) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    is_shown_ = true;
    std::fprintf(stderr, "\r%" PRIu64 " %s, %" PRIu64 " MiB", records, unit_, bytes >> 20);
}

void Progress::erase() {
    if (!is_shown_) return;
    is_shown_ = false;
    std::fputs("\r\x1b[K", stderr);
}

void Streams::refuse(const accp_error &error, std::string_view text) {
    ++refused;
    err.text.append("accp: record ")
        .append(std::to_string(records))
        .append(": ")
        .append(describe(error));
    // Most errors at byte 0 have no position. Only E1001, invalid syntax, can mean byte 0 itself.
    const bool has_position = error.offset != 0 || error.code == ACCP_E1001;
    const std::string excerpt = has_position ? excerpt_at(text, error.offset) : std::string();
    if (!excerpt.empty()) err.text.append("; found ").append(excerpt);
    err.text.append("\n");
}

void Streams::flush() {
    progress.erase();
    err.flush();
    out.flush();
}

void Streams::flush_if_full() {
    if (!err.text.empty()) progress.erase();
    err.flush_if_full();
    out.flush_if_full();
}

std::string excerpt_at(std::string_view text, uint64_t offset) {
    if (offset >= text.size() || text[offset] == ' ') return {};
    text.remove_prefix(offset);
    const size_t len =
        text[0] == '"' ? string_length(text) : std::max<size_t>(word_length(text), 1);
    std::string excerpt;
    append_printable(text.substr(0, std::min(len, kMaxExcerptBytes)), excerpt);
    return len > kMaxExcerptBytes ? excerpt + "..." : excerpt;
}

bool has_colour() {
    const char *no_color = std::getenv("NO_COLOR");
    const char *term = std::getenv("TERM");
    return is_terminal(STDOUT_FILENO) && (no_color == nullptr || *no_color == '\0') &&
           (term == nullptr || std::strcmp(term, "dumb") != 0);
}

}  // namespace cli
