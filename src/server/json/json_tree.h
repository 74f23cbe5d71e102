// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A JSON text of the library's, to be looked into.
#pragma once

#include "server/library/failure.h"
#include "server/library/handles.h"
#include "server/library/node_view.h"
#include "server/json/typed_json.h"

namespace host {

class JsonTree {
public:
    // By the limits of a configuration, which may be NULL.
    explicit JsonTree(std::string_view json, const accp_config *config = nullptr)
        : value_(new_value(config)) {
        accp_error err = {};
        if (accp_value_parse_json(value_.get(), json.data(), json.size(), &err) != ACCP_OK)
            throw Failure(message_of(err));
        tree_ = tree_of(value_.get());
    }

    // A member of an object; 0: there is none, or `node` is no object.
    uint32_t find(uint32_t node, std::string_view key) const {
        if (tree_.nodes[node].kind != ACCP_MAP) return 0;
        for (uint32_t i = node + 1; i < next(node); i = next(i))
            if (tree_.key(i) == key) return i;
        return 0;
    }
    // Is it an object or a list, and something in it?
    bool has_any(uint32_t node) const { return next(node) != node + 1; }
    uint8_t kind(uint32_t node) const { return tree_.nodes[node].kind; }
    // Of the elements of a list, or the members of an object.
    uint32_t count(uint32_t node) const { return tree_.nodes[node].len; }
    uint32_t next(uint32_t node) const { return tree_.nodes[node].next; }
    // Of a boolean.
    bool is_true(uint32_t node) const { return (tree_.nodes[node].flags & ACCP_NODE_TRUE) != 0; }
    std::string_view key(uint32_t node) const { return tree_.key(node); }
    // Of a text or number.
    std::string_view text(uint32_t node) const { return tree_.raw(node); }

private:
    Handle<accp_value> value_;
    Tree tree_;
};

}  // namespace host
