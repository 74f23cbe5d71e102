// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/upstreams.h"

#include <algorithm>
#include <charconv>

#include "proxy/forward/headers.h"
#include "proxy/own_paths.h"
#include "server/http/caller.h"
#include "server/library/failure.h"

namespace proxy {
namespace {

using host::Failure;

constexpr std::string_view kAnthropic = "anthropic", kOpenAi = "openai";

bool is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool all_in(std::string_view text, std::string_view others) {
    return std::all_of(text.begin(), text.end(),
                       [&](char c) { return is_alphanumeric(c) || others.find(c) != others.npos; });
}

// Returns whether `path` begins with the segments of `prefix`.
bool is_below(std::string_view path, std::string_view prefix) {
    return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

bool is_port(std::string_view digits) {
    constexpr int kMaxPort = 65'535;
    int port = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    return read.ec == std::errc() && read.ptr == digits.data() + digits.size() && port > 0 &&
           port <= kMaxPort;
}

bool is_authority(std::string_view authority) {
    const bool is_ipv6 = authority.starts_with('[');
    const size_t host_end = is_ipv6 ? authority.find(']') : authority.find(':');
    if (is_ipv6 && host_end == authority.npos) return false;
    const std::string_view host =
        is_ipv6 ? authority.substr(1, host_end - 1) : authority.substr(0, host_end);
    const std::string_view rest = is_ipv6                      ? authority.substr(host_end + 1)
                                  : host_end == authority.npos ? std::string_view()
                                                               : authority.substr(host_end);
    if (host.empty() || !all_in(host, is_ipv6 ? ":." : "-._")) return false;
    return rest.empty() || (rest[0] == ':' && is_port(rest.substr(1)));
}

Upstream read_upstream(const std::string &option) {
    const auto fail = [&](const std::string &what) -> Failure {
        return Failure("--upstream " + option + ": " + what);
    };
    const size_t equals = option.find('=');
    Upstream made;
    made.name = option.substr(0, equals);
    if (equals == option.npos || made.name.empty() || !all_in(made.name, "-_"))
        throw fail(
            "not of the form NAME=URL, such as local=http://127.0.0.1:11434; a name has "
            "letters, digits, - and _");
    if (made.name == kOwnName)
        throw fail("this name is the beginning of the proxy's own paths; choose another");
    if (made.name == "v1" || made.name == "v1beta")
        throw fail("this name is the beginning of the providers' own paths; choose another");
    const std::string url = option.substr(equals + 1);
    const size_t scheme = url.find("://");
    const bool is_http = url.starts_with("http://") || url.starts_with("https://");
    const size_t begin = is_http ? scheme + 3 : 0,
                 slash = std::min(url.find('/', begin), url.size());
    const std::string authority = url.substr(begin, slash - begin);
    if (!is_http || !is_authority(authority))
        throw fail(
            "the URL must be http://HOST or https://HOST, with a port and a path if "
            "needed, and without a user");
    made.origin = url.substr(0, slash);
    made.path = url.substr(slash);
    while (made.path.ends_with('/')) made.path.pop_back();
    if (!all_in(made.path, "/-._~!$&'()*+,;=:@%"))
        throw fail("the path of the URL has a character that is not allowed, such as a query");
    made.is_local = server::is_loopback_host(authority);
    return made;
}

}  // namespace

Upstreams::Upstreams(const std::vector<std::string> &options) : has_options_(!options.empty()) {
    const auto has = [&](std::string_view name) {
        return std::any_of(all_.begin(), all_.end(),
                           [&](const Upstream &one) { return one.name == name; });
    };
    for (const std::string &option : options) {
        Upstream made = read_upstream(option);
        if (has(made.name))
            throw Failure("--upstream " + option + ": the name " + made.name + " is given twice");
        all_.push_back(std::move(made));
    }
    if (!has(kAnthropic)) all_.push_back(read_upstream("anthropic=https://api.anthropic.com"));
    if (!has(kOpenAi)) all_.push_back(read_upstream("openai=https://api.openai.com"));
}

const Upstream &Upstreams::named(std::string_view name) const {
    return *std::find_if(all_.begin(), all_.end(),
                         [&](const Upstream &one) { return one.name == name; });
}

Upstreams::Route Upstreams::find(std::string_view target, const Headers &headers) const {
    const std::string_view path = path_of(target);
    for (const Upstream &one : all_) {
        if (!is_below(path, "/" + one.name)) continue;
        const std::string_view rest = target.substr(one.name.size() + 1);
        return {&one, one.path + (rest.starts_with('/') ? "" : "/") + std::string(rest)};
    }
    const auto to = [&](const Upstream &one) {
        return Route{&one, one.path + std::string(target)};
    };
    if (is_below(path, "/v1/messages")) return to(named(kAnthropic));
    if (is_below(path, "/v1/chat/completions") || is_below(path, "/v1/responses"))
        return to(named(kOpenAi));
    if (has_header(headers, "x-api-key") || has_header(headers, "anthropic-version"))
        return to(named(kAnthropic));
    // Clients of Anthropic send one of these headers to all paths below /v1.
    for (const Upstream &one : all_)
        if (has_options_ && !(one.name == kAnthropic && is_below(path, "/v1"))) return to(one);
    return to(named(kOpenAi));
}

bool is_model_call(std::string_view method, std::string_view path) {
    return method == "POST" &&
           (path.ends_with("/messages") || path.ends_with("/chat/completions") ||
            path.ends_with("/responses"));
}

}  // namespace proxy
