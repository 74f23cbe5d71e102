// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The upstreams of a proxy, and which one a request is for (docs/proxy.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proxy/traffic.h"

namespace proxy {

struct Upstream {
    std::string name;    // letters, digits, - and _
    std::string origin;  // such as "https://api.openai.com"
    std::string path;    // comes before the path of each request; empty or "/openai"
    bool is_local;       // its host is a loopback address

    std::string url() const { return origin + path; }
};

class Upstreams {
public:
    // `options`: each "NAME=URL". "anthropic" and "openai" have their providers' URLs without one.
    // Throws Failure.
    explicit Upstreams(const std::vector<std::string> &options);

    struct Route {
        const Upstream *upstream;
        std::string target;  // path and query to send to it
    };
    Route find(std::string_view target, const Headers &headers) const;

    const std::vector<Upstream> &all() const { return all_; }

private:
    const Upstream &named(std::string_view name) const;

    std::vector<Upstream> all_;  // those of options first, in their order
    bool has_options_;
};

// Returns whether this is a call to a model, whose response reports its usage.
bool is_model_call(std::string_view method, std::string_view path);

}  // namespace proxy
