// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A request and a reply of HTTP, whatever brings and takes them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace server {

struct HttpRequest {
    std::string method, path;
    std::vector<std::pair<std::string, std::string>> query;    // decoded
    std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
    std::string body;

    // Empty: it has none.
    std::string_view header(std::string_view name) const { return find(headers, name); }
    std::string_view parameter(std::string_view name) const { return find(query, name); }
    bool has_parameter(std::string_view name) const {
        for (const auto &[key, value] : query)
            if (key == name) return true;
        return false;
    }

private:
    static std::string_view find(const std::vector<std::pair<std::string, std::string>> &all,
                                 std::string_view name) {
        for (const auto &[key, value] : all)
            if (key == name) return value;
        return {};
    }
};

struct HttpReply {
    int status = 200;
    std::string type;  // of the body: its MIME type
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers = {};
};

inline HttpReply json_reply(std::string json, int status = 200) {
    return {status, "application/json", std::move(json)};
}

// "application/json" of "Application/JSON; charset=utf-8".
std::string media_type(std::string_view header);

}  // namespace server
