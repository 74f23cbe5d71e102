// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The parts of an HTTP call to another server: address, request, head of the reply, and a reader of
// server-sent events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace server {

// Parsed from "https://host:8443/mcp?x=1".
struct HttpAddress {
    bool is_tls = false;
    std::string host;  // an IPv6 address without its brackets
    int port = 0;
    std::string path;  // with the query

    // Throws Failure with this message.
    static HttpAddress read(std::string_view url,
                            const std::string &refusal =
                                "--url must be the address of a server, such as https://host/mcp");
    std::string host_header() const;
};

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;  // names in lower case

struct HttpCall {
    uint64_t number = 0;
    std::string method;
    HttpHeaders headers;
    std::string body;
};

struct HttpCallHead {
    int status = 0;
    std::string type;      // of the body: its MIME type in lower case
    std::string session;   // Mcp-Session-Id
    std::string location;  // of a redirect
};

// Reads server-sent events that arrive in pieces: "id: 3\ndata: {…}\n\n".
class SseReader {
public:
    // Called with the data of each event that has data, lines joined by "\n".
    using Each = std::function<void(const std::string &data)>;
    void read(std::string_view bytes, const Each &each);

    // Of the last event with an id; empty: there was none.
    const std::string &last_id() const { return last_id_; }
    void continue_from(std::string id, int64_t retry_ms) {
        last_id_ = std::move(id);
        retry_ms_ = retry_ms;
    }
    // The server's delay before the stream is requested again; -1: not set.
    int64_t retry_ms() const { return retry_ms_; }
    // The size of the incomplete event.
    size_t held_bytes() const { return line_.size() + data_.size(); }

private:
    void end_line(const Each &each);
    void field(std::string_view name, std::string_view value);

    std::string line_, data_, id_, last_id_;
    bool has_data_ = false, has_id_ = false, after_cr_ = false, has_begun_ = false;
    int64_t retry_ms_ = -1;
};

}  // namespace server
