// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The one reader of a message from the tree of its JSON.
#pragma once

#include "base/memory.h"
#include "frame/message/message.h"

namespace accp::message {

struct ReadRules {
    // A name has at most so many bytes, all of them such as a frame can have; 0: it is any text
    // that is not empty.
    uint64_t max_name_bytes = 0;
    // Members of other names are passed over; else only those of the list `ignored`, in which each
    // name has a NUL after it.
    bool allows_others = true;
    std::string_view ignored = {};
    bool allows_mark = true;  // the member `untrusted`
    // Of a message that names none; empty: each names one.
    std::string_view operation = {};
};

// status.offset is the node at fault; at_key: its key.
struct ReadStatus {
    Status status;
    bool at_key = false;
};

// Does the member `untrusted` mark a message as data from outside? It is true, or the names of the
// members that are.
inline bool says_untrusted(const accp_node &mark) {
    return (mark.kind == ACCP_BOOL && mark.flags & ACCP_NODE_TRUE) ||
           (mark.kind == ACCP_ARRAY && mark.len);
}

// Reads the message whose members `root` has; its trees are `tree`. E1001: what it is not.
ReadStatus read_message(value::TreeView tree, uint32_t root, const ReadRules &rules, Message &out);

// The one writer of a message as JSON.

// Appends the three names, each a name (names.h), up to where the payload stands.
void open_json(std::string_view agent, std::string_view intent, std::string_view operation,
               Buffer<char> &out);

// Appends the message, with its metadata, and `untrusted` where it is.
void write_json(const Message &message, Buffer<char> &out);

// What a message that is untrusted ends with.
inline constexpr std::string_view kUntrustedEnd = ",\"untrusted\":true}";

}  // namespace accp::message
