// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The prices of tokens, by model: a table in JSON that users may replace (data/prices/prices.json
// is built in).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "context/retention.h"
#include "proxy/usage.h"

namespace proxy {

// Prices in dollars for a million tokens. If the model is unknown, in plain input tokens.
struct Price {
    double input = 1, cache_read = 0.1, cache_write = 1.25, cache_write_hour = 2, output = 5;
    int64_t cache_ms = 300'000;  // how long the provider keeps a prefix after its last use
    bool is_known = false;

    double of(const Usage &usage) const;
    // Returns the price of the input alone.
    double of_input(const Usage &usage) const;
    // Returns the rules: prices relative to plain input, and the longest context that stays whole.
    accp::context::RetentionRules rules(bool keeps_an_hour) const;
};

class PriceTable {
public:
    // The built-in table.
    PriceTable();

    // Replaces the table by one in JSON. On failure the table is unchanged, and the returned text
    // describes what is wrong and where.
    std::optional<std::string> read(std::string_view json);

    // `prompt_tokens`: of the request; some models cost more for long ones. `day`: such as
    // "2026-11-28".
    Price find(std::string_view model, std::string_view day, uint64_t prompt_tokens) const;

private:
    struct Row {
        std::string model, from;
        uint64_t over_tokens = 0;
        Price price;
    };
    std::vector<Row> rows_;
    Price other_;
};

// Returns the day of a time in milliseconds since 1970, in UTC.
std::string day_of(int64_t now_ms);

}  // namespace proxy
