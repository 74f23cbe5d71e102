// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/place.h"

namespace accp_nats {

namespace {

constexpr size_t kMaxPrefix = 64;

bool is_prefix(std::string_view text) {
    if (text.empty() || text.size() > kMaxPrefix) return false;
    return text.find_first_not_of(
               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
               "-_") == text.npos;
}

// Removes the text before `end`, or all of it, and returns it.
std::string_view cut(std::string_view &text, char end) {
    const size_t at = text.find(end);
    const std::string_view before = text.substr(0, at);
    text = at == text.npos ? std::string_view() : text.substr(at + 1);
    return before;
}

int read_shards(std::string_view option) {
    int shards = 0;
    for (const char c : option)
        shards =
            c < '0' || c > '9' || shards > kMaxShards ? kMaxShards + 1 : shards * 10 + (c - '0');
    if (shards < 1 || shards > kMaxShards) throw Failure{ACCP_ERR_ARG, "shards= is 1 to 64"};
    return shards;
}

void read_option(std::string_view option, Place &out) {
    const std::string_view name = cut(option, '=');
    if (name == "replicas" && option.size() == 1 && option[0] >= '1' && option[0] <= '5')
        out.replicas = option[0] - '0';
    else if (name == "shards") out.shards = read_shards(option);
    else if (name == "watch" && option == "always") out.watching = Watching::kAlways;
    else if (name == "watch" && option == "never") out.watching = Watching::kNever;
    else if (name == "creds") out.creds = option;
    else if (name == "ca") out.ca = option;
    else if (name == "cert") out.cert = option;
    else if (name == "key") out.key = option;
    else
        throw Failure{ACCP_ERR_ARG,
                      "options are replicas=1…5, shards=1…64, watch=always or never, and creds=, "
                      "ca=, cert=, key=FILE"};
}

}  // namespace

Place read_place(std::string_view name) {
    Place out;
    const std::string_view scheme = name.substr(0, name.find("://"));
    if ((scheme != "nats" && scheme != "tls") || scheme.size() == name.size())
        throw Failure{ACCP_ERR_ARG, "malformed place: use nats://HOST:PORT/PREFIX"};
    out.tls = scheme == "tls";
    std::string_view options = name.substr(scheme.size() + 3), path = cut(options, '?');
    std::string_view hosts = cut(path, '/');
    if (!is_prefix(path))
        throw Failure{ACCP_ERR_ARG, "a prefix has 1 to 64 letters, digits, - and _"};
    out.prefix = path;
    std::string user;
    if (const size_t at = hosts.rfind('@'); at != hosts.npos) {
        user = hosts.substr(0, at + 1);
        hosts.remove_prefix(at + 1);
    }
    while (!hosts.empty())
        out.servers.push_back(std::string(scheme) + "://" + user + std::string(cut(hosts, ',')));
    if (out.servers.empty()) throw Failure{ACCP_ERR_ARG, "no host in the place's name"};
    while (!options.empty()) read_option(cut(options, '&'), out);
    return out;
}

}  // namespace accp_nats
