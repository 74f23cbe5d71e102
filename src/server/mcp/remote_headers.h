// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The headers of an MCP client over HTTP, and texts for replies that are not messages.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/client_call.h"
#include "server/http/json_rpc.h"

namespace server {

// Encodes a text as a header value of MCP. Texts with other characters are sent as Base64.
std::string header_value(std::string_view text);
// The inverse. Returns nothing if the Base64 is malformed.
std::optional<std::string> header_text(std::string_view value);
// The headers of a POST. From 2026-07-28 on they repeat parts of the message. `session` and
// `revision`: the results of `initialize`.
HttpHeaders post_headers(const RpcMessage &message, std::string_view session,
                         std::string_view revision);
// The headers of a stream request; last_id: of the last received event.
HttpHeaders listen_headers(std::string_view session, std::string_view revision,
                           std::string_view last_id);

// "the server answered 401: …", with a hint.
std::string refusal_text(const HttpCallHead &head, std::string_view body);
// Many servers reply 400 in place of 404 for an unknown session, like the examples of the SDKs.
// Does the body indicate that?
bool is_unknown_session(const HttpCallHead &head, std::string_view body);

// Arguments that a server of MCP 2026-07-28 also requires as headers, so that proxies can route by
// them. Its lists of tools declare them by "x-mcp-header" of a property.
class ParamHeaders {
public:
    // Reads the result of tools/list. Replaces earlier declarations of the same tools.
    void read_list(std::string_view result);
    // Adds the headers for params of tools/call: "mcp-param-region", with the argument's value. A
    // null or missing argument adds none.
    void add(std::string_view params, HttpHeaders &headers) const;

private:
    struct Declared {
        std::vector<std::string> path;  // of members, from the arguments down
        std::string header;
    };
    static std::vector<Declared> read_schema(std::string_view schema);

    std::map<std::string, std::vector<Declared>> tools_;  // by name
};

}  // namespace server
