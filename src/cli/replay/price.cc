// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See replay_price.h.
#include "cli/replay/price.h"

#include "cli/session/sessions.h"

namespace cli {

Prices prices_of(const Arguments &arguments) {
    Prices prices;
    const Handle<accp_config> config = new_config();
    for (const std::string &text : arguments.rules) {
        const Rule rule = set_rule(config.get(), text);
        const auto value = static_cast<uint64_t>(rule.value);
        if (rule.number == ACCP_RULE_PRICE_CACHED) prices.cached = value;
        if (rule.number == ACCP_RULE_PRICE_WRITE)
            prices.write = value != 0 ? value : Prices().write;
    }
    return prices;
}

}  // namespace cli
