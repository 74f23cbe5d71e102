// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The client's side of MCP over HTTP ("Streamable HTTP"): messages of JSON-RPC that a client has
// said become requests, and answers become messages. It has neither a socket nor a clock.
//
//   a message          POST; its answer is a body, or a stream of events that ends with it
//   the server's own   GET, a stream that is asked for after `notifications/initialized`, and again
//                      where it has ended
//   a stream that broke before the answer   GET with Last-Event-ID, where its events had ids
//   404 for a session  `initialize` again, and then what was refused again, once
//   notifications/cancelled   the answer that it is about is not waited for any more
//   the end            DELETE of the session
//
// Messages keep their order: what comes after a notification waits until that was taken. Of
// requests 64 are under way at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/client_call.h"
#include "server/http/json_rpc.h"
#include "server/mcp/remote_headers.h"

namespace server {

struct RemoteRules {
    HttpHeaders headers;                 // of each request, such as Authorization
    int64_t max_silence_ms = 3'600'000;  // of a server that has not answered yet
};

class McpRemote {
public:
    explicit McpRemote(RemoteRules rules) : rules_(std::move(rules)) {}

    struct Effects {
        std::vector<HttpCall> calls;
        std::vector<uint64_t> drops;         // calls whose answers nobody waits for any more
        std::vector<std::string> to_client;  // messages, each one line of JSON
        std::vector<std::string> faults;     // for people
    };
    // A line from the client.
    void send(std::string_view line, int64_t now_ms, Effects &effects);
    // What comes of a call: its head, pieces of its body, and one of the last two. Of a call that
    // was dropped nothing is heard.
    void on_head(uint64_t number, const HttpCallHead &head, int64_t now_ms, Effects &effects);
    void on_body(uint64_t number, std::string_view bytes, int64_t now_ms, Effects &effects);
    void on_end(uint64_t number, int64_t now_ms, Effects &effects);
    void on_failure(uint64_t number, std::string_view why, int64_t now_ms, Effects &effects);

    // When tick() is to be called; -1: never.
    int64_t due_ms() const;
    void tick(int64_t now_ms, Effects &effects);
    // The client says no more: the session ends once all is answered. True: it has ended.
    bool finish(Effects &effects);

private:
    enum class Kind {
        kMessage,
        kInitialize,   // the client's
        kAgain,        // ours, the same for a new session
        kInitialized,  // and what comes after it
        kListen,       // to the server's own messages
        kDelete
    };
    struct Call {
        Kind kind = Kind::kMessage;
        std::string line;         // what is posted
        std::string id;           // of a request, as JSON; empty: it is none, or was answered
        std::string session;      // in which it was said
        bool was_lost = false;    // it was refused for want of a session before
        bool is_barrier = false;  // others wait for it
        bool lists = false;       // tools/list
        bool begins = false;      // notifications/initialized
        bool goes_on = false;     // with a stream that broke
        int tries = 0;            // to do so, since something came
        int64_t heard_ms = 0;     // when it was begun, or the server said something
        HttpCallHead head;
        std::string body;
        SseReader events;
    };
    struct Due {
        int64_t at_ms;
        Call call;
    };

    // mcp_remote.cc: what goes out
    void post(Kind kind, std::string_view line, bool was_lost, Effects &effects);
    void begin(Call call, std::string method, HttpHeaders headers, Effects &effects);
    void listen(Call call, Effects &effects);
    void flush(Effects &effects);
    void release(const Call &call, Effects &effects);
    Call remove(uint64_t number, bool drops, Effects &effects);
    void cancel(std::string_view id, Effects &effects);
    void end_silence(uint64_t number, Effects &effects);
    bool is_crowded() const;
    int64_t limit_ms(const Call &call) const;
    // mcp_remote_answers.cc: what comes in
    void hear(Call &call, const std::string &data, Effects &effects);
    void hear_answer(Call &call, const RpcMessage &message, Effects &effects);
    void take_notification(Call call, Effects &effects);
    bool is_of_lost_session(const Call &call) const;
    void lose_session(Call call, Effects &effects);
    void end_stream(Call call, std::string_view why, Effects &effects);
    void end_body(Call call, Effects &effects);
    void refuse(Call &call, std::string_view why, Effects &effects);
    void refuse_lost(std::string_view why, Effects &effects);

    RemoteRules rules_;
    ParamHeaders param_headers_;
    std::map<uint64_t, Call> calls_;
    uint64_t next_ = 1;
    int barriers_ = 0;                      // calls that others wait for
    std::deque<std::string> waiting_;       // lines
    std::deque<std::string> crowd_;         // requests beyond those that may be under way
    std::vector<std::string> lost_;         // lines that were refused for want of a session
    std::vector<Due> due_;                  // streams to be asked for again
    std::string initialize_, initialized_;  // lines of the client's
    std::string session_, revision_;
    int64_t now_ms_ = 0;
    int times_again_ = 0;
    bool renews_ = false, ends_ = false;
};

}  // namespace server
