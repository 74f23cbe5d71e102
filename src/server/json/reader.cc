// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/json/reader.h"

#include "server/library/failure.h"
#include "server/library/handles.h"

namespace host {

std::string compact_json(std::string_view json) {
    const Handle<accp_value> value = new_value(nullptr);
    accp_error err = {};
    accp_text out;
    if (accp_value_parse_json(value.get(), json.data(), json.size(), &err) != ACCP_OK ||
        accp_value_print_json(value.get(), &out, &err) != ACCP_OK)
        throw Failure(describe(err));
    return std::string(to_view(out));
}

std::vector<std::pair<std::string_view, std::string_view>> json_members(std::string_view object) {
    std::vector<std::pair<std::string_view, std::string_view>> members;
    if (object.empty() || object[0] != '{') return members;
    for (size_t at = 1; at < object.size() && object[at] == '"';) {
        const size_t end = member_end(object, at);
        const std::string_view member = object.substr(at, end - at), value = member_value(member);
        members.emplace_back(member.substr(1, member.size() - value.size() - 3), value);
        at = end + 1;
    }
    return members;
}

std::string_view json_member(std::string_view object, std::string_view key) {
    for (const auto &[name, value] : json_members(object))
        if (name == key) return value;
    return {};
}

std::string_view json_optional(std::string_view object, std::string_view key) {
    const std::string_view value = json_member(object, key);
    return value == "null" ? std::string_view() : value;
}

std::vector<std::string_view> json_items(std::string_view array) {
    std::vector<std::string_view> items;
    if (array.size() < 3 || array[0] != '[') return items;
    const std::string_view inside = array.substr(1, array.size() - 2);
    for (size_t at = 0; at < inside.size();) {
        const size_t end = member_end(inside, at);
        items.push_back(inside.substr(at, end - at));
        at = end + 1;
    }
    return items;
}

std::string_view json_word(std::string_view string) {
    if (string.size() < 2 || string[0] != '"') return {};
    return string.substr(1, string.size() - 2);
}

std::string json_text(std::string_view string) {
    if (string.size() < 2 || string[0] != '"') return {};
    return std::string(JsonTree(string).text(0));
}

}  // namespace host
