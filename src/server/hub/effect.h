// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a hub wants done with a connection.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "server/http/frame_type.h"

namespace server {

struct HubEffect {
    enum class Kind {
        kAnswer,  // the whole answer to an HTTP request: `status`, `text`
        kPiece,   // a piece of such an answer, a line; `is_last`: it ends here
        kSend,    // a message of a WebSocket
        kPing,    // a ping of RFC 6455 with this payload
        kClose,   // a WebSocket's end: `status` is its code, `text` why
        kFrame    // a frame of a chain that the connection watches: `record` of its session
    };
    Kind kind;
    uint64_t to;  // the connection
    int status = 0;
    bool is_last = false;
    std::string text;
    const char *type = kFrameType;  // of an answer or a piece: static text
    uint64_t record = 0;

    static HubEffect answer(uint64_t to, int status, std::string text,
                            const char *type = kFrameType) {
        return {Kind::kAnswer, to, status, true, std::move(text), type};
    }
    static HubEffect piece(uint64_t to, std::string line, bool is_last,
                           const char *type = kFrameType) {
        return {Kind::kPiece, to, 200, is_last, std::move(line) + "\n", type};
    }
    static HubEffect send(uint64_t to, std::string frame) {
        return {Kind::kSend, to, 0, false, std::move(frame)};
    }
    static HubEffect ping(uint64_t to, std::string payload) {
        return {Kind::kPing, to, 0, false, std::move(payload)};
    }
    static HubEffect frame(uint64_t to, uint64_t record) {
        return {Kind::kFrame, to, 0, false, {}, "", record};
    }
    static HubEffect close(uint64_t to, int status, std::string why) {
        return {Kind::kClose, to, status, true, std::move(why)};
    }
};

}  // namespace server
