// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a hub asks of a frame: who says it, what kind it is, whom it is for.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "server/library/handles.h"

namespace server {

// Views into the frame's text; `target` into the reader, until its next frame.
struct FrameFacts {
    std::string_view agent, intent, operation;
    std::string_view target;  // the payload's `who`, without its @; empty: it names nobody
    std::string_view mid, cid, sid;
    bool is_final = false;  // of a stream's chunk: the last
    // The traceparent of its metadata, or of the request that brought it; empty: neither has one.
    std::string_view trace = {};

    bool is_request() const { return intent == "req" || intent == "qry"; }
    bool is_answer() const { return intent == "done" || intent == "fail" || intent == "wait"; }
    bool is_registry() const { return intent == "sync" && operation == "registry"; }
    bool is_chunk() const { return intent == "stream"; }
    // What a chain is known by.
    std::string_view chain() const { return cid.empty() ? mid : cid; }
};

// Is the text of a log's record of this kind a frame?
inline bool holds_frame(int32_t record_kind) {
    return record_kind == ACCP_RECORD_RECEIVED || record_kind == ACCP_RECORD_PART_RECEIVED ||
           record_kind == ACCP_RECORD_SENT || record_kind == ACCP_RECORD_PART_SENT ||
           record_kind == ACCP_RECORD_REQUEST;
}

class FrameReader {
public:
    // Frames as this config takes them. Throws Failure.
    explicit FrameReader(const accp_config *config) : frame_(host::new_frame(config)) {}

    // `text` must stay as it is for as long as the facts are used. Not ACCP_OK: `err` says why.
    accp_status read(std::string_view text, FrameFacts &out, accp_error &err);
    // The frame that was read last.
    const accp_frame *frame() const { return frame_.get(); }

private:
    std::string_view plain(uint32_t node);

    host::Handle<accp_frame> frame_;
    std::string target_;
};

// The mids of frames that a server says by itself, one after another from anywhere on.
class MidCounter {
public:
    // `letter`: of accp_mid_format(); two counters of one server have two.
    explicit MidCounter(uint32_t letter)
        : letter_(letter),
          count_((uint64_t{std::random_device()()} << 16 ^ std::random_device()()) % kMids) {}

    std::string next() {
        char mid[12];
        count_ = (count_ + 1) % kMids;
        accp_mid_format(letter_, 0, count_, mid, nullptr);
        return {mid, sizeof mid};
    }

private:
    static constexpr uint64_t kMids = 100'000'000'000;  // what accp_mid_format() can count

    uint32_t letter_;
    uint64_t count_;
};

// The frames that a hub says by itself, about the transport and not in a session: their seq is 0,
// so they use up no number, and whoever gets them keeps none.

// The specification's code for a status. What could not be done now and can be later (a store that
// is down, a session that moves, too many at once) is E3001, what is wrong with the hub itself
// E9999; an error frame of these has the status's own name as its detail.
accp_status wire_code(accp_status status);
// What HTTP says of a refusal: 400, or 503 where saying it again may help, or 500.
int http_status(accp_status status);

class HubWords {
public:
    // As this agent; error frames by this registry. Throws Failure.
    HubWords(std::string agent, accp_config *config, const accp_registry *registry);

    // `fail:error` for what was refused; `cid`: its mid, empty where it had none.
    std::string error(accp_status code, std::string_view message, std::string_view cid,
                      int64_t now_ms);
    std::string error(const accp_error &err, std::string_view cid, int64_t now_ms);
    std::string ping(int64_t now_ms) { return beat("ping", {}, now_ms); }
    // The answer to a ping with this mid.
    std::string pong(std::string_view cid, int64_t now_ms) { return beat("pong", cid, now_ms); }
    // A negotiation's frame, which has no metadata yet.
    std::string with_meta(std::string_view frame, int64_t now_ms);

    const std::string &agent() const { return agent_; }

private:
    std::string beat(std::string_view intent, std::string_view cid, int64_t now_ms);
    std::string meta(std::string_view cid, int64_t now_ms);

    std::string agent_;
    host::Handle<accp_codec> codec_;
    MidCounter mids_{5};
};

// A hub's side of the negotiation with which each connection begins (specification 6.4).
class Handshake {
public:
    // `config`: what the hub has; its registry is the one that must come out. Throws Failure.
    Handshake(std::string_view agent, const accp_config *config, std::string_view registry_hash);

    // A frame sync:registry that `frame` has parsed. Not ACCP_OK: `err` says what is wrong with it.
    accp_status hear(const accp_frame *frame, accp_error &err);
    // What is to be said now: frames without metadata.
    std::vector<std::string> take_frames();

    bool is_open() const { return state() == ACCP_NEGOTIATION_OPEN; }
    // Is what came out good for this hub? A peer without a registry is: frames go on as they are.
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

// A registry as frames sync:registry, for those who are told it and are not asked.

// What `agent` says in a negotiation to a peer that knows the built-in schemas and no others: who
// it is, and what the registry of `config` has beyond them. Without metadata. Throws Failure.
std::vector<std::string> registry_frames(const std::string &agent, const accp_config *config);

}  // namespace server
