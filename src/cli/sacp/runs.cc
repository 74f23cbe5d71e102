// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sacp_runs.h.
#include "cli/sacp/runs.h"

#include <cstdlib>

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr size_t kMaxOutput = 16 << 20;  // the library's default

}  // namespace

std::string policy_of(const Arguments &arguments, const char *otherwise) {
    return arguments.policy.empty() ? otherwise : compact_json(read_file(arguments.policy));
}

size_t max_output_of(const std::string &policy) {
    const std::string max(json_member(policy, "max_output_bytes"));
    return max.empty() ? kMaxOutput : std::strtoull(max.c_str(), nullptr, 10);
}

}  // namespace cli
