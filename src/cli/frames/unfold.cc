// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp unfold: finds the frames in a text and writes each on one line. A record is a frame here,
// not a line.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "accp/error.h"
#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr std::string_view kBlank = " \t";
// The most bytes that a document may indent or append to a line beside the frame.
constexpr uint64_t kMargin = 4096;

std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Joins frames that a document wraps over several lines. A frame begins on a line whose first word
// begins with @ and contains >. Indented lines continue it until its brackets are closed; one more
// may then add the metadata block. A blank line, a line without indentation, or an @ that is not
// indented deeper than the frame ends it. All other text is ignored.
class Unfolder {
public:
    // Called for each frame with its joined text. If its brackets are not closed, or it is longer
    // than the limit, `err` has the reason instead.
    using Use = std::function<void(std::string_view frame, const accp_error &err)>;

    Unfolder(uint64_t limit, Use use) : limit_(limit), use_(std::move(use)) {}

    void add_line(std::string_view text);
    void finish();  // call this at the end of the text

private:
    bool begins_frame(std::string_view text) const;
    void append(std::string_view text);
    void refuse(uint64_t offset, const char *message);

    uint64_t limit_;
    Use use_;
    bool open_ = false;
    std::string frame_;
    size_t indent_ = 0;      // of the frame's first line
    size_t depth_ = 0;       // open brackets
    bool has_body_ = false;  // a bracket has been opened
    bool escaped_ = false;   // the text so far ends in a backslash
};

bool Unfolder::begins_frame(std::string_view text) const {
    return !text.empty() && text.front() == '@' &&
           text.substr(0, text.find_first_of(kBlank)).find('>') != std::string_view::npos;
}

void Unfolder::add_line(std::string_view text) {
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

}  // namespace

int run_unfold(const Arguments &arguments, Streams &io) {
    make_config(arguments);  // reports an unknown limit
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_FRAME_BYTES);
    Unfolder unfolder(limit, [&](std::string_view frame, const accp_error &err) {
        ++io.records;
        if (err.code != ACCP_OK) io.refuse(err);
        io.out.text.append(frame).append("\n");
    });
    for_each_line(arguments, io, limit + kMargin, Lines::kMessages,
                  [&](std::string_view line) { unfolder.add_line(line); });
    unfolder.finish();
    return io.status();
}

}  // namespace cli
