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
//   $hot.k $warm.k      what was put there; a bare $k looks in hot, then in warm
//
// A ref in a frame is its sender's. One in a frame of ours is looked up here. One in a frame that
// comes in is asked of the host's resolver, which reads the peer's session; only `ctx`, the host's
// own names, is looked up here where the peer has no such name. Without a resolver there is one
// session, which both sides read: then it is looked up here; but with the rule shares_store the
// peer has values of its own, and names that every session gives itself ($cold.t7) would be
// somebody else's: E2001.
//
// The first labels are the key, the longest that is there; those after them lead into the value, by
// member or by index.
#pragma once

#include "codec/state.h"
#include "session/session.h"

namespace accp::session {

// Names in the store that no ref can spell.
constexpr std::string_view kStateKey = "state!", kPendingKey = "open!", kAgentsKey = "agents!";
constexpr std::string_view kHashPrefix = "sha!";
constexpr std::string_view kContextPrefix = "ctx!";
constexpr std::string_view kColdPrefix = "cold.";

class SessionRefs : public codec::RefResolver, public codec::ValueKeeper {
public:
    SessionRefs(Session &session, Scratch &scratch, int64_t now_ms, Session::Owner owner)
        : session_(session),
          scratch_(scratch),
          now_ms_(now_ms),
          owner_(owner),
          next_key_(session.live_->next_key) {}

    Status resolve(std::string_view ref, std::string_view &json) override;
    Status keep(std::string_view json, std::string_view &ref) override;

    uint64_t next_key() const { return next_key_; }
    // Was anything resolved that another value may be put in place of? What is kept in cold never
    // changes.
    bool fleeting() const { return fleeting_; }

private:
    // A value that this call has kept: in scratch.kept until it is committed.
    struct Kept {
        std::string_view hash, key, json;
    };
    Status resolve_own(std::string_view ref, std::string_view &json);
    Status resolve_of_peer(std::string_view ref, std::string_view &json);
    bool kept_now(std::string_view wanted, std::string_view Kept::*part, Kept &out) const;

    Session &session_;
    Scratch &scratch_;
    int64_t now_ms_;
    Session::Owner owner_;
    uint64_t next_key_;
    bool fleeting_ = false;
    char ref_[40];
};

// A scratch in the hands of a session, for as long as one call runs.
class ScratchUse {
public:
    ScratchUse(Session &session, Scratch &scratch, bool restores) : session_(session) {
        session.scratch_ = &scratch;
        session.scratch_restores_ = restores;
        scratch.batch.clear();
        scratch.kept.clear();
    }
    ~ScratchUse() {
        session_.scratch_ = nullptr;
        session_.scratch_restores_ = false;
    }

private:
    Session &session_;
};

}  // namespace accp::session
