// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a message from the tree of its JSON, and writes it as JSON.
#pragma once

#include "base/memory.h"
#include "frame/message/message.h"

namespace accp::message {

struct ReadRules {
    // The maximum bytes of a name, which must then also follow the grammar of frames. 0: any text
    // that is not empty is allowed.
    uint64_t max_name_bytes = 0;
    // true: unknown members are ignored. false: only those in `ignored` are, a list in which each
    // name ends with NUL.
    bool allows_others = true;
    std::string_view ignored = {};
    bool allows_mark = true;  // the member `untrusted`
    // The operation of a message that has none. Empty: the message must have one.
    std::string_view operation = {};
};

// status.offset is the invalid node; at_key: the error is in its key.
struct ReadStatus {
    Status status;
    bool at_key = false;
};

// Returns whether the value of the member `untrusted` marks a message as external data: true, or a
// list of member names that is not empty.
inline bool is_untrusted_mark(const accp_node &mark) {
    return (mark.kind == ACCP_BOOL && mark.flags & ACCP_NODE_TRUE) ||
           (mark.kind == ACCP_ARRAY && mark.len);
}

// Reads the message in the map `root`, with both trees set to `tree`. Returns E1001 if it is not a
// message.
ReadStatus read_message(value::TreeView tree, uint32_t root, const ReadRules &rules, Message &out);

// Appends the beginning of the JSON, with the three names, up to the payload. The names must be
// valid.
void open_json(std::string_view agent, std::string_view intent, std::string_view operation,
               Buffer<char> &out);

// Appends the message with its metadata, and the member `untrusted` if it is set.
void write_json(const Message &message, Buffer<char> &out);

// The end of an untrusted message.
inline constexpr std::string_view kUntrustedEnd = ",\"untrusted\":true}";

}  // namespace accp::message
