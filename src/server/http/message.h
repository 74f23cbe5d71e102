// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// HTTP requests and replies, independent of the connection, and effects of the hub on connections.
// kFrameType is the media type of frames (docs/wire.md, 11).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace server {

constexpr const char *kFrameType = "application/accp";

struct HttpRequest {
    std::string method, path;
    std::vector<std::pair<std::string, std::string>> query;    // decoded
    std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
    std::string body;

    // Empty: missing.
    std::string_view header(std::string_view name) const { return find(headers, name); }
    std::string_view parameter(std::string_view name) const { return find(query, name); }
    bool has_parameter(std::string_view name) const {
        for (const auto &[key, value] : query)
            if (key == name) return true;
        return false;
    }

private:
    static std::string_view find(const std::vector<std::pair<std::string, std::string>> &all,
                                 std::string_view name) {
        for (const auto &[key, value] : all)
            if (key == name) return value;
        return {};
    }
};

struct HttpReply {
    int status = 200;
    std::string type;  // of the body: its MIME type
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers = {};
};

inline HttpReply json_reply(std::string json, int status = 200) {
    return {status, "application/json", std::move(json)};
}

// Returns "application/json" for "Application/JSON; charset=utf-8".
std::string media_type(std::string_view header);

// Escapes a text as a part of a URI: all but letters, digits and -._~ become % and two digits.
std::string percent_encoded(std::string_view text);
// Returns false if a % has no two digits after it.
bool percent_decoded(std::string_view text, std::string &out);

// An action of the hub on a connection.
struct HubEffect {
    enum class Kind {
        kAnswer,  // the whole reply to an HTTP request: `status`, `text`; or the end of a stream
        kPiece,   // a line of a streamed reply; `is_last`: the stream ends
        kSend,    // a message of a WebSocket
        kPing,    // a ping of RFC 6455 with this payload
        kClose,   // the end of a WebSocket: `status` is its code, `text` the reason
        kFrame    // a frame of a chain that the connection watches: `record` of its session
    };
    Kind kind;
    uint64_t to;  // the connection
    int status = 0;
    bool is_last = false;
    std::string text;
    const char *type = kFrameType;  // of a reply or a piece: static text
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
