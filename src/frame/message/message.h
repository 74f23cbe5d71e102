// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message: what every room speaks of. Three names, a payload, perhaps metadata, all of them views
// over trees that somebody else keeps. JSON and frames become one where they come in (read.h,
// frame/coder.h, codec/codec.h), and it becomes JSON or a frame where it goes out.
#pragma once

#include "base/status.h"
#include "value/tree.h"

namespace accp::message {

struct Message {
    std::string_view agent, intent, operation;
    value::TreeView tree = {};
    uint32_t payload = 0;  // in `tree`: a map, or a text or a ref to one
    value::TreeView meta_tree = {};
    uint32_t meta = 0;  // in `meta_tree`: a map
    bool has_meta = false;
    // It is data from outside: it says so, or where it came from. The member that says so, 0: none.
    bool untrusted = false;
    uint32_t mark = 0;

    bool is_text() const { return tree[payload].kind != ACCP_MAP; }
    // The member of the payload that has this key, or 0.
    uint32_t find(std::string_view key) const {
        return tree[payload].kind == ACCP_MAP ? tree.find(payload, key) : 0;
    }
    // The text of a scalar of the metadata, empty where there is none.
    std::string_view meta_text(std::string_view key) const {
        const uint32_t node = has_meta ? meta_tree.find(meta, key) : 0;
        return node ? meta_tree.string(node) : std::string_view();
    }
    int64_t seq() const;  // 0 where there is none

    // Does it change the shared state? A sync:state of another form is a message like any other.
    bool is_state() const;
    // The same, and it brings all of it.
    bool is_whole_state() const;
    // Of a cancel: which chain (decision A30).
    std::string_view chain() const;
};

// Of a cancel: E1004 for a chain whose name no frame can have.
Status check_chain(const Message &message);
// The same of a cancel that goes out or comes in, which names one. ACCP_E1001.
Status check_cancel(const Message &message);

}  // namespace accp::message
