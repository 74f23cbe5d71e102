// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The expected report of a replay, computed slowly and by other means: JSON with RapidJSON, sets of
// texts instead of hashes, and every context whole. Contexts and tokens come from the command,
// because
// --contexts and `accp tokens` have tests of their own.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "run_accp.h"

struct ModelShare {
    uint64_t present = 0, needed = 0;
};

struct ModelRow {
    uint64_t tokens = 0;
    double billed = 0, fetches = 0;
    // By the names in the JSON report.
    std::map<std::string, ModelShare> recall;
};

struct ModelPrices {
    double cached = 0.1, write = 1.25, output = 5;
    double ttl_seconds = 300, system = 0;
};

// Returns the rows by their names in the report. `options`: as for replay.
std::map<std::string, ModelRow> model_report(const std::string &recording, const Args &options,
                                             const ModelPrices &prices);
