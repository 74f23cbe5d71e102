// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The feedback of a worker on its packet: what was missing, and what was not used.
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "value/yaml_reader.h"

namespace accp::packet {

constexpr size_t kMaxFeedbackBytes = 64 << 10;
constexpr size_t kMaxFeedbackItems = 64;        // gaps, and the same number of unused parts
constexpr size_t kMaxFeedbackItemBytes = 1024;  // one sentence

// Each list is a text with one item per line and no empty lines.
struct Feedback {
    explicit Feedback(Memory &memory) : gaps(memory), unused(memory) {}
    void clear() {
        gaps.clear();
        unused.clear();
    }

    Buffer<char> gaps, unused;
};

// Returns whether an item only states that the list is empty ("No context gaps", "none", "n/a").
bool is_none_item(std::string_view item);

// Appends the items of these lines, trimmed and without those that is_none_item() detects. Fails
// with ACCP_E1004 for invalid UTF-8 or a NUL, and with ACCP_E1001 if there are too many or too long
// items.
Status append_feedback_items(std::string_view lines, Buffer<char> &out);

// Calls `take` with each line that is not empty.
template <class Take>
void each_line(std::string_view lines, Take take) {
    for (size_t at = 0; at < lines.size();) {
        size_t end = lines.find('\n', at);
        if (end == lines.npos) end = lines.size();
        if (end > at) take(lines.substr(at, end - at));
        at = end + 1;
    }
}

// Appends the feedback file: front matter in YAML, and a line for human readers if the list of gaps
// is empty.
Status write_feedback(int64_t pane, const Feedback &feedback, Memory &memory, Buffer<char> &out);

// Replaces `out`. Accepts the form above; YAML alone or in a code block; lists and text under
// headings or after labels that name gaps or unused parts; and sentences. Names of members may be
// written in several ways. A text in which nothing is recognised, and which does not deny that
// there are gaps, is one gap.
Status read_feedback(std::string_view text, Memory &memory, Feedback &out);

}  // namespace accp::packet
