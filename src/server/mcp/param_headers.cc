// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See param_headers.h. Only properties of properties count: what stands under items, oneOf and so
// on need not be there, and says nothing.
#include "server/mcp/param_headers.h"

#include <algorithm>

#include "server/json/json_parts.h"
#include "server/mcp/remote_words.h"

namespace server {
namespace {

using host::json_member;

// A name of a header, in lower case; empty: it is none.
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

void ParamHeaders::add(std::string_view params, WebHeaders &headers) const {
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
