// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Recurses as deep as the schema, not as the value.
#include "server/mcp/schema_check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "server/json/reader.h"
#include "server/library/failure.h"

namespace server {

using host::json_items;
using host::json_member;
using host::json_members;
using host::json_text;

namespace {

constexpr double kMaxWhole = 9007199254740992;  // 2^53: larger numbers are not exact
constexpr size_t kMaxShown = 40;                // bytes of a value in a message

double number_of(std::string_view json) { return std::strtod(std::string(json).c_str(), nullptr); }

std::string_view type_of(std::string_view value) {
    switch (value[0]) {
        case '"': return "string";
        case '{': return "object";
        case '[': return "array";
        case 't':
        case 'f': return "boolean";
        case 'n': return "null";
        default: break;
    }
    const double number = number_of(value);
    const bool is_whole = std::fabs(number) <= kMaxWhole && number == std::floor(number);
    return is_whole ? "integer" : "number";  // 3.0 is an integer
}

bool is_of_type(std::string_view value, std::string_view type) {
    const std::string_view is = type_of(value);
    return is == type || (type == "number" && is == "integer");
}

// Returns a short value, or the type of a long one.
std::string shown_value(std::string_view value) {
    if (value.size() <= kMaxShown) return std::string(value);
    return std::string(type_of(value)) + " of " + std::to_string(value.size()) + " bytes";
}

// "a, b and c"
std::string joined(const std::vector<std::string_view> &names) {
    std::string all;
    for (size_t i = 0; i < names.size(); ++i)
        all.append(i == 0 ? "" : i + 1 == names.size() ? " and " : ", ").append(names[i]);
    return all;
}

// Checks a number, the bytes of a text or the items of an array against two bounds.
std::string bounds_fault(std::string_view schema, const char *min_name, const char *max_name,
                         double value, const char *unit) {
    const std::string_view min = json_member(schema, min_name), max = json_member(schema, max_name);
    const bool is_under = !min.empty() && value < number_of(min),
               is_over = !max.empty() && value > number_of(max);
    if (!is_under && !is_over) return {};
    return std::string(is_under ? "at least " : "at most ").append(is_under ? min : max) + unit;
}

std::string size_fault(std::string_view schema, std::string_view value) {
    switch (value[0]) {
        case '"': {
            if (json_member(schema, "minLength").empty() &&
                json_member(schema, "maxLength").empty())
                return {};
            const auto size = static_cast<double>(json_text(value).size());
            return bounds_fault(schema, "minLength", "maxLength", size, " bytes");
        }
        case '[':
            return bounds_fault(schema, "minItems", "maxItems",
                                static_cast<double>(json_items(value).size()), " items");
        case '{':
        case 't':
        case 'f':
        case 'n': return {};
        default: return bounds_fault(schema, "minimum", "maximum", number_of(value), "");
    }
}

std::string object_fault(std::string_view schema, std::string_view value, const std::string &name) {
    const auto known = json_members(json_member(schema, "properties"));
    const auto given = json_members(value);
    const auto has = [](const auto &members, std::string_view key) {
        return std::any_of(members.begin(), members.end(),
                           [&](const auto &member) { return member.first == key; });
    };
    const auto required = json_items(json_member(schema, "required"));
    for (const std::string_view quoted : required) {
        const std::string_view key = host::json_word(quoted);
        if (!has(given, key)) return name + ": " + std::string(key) + " is missing";
    }
    for (const auto &[key, inner] : given) {
        const auto is_key = [name = key](std::string_view quoted) {
            return host::json_word(quoted) == name;
        };
        if (inner == "null" && std::none_of(required.begin(), required.end(), is_key)) continue;
        if (has(known, key)) {
            std::string fault = schema_fault(json_member(json_member(schema, "properties"), key),
                                             inner, name + "." + std::string(key));
            if (!fault.empty()) return fault;
        } else if (json_member(schema, "additionalProperties") == "false") {
            std::vector<std::string_view> names;
            for (const auto &member : known) names.push_back(member.first);
            return name + ": unknown member " + shown_value(key) +
                   (names.empty() ? "; there are none" : "; there are " + joined(names));
        }
    }
    return {};
}

}  // namespace

std::string schema_fault(std::string_view schema, std::string_view value, const std::string &name) {
    const std::string_view type = host::json_word(json_member(schema, "type"));
    const auto refuse = [&](const std::string &wanted) {
        return name + " is " + shown_value(value) + "; it must be " + wanted;
    };
    if (!type.empty() && !is_of_type(value, type))
        return refuse(std::string(type.find_first_of("aio") == 0 ? "an " : "a ") +
                      std::string(type));
    const auto choices = json_items(json_member(schema, "enum"));
    if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end())
        return refuse("one of " + joined(choices));
    const std::string size = size_fault(schema, value);
    if (!size.empty()) return refuse(size);
    if (value[0] == '{') return object_fault(schema, value, name);
    const std::string_view items = json_member(schema, "items");
    if (value[0] != '[' || items.empty()) return {};
    size_t number = 0;
    for (const std::string_view item : json_items(value)) {
        std::string fault = schema_fault(items, item, name + "[" + std::to_string(number++) + "]");
        if (!fault.empty()) return fault;
    }
    return {};
}

}  // namespace server
