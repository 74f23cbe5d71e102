// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Responses as the client gets them: the head in HTTP/1.1, and errors of the proxy itself in the
// form of the provider that the client expects.
#pragma once

#include <string>
#include <string_view>

#include "proxy/forward/upstream_client.h"

namespace proxy {

// How the end of a body is found (RFC 9112, 6.3).
enum class BodyEnd {
    kNone,    // no body
    kLength,  // Content-Length
    kChunks,  // Transfer-Encoding: chunked
    kClose    // the connection ends; for clients of HTTP/1.0
};

BodyEnd body_end_of(const AnswerHead &head, std::string_view method, bool is_http10);
// Returns the head as text, with a header for this body, and Connection: close if it `closes`.
std::string head_text(const AnswerHead &head, BodyEnd body, bool closes);
// Appends a chunk.
void append_chunk(std::string_view bytes, std::string &out);
// Returns the last chunk.
std::string last_chunk(const Headers &trailers);

// The reply to a request that the proxy does not forward, or cannot.
struct Refusal {
    int status;
    std::string why;  // for a person
    Headers headers = {};
};
std::string_view reason_of(int status);
// Returns the body as JSON. `upstream`: "anthropic" gets errors of that form, others those of
// OpenAI.
std::string error_json(const Refusal &refusal, std::string_view upstream);

}  // namespace proxy
