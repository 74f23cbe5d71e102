// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What everything that writes of documents needs: objects member by member, and whether two parts
// of documents mean the same.
#pragma once

#include "value/json_writer.h"

namespace accp::registry {

// Writes the entries of one object, a comma before all but the first. Keys have a Buffer's slack.
class ObjectWriter {
public:
    explicit ObjectWriter(Buffer<char> &out) : out_(out) { out_.push('{'); }
    void key(std::string_view key) {
        if (!first_) out_.push(',');
        first_ = false;
        value::write_json_string(key, out_);
        out_.push(':');
    }
    void entry(std::string_view name, value::TreeView tree, uint32_t node) {
        key(name);
        value::write_json(tree, node, out_);
    }
    void end() { out_.push('}'); }

private:
    Buffer<char> &out_;
    bool first_ = true;
};

// Do the two mean the same? Their hash forms are written after what `scratch` holds, and taken
// back. Resets the arena.
Status compare(value::TreeView a, uint32_t node_a, value::TreeView b, uint32_t node_b, Arena &arena,
               Buffer<char> &scratch, bool &equal);

}  // namespace accp::registry
