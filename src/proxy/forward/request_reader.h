// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads HTTP/1 requests that arrive in pieces. server/http/head.h checks each head first, so that
// no upstream can see another request than the proxy. The body is read whole, with a length or in
// chunks (RFC 9112, 7.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/traffic.h"

namespace proxy {

struct Request {
    std::string method, target;  // target: path and query
    Headers headers;             // in order, as they came
    std::string body;
    bool has_body = false;  // one was announced, even if it is empty
    bool is_http10 = false;
};

class RequestReader {
public:
    enum class State { kHead, kBody, kWhole, kRefused };

    explicit RequestReader(size_t max_body) : max_body_(max_body) {}

    // Removes the bytes that it has read from the front of `in`. After kWhole and kRefused it reads
    // nothing more.
    State read(std::string &in);
    State state() const { return state_; }
    Request &request() { return request_; }
    // The status and the reason, if the request was refused.
    int status() const { return status_; }
    const char *why() const { return why_; }
    // The number of bytes of the body so far.
    size_t body_bytes() const { return request_.body.size(); }
    // Returns whether the client waits for "100 Continue" before it sends its body. Returns true at
    // most once.
    bool take_expectation();
    // Begins with the next request.
    void reset() { *this = RequestReader(max_body_); }

private:
    enum class Part { kLength, kSize, kData, kDataEnd, kTrailers };

    State refuse(int status, const char *why);
    bool read_head(std::string &in);
    void begin_body();
    bool read_data(std::string &in);
    bool read_size(std::string &in);
    bool read_data_end(std::string &in);
    bool read_trailers(std::string &in);
    bool take_line(std::string &in, std::string &line);

    size_t max_body_;
    State state_ = State::kHead;
    Part part_ = Part::kLength;
    Request request_;
    uint64_t left_ = 0;   // of the body, or of a chunk
    size_t checked_ = 0;  // bytes of the head whose lines are valid so far
    size_t trailer_bytes_ = 0;
    bool expects_continue_ = false;
    int status_ = 0;
    const char *why_ = "";
};

}  // namespace proxy
