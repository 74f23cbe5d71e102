// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hub as an agent of A2A 1.0 and 0.3 (docs/a2a.md): JSON-RPC at /a2a, a card at its well-known
// path. Tasks are chains of frames between an agent that A2A speaks for and those of the hub. It
// has neither a socket nor a clock.
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
    std::string agent = "a2a";             // the name for callers whose token names no agent
    std::string url = "http://127.0.0.1";  // of this server, as in its card, without a path
    bool needs_token = false;
};

class A2a {
public:
    // All arguments outlive it; config and registry are the hub's. Throws Failure.
    A2a(A2aRules rules, Hub &hub, accp_config *config, const accp_registry *registry);

    // The answer to a request for kPath; none: turn() has one for this connection later.
    std::optional<HttpReply> answer(uint64_t connection, const HttpRequest &request,
                                    const Grant &grant, int64_t now_ms);
    // Sets the address of this server for the card.
    void set_url(std::string url) { rules_.url = std::move(url); }
    // The agent card. `grant`: the caller's, or nullptr for a caller that has shown no token.
    HttpReply card(const HttpRequest &request, const Grant *grant) const;

    // Runs after a turn of the hub. Converts the effects for A2A's connections into replies and
    // events, and adds those that are due.
    void turn(int64_t now_ms, std::vector<HubEffect> &effects);
    // Has the next turn something to do, though nothing comes?
    bool is_busy() const { return !lists_.empty(); }
    void drained(uint64_t connection) { calls_.drained(connection); }
    void leave(uint64_t connection);
    // Who waits, or is told of a task, is told by the next turn to ask again.
    void end(uint64_t connection) { calls_.end(connection); }

    static constexpr std::string_view kPath = "/a2a";
    static constexpr std::string_view kCard = "/.well-known/agent-card.json";

private:
    // What came in, by whom, and when.
    struct Asked {
        uint64_t connection;
        const A2aRequest &request;
        const Grant &grant;
        int64_t now_ms;
    };
    // A list of tasks whose sessions are still being read: as many as would hold up all others.
    struct List {
        uint64_t connection;
        HttpRequest request;
        Grant grant;
        uint64_t number;
    };
    // As which frame a message is said.
    struct Frame {
        std::string session, agent, intent, operation;
        std::string chain, cause;  // empty: it begins one
        bool begins_task = true;
    };

    // The same; `list`: of A2aTasks::begin_list(), 0 where it has not begun.
    std::optional<HttpReply> answer(uint64_t connection, const HttpRequest &request,
                                    const Grant &grant, uint64_t list, int64_t now_ms);
    // The result; none: it comes later.
    std::optional<std::string> run(const Asked &asked);
    std::optional<std::string> send(const Asked &asked);
    std::string get(const Asked &asked);
    std::string list(const Asked &asked);
    std::optional<std::string> cancel(const Asked &asked);
    void subscribe(const Asked &asked);
    std::string print_card_for(const Grant *grant, A2aVersion version) const;

    A2aTask &need(const Asked &asked);
    void need_place() const;
    [[noreturn]] void refuse_frame(const accp_error &err) const;
    A2aTask *open_task(const A2aMessage &message, const FrameFacts &facts, const Asked &asked);
    Frame frame_of(const A2aMessage &message, const FrameFacts &facts, const A2aTask *task,
                   const Grant &grant);
    std::string session_of(const A2aMessage &message, const FrameFacts &facts, const Grant &grant);
    accp_status say(const A2aMessage &message, const FrameFacts &facts, const Frame &frame,
                    const Asked &asked, FrameSender::SentFrame &said, accp_error &err);
    accp_status say_members(std::string_view members, const Frame &frame, const Asked &asked,
                            FrameSender::SentFrame &said, accp_error &err);

    A2aRules rules_;
    Hub &hub_;
    FrameReader reader_;
    FrameSender sender_;
    A2aTasks tasks_;
    A2aPrinter printer_;
    A2aCalls calls_;
    std::vector<List> lists_;
};

// The agent card of A2A: what a hub is to those who find it.
struct A2aCard {
    std::string_view url;            // of the interface
    std::string_view version;        // of this program
    std::string_view registry_hash;  // of the frames
    bool needs_token = false;
    std::vector<Hub::Connected> agents;  // that may be told of; sorted
};

// For either version; a card of 1.0 can be read by clients of 0.3 that look for no token.
std::string print_card(const A2aCard &card, A2aVersion version);

}  // namespace server
