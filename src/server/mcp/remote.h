// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The client side of MCP over HTTP ("Streamable HTTP"). Messages of a local client become HTTP
// requests, and the replies become messages. The class has neither a socket nor a clock.
//
//   a message          POST; the reply is a body, or a stream of events that ends with the response
//   server messages    GET, a stream that is requested after `notifications/initialized`, and again
//                      after its end
//   a stream that ends before the response   GET with Last-Event-ID, if its events had ids
//   404 for a session  `initialize` again, then the refused messages again, once
//   notifications/cancelled   ends the wait for the response
//   the end            DELETE of the session
//
// Messages keep their order: messages after a notification wait until it is accepted. At most 64
// requests are open at a time.
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
    HttpHeaders headers;                 // for each request, such as Authorization
    int64_t max_silence_ms = 3'600'000;  // of a server that has not replied yet
};

class McpRemote {
public:
    explicit McpRemote(RemoteRules rules) : rules_(std::move(rules)) {}

    struct Effects {
        std::vector<HttpCall> calls;
        std::vector<uint64_t> drops;         // calls whose replies are not needed any more
        std::vector<std::string> to_client;  // messages, each one line of JSON
        std::vector<std::string> faults;     // texts for users
    };
    // Sends a line of the client.
    void send(std::string_view line, int64_t now_ms, Effects &effects);
    // Events of a call: its head, pieces of its body, then its end or a failure. A dropped call has
    // no events.
    void on_head(uint64_t number, const HttpCallHead &head, int64_t now_ms, Effects &effects);
    void on_body(uint64_t number, std::string_view bytes, int64_t now_ms, Effects &effects);
    void on_end(uint64_t number, int64_t now_ms, Effects &effects);
    void on_failure(uint64_t number, std::string_view why, int64_t now_ms, Effects &effects);

    // The time for tick(); -1: not needed.
    int64_t due_ms() const;
    void tick(int64_t now_ms, Effects &effects);
    // The client has finished. The session ends after all replies. Returns true when it has ended.
    bool finish(Effects &effects);

private:
    enum class Kind {
        kMessage,
        kInitialize,    // from the client
        kReinitialize,  // ours, the same for a new session
        kInitialized,   // the notification after it
        kListen,        // the stream of server messages
        kDelete
    };
    struct Call {
        Kind kind = Kind::kMessage;
        std::string line;       // the posted line
        std::string id;         // of a request, as JSON; empty: not a request, or already answered
        std::string session;    // in which it was sent
        bool was_lost = false;  // it was already refused because of a lost session
        bool is_barrier = false;        // later messages wait for it
        bool is_tools_list = false;     // tools/list
        bool is_initialized = false;    // notifications/initialized
        bool continues_stream = false;  // continues an interrupted stream
        int tries = 0;                  // of continuing, since the last event
        int64_t last_data_ms = 0;       // start, or last data from the server
        HttpCallHead head;
        std::string body;
        SseReader events;
    };
    struct Due {
        int64_t at_ms;
        Call call;
    };

    // Defined in remote.cc: outgoing messages.
    void post(Kind kind, std::string_view line, bool was_lost, Effects &effects);
    void begin(Call call, std::string method, HttpHeaders headers, Effects &effects);
    void listen(Call call, Effects &effects);
    void flush(Effects &effects);
    void release(const Call &call, Effects &effects);
    Call remove(uint64_t number, bool drops, Effects &effects);
    void cancel(std::string_view id, Effects &effects);
    void end_silent_call(uint64_t number, Effects &effects);
    bool is_full() const;
    int64_t limit_ms(const Call &call) const;
    // Defined in remote_answers.cc: incoming data.
    void handle_data(Call &call, const std::string &data, Effects &effects);
    void handle_response(Call &call, const RpcMessage &message, Effects &effects);
    void finish_notification(Call call, Effects &effects);
    bool has_lost_session(const Call &call) const;
    void renew_session(Call call, Effects &effects);
    void end_stream(Call call, std::string_view why, Effects &effects);
    void end_body(Call call, Effects &effects);
    void refuse(Call &call, std::string_view why, Effects &effects);
    void refuse_lost(std::string_view why, Effects &effects);

    RemoteRules rules_;
    ParamHeaders param_headers_;
    std::map<uint64_t, Call> calls_;
    uint64_t next_ = 1;
    int barriers_ = 0;                       // open calls with is_barrier
    std::deque<std::string> waiting_lines_;  // lines
    std::deque<std::string> queued_;         // requests beyond the limit of open ones
    std::vector<std::string> lost_lines_;    // lines that were refused because of a lost session
    std::vector<Due> due_;                   // streams to request again
    std::string initialize_, initialized_;   // lines of the client
    std::string session_, revision_;
    int64_t now_ms_ = 0;
    int reinitialize_count_ = 0;
    bool is_renewing_ = false, is_ending_ = false;
};

}  // namespace server
