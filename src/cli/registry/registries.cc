// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See registries.h.
#include "cli/registry/registries.h"

#include <string>
#include <utility>

#include "cli/host.h"
#include "cli/settings.h"
#include "cli/terminal/streams.h"

namespace cli {

uint32_t profiles(const Arguments &arguments) {
    static constexpr std::pair<const char *, uint32_t> kNames[] = {
        {"chat", ACCP_PROFILE_CHAT},
        {"tool", ACCP_PROFILE_TOOL},
        {"transaction", ACCP_PROFILE_TRANSACTION},
        {"stream", ACCP_PROFILE_STREAM},
        {"workflow", ACCP_PROFILE_WORKFLOW},
        {"all", ACCP_PROFILE_ALL},
        {"none", ACCP_PROFILE_NONE},
    };
    if (arguments.profiles.empty()) return ACCP_PROFILE_ALL;
    uint32_t bits = 0;
    for (const std::string &list : arguments.profiles) {
        for (const std::string &name : split_commas(list)) {
            const auto *row = std::begin(kNames);
            while (row != std::end(kNames) && name != row->first) ++row;
            if (row == std::end(kNames))
                throw Failure("no such profile: " + name +
                              " (chat, tool, transaction, stream, workflow, all, none)");
            bits |= row->second;
        }
    }
    return bits;
}

Handle<accp_registry> open_registry(const Arguments &arguments, const accp_config *config) {
    const std::string text =
        arguments.registry.empty() ? std::string() : read_file(arguments.registry);
    accp_error err = {};
    accp_registry *made = nullptr;
    const accp_status status =
        accp_registry_new(profiles(arguments), text.data(), text.size(), config, &made, &err);
    if (status != ACCP_OK) throw Failure(arguments.registry + ": " + describe(err));
    return Handle<accp_registry>(made);
}

uint32_t strictness(const Arguments &arguments) {
    uint32_t bits = 0;
    for (const std::string &list : arguments.strict) {
        for (const std::string &name : split_commas(list)) {
            if (name == "ops") bits |= ACCP_STRICT_OPERATIONS;
            else if (name == "profiles") bits |= ACCP_STRICT_PROFILES;
            else if (name == "schema") bits |= ACCP_STRICT_SCHEMA;
            else if (name == "replies") bits |= ACCP_STRICT_REPLIES;
            else throw Failure("--strict knows ops, profiles, schema and replies, not " + name);
        }
    }
    return bits;
}

namespace {

constexpr struct {
    uint32_t bit;
    const char *what;
} kWarnings[] = {
    {ACCP_WARN_NO_CID, "a tool's answer or a chunk of a stream without a cid"},
    {ACCP_WARN_TOOL_ERROR, "a tool's error that is no error frame (fail:error, schema ER)"},
    {ACCP_WARN_NO_TRANSACTION_ID, "a transaction without a transaction_id"},
    {ACCP_WARN_CURRENCY, "a currency that is none of ISO 4217"},
    {ACCP_WARN_ERROR_CODE, "an error frame whose code is none"},
    {ACCP_WARN_RETRY, "an error frame whose retry is not what the error model says"},
    {ACCP_WARN_NO_REQUEST, "done, fail or ack without a cid, which would say what it answers"},
};

}  // namespace

void tell_warnings(uint32_t bits, Streams &io) {
    for (const auto &warning : kWarnings)
        if (bits & warning.bit)
            io.err.text.append("accp: record ")
                .append(std::to_string(io.records))
                .append(": warning: ")
                .append(warning.what)
                .append("\n");
}

}  // namespace cli
