// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a client of MCP over HTTP says beside the messages, and what it tells of answers that are
// none.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/client_call.h"
#include "server/http/json_rpc.h"

namespace server {

// A text as a header of MCP has it: what has no place there goes as Base64.
std::string header_value(std::string_view text);
// Of a post: from 2026-07-28 on they say again what the message says. `session` and `revision`:
// what `initialize` has agreed on.
HttpHeaders post_headers(const RpcMessage &message, std::string_view session,
                         std::string_view revision);
// Of a stream that is asked for; last_id: of the event that it goes on after.
HttpHeaders listen_headers(std::string_view session, std::string_view revision,
                           std::string_view last_id);

// "the server answered 401: …", and what may help.
std::string refusal_text(const HttpCallHead &head, std::string_view body);
// Does a server that answers 400 where 404 is meant say that it does not know the session? Many do,
// as the examples of the SDKs have it.
bool is_unknown_session(const HttpCallHead &head, std::string_view body);

// Arguments that a server of MCP 2026-07-28 wants in headers too, so that what stands before it can
// route by them: its lists of tools say so, by "x-mcp-header" of a property.
class ParamHeaders {
public:
    // The result of tools/list; what a tool had before is forgotten.
    void read_list(std::string_view result);
    // Of params of tools/call: "mcp-param-region", with the argument's value. One that is null or
    // not there has none.
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
