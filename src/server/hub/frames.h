// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames in the hub: the parts of a frame that it reads, the frames that it sends by itself, and
// the negotiation of registries.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "server/library/handles.h"

namespace server {

// The parts of a frame that a hub needs. Views into the frame's text; `target` is a view into the
// reader, valid until its next frame.
struct FrameFacts {
    std::string_view agent, intent, operation;
    std::string_view target;  // the payload's `who`, without its @; empty: no target
    std::string_view mid, cid, sid;
    bool is_final = false;  // the last chunk of a stream
    // The traceparent of the metadata, or of the HTTP request that contained the frame; may be
    // empty.
    std::string_view trace = {};

    bool is_request() const { return intent == "req" || intent == "qry"; }
    bool is_answer() const { return intent == "done" || intent == "fail" || intent == "wait"; }
    bool is_registry() const { return intent == "sync" && operation == "registry"; }
    bool is_chunk() const { return intent == "stream"; }
    // The id of the chain that the frame belongs to.
    std::string_view chain() const { return cid.empty() ? mid : cid; }
};

// Does a log record of this kind contain a frame?
inline bool holds_frame(int32_t record_kind) {
    return record_kind == ACCP_RECORD_RECEIVED || record_kind == ACCP_RECORD_PART_RECEIVED ||
           record_kind == ACCP_RECORD_SENT || record_kind == ACCP_RECORD_PART_SENT ||
           record_kind == ACCP_RECORD_REQUEST;
}

class FrameReader {
public:
    // Uses the limits and extensions of this config. Throws Failure.
    explicit FrameReader(const accp_config *config) : frame_(host::new_frame(config)) {}

    // `text` must outlive the facts. On failure `err` has the reason.
    accp_status read(std::string_view text, FrameFacts &out, accp_error &err);
    // The frame of the last read().
    const accp_frame *frame() const { return frame_.get(); }

private:
    std::string_view plain(uint32_t node);

    host::Handle<accp_frame> frame_;
    std::string target_;
};

// Generates the mids of frames that a server sends by itself. They are random, so that nobody who
// has seen some can predict the next.
class MidGenerator {
public:
    // `letter`: see accp_mid_format(). Each generator of a server has its own.
    explicit MidGenerator(uint32_t letter) : letter_(letter) {}

    std::string next() {
        char mid[12];
        const uint64_t number = uint64_t{random_()} << 32 | random_();
        accp_mid_format(letter_, 0, number % kMids, mid, nullptr);
        return {mid, sizeof mid};
    }

private:
    static constexpr uint64_t kMids = 100'000'000'000;  // the limit of accp_mid_format()

    uint32_t letter_;
    std::random_device random_;
};

// The error code of the specification for a status. A temporary failure (the store is down, a
// session moves, too many requests) is E3001. A fault of the hub itself is E9999. In both cases the
// error frame has the name of the status as its detail.
accp_status wire_code(accp_status status);
// The HTTP status of a refusal: 400, 503 if a later try may succeed, or 500.
int http_status(accp_status status);

// The frames that a hub sends by itself. They concern the transport, not a session. Their seq is 0,
// so they take no number of the session, and receivers do not store them.
class HubFrames {
public:
    // Sends as this agent, and encodes error frames with this registry. Throws Failure.
    HubFrames(std::string agent, accp_config *config, const accp_registry *registry);

    // `fail:error` for a refused frame. `cid`: the mid of that frame; may be empty.
    std::string error(accp_status code, std::string_view message, std::string_view cid,
                      int64_t now_ms);
    std::string error(const accp_error &err, std::string_view cid, int64_t now_ms);
    std::string ping(int64_t now_ms) { return beat("ping", {}, now_ms); }
    // The reply to a ping with this mid.
    std::string pong(std::string_view cid, int64_t now_ms) { return beat("pong", cid, now_ms); }
    // Adds metadata to a frame of a negotiation.
    std::string with_meta(std::string_view frame, int64_t now_ms);

    const std::string &agent() const { return agent_; }

private:
    std::string beat(std::string_view intent, std::string_view cid, int64_t now_ms);
    std::string meta(std::string_view cid, int64_t now_ms);

    std::string agent_;
    host::Handle<accp_codec> codec_;
    MidGenerator mids_{5};
};

// The hub's side of the negotiation at the start of each connection (specification 6.4).
class Negotiation {
public:
    // `config`: the hub's. The negotiation must agree on its registry. Throws Failure.
    Negotiation(std::string_view agent, const accp_config *config, std::string_view registry_hash);

    // Receives the sync:registry frame that was parsed into `frame`. On failure `err` has the
    // reason.
    accp_status receive(const accp_frame *frame, accp_error &err);
    // Returns the frames to send now, without metadata.
    std::vector<std::string> take_frames();

    bool is_open() const { return state() == ACCP_NEGOTIATION_OPEN; }
    // Is the result usable for this hub? It is also usable if the peer has no registry: frames are
    // then passed on unchanged.
    bool is_agreed() const;

private:
    struct Free {
        void operator()(accp_negotiation *held) const { accp_negotiation_free(held); }
    };
    accp_agreement agreement() const;
    int32_t state() const { return agreement().state; }

    std::unique_ptr<accp_negotiation, Free> negotiation_;
    std::string registry_hash_;
};

// Returns the frames sync:registry that `agent` sends in a negotiation to a peer with only the
// built-in schemas: its hello, and the part of `config`'s registry beyond those schemas. For peers
// that receive a registry without a negotiation. Without metadata. Throws Failure.
std::vector<std::string> registry_frames(const std::string &agent, const accp_config *config);

}  // namespace server
