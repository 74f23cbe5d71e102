// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "frame/message/message.h"

#include <charconv>

#include "base/limits.h"

namespace accp::message {

int64_t Message::seq() const {
    const std::string_view digits = meta_text("seq");
    int64_t seq = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), seq);
    return seq;
}

bool Message::is_state() const {
    return intent == "sync" && operation == "state" &&
           (find("state") || find("delta") || find("merge"));
}

bool Message::is_whole_state() const { return is_state() && find("state"); }

std::string_view Message::chain() const {
    const std::string_view cid = meta_text("cid");
    if (!cid.empty()) return cid;
    for (std::string_view name : {"cid", "correlation_id"})
        if (const uint32_t node = find(name); node && tree[node].kind == ACCP_STRING)
            return tree.string(node);
    return {};
}

Status check_chain(const Message &message) {
    if (message.chain().size() <= kMaxChainBytes) return {};
    return fail_limit(ACCP_E1004, 0, "a chain is cancelled by its cid, of at most 65,535 bytes",
                      message.chain().size(), kMaxChainBytes);
}

Status check_cancel(const Message &message) {
    if (message.chain().empty()) return fail(ACCP_E1001, 0, "a cancel names its chain: a cid");
    return check_chain(message);
}

bool is_name(std::string_view text, ByteClass wanted, uint64_t max_bytes) {
    if (text.empty() || text.size() > max_bytes) return false;
    for (char c : text)
        if (!(byte_class(c) & wanted)) return false;
    return true;
}

Status check_names(std::string_view agent, std::string_view intent, std::string_view operation,
                   uint64_t max_bytes) {
    if (!is_name(agent, kAgentByte, max_bytes)) return fail(ACCP_E1001, 0, kAgentRule);
    if (!is_name(intent, kAlphaByte, max_bytes)) return fail(ACCP_E1001, 0, kIntentRule);
    if (!is_name(operation, kWordByte, max_bytes)) return fail(ACCP_E1001, 0, kOperationRule);
    return {};
}

}  // namespace accp::message
