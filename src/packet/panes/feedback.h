// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a worker says of its packet when it is done: what it missed, and what it did not use.
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "value/yaml_reader.h"

namespace accp::packet {

constexpr size_t kMaxFeedbackBytes = 64 << 10;
constexpr size_t kMaxFeedbackItems = 64;  // of gaps, and of what was unused: more is no report
constexpr size_t kMaxFeedbackItemBytes = 1024;  // each is a sentence

// Each a text of lines, an item a line, none of them blank.
struct Feedback {
    explicit Feedback(Memory &memory) : gaps(memory), unused(memory) {}
    void clear() {
        gaps.clear();
        unused.clear();
    }

    Buffer<char> gaps, unused;
};

// Does an item say that there is none ("No context gaps", "none", "n/a")?
bool is_none_item(std::string_view item);

// Appends the items among these lines: without blanks around, without those that say none.
// ACCP_E1004: no UTF-8, or a NUL; ACCP_E1001: more or longer ones than the limits.
Status append_feedback_items(std::string_view lines, Buffer<char> &out);

// Calls `take` with each line of such a text.
template <class Take>
void each_line(std::string_view lines, Take take) {
    for (size_t at = 0; at < lines.size();) {
        size_t end = lines.find('\n', at);
        if (end == lines.npos) end = lines.size();
        if (end > at) take(lines.substr(at, end - at));
        at = end + 1;
    }
}

// Appends the file: a front matter of YAML, and a line for people where nothing was missed.
Status write_feedback(int64_t pane, const Feedback &feedback, Memory &memory, Buffer<char> &out);

// Reads one of that form; YAML alone, as the proposal's example is; or Markdown with headings that
// name gaps or what was unused, and lists below. Members may be context_gaps or gaps,
// context_unused or unused. Replaces `out`.
Status read_feedback(std::string_view text, Memory &memory, Feedback &out);

}  // namespace accp::packet
