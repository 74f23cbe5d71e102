// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/mcp/remote_headers.h"

#include <algorithm>

#include "server/json/base64.h"
#include "server/json/reader.h"
#include "server/mcp/server.h"

namespace server {

using host::json_member;

namespace {

constexpr std::string_view kBase64 = "=?base64?";  // ends with "?="
constexpr size_t kMaxShownBody = 200;              // bytes of a reply that is not a message

void add_agreed(std::string_view session, std::string_view revision, HttpHeaders &headers) {
    if (!session.empty()) headers.emplace_back("mcp-session-id", session);
    if (!revision.empty()) headers.emplace_back("mcp-protocol-version", revision);
}

std::string_view hint_of(int status) {
    switch (status) {
        case 401:
        case 403: return "; pass its token with --header 'Authorization: Bearer ...'";
        case 404:
        case 405: return "; is the path of --url that of the server's MCP?";
        default: return "";
    }
}

// Returns a line of the reply without control characters.
std::string shown_line(std::string_view body) {
    std::string line;
    for (const char c : body.substr(0, kMaxShownBody))
        line += static_cast<unsigned char>(c) < ' ' || c == 127 ? ' ' : c;
    while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0x80)) line.pop_back();
    while (line.ends_with(' ')) line.pop_back();
    return line;
}

// Returns the header name for a schema, in lower case; empty: none.
std::string param_header(std::string_view schema) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    std::string name = host::json_text(json_member(schema, "x-mcp-header"));
    const std::string_view type = host::json_word(json_member(schema, "type"));
    if (type != "string" && type != "integer" && type != "number" && type != "boolean") return {};
    for (char &c : name) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!is_plain && kMarks.find(c) == kMarks.npos) return {};
    }
    return name.empty() ? name : "mcp-param-" + name;
}

}  // namespace

std::string header_value(std::string_view text) {
    const bool is_plain =
        std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
    if (!text.empty() && is_plain && !text.starts_with(kBase64)) return std::string(text);
    return std::string(kBase64) + host::print_base64(text) + "?=";
}

std::optional<std::string> header_text(std::string_view value) {
    if (!value.starts_with(kBase64)) return std::string(value);
    value.remove_prefix(kBase64.size());
    std::string text;
    if (!value.ends_with("?=") || !host::read_base64(value.substr(0, value.size() - 2), text))
        return std::nullopt;
    return text;
}

HttpHeaders post_headers(const RpcMessage &message, std::string_view session,
                         std::string_view revision) {
    HttpHeaders headers = {{"content-type", "application/json"},
                           {"accept", "application/json, text/event-stream"}};
    const std::string alone = McpServer::revision_of(message);
    if (alone.empty()) {
        add_agreed(session, revision, headers);
        return headers;
    }
    headers.emplace_back("mcp-protocol-version", alone);
    headers.emplace_back("mcp-method", message.method);
    std::string name = host::json_text(host::json_member(message.params, "name"));
    if (name.empty()) name = host::json_text(host::json_member(message.params, "uri"));
    if (!name.empty()) headers.emplace_back("mcp-name", header_value(name));
    return headers;
}

HttpHeaders listen_headers(std::string_view session, std::string_view revision,
                           std::string_view last_id) {
    HttpHeaders headers = {{"accept", "text/event-stream"}};
    add_agreed(session, revision, headers);
    if (!last_id.empty()) headers.emplace_back("last-event-id", last_id);
    return headers;
}

std::string refusal_text(const HttpCallHead &head, std::string_view body) {
    constexpr int kMoved = 300, kBad = 400;
    if (head.status < kMoved) return "the server's reply has no message for this request";
    std::string text = "the server answered " + std::to_string(head.status);
    if (head.status < kBad && !head.location.empty())
        return text + ": it has moved to " + shown_line(head.location) + ", use that as --url";
    const std::string line = shown_line(body);
    if (!line.empty()) text += ": " + line;
    return text.append(hint_of(head.status));
}

bool is_unknown_session(const HttpCallHead &head, std::string_view body) {
    constexpr int kBad = 400;
    return head.status == kBad && body.find("ession") != body.npos;
}

// Only nested properties count. Values under items, oneOf and so on may be absent, so they are
// ignored.
std::vector<ParamHeaders::Declared> ParamHeaders::read_schema(std::string_view schema) {
    std::vector<Declared> found;
    std::vector<std::pair<std::string_view, std::vector<std::string>>> open = {{schema, {}}};
    while (!open.empty()) {
        const auto [outer, path] = std::move(open.back());
        open.pop_back();
        for (const auto &[name, inner] : host::json_members(json_member(outer, "properties"))) {
            if (!inner.starts_with('{')) continue;
            std::vector<std::string> down = path;
            down.emplace_back(name);
            std::string header = param_header(inner);
            if (!header.empty()) found.push_back({down, std::move(header)});
            open.emplace_back(inner, std::move(down));
        }
    }
    return found;
}

void ParamHeaders::read_list(std::string_view result) {
    for (const std::string_view tool : host::json_items(json_member(result, "tools")))
        tools_[host::json_text(json_member(tool, "name"))] =
            read_schema(json_member(tool, "inputSchema"));
}

void ParamHeaders::add(std::string_view params, HttpHeaders &headers) const {
    const auto known = tools_.find(host::json_text(json_member(params, "name")));
    if (known == tools_.end()) return;
    for (const Declared &one : known->second) {
        std::string_view value = json_member(params, "arguments");
        for (const std::string &name : one.path) value = json_member(value, name);
        if (value.empty() || value == "null" || value[0] == '{' || value[0] == '[') continue;
        headers.emplace_back(one.header,
                             header_value(value[0] == '"' ? host::json_text(value) : value));
    }
}

}  // namespace server
