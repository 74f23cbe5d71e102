// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sacp_runs.h.
#include "cli/sacp_runs.h"

#include <cstdlib>

#include "cli/failure.h"
#include "cli/json_parts.h"
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

Handle<accp_store> open_run_store(const std::string &named) {
    if (named.empty()) return {};
    const std::string place = named.find(':') == named.npos ? "sqlite:" + named : named;
    accp_store *store = nullptr;
    accp_error err = {};
    if (accp_store_open(place.data(), place.size(), 0, nullptr, &store, &err) != ACCP_OK)
        throw Failure(place + ": " + accp_status_code_name(err.code) + ": " + message_of(err));
    return Handle<accp_store>(store);
}

}  // namespace cli
