// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The connection of a client: it reads requests, one after the other, and writes their responses in
// HTTP/1.1. The bytes of a response that the client has not accepted yet are bounded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/forward/answers.h"
#include "proxy/forward/request_reader.h"

namespace proxy {

class ClientConnection;

// A request whose response is not complete. The destructor ends it.
class RunningCall {
public:
    virtual ~RunningCall() = default;
    // Called when the client accepts bytes again after accepts_bytes() has returned false.
    virtual void on_drained() = 0;
};

// The functions of the loop that a connection calls.
class ConnectionOwner {
public:
    virtual ~ConnectionOwner() = default;
    // Returns a refusal if the head of the request is enough for one.
    virtual std::optional<Refusal> check(const Request &request) = 0;
    // Starts the response to a request. It may be written at once.
    virtual std::unique_ptr<RunningCall> begin(ClientConnection &client, Request request) = 0;
    // Makes the loop call settle() of this connection before it waits again.
    virtual void attend(uint32_t id) = 0;
    // Returns whether the proxy ends after the current calls.
    virtual bool is_ending() const = 0;
};

struct ConnectionLimits {
    size_t max_body = 64 << 20;
    int64_t head_ms = 10'000;      // for a head, and for a body without its bytes
    int64_t begin_ms = 60'000;     // until the first byte of a new connection
    int64_t between_ms = 600'000;  // between two requests
    int64_t idle_ms = 600'000;     // without the client accepting a byte that waits for it
};

class ClientConnection {
public:
    // Owns the socket. The others outlive it.
    ClientConnection(uint32_t id, int socket, const ConnectionLimits &limits,
                     ConnectionOwner &owner, int64_t now_ms);
    ~ClientConnection();
    ClientConnection(const ClientConnection &) = delete;
    ClientConnection &operator=(const ClientConnection &) = delete;

    uint32_t id() const { return id_; }
    int socket() const { return socket_; }
    bool is_answering() const { return state_ == State::kAnswering; }

    // For the loop. settle() sends what waits for the client, and returns false if the connection
    // is over.
    void on_ready(uint32_t events, int64_t now_ms);
    bool settle(int64_t now_ms);
    // Returns the events to wait for, as for epoll; nothing if they have not changed.
    std::optional<uint32_t> take_new_interest();
    // Ends the connection if it has exceeded a time limit.
    void check_time(int64_t now_ms);
    // Ends it if no request has begun.
    void end_if_idle();

    // For the running call, in this order: any number of early heads, a head, bytes, the end.
    void send_early_head(const AnswerHead &head);
    void send_head(const AnswerHead &head);
    // Returns false if too many bytes wait for the client. When few are left, on_drained() is
    // called.
    bool accepts_bytes();
    // Takes the bytes, however many wait.
    void send_bytes(std::string_view bytes);
    void send_end(const Headers &trailers);
    // Ends the connection so that the client notices that the response is not whole.
    void break_off();
    // Sends a whole response. Its head gets the length of the body.
    void send_whole(AnswerHead head, std::string_view body);
    // Sends a whole response with this error.
    void send_refusal(const Refusal &refusal, std::string_view upstream);

private:
    enum class State { kReading, kAnswering, kLingering, kOver };

    void end() { state_ = State::kOver; }
    void read_some(int64_t now_ms);
    void read_request(int64_t now_ms);
    void refuse(const Refusal &refusal);
    void flush();
    void finish(int64_t now_ms);
    size_t pending() const { return out_.size() - out_at_; }

    uint32_t id_;
    int socket_;
    const ConnectionLimits &limits_;
    ConnectionOwner &owner_;
    State state_ = State::kReading;
    RequestReader reader_;
    std::unique_ptr<RunningCall> call_;
    std::string in_;   // received, not read yet
    std::string out_;  // to send, from out_at_
    size_t out_at_ = 0;
    std::string method_;  // of the request that is answered
    BodyEnd body_ = BodyEnd::kNone;
    bool is_http10_ = false, closes_ = false;
    bool is_checked_ = false;   // the head of the current request
    bool is_answered_ = false;  // all of the response is in out_
    bool is_broken_ = false;    // the response ends early, after what is in out_
    bool is_paused_ = false;    // bytes were not taken
    uint32_t interest_ = 0;
    int64_t since_ms_;           // when the state or the request began
    int64_t limit_ms_;           // from since_ms_, until the first byte of a request
    int64_t wrote_ms_ = 0;       // when the client accepted a byte, or had none to accept
    bool has_progress_ = false;  // it has accepted a byte since then
};

}  // namespace proxy
