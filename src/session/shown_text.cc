// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/shown_text.h"

#include "base/utf8.h"
#include "context/lines.h"
#include "context/state.h"
#include "context/untrusted_text.h"

namespace accp::session {

namespace {

// Returns the rest of the line that begins the text of this member, or a view without data.
std::string_view after_key(std::string_view line, std::string_view key) {
    if (line.substr(0, key.size()) != key || line.substr(key.size(), 1) != ":") return {};
    line.remove_prefix(key.size() + 1);
    if (!line.empty() && line[0] == ' ') line.remove_prefix(1);
    return line.data() ? line : std::string_view("", 0);
}

// Returns whether the line belongs to the text before it.
bool continues(std::string_view line) { return line.empty() || line[0] == ' '; }

// Returns the line of a text without the mark that a context puts before it.
std::string_view without_line_mark(std::string_view line) {
    if (line.substr(0, 3) == " > ") return line.substr(3);
    return line.substr(!line.empty());
}

// The next line with its end: each character that a context takes for one (untrusted_text.h).
std::string_view next_original_line(std::string_view text, size_t &at) {
    const size_t begin = at;
    while (at < text.size()) {
        const char *next = text.data() + at;
        const uint32_t point = read_utf8(next);
        at = static_cast<size_t>(next - text.data());
        if (!context::is_line_end(point)) continue;
        if (point == '\r' && at < text.size() && text[at] == '\n') ++at;
        break;
    }
    return text.substr(begin, at - begin);
}

// Walks over a text and over the lines that a context has for it.
class GappedText {
public:
    GappedText(std::string_view text, std::string_view key, Memory &memory, Buffer<char> &out)
        : text_(text), key_(key), is_inside_(key.empty()), one_(memory), line_(memory), out_(out) {}

    // Each line of the message but the first, with those that were left out. Returns false if it is
    // not the next line of the text.
    bool take(std::string_view line, bool is_shown) {
        bool is_first = false;
        if (const std::string_view rest = after_key(line, key_); !key_.empty() && rest.data()) {
            is_inside_ = is_first = true;
            line = rest;
        } else if (!continues(line)) {
            is_inside_ = false;
        }
        if (!is_inside_) return true;
        const std::string_view original = next_original_line(text_, at_);
        one_.assign(is_first ? "" : "\n");
        one_.append(original);
        line_.clear();
        context::write_untrusted(one_.view(), line_);
        const std::string_view same = line_.view().substr(!is_first && !line_.empty());
        if (same != line) return false;
        if (is_shown) out_.append(original);
        else has_gap_ = true;
        ends_in_gap_ = !is_shown;
        return true;
    }
    // The gap of the lines before it.
    void end_gap(std::string_view gap) {
        if (!has_gap_) return;
        has_gap_ = false;
        if (out_.size() > start_ && out_[out_.size() - 1] != '\n') out_.push('\n');
        out_.append(gap);
        out_.push('\n');
    }
    // A context leaves out empty lines at the end of a text.
    bool end() {
        const std::string_view rest = text_.substr(at_);
        line_.clear();
        context::write_untrusted(rest, line_);
        if (!line_.empty()) return false;
        const bool is_ended = !text_.empty() && text_.back() == '\n';
        if (ends_in_gap_ && rest.empty() && !is_ended) out_.resize_down(out_.size() - 1);
        out_.append(rest);
        return true;
    }

private:
    std::string_view text_, key_;
    size_t at_ = 0;
    bool is_inside_, has_gap_ = false, ends_in_gap_ = false;
    Buffer<char> one_, line_;
    Buffer<char> &out_;
    const size_t start_ = out_.size();
};

bool walk(std::string_view shown, std::string_view hidden, GappedText &text) {
    size_t at = 0;
    context::next_whole_line(shown, at);
    while (at < shown.size()) {
        const std::string_view line = context::next_whole_line(shown, at);
        std::string_view run;
        if (!context::is_above(line) || !context::read_run(hidden, run)) {
            if (!text.take(line, true)) return false;
            continue;
        }
        for (size_t from = 0; from < run.size();)
            if (!text.take(context::next_whole_line(run, from), false)) return false;
        text.end_gap(line);
    }
    return text.end();
}

}  // namespace

bool write_gapped_text(std::string_view text, std::string_view key, std::string_view shown,
                       std::string_view hidden, Memory &memory, Buffer<char> &out) {
    const size_t start = out.size();
    GappedText gapped(text, key, memory, out);
    if (walk(shown, hidden, gapped)) return true;
    out.resize_down(start);
    return false;
}

void write_cut_text(std::string_view key, std::string_view shown, Buffer<char> &out) {
    size_t at = 0;
    bool is_inside = true;
    context::next_whole_line(shown, at);
    while (at < shown.size()) {
        std::string_view line = context::next_whole_line(shown, at);
        if (!context::is_gap(line) && !continues(line)) {
            line = after_key(line, key);
            is_inside = line.data() != nullptr;
        } else if (!context::is_gap(line)) {
            line = without_line_mark(line);
        }
        if (!is_inside) continue;
        out.append(line);
        out.push('\n');
    }
}

}  // namespace accp::session
