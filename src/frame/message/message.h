// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message: three names, a payload and optional metadata, all views of trees that the caller
// keeps. JSON and frames are converted to a Message on input (json.h, frame/coder.h,
// codec/codec.h), and back on output.
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
    // External data: the message is marked as such, or came from such a source. `mark` is the
    // member with the mark, or 0.
    bool untrusted = false;
    uint32_t mark = 0;

    bool is_text() const { return tree[payload].kind != ACCP_MAP; }
    // Returns the member of the payload with this key, or 0.
    uint32_t find(std::string_view key) const {
        return tree[payload].kind == ACCP_MAP ? tree.find(payload, key) : 0;
    }
    // Returns the text of a scalar in the metadata, or an empty text.
    std::string_view meta_text(std::string_view key) const {
        const uint32_t node = has_meta ? meta_tree.find(meta, key) : 0;
        return node ? meta_tree.string(node) : std::string_view();
    }
    int64_t seq() const;  // 0 if there is none

    // Returns whether the message changes the shared state. A sync:state of another form does not.
    bool is_state() const;
    // Returns whether it replaces the whole shared state.
    bool is_whole_state() const;
    // Returns the chain that a cancel names (decision A30).
    std::string_view chain() const;
};

// Returns E1004 if the chain of a cancel is too long for a frame.
Status check_chain(const Message &message);
// Returns E1001 if a cancel names no chain, and otherwise the result of check_chain().
Status check_cancel(const Message &message);

// Returns whether the text is not empty, has at most `max_bytes` bytes, and only bytes of this
// class.
bool is_name(std::string_view text, ByteClass wanted, uint64_t max_bytes);

constexpr size_t kShortNameBytes = 16;  // one vector

// Returns whether a short name has only bytes of this class. `bytes` begins with the name. True for
// an empty name.
[[gnu::always_inline]] inline bool is_valid_short_name(Bytes16 bytes, size_t len,
                                                       ByteClass wanted) {
    uint32_t good = wanted == kAlphaByte ? bytes.letters() : bytes.words();
    if (wanted == kAgentByte) good |= bytes.equal('-');
    return !(~good & ((uint32_t{1} << len) - 1));
}

// The rules for names, as error messages.
inline constexpr const char *kAgentRule = "an agent is 1 to key_bytes letters, digits, - and _";
inline constexpr const char *kIntentRule = "an intent is 1 to key_bytes letters";
inline constexpr const char *kOperationRule =
    "an operation is 1 to key_bytes letters, digits and _";

// Returns E1001 for the first invalid name.
Status check_names(std::string_view agent, std::string_view intent, std::string_view operation,
                   uint64_t max_bytes);

// The parts of a received request that identify its answers. Views of the request.
struct ReplyTo {
    std::string_view operation;
    accp_text cid = {}, aid = {};  // of the answers; aid may be empty

    // Adds cid and aid to an envelope.
    void put(accp_envelope &envelope) const {
        envelope.fields |= ACCP_ENVELOPE_CID | (aid.len ? ACCP_ENVELOPE_AID : 0);
        envelope.cid = cid;
        envelope.aid = aid;
    }
};

// Returns E1001 for a request that has neither cid nor mid, because an answer could not refer to
// it.
inline Status read_reply_to(const Message &request, ReplyTo &out) {
    const std::string_view mid = request.meta_text("mid"), cid = request.meta_text("cid");
    out = {request.operation, to_text(cid.empty() ? mid : cid), to_text(mid)};
    return out.cid.len ? Status{}
                       : fail(ACCP_E1001, 0,
                              "the request has neither cid nor mid, so an answer cannot refer to "
                              "it: pass the message as it was delivered");
}

}  // namespace accp::message
