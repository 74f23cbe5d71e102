// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a session asks of a message, whose JSON has been read.
#pragma once

#include <charconv>

#include "base/limits.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::session {

struct MessageView {
    std::string_view agent, intent, operation;
    value::TreeView tree;
    uint32_t payload = 0, meta = 0;  // 0: there is none
    bool untrusted = false;          // it says so itself

    // Does it change the shared state? A sync:state of another form is a message like any other.
    bool is_state() const {
        if (intent != "sync" || operation != "state" || !payload || tree[payload].kind != ACCP_MAP)
            return false;
        return tree.find(payload, "state") || tree.find(payload, "delta") ||
               tree.find(payload, "merge");
    }
    std::string_view meta_text(std::string_view name) const {
        uint32_t node = meta ? tree.find(meta, name) : 0;
        return node ? tree.string(node) : std::string_view();
    }
    int64_t seq() const {
        std::string_view digits = meta_text("seq");
        int64_t seq = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), seq);
        return seq;
    }
    // Of a cancel: which chain (decision A30).
    std::string_view chain() const {
        std::string_view cid = meta_text("cid");
        if (!cid.empty() || !payload || tree[payload].kind != ACCP_MAP) return cid;
        for (std::string_view name : {"cid", "correlation_id"})
            if (uint32_t node = tree.find(payload, name); node && tree[node].kind == ACCP_STRING)
                return tree.string(node);
        return {};
    }
};

// Of a cancel: is the name of its chain one that a frame can have?
inline Status check_chain(const MessageView &message) {
    if (message.chain().size() <= kMaxChainBytes) return {};
    return fail(ACCP_E1004, 0, "a chain is cancelled by its cid, of at most 65,535 bytes");
}

inline Status view_message(value::TreeView tree, MessageView &out) {
    out = {};
    out.tree = tree;
    if (tree[0].kind != ACCP_MAP) return fail(ACCP_E1001, 0, "a message is an object");
    auto name = [&](std::string_view key, std::string_view &text) {
        uint32_t node = tree.find(0, key);
        bool good = node && tree[node].kind == ACCP_STRING && tree[node].len;
        if (good) text = tree.string(node);
        return good;
    };
    if (!name("agent", out.agent) || !name("intent", out.intent) ||
        !name("operation", out.operation))
        return fail(ACCP_E1001, 0, "a message has agent, intent, operation and payload");
    out.payload = tree.find(0, "payload");
    if (!out.payload ||
        (tree[out.payload].kind != ACCP_MAP && tree[out.payload].kind != ACCP_STRING))
        return fail(ACCP_E1001, 0, "a payload is an object or a text");
    uint32_t meta = tree.find(0, "meta");
    if (meta && tree[meta].kind == ACCP_MAP) out.meta = meta;
    uint32_t mark = tree.find(0, "untrusted");  // true, or the names of the members that are
    out.untrusted = mark && ((tree[mark].kind == ACCP_BOOL && tree[mark].flags & ACCP_NODE_TRUE) ||
                             (tree[mark].kind == ACCP_ARRAY && tree[mark].len));
    return {};
}

}  // namespace accp::session
