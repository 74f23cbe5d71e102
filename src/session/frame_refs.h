// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// References of a session (specification 5.1; decisions A37 to A39): the meaning of `$tier.key`,
// and values that are stored under a key instead of being sent.
//
//   $cold.t7            a stored value; the same value has the same key, and no key is reused
//   $cold.m17           the message of record 17 of the log
//   $warm.ckpt_3        a checkpoint; $warm.ckpt_3.summary a part of it
//   $hot.state          the shared state; $hot.state.t007.status a part of it
//   $ctx.sales_db       a value of the host
//   $cold.packet_HEX    a context packet, by its checksum; $warm.packet_HEX.goals a layer of it
//   $hot.k $warm.k      a value of the host; a bare $k is searched in hot, then in warm
//
// A ref in a frame belongs to the sender. A ref in a frame of the host is resolved here. A ref in a
// received frame is resolved by the host's resolver, which reads the peer's session. Only `ctx`,
// the host's own names, is resolved here if the peer does not have the name.
//
// Without a resolver both sides read the same session, and the ref is resolved here. But with the
// rule shares_store the peer has its own values, so a name that every session uses ($cold.t7) would
// be ambiguous: E2001.
#pragma once

#include "codec/hooks.h"
#include "session/ref_lookup.h"
#include "session/rules.h"

namespace accp::session {

// The sender of a frame that is read.
enum class FrameOrigin : uint8_t {
    kOwn,
    kPeer,
    kRecord  // from the log, of either side; peer values are stored with the frame
};

// The refs of one frame while it is read or written.
class FrameRefs final : public codec::RefResolver, public codec::ValueKeeper {
public:
    // next_key: of the session, after its last record.
    FrameRefs(const RefSource &own, const SessionRules &rules, uint64_t next_key, Scratch &scratch,
              int64_t now_ms, FrameOrigin origin)
        : own_(own),
          rules_(rules),
          scratch_(scratch),
          now_ms_(now_ms),
          origin_(origin),
          next_key_(next_key) {}

    Status resolve(std::string_view ref, std::string_view &json) override;
    Status keep(std::string_view json, std::string_view &ref) override;

    // Marks values that are stored from now on as untrusted.
    void keep_untrusted(bool is_untrusted) { keeps_untrusted_ = is_untrusted; }

    FrameOrigin origin() const { return origin_; }
    uint64_t next_key() const { return next_key_; }
    // Returns whether a resolved ref could get another value later. Values in cold never change.
    bool has_changeable_refs() const { return has_changeable_refs_; }

private:
    // A value that this call has stored. It stays in scratch.refs.kept until it is committed.
    struct Kept {
        std::string_view hash, key, json;
    };
    Status resolve_own(std::string_view ref, std::string_view &json);
    Status resolve_of_peer(std::string_view ref, std::string_view &json);
    Status find_key(std::string_view hash, std::string_view json, std::string_view &key);
    bool find_kept(std::string_view wanted, std::string_view Kept::*part, Kept &out) const;

    const RefSource own_;
    const SessionRules &rules_;
    Scratch &scratch_;
    int64_t now_ms_;
    FrameOrigin origin_;
    uint64_t next_key_;
    bool has_changeable_refs_ = false;
    bool keeps_untrusted_ = false;
    char made_[24];  // the new key
    char ref_[40];
};

// Decodes the frame that scratch.codec parsed last. `checked`: apply the host's rules for received
// messages. For a record, a ref that can no longer be resolved stays a ref, in its JSON form.
Status decode(FrameRefs &refs, bool untrusted, bool checked, Scratch &scratch,
              message::Message &out);

// Adds a value to the batch; with a cold store of the host, a cold value is stored there.
Status put_value(ColdStore *cold, store::Tier where, std::string_view name, std::string_view json,
                 uint64_t expires_ms, Scratch &scratch);

}  // namespace accp::session
