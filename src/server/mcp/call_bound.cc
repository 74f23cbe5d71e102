// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/mcp/call_bound.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/mcp/schema_check.h"
#include "server/mcp/wrap_messages.h"

namespace server {

using host::json_member;

namespace {

constexpr std::string_view kMetaKey = "accp/bound";

// In a list only the names and types appear, because descriptions would be repeated for each tool.
struct BoundArgument {
    std::string_view name;  // in _meta without the first byte
    std::string_view listed, schema;
};
constexpr BoundArgument kBounds[] = {
    {"_max_tokens", R"({"type":"integer"})",
     R"({"type":"integer","minimum":200,"maximum":1000000})"},
    {"_lines", R"({"type":"string"})", R"({"type":"string"})"},
    {"_query", R"({"type":"string"})", R"({"type":"string"})"},
};

// "10-40", "10-" or "10".
bool is_line_range(std::string_view text) {
    const char *end = text.data() + text.size();
    uint64_t first = 0, last = 0;
    const auto begun = std::from_chars(text.data(), end, first);
    if (begun.ec != std::errc() || !first) return false;
    if (begun.ptr == end) return true;
    if (*begun.ptr != '-') return false;
    if (begun.ptr + 1 == end) return true;
    const auto ended = std::from_chars(begun.ptr + 1, end, last);
    return ended.ec == std::errc() && ended.ptr == end && last >= first;
}

// null and "" count as missing, because some hosts fill in all arguments.
std::string read_bound(size_t which, const std::string &name, std::string_view value,
                       CallBound &out) {
    if (value.empty() || value == "null" || value == "\"\"") return {};
    std::string fault = schema_fault(kBounds[which].schema, value, name);
    if (!fault.empty()) return fault;
    if (which == 0) {
        const double number = std::strtod(std::string(value).c_str(), nullptr);
        out.max_tokens = static_cast<uint64_t>(number);
    } else if (which == 1) {
        out.lines = host::json_text(value);
        if (!is_line_range(out.lines))
            fault = name + " is " + std::string(value) +
                    "; it must be a-b, such as 10-40, counted from 1";
    } else {
        out.query = host::json_text(value);
    }
    return fault;
}

std::string read_meta(std::string_view wanted, CallBound &out) {
    if (!wanted.starts_with('{')) return std::string(kMetaKey) + " must be an object";
    for (const auto &[key, value] : host::json_members(wanted)) {
        const auto *known = std::find_if(
            std::begin(kBounds), std::end(kBounds),
            [name = key](const BoundArgument &bound) { return bound.name.substr(1) == name; });
        const std::string name = std::string(kMetaKey) + "." + std::string(key);
        if (known == std::end(kBounds))
            return name + " is unknown; there are max_tokens, lines and query";
        std::string fault = read_bound(static_cast<size_t>(known - kBounds), name, value, out);
        if (!fault.empty()) return fault;
    }
    return {};
}

}  // namespace

unsigned added_bounds(std::string_view tool) {
    const std::string_view schema = json_member(tool, "inputSchema");
    if (json_member(schema, "type") != "\"object\"") return 0;
    for (const char *key : {"$ref", "$dynamicRef", "oneOf", "anyOf", "allOf", "not", "if",
                            "propertyNames", "maxProperties", "dependentSchemas"})
        if (!json_member(schema, key).empty()) return 0;
    unsigned bounds = 0;
    for (size_t i = 0; i < std::size(kBounds); ++i)
        if (json_member(json_member(schema, "properties"), kBounds[i].name).empty())
            bounds |= 1u << i;
    return bounds;
}

std::string with_bounds(std::string_view tool, unsigned bounds) {
    const std::string_view schema = json_member(tool, "inputSchema");
    const std::string_view old = json_member(schema, "properties");
    std::string properties(old.empty() ? "{}" : old);
    for (size_t i = 0; i < std::size(kBounds); ++i)
        if (bounds >> i & 1u)
            properties = replace_member(properties, kBounds[i].name, kBounds[i].listed);
    return replace_member(tool, "inputSchema", replace_member(schema, "properties", properties));
}

std::string with_bound_descriptions(std::string_view resolve_tool) {
    std::string json;
    host::append_json_string(host::json_text(json_member(resolve_tool, "description")) +
                                 " Other tools take _lines and _query (as here) and _max_tokens: "
                                 "how much of their own result is given.",
                             json);
    return replace_member(resolve_tool, "description", json);
}

std::string extract_bound(std::string &params, unsigned bounds, CallBound &out) {
    std::string fault;
    const std::string meta(json_member(params, "_meta"));
    const std::string_view wanted = json_member(meta, kMetaKey);
    if (!wanted.empty()) {
        fault = read_meta(wanted, out);
        const std::string rest = remove_member(meta, kMetaKey);
        params =
            rest == "{}" ? remove_member(params, "_meta") : replace_member(params, "_meta", rest);
    }
    std::string arguments(json_member(params, "arguments"));
    if (arguments.starts_with('{')) {
        const std::string all = arguments;
        for (size_t i = 0; i < std::size(kBounds) && fault.empty(); ++i) {
            const std::string_view value = json_member(all, kBounds[i].name);
            if (!(bounds >> i & 1u) || value.empty()) continue;
            fault = read_bound(i, std::string(kBounds[i].name), value, out);
            arguments = remove_member(arguments, kBounds[i].name);
        }
        if (arguments != all) params = replace_member(params, "arguments", arguments);
    }
    if (fault.empty() && !out.lines.empty() && !out.query.empty())
        fault = "lines and query exclude each other";
    return fault;
}

}  // namespace server
