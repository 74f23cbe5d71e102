// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the report of a replay must say, computed slowly and by other means: JSON by RapidJSON, sets
// of texts for hashes, every context whole. Contexts and tokens are the command's own: --contexts
// and `accp tokens` have tests of their own.
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
    double billed = 0;
    // by their names in the JSON report
    std::map<std::string, ModelShare> recall;
};

struct ModelPrices {
    double cached = 0.1, write = 1;
};

// Rows by their names in the report. `options`: as given to replay.
std::map<std::string, ModelRow> model_report(const std::string &recording, const Args &options,
                                             const ModelPrices &prices);
