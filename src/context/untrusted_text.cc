// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/untrusted_text.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"
#include "frame/raw.h"
#include "render/text.h"

namespace accp::context {

namespace {

constexpr uint32_t kEscape = 0x1B, kControlSequence = 0x9B;

bool is_odd_space(uint32_t point) {
    return point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) ||
           point == 0x202F || point == 0x205F || point == 0x3000;
}

bool is_visible(uint32_t point) { return point < 0x7F ? point > ' ' : frame::is_raw_point(point); }

// The first line of a closed message begins with `coder@26`.
bool imitates_closed_head(std::string_view line) {
    constexpr size_t kMaxName = 72;
    const size_t at = line.substr(0, kMaxName).find('@');
    return at != line.npos && at + 1 < line.size() &&
           static_cast<unsigned>(line[at + 1] - '0') < 10 &&
           line.substr(0, at).find_first_of(" \t") == line.npos;
}

// Returns the end of a control sequence of a terminal. `at`: its parameters.
const char *after_sequence(const char *at, const char *end) {
    while (at < end && static_cast<unsigned>(*at) - 0x20u < 0x20u) ++at;
    return at < end && static_cast<unsigned>(*at) - 0x40u < 0x3Fu ? at + 1 : at;
}

// Writes a text character by character, and marks each line when it ends.
class UntrustedWriter {
public:
    explicit UntrustedWriter(Buffer<char> &out) : out_(out) {}

    void write(std::string_view text) {
        const char *at = text.data(), *end = at + text.size();
        while (at < end) {
            const char *plain = at;
            while (at < end && static_cast<unsigned>(*at) - 0x20u < 0x5Fu) ++at;
            out_.append(plain, static_cast<size_t>(at - plain));
            if (at < end) at = odd(at, end);
        }
        settle();
        while (out_.size() > start_ && out_[out_.size() - 1] == '\n')
            out_.resize_down(out_.size() - 1);
    }

private:
    static constexpr size_t kNone = SIZE_MAX;

    // Writes one code point that is not printable ASCII, and returns the position after it.
    const char *odd(const char *at, const char *end) {
        const char *from = at;
        const uint32_t point = read_utf8(at);
        if (is_line_end(point)) {
            end_line();
            return point == '\r' && at < end && *at == '\n' ? at + 1 : at;
        }
        if (is_odd_space(point)) out_.push(' ');
        else if (point == '\t' || is_visible(point))
            out_.append(from, static_cast<size_t>(at - from));
        else if (point == kControlSequence) return after_sequence(at, end);
        else if (point == kEscape && at < end && *at == '[') return after_sequence(at + 1, end);
        return at;
    }
    void end_line() {
        settle();
        out_.push('\n');
        line_ = out_.size();
        out_.push(' ');
    }
    // Marks the line that ends if it looks like one of the engine's.
    void settle() {
        if (line_ == kNone) return;
        const std::string_view line(out_.data() + line_ + 1, out_.size() - line_ - 1);
        if (line.empty()) return out_.resize_down(line_);
        if (!imitates_structure(line)) return;
        const size_t len = line.size();
        out_.reserve(2);
        char *to = out_.data() + line_ + 1;
        std::memmove(to + 2, to, len);
        std::memcpy(to, "> ", 2);
        out_.set_end(to + 2 + len);
    }

    Buffer<char> &out_;
    const size_t start_ = out_.size();
    size_t line_ = kNone;  // the last line, unless it is the first
};

}  // namespace

bool is_line_end(uint32_t point) {
    return (point >= 0x0A && point <= 0x0D) || (point >= 0x1C && point <= 0x1E) || point == 0x85 ||
           point == 0x2028 || point == 0x2029;
}

bool imitates_structure(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (imitates_closed_head(line)) return true;
    // Includes the full-width and small forms of @ and $.
    static constexpr std::string_view kForms[] = {
        "@",         "\xEF\xBC\xA0", "\xEF\xB9\xAB", "$hot.",       "$warm.",       "$cold.",
        "$ctx.",     "\xEF\xBC\x84", "\xEF\xB9\xA9", "(untrusted ", "\xE2\x80\xA6", "(stated)",
        "(summary)", "{\"agent\""};
    static constexpr std::string_view kFirstBytes = "@$({\xEF\xE2";
    if (line.empty() || kFirstBytes.find(line[0]) == std::string_view::npos) return false;
    for (std::string_view form : kForms)
        if (line.substr(0, form.size()) == form) return true;
    return false;
}

void write_untrusted(std::string_view text, Buffer<char> &out) { UntrustedWriter(out).write(text); }

void open_untrusted_line(std::string_view line, Buffer<char> &out) {
    if (imitates_structure(line)) out.append(" > ", 3);
    else if (line.empty() || line[0] != ' ') out.push(' ');
    out.append(line);
}

bool is_one_word(std::string_view text) {
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        if (*at > ' ' && *at < 0x7F) ++at;
        else if (!is_visible(read_utf8(at))) return false;
    }
    return !text.empty();
}

bool is_bare_untrusted_key(std::string_view key) {
    return key.size() <= kMaxKeyText && render::is_bare_key(key) && is_one_word(key) &&
           !std::strchr("$->", key[0]) && !imitates_structure(key);
}

void write_untrusted_key(std::string_view key, Buffer<char> &out) {
    if (is_bare_untrusted_key(key)) return out.append(key);
    render::TextWriter writer(out);
    writer.untrusted = true;
    const size_t start = out.size();
    // the escapes may exceed the maximum
    for (size_t len = std::min(key.size(), kMaxKeyText - 2);; len = len * 3 / 4) {
        while (len < key.size() && (static_cast<unsigned char>(key[len]) & 0xC0) == 0x80) --len;
        writer.quoted(key.substr(0, len));
        if (out.size() - start <= kMaxKeyText) return;
        out.resize_down(start);
    }
}

}  // namespace accp::context
