// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/headers.h"

#include <algorithm>

namespace proxy {
namespace {

// Calls each(element) for the elements of a list that are not empty.
template <typename Each>
void each_element(std::string_view list, Each each) {
    for (size_t at = 0; at <= list.size();) {
        const size_t end = std::min(list.find(',', at), list.size());
        const std::string_view element = trimmed(list.substr(at, end - at));
        if (!element.empty()) each(element);
        at = end + 1;
    }
}

bool is_connection_header(std::string_view name) {
    constexpr std::string_view kNames[] = {
        "connection",          "keep-alive", "proxy-connection",  "proxy-authenticate",
        "proxy-authorization", "te",         "transfer-encoding", "upgrade"};
    return std::any_of(std::begin(kNames), std::end(kNames),
                       [&](std::string_view one) { return equals_ignoring_case(one, name); });
}

// Returns whether the weight of an element of Accept-Encoding is zero, as in "gzip;q=0.0".
bool is_excluded(std::string_view element) {
    const size_t semicolon = element.find(';');
    if (semicolon == element.npos) return false;
    const std::string_view weight = trimmed(element.substr(semicolon + 1));
    return weight.size() > 2 && equals_ignoring_case(weight.substr(0, 2), "q=") &&
           weight.substr(2).find_first_not_of("0.") == weight.npos;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

bool has_header(const Headers &headers, std::string_view name) {
    return std::any_of(headers.begin(), headers.end(),
                       [&](const auto &one) { return equals_ignoring_case(one.first, name); });
}

void remove_header(Headers &headers, std::string_view name) {
    std::erase_if(headers, [&](const auto &one) { return equals_ignoring_case(one.first, name); });
}

bool lists_token(const Headers &headers, std::string_view name, std::string_view token) {
    bool is_listed = false;
    for (const auto &[key, value] : headers) {
        if (!equals_ignoring_case(key, name)) continue;
        each_element(value, [&](std::string_view element) {
            is_listed |= equals_ignoring_case(element, token);
        });
    }
    return is_listed;
}

void remove_connection_headers(Headers &headers) {
    std::vector<std::string> named;
    for (const auto &[key, value] : headers)
        if (equals_ignoring_case(key, "connection"))
            each_element(value, [&](std::string_view element) { named.emplace_back(element); });
    std::erase_if(headers, [&](const auto &one) {
        return is_connection_header(one.first) ||
               std::any_of(named.begin(), named.end(), [&](const std::string &name) {
                   return equals_ignoring_case(name, one.first);
               });
    });
}

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
    });
}

bool append_header_line(std::string_view line, Headers &out) {
    const size_t colon = line.find(':');
    if (colon == line.npos || colon == 0) return false;
    const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
    if (has_control(line) || name.find_first_of(" \t") != name.npos) return false;
    out.emplace_back(name, value);
    return true;
}

bool accepts_identity(const Headers &headers) {
    bool is_named = false, is_refused = false, all_others_refused = false;
    for (const auto &[key, value] : headers) {
        if (!equals_ignoring_case(key, "accept-encoding")) continue;
        each_element(value, [&](std::string_view element) {
            const std::string_view coding = trimmed(element.substr(0, element.find(';')));
            if (equals_ignoring_case(coding, "identity")) {
                is_named = true;
                is_refused |= is_excluded(element);
            }
            if (coding == "*") all_others_refused |= is_excluded(element);
        });
    }
    return !is_refused && (is_named || !all_others_refused);
}

}  // namespace proxy
