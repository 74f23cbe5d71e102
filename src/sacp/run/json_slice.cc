// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See json_slice.h. The texts are JSON without white space: nothing here looks for faults.
#include "sacp/run/json_slice.h"

#include "sacp/message/reference.h"
#include "value/json_writer.h"

namespace accp::execute {

namespace {

bool opens(char c) { return c == '{' || c == '['; }
bool closes(char c) { return c == '}' || c == ']'; }

// Behind the string that begins at `from`.
const char *skip_string(const char *from) {
    for (++from; *from != '"'; ++from)
        if (*from == '\\') ++from;
    return from + 1;
}

// Behind the value that begins at `from`.
const char *skip_value(const char *from, const char *end) {
    uint32_t depth = 0;
    do {
        if (*from == '"') {
            from = skip_string(from);
        } else {
            if (opens(*from)) ++depth;
            else if (closes(*from)) --depth;
            ++from;
        }
    } while (depth);
    // what is left of a number or a word
    while (from < end && *from != ',' && !closes(*from)) ++from;
    return from;
}

std::string_view value_at(const char *from, const char *end) {
    return {from, static_cast<size_t>(skip_value(from, end) - from)};
}

std::string_view find_item(std::string_view array, uint32_t index) {
    const char *at = array.data() + 1, *end = array.data() + array.size();
    while (at < end && *at != ']') {
        if (!index--) return value_at(at, end);
        at = skip_value(at, end) + 1;
    }
    return {};
}

}  // namespace

std::string_view find_member(std::string_view object, std::string_view key) {
    const char *at = object.data() + 1, *end = object.data() + object.size();
    while (at < end && *at == '"') {
        const char *colon = skip_string(at);
        const std::string_view own(at, static_cast<size_t>(colon - at));
        if (own == key) return value_at(colon + 1, end);
        at = skip_value(colon + 1, end) + 1;
    }
    return {};
}

std::string_view find_labels(std::string_view json, std::string_view labels,
                             Buffer<char> &scratch) {
    while (!labels.empty() && json.data()) {
        const std::string_view label = plan::take_label(labels);
        uint32_t index;
        if (json[0] == '{') {
            scratch.clear();
            value::write_json_string(label, scratch);
            json = find_member(json, scratch.view());
        } else if (json[0] == '[' && plan::read_label_number(label, 0, index)) {
            json = find_item(json, index);
        } else {
            return {};
        }
    }
    return json;
}

void write_as_text(std::string_view json, Buffer<char> &out) {
    const char *at = json.data(), *end = at + json.size(), *written = at;
    while (at < end) {
        if (*at != '"') {
            ++at;
            continue;
        }
        const char *after = skip_string(at++);
        const std::string_view text(at, static_cast<size_t>(after - at - 1));
        const bool is_key = after < end && *after == ':';
        if (!is_key && plan::read_reference(text).kind != plan::Reference::kText) {
            out.append(written, static_cast<size_t>(at - written));
            out.push('$');
            written = at;
        }
        at = after;
    }
    out.append(written, static_cast<size_t>(end - written));
}

bool has_type(std::string_view json, plan::Type type) {
    const char first = json[0];
    if (first == 'n') return true;
    const bool number = first == '-' || ('0' <= first && first <= '9');
    switch (type) {
        case plan::Type::kAny: return true;
        case plan::Type::kString: return first == '"';
        case plan::Type::kNumber: return number;
        case plan::Type::kInteger:
            return number && json.find_first_of(".eE") == std::string_view::npos;
        case plan::Type::kBoolean: return first == 't' || first == 'f';
        case plan::Type::kArray: return first == '[';
        case plan::Type::kObject: return first == '{';
    }
    return false;
}

}  // namespace accp::execute
