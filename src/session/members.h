// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A JSON object, written member by member.
#pragma once

#include "value/json_writer.h"

namespace accp::session {

class Members {
public:
    explicit Members(Buffer<char> &out) : out_(out) { out_.push('{'); }

    // A key, which has a Buffer's slack after it; its value is what the caller appends.
    void key(std::string_view key) {
        if (!first_) out_.push(',');
        first_ = false;
        value::write_json_string(key, out_);
        out_.push(':');
    }
    void add(value::TreeView tree, uint32_t node) {
        key(tree.key(node));
        value::write_json(tree, node, out_);
    }
    bool empty() const { return first_; }
    void end() { out_.push('}'); }

private:
    Buffer<char> &out_;
    bool first_ = true;
};

}  // namespace accp::session
