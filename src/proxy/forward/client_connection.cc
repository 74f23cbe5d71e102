// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/client_connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "proxy/forward/headers.h"

namespace proxy {
namespace {

constexpr size_t kReadBytes = 64 << 10;
constexpr int kMaxReads = 4;               // of one event, so that others have their turn
constexpr size_t kMaxPending = 256 << 10;  // bytes of a response at which no more are taken
constexpr size_t kLowPending = 64 << 10;   // at which they are taken again; sent at once above it
constexpr size_t kMaxEarly = 64 << 10;     // bytes of later requests that are read early
constexpr int64_t kLingerMs = 1000;        // the time for the client to read the last response
constexpr int64_t kMinBytesPerMs = 16;     // of a body

// Keeps a small buffer for later, and frees a large one.
void clear(std::string &buffer) {
    constexpr size_t kSmall = 4096;
    buffer.clear();
    if (buffer.capacity() > kSmall) std::string().swap(buffer);
}

}  // namespace

ClientConnection::ClientConnection(uint32_t id, int socket, const ConnectionLimits &limits,
                                   ConnectionOwner &owner, int64_t now_ms)
    : id_(id),
      socket_(socket),
      limits_(limits),
      owner_(owner),
      reader_(limits.max_body),
      since_ms_(now_ms),
      limit_ms_(limits.begin_ms) {}

ClientConnection::~ClientConnection() {
    call_.reset();
    ::close(socket_);
}

void ClientConnection::on_ready(uint32_t events, int64_t now_ms) {
    if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) read_some(now_ms);
}

// A client that has closed its side counts as gone, because it looks like one that has closed both.
void ClientConnection::read_some(int64_t now_ms) {
    std::array<char, kReadBytes> bytes;
    for (int i = 0; i < kMaxReads && state_ != State::kOver; ++i) {
        const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (got <= 0) return end();
        if (state_ == State::kLingering) continue;
        if (state_ == State::kReading && in_.empty() &&
            reader_.state() == RequestReader::State::kHead)
            since_ms_ = now_ms;
        in_.append(bytes.data(), static_cast<size_t>(got));
        if (state_ == State::kReading) read_request(now_ms);
        else if (in_.size() >= kMaxEarly) return;
        if (static_cast<size_t>(got) < bytes.size()) return;
    }
}

void ClientConnection::read_request(int64_t now_ms) {
    using Read = RequestReader::State;
    limit_ms_ = limits_.head_ms;
    const Read read = reader_.read(in_);
    const bool has_head = read == Read::kBody || read == Read::kWhole;
    if (has_head && !is_checked_) {
        is_checked_ = true;
        is_http10_ = reader_.request().is_http10;
        method_ = reader_.request().method;
        if (const std::optional<Refusal> refusal = owner_.check(reader_.request()))
            return refuse(*refusal);
    }
    if (read == Read::kRefused) return refuse({reader_.status(), reader_.why()});
    if (reader_.take_expectation()) {
        out_ += "HTTP/1.1 100 Continue\r\n\r\n";
        owner_.attend(id_);
    }
    if (read != Read::kWhole || state_ == State::kOver) return;
    state_ = State::kAnswering;
    wrote_ms_ = now_ms;
    if (in_.empty()) clear(in_);
    Request &request = reader_.request();
    closes_ = is_http10_ || lists_token(request.headers, "connection", "close");
    call_ = owner_.begin(*this, std::move(request));
}

// Sends an error for a request that is not forwarded. The rest of the request is not read.
void ClientConnection::refuse(const Refusal &refusal) {
    state_ = State::kAnswering;
    closes_ = true;
    in_.clear();
    send_refusal(refusal, reader_.request().target.starts_with("/v1/messages") ? "anthropic" : "");
}

void ClientConnection::send_refusal(const Refusal &refusal, std::string_view upstream) {
    const std::string json = error_json(refusal, upstream);
    AnswerHead head{refusal.status, std::string(reason_of(refusal.status)), refusal.headers};
    head.headers.emplace_back("Content-Type", "application/json");
    send_whole(std::move(head), json);
}

void ClientConnection::send_whole(AnswerHead head, std::string_view body) {
    if (!body.empty()) head.headers.emplace_back("Content-Length", std::to_string(body.size()));
    send_head(head);
    if (body_ == BodyEnd::kLength) out_ += body;
    send_end({});
}

void ClientConnection::send_early_head(const AnswerHead &head) {
    if (is_http10_) return;
    out_ += head_text(head, BodyEnd::kNone, false);
    owner_.attend(id_);
}

void ClientConnection::send_head(const AnswerHead &head) {
    body_ = body_end_of(head, method_, is_http10_);
    closes_ |= body_ == BodyEnd::kClose || owner_.is_ending();
    out_ += head_text(head, body_, closes_);
    owner_.attend(id_);
}

bool ClientConnection::accepts_bytes() {
    is_paused_ |= pending() >= kMaxPending;
    return pending() < kMaxPending;
}

void ClientConnection::send_bytes(std::string_view bytes) {
    if (bytes.empty() || body_ == BodyEnd::kNone) return;
    if (body_ == BodyEnd::kChunks) append_chunk(bytes, out_);
    else out_.append(bytes);
    if (pending() >= kLowPending) flush();
    owner_.attend(id_);
}

void ClientConnection::send_end(const Headers &trailers) {
    if (body_ == BodyEnd::kChunks) out_ += last_chunk(trailers);
    is_answered_ = true;
    owner_.attend(id_);
}

void ClientConnection::break_off() {
    is_broken_ = true;
    owner_.attend(id_);
}

// settle() calls it, so that chunks that arrive together are sent together.
void ClientConnection::flush() {
    while (state_ != State::kOver && pending()) {
        const ssize_t sent =
            ::send(socket_, out_.data() + out_at_, pending(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) break;
        if (sent < 0) return end();
        out_at_ += static_cast<size_t>(sent);
        has_progress_ = true;
    }
    if (!pending()) clear(out_), out_at_ = 0;
    if (out_at_ > kMaxPending) out_.erase(0, std::exchange(out_at_, 0));
}

bool ClientConnection::settle(int64_t now_ms) {
    flush();
    if (is_paused_ && pending() <= kLowPending && call_) {
        is_paused_ = false;
        call_->on_drained();
    }
    if (is_broken_ && !pending()) {
        // Without chunks or a length, only a reset shows that the response is not whole.
        const linger reset = {1, 0};
        if (body_ == BodyEnd::kClose)
            ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        end();
    }
    while (state_ == State::kAnswering && is_answered_ && !pending()) finish(now_ms);
    return state_ != State::kOver;
}

// The response was sent. Waits for the end of the connection, or reads the next request.
void ClientConnection::finish(int64_t now_ms) {
    call_.reset();
    is_answered_ = is_checked_ = is_paused_ = false;
    since_ms_ = now_ms;
    if (closes_ || owner_.is_ending()) {
        ::shutdown(socket_, SHUT_WR);
        state_ = State::kLingering;
        return;
    }
    state_ = State::kReading;
    reader_.reset();
    if (!in_.empty()) return read_request(now_ms);
    limit_ms_ = limits_.between_ms;
}

std::optional<uint32_t> ClientConnection::take_new_interest() {
    const bool reads = state_ != State::kAnswering || in_.size() < kMaxEarly;
    uint32_t interest = EPOLLRDHUP;
    if (reads) interest |= EPOLLIN;
    if (pending()) interest |= EPOLLOUT;
    if (interest == interest_) return std::nullopt;
    return interest_ = interest;
}

void ClientConnection::check_time(int64_t now_ms) {
    const int64_t taken_ms = now_ms - since_ms_;
    const auto body_ms = static_cast<int64_t>(reader_.body_bytes()) / kMinBytesPerMs;
    switch (state_) {
        case State::kReading:
            if (taken_ms > limit_ms_ + body_ms) end();
            break;
        case State::kAnswering:
            if (!pending() || std::exchange(has_progress_, false)) wrote_ms_ = now_ms;
            if (now_ms - wrote_ms_ > limits_.idle_ms) end();
            break;
        case State::kLingering:
            if (taken_ms > kLingerMs) end();
            break;
        case State::kOver: break;
    }
}

void ClientConnection::end_if_idle() {
    if (state_ == State::kReading && in_.empty() && reader_.state() == RequestReader::State::kHead)
        end();
}

}  // namespace proxy
