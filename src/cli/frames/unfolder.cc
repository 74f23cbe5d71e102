// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See unfolder.h.
#include "cli/frames/unfolder.h"

namespace cli {
namespace {

constexpr std::string_view kBlank = " \t";

std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

bool Unfolder::begins_frame(std::string_view text) const {
    return !text.empty() && text.front() == '@' &&
           text.substr(0, text.find_first_of(kBlank)).find('>') != std::string_view::npos;
}

void Unfolder::line(std::string_view text) {
    const std::string_view content = trimmed(text);
    const size_t indent = content.empty() ? 0 : static_cast<size_t>(content.data() - text.data());
    if (open_) {
        const bool deeper = indent > (content.empty() || content.front() != '@' ? 0 : indent_);
        const bool closed = has_body_ && depth_ == 0;
        const bool more = !content.empty() && deeper &&
                          (!closed || (content.front() == '[' && frame_.back() == '}'));
        if (more) {
            append(content);
            return;
        }
        finish();
    }
    if (!begins_frame(content)) return;
    open_ = true;
    frame_.clear();
    indent_ = indent;
    depth_ = 0;
    has_body_ = escaped_ = false;
    append(content);
}

void Unfolder::append(std::string_view text) {
    if (text.size() > limit_ - frame_.size()) {
        refuse(limit_, "the frame is longer than the limit");
        return;
    }
    frame_.append(text);
    for (const char c : text) {
        const bool plain = !escaped_;
        escaped_ = plain && c == '\\';
        if (!plain) continue;
        if (c == '{' || c == '[') {
            ++depth_;
            has_body_ = true;
        } else if ((c == '}' || c == ']') && depth_ > 0) {
            --depth_;
        }
    }
}

void Unfolder::finish() {
    if (!open_) return;
    if (!has_body_ || depth_ > 0) {
        refuse(frame_.size(), "the frame ends before its brackets are closed");
        return;
    }
    open_ = false;
    use_(frame_, accp_error{});
}

void Unfolder::refuse(uint64_t offset, const char *message) {
    accp_error err = {};
    err.code = ACCP_E1001;
    err.offset = offset;
    err.message = message;
    open_ = false;
    use_({}, err);
}

}  // namespace cli
