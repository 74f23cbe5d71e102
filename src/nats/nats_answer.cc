// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_answer.h.
#include "nats/nats_answer.h"

namespace accp_nats {

namespace {

// What stands after `"name":`.
std::string_view after_name(std::string_view json, std::string_view name) {
    const std::string quoted = '"' + std::string(name) + '"';
    const size_t at = json.find(quoted);
    if (at == json.npos) return {};
    const size_t value = json.find_first_not_of(": \t\r\n", at + quoted.size());
    return value == json.npos ? std::string_view() : json.substr(value);
}

int digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

uint64_t number_of(std::string_view json, std::string_view name) {
    uint64_t number = 0;
    for (const char c : after_name(json, name)) {
        if (c < '0' || c > '9') break;
        number = number * 10 + static_cast<uint64_t>(c - '0');
    }
    return number;
}

std::string_view text_of_member(std::string_view json, std::string_view name) {
    const std::string_view value = after_name(json, name);
    if (value.empty() || value.front() != '"') return {};
    return value.substr(1, value.find('"', 1) - 1);
}

bool decode_base64(std::string_view from, std::string &out) {
    out.clear();
    out.reserve(from.size() / 4 * 3);
    uint32_t bits = 0;
    int count = 0;
    while (!from.empty() && from.back() == '=') from.remove_suffix(1);
    for (const char c : from) {
        const int digit = digit_of(c);
        if (digit < 0) return false;
        bits = bits << 6 | static_cast<uint32_t>(digit);
        if ((count += 6) < 8) continue;
        count -= 8;
        out.push_back(static_cast<char>(bits >> count & 255));
    }
    return true;
}

ServerError error_of(std::string_view json) {
    const std::string_view error = after_name(json, "error");
    if (error.empty()) return {};
    return {number_of(error, "code"), number_of(error, "err_code")};
}

}  // namespace accp_nats
