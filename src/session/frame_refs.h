// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// References of a session (specification 5.1; decisions A37 to A39): what `$tier.key` stands for,
// and values that are kept under one instead of being sent.
//
//   $cold.t7            a value that was kept; the same value has the same key, and none is ever
//                       used again
//   $cold.m17           the message of record 17 of the log
//   $warm.ckpt_3        a checkpoint; $warm.ckpt_3.summary a part of it
//   $hot.state          the shared state; $hot.state.t007.status a part of it
//   $ctx.sales_db       what the host put there
//   $cold.packet_HEX    a context packet, by its checksum; $warm.packet_HEX.goals a layer of it
//   $hot.k $warm.k      what was put there; a bare $k looks in hot, then in warm
//
// A ref in a frame is its sender's. One in a frame of ours is looked up here. One in a frame that
// comes in is asked of the host's resolver, which reads the peer's session; only `ctx`, the host's
// own names, is looked up here where the peer has no such name. Without a resolver there is one
// session, which both sides read: then it is looked up here; but with the rule shares_store the
// peer has values of its own, and names that every session gives itself ($cold.t7) would be
// somebody else's: E2001.
#pragma once

#include "codec/hooks.h"
#include "session/ref_lookup.h"
#include "session/rules.h"

namespace accp::session {

// Whose frame is read.
enum class FrameOrigin : uint8_t {
    kOwn,
    kPeer,
    kRecord  // one of the log, whoever's it was: what was a peer's then is kept with its frame
};

// Refs of one frame, while it is read or written.
class FrameRefs final : public codec::RefResolver, public codec::ValueKeeper {
public:
    // next_key: of the session, as of its last record.
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

    // What is kept from now on is data from outside.
    void keep_untrusted(bool is_untrusted) { keeps_untrusted_ = is_untrusted; }

    FrameOrigin origin() const { return origin_; }
    uint64_t next_key() const { return next_key_; }
    // Was anything resolved that another value may be put in place of? What is kept in cold never
    // changes.
    bool has_changeable_refs() const { return has_changeable_refs_; }

private:
    // A value that this call has kept: in scratch.refs.kept until it is committed.
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
    char made_[24];  // a key
    char ref_[40];
};

// The message of the frame that scratch.codec parsed last. `checked`: it comes in, and is held
// against the host's rules. Of a record, a ref that leads nowhere any more stays one, as JSON
// spells it.
Status decode(FrameRefs &refs, bool untrusted, bool checked, Scratch &scratch,
              message::Message &out);

// A value under its name, into the batch; or where the host keeps those of cold.
Status put_value(ColdStore *cold, store::Tier where, std::string_view name, std::string_view json,
                 uint64_t expires_ms, Scratch &scratch);

}  // namespace accp::session
