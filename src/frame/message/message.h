// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message: what every room speaks of. Three names, a payload, perhaps metadata, all of them views
// over trees that somebody else keeps. JSON and frames become one where they come in (read.h,
// frame/coder.h, codec/codec.h), and it becomes JSON or a frame where it goes out.
#pragma once

#include <string_view>

#include "accp/types.h"
#include "base/bytes.h"
#include "base/status.h"
#include "base/text.h"
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

// The three names that a message has, as the grammar of a frame allows them.

// Is it not empty, at most `max_bytes` long, and of this class alone?
bool is_name(std::string_view text, ByteClass wanted, uint64_t max_bytes);

constexpr size_t kShortNameBytes = 16;  // bytes, a vector

// Has a short name, which these bytes begin with, only bytes of this class? Also where it is empty.
[[gnu::always_inline]] inline bool is_valid_short_name(Bytes16 bytes, size_t len,
                                                       ByteClass wanted) {
    uint32_t good = wanted == kAlphaByte ? bytes.letters() : bytes.words();
    if (wanted == kAgentByte) good |= bytes.equal('-');
    return !(~good & ((uint32_t{1} << len) - 1));
}

// What each name is made of, as an error says it.
inline constexpr const char *kAgentRule = "an agent is 1 to key_bytes letters, digits, - and _";
inline constexpr const char *kIntentRule = "an intent is 1 to key_bytes letters";
inline constexpr const char *kOperationRule =
    "an operation is 1 to key_bytes letters, digits and _";

// E1001 says which of the three is no name.
Status check_names(std::string_view agent, std::string_view intent, std::string_view operation,
                   uint64_t max_bytes);

// What an answer has from the message that it answers: its operation, and what names it.

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
