// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/json_text.h"

#include <algorithm>

#include "base/bytes.h"
#include "value/json_writer.h"

namespace proxy {

namespace {

constexpr uint64_t kMaxTextBytes = 64 << 20;
constexpr uint32_t kMaxTextDepth = 512;

size_t json_string_end(std::string_view text, size_t open) {
    for (size_t at = open;;) {
        at = text.find('"', at + 1);
        size_t backslashes = 0;
        while (text[at - 1 - backslashes] == '\\') ++backslashes;
        if (backslashes % 2 == 0) return at + 1;
    }
}

}  // namespace

// The text is valid JSON, so each string has an end, and brackets match.
size_t json_value_end(std::string_view text, size_t begin) {
    if (text[begin] == '"') return json_string_end(text, begin);
    if (text[begin] != '[' && text[begin] != '{') {
        const size_t end = text.find_first_of(",]} \t\r\n", begin);
        return end == text.npos ? text.size() : end;
    }
    size_t depth = 0;
    for (size_t at = begin;;) {
        at = text.find_first_of("\"[]{}", at);
        if (text[at] == '"') {
            at = json_string_end(text, at);
            continue;
        }
        depth += text[at] == '[' || text[at] == '{' ? 1 : size_t(-1);
        ++at;
        if (!depth) return at;
    }
}

std::string json_string(std::string_view text) {
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::Buffer<char> json(memory);
    accp::value::write_json_string(text, json);
    return {json.data(), json.size()};
}

bool JsonText::read(std::string_view text) {
    text_ = text;
    return reader_.read(text.data(), text.size(), {kMaxTextBytes, kMaxTextDepth}, value_).ok() &&
           tree()[0].kind == ACCP_MAP;
}

uint32_t JsonText::find(uint32_t map, std::string_view key, uint8_t kind) const {
    if (tree()[map].kind != ACCP_MAP) return 0;
    const uint32_t node = tree().find(map, key);
    return node && tree()[node].kind == kind ? node : 0;
}

std::string_view JsonText::text_of(uint32_t map, std::string_view key) const {
    const uint32_t node = find(map, key, ACCP_STRING);
    return node ? tree().string(node) : std::string_view{};
}

bool JsonText::number_of(uint32_t map, std::string_view key, uint64_t &out) const {
    const uint32_t node = find(map, key, ACCP_INT);
    if (!node) return false;
    uint64_t number = 0;
    for (const char c : tree().string(node)) {
        if (!accp::is_digit(c) || number > UINT32_MAX) return false;
        number = number * 10 + static_cast<uint64_t>(c - '0');
    }
    out = number;
    return true;
}

Edit member_removal(std::string_view text, size_t key, size_t end) {
    const size_t next = text.find_first_not_of(" \t\r\n", end);
    if (text[next] == ',') return {key, next + 1, {}};
    const size_t comma = text.find_last_of(",{", key);
    return {text[comma] == ',' ? comma : key, next, {}};
}

std::string apply_edits(std::string_view text, std::vector<Edit> edits) {
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
    std::string out;
    out.reserve(text.size());
    size_t copied = 0;
    for (const Edit &edit : edits) {
        out.append(text, copied, edit.begin - copied).append(edit.text);
        copied = edit.end;
    }
    return out.append(text, copied);
}

}  // namespace proxy
