// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mcp_tool.h.
#include "server/mcp/tool.h"

#include <cstdlib>

#include "server/json/json_parts.h"
#include "server/json/typed_json.h"
#include "server/hub/own_sessions.h"

namespace server {

using host::Failure;

void check_session(const McpClient &client, const std::string &id) {
    if (is_own_session(id)) throw Failure("session " + id + ": E5001: it is the library's own");
    if (client.may_use && !client.may_use(id))
        throw Failure("session " + id + ": E5001: this client may not use it");
}

void McpResult::add_text(std::string_view text) {
    contents.append(contents.empty() ? "" : ",").append(R"({"type":"text","text":)");
    host::append_json_string(text, contents);
    contents += '}';
}

std::string_view McpCall::json(std::string_view name) const {
    const std::string_view value = host::json_member(arguments, name);
    return value == "null" ? std::string_view() : value;
}

std::string McpCall::text(std::string_view name) const { return host::json_text(json(name)); }

int64_t McpCall::number(std::string_view name, int64_t otherwise) const {
    const std::string value(json(name));
    return value.empty() ? otherwise : static_cast<int64_t>(std::strtod(value.c_str(), nullptr));
}

std::string McpCall::lines(std::string_view name) const {
    std::string lines;
    for (const std::string_view item : host::json_items(json(name))) {
        for (const char c : host::json_text(item)) lines.push_back(c == '\n' ? ' ' : c);
        lines.push_back('\n');
    }
    return lines;
}

std::string McpCall::session() const {
    const std::string given = text("session");
    std::string id = given.empty() ? client.session : given;
    check_session(client, id);
    return id;
}

std::string McpCall::session_to_write() const {
    std::string id = session();
    if (client.may_write && !client.may_write(id))
        throw Failure("session " + id +
                      ": E5001: this client may not write to it, or has made as many as it may");
    return id;
}

std::vector<McpToolTable> mcp_tool_tables() {
    return {mcp_session_tools(), mcp_frame_tools(), mcp_packet_tools(), mcp_sacp_tools(),
            mcp_call_tools()};
}

}  // namespace server
