// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A host with a session of the library, configured as in docs/interop.md, that communicates with a
// peer which implements only the specification. Beside the session it does what that page requires
// of a host.
#pragma once

#include "reference/bare_peer.h"
#include "session/sessions.h"

namespace accp_interop {

struct LibraryRules {
    std::string agent, peer;
    bool examples = false;  // the peer writes like the examples of the specification
};

class LibraryEnd {
public:
    explicit LibraryEnd(const LibraryRules &rules);

    // Returns false if the session refuses it; `refusal` is the error.
    bool say(const accp_ref::Json &message, const std::string &cid, int64_t ttl, int64_t now);
    bool cancel(const std::string &cid, int64_t now);
    bool change_state(const accp_ref::Json &delta, int64_t now);
    void hear(const std::string &frame, int64_t now);

    accp_session *session() { return session_.get(); }
    accp_status refusal() const { return refusal_; }
    accp_ref::Outbox &outbox() { return outbox_; }
    const std::vector<accp_ref::Talk> &said() const { return said_; }
    const std::vector<accp_ref::Talk> &heard() const { return heard_; }
    const std::set<std::string> &cancelled() const { return cancelled_; }
    std::map<std::string, accp_ref::Json> state() const;
    const std::map<std::string, size_t> &refusals() const { return refusals_; }

private:
    bool put(const std::string &intent, const std::string &operation, const accp_ref::Json &payload,
             const std::string &cid, int64_t now);
    bool send(const accp_ref::Json &message, int64_t now);
    void end_chain(const std::string &cid);
    void keep(const std::string &frame);
    std::string mid_of(const std::string &frame, bool &answers) const;
    void answer(accp_status code, const std::string &cid, int64_t now);
    void take_deliveries(int64_t now);
    void take(const accp_sessions::Delivered &one, int64_t now);
    void take_error(const accp_ref::Json &payload, const std::string &cid);
    void say_taken(int64_t now);

    const LibraryRules rules_;
    accp_sessions::Handle<accp_store> store_;
    accp_sessions::Handle<accp_engine> engine_;
    accp_sessions::Handle<accp_session> session_;
    accp_status refusal_ = ACCP_OK;
    size_t unconfirmed_ = 0;
    std::string taken_;  // mid of the frame that was accepted last
    std::string told_taken_;
    accp_ref::Outbox outbox_;
    std::vector<accp_ref::Talk> said_, heard_;
    std::set<std::string> cancelled_, told_repeats_;
    std::map<std::string, size_t> refusals_;
};

}  // namespace accp_interop
