// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Joins frames that a document has folded over lines. A frame begins on a line whose first word
// begins with @ and has a > in it. Lines that are indented are its continuation, without their
// indentation, until its brackets are closed; after that one more may bring the metadata block. A
// blank line, a line at the margin, or an @ no deeper than the frame's own ends it. All other text
// is passed over.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "accp/error.h"

namespace cli {

class Unfolder {
public:
    // Called for each frame: the joined text and ACCP_OK; or what is wrong, when its brackets do
    // not close or it is longer than the limit.
    using Use = std::function<void(std::string_view frame, const accp_error &err)>;

    Unfolder(uint64_t limit, Use use) : limit_(limit), use_(std::move(use)) {}

    void line(std::string_view text);
    void finish();  // the end of the text

private:
    bool begins_frame(std::string_view text) const;
    void append(std::string_view text);
    void refuse(uint64_t offset, const char *message);

    uint64_t limit_;
    Use use_;
    bool open_ = false;
    std::string frame_;
    size_t indent_ = 0;      // of the frame's first line
    size_t depth_ = 0;       // brackets that are open
    bool has_body_ = false;  // a bracket was opened
    bool escaped_ = false;   // the text so far ends in a backslash
};

}  // namespace cli
