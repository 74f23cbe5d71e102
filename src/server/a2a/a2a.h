// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hub as an agent of A2A 1.0 and 0.3 (docs/a2a.md): JSON-RPC at /a2a, and an agent card at its
// well-known path. A task is a chain of frames between an agent that represents the A2A client and
// agents of the hub. The class has neither a socket nor a clock.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/a2a/calls.h"
#include "server/a2a/print.h"
#include "server/a2a/request.h"
#include "server/a2a/tasks.h"
#include "server/a2a/types.h"
#include "server/http/message.h"
#include "server/hub/frame_sender.h"
#include "server/hub/hub.h"

namespace server {

struct A2aRules {
    std::string agent = "a2a";             // the sender for callers whose token names no agent
    std::string url = "http://127.0.0.1";  // address of this server in its card, without a path
    bool needs_token = false;
};

class A2a {
public:
    // All arguments outlive it; config and registry are the hub's. Throws Failure.
    A2a(A2aRules rules, Hub &hub, accp_config *config, const accp_registry *registry);

    // Handles a request for kPath. Returns no reply if a later turn() sends it.
    std::optional<HttpReply> answer(uint64_t connection, const HttpRequest &request,
                                    const Grant &grant, int64_t now_ms);
    // Sets the address of this server for the card.
    void set_url(std::string url) { rules_.url = std::move(url); }
    // The agent card. `grant`: the caller's, or nullptr for a caller that has shown no token.
    HttpReply card(const HttpRequest &request, const Grant *grant) const;

    // Runs after a turn of the hub. Converts the effects for A2A's connections into replies and
    // events, and adds those that are due.
    void turn(int64_t now_ms, std::vector<HubEffect> &effects);
    // Does the next turn have work even without a new event?
    bool is_busy() const { return !lists_.empty(); }
    void drained(uint64_t connection) { calls_.drained(connection); }
    void leave(uint64_t connection);
    // The next turn ends the call with an error that suggests another try.
    void end(uint64_t connection) { calls_.end(connection); }

    static constexpr std::string_view kPath = "/a2a";
    static constexpr std::string_view kCard = "/.well-known/agent-card.json";

private:
    // A request with its connection, its caller and its time.
    struct Incoming {
        uint64_t connection;
        const A2aRequest &request;
        const Grant &grant;
        int64_t now_ms;
    };
    // A list request that needs more reads of sessions than one turn allows.
    struct List {
        uint64_t connection;
        HttpRequest request;
        Grant grant;
        uint64_t number;
    };
    // The addressing of the frame for a message.
    struct Frame {
        std::string session, agent, intent, operation;
        std::string chain, cause;  // empty: a new chain
        bool begins_task = true;
    };

    // `list`: the number from A2aTasks::begin_list(), 0 for a new request.
    std::optional<HttpReply> answer(uint64_t connection, const HttpRequest &request,
                                    const Grant &grant, uint64_t list, int64_t now_ms);
    // Returns the result, or none if it comes later.
    std::optional<std::string> run(const Incoming &incoming);
    std::optional<std::string> send(const Incoming &incoming);
    std::string get(const Incoming &incoming);
    std::string list(const Incoming &incoming);
    std::optional<std::string> cancel(const Incoming &incoming);
    void subscribe(const Incoming &incoming);
    std::string print_card_for(const Grant *grant, A2aVersion version) const;

    A2aTask &require_task(const Incoming &incoming);
    void check_capacity() const;
    [[noreturn]] void refuse_frame(const accp_error &err) const;
    A2aTask *open_task(const A2aMessage &message, const FrameFacts &facts,
                       const Incoming &incoming);
    Frame frame_of(const A2aMessage &message, const FrameFacts &facts, const A2aTask *task,
                   const Grant &grant);
    std::string session_of(const A2aMessage &message, const FrameFacts &facts, const Grant &grant);
    accp_status send_frame(const A2aMessage &message, const FrameFacts &facts, const Frame &frame,
                           const Incoming &incoming, FrameSender::SentFrame &sent, accp_error &err);
    accp_status send_members(std::string_view members, const Frame &frame, const Incoming &incoming,
                             FrameSender::SentFrame &sent, accp_error &err);

    A2aRules rules_;
    Hub &hub_;
    FrameReader reader_;
    FrameSender sender_;
    A2aTasks tasks_;
    A2aPrinter printer_;
    A2aCalls calls_;
    std::vector<List> lists_;
};

// The contents of an agent card.
struct A2aCard {
    std::string_view url;            // of the interface
    std::string_view version;        // of this program
    std::string_view registry_hash;  // of the frames
    bool needs_token = false;
    std::vector<Hub::Connected> agents;  // visible to the caller; sorted
};

// Prints the card for one version. A card of 1.0 is also readable for clients of 0.3 that do not
// look for a token.
std::string print_card(const A2aCard &card, A2aVersion version);

}  // namespace server
