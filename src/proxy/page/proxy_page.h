// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The responses of the paths under /_accp/ (docs/proxy.md): the state of the proxy as JSON and as
// metrics, and a page for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxy/own_paths.h"
#include "proxy/page/call_meter.h"
#include "proxy/rewriter.h"

namespace proxy {

class ProxyPage final : public OwnPaths {
public:
    struct Upstream {
        std::string name, url;
    };
    struct Facts {
        std::string version;
        int64_t started_ms = 0;
        std::vector<Upstream> upstreams;
    };

    // All outlive it. `history`: nullptr leaves out the page and its data.
    ProxyPage(Facts facts, const CallMeter &meter, const Rewriter &rewriter,
              const CallHistory *history = nullptr);

    bool is_public(std::string_view target) const override;
    OwnAnswer answer(const OwnRequest &request, int64_t now_ms) override;

private:
    OwnAnswer answer_page(std::string_view path, const OwnRequest &request, int64_t now_ms) const;
    std::string status(size_t connections, int64_t now_ms) const;
    std::string metrics(size_t connections) const;

    const Facts facts_;
    const CallMeter &meter_;
    const Rewriter &rewriter_;
    const CallHistory *history_;
};

}  // namespace proxy
