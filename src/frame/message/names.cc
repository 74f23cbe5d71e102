// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See names.h.
#include "frame/message/names.h"

namespace accp::message {

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
