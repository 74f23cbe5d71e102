// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What an answer has from the message that it answers: its operation, and what names it.
#pragma once

#include "accp/types.h"
#include "base/status.h"
#include "base/text.h"
#include "frame/message/message.h"

namespace accp::message {

// Of a request that was received. Views of it.
struct ReplyTo {
    std::string_view operation;
    accp_text cid = {}, aid = {};  // of its answers; aid of length 0: none

    // Adds both to an envelope.
    void put(accp_envelope &envelope) const {
        envelope.fields |= ACCP_ENVELOPE_CID | (aid.len ? ACCP_ENVELOPE_AID : 0);
        envelope.cid = cid;
        envelope.aid = aid;
    }
};

// E1001 for a request that has neither cid nor mid: nothing could name it.
inline Status read_reply_to(const Message &request, ReplyTo &out) {
    const std::string_view mid = request.meta_text("mid"), cid = request.meta_text("cid");
    out = {request.operation, to_text(cid.empty() ? mid : cid), to_text(mid)};
    return out.cid.len ? Status{}
                       : fail(ACCP_E1001, 0,
                              "the request has neither cid nor mid, by which an answer could name "
                              "it: give the message as it was delivered");
}

}  // namespace accp::message
