// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp: messages by which agents plan for each other.
#include <cstdlib>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

struct SacpAction {
    const char *name;
    int (*run)(const Arguments &, Streams &);
};

constexpr SacpAction kSacpActions[] = {
    {"validate", sacp_validate}, {"expand", sacp_expand},   {"compact", sacp_compact},
    {"canon", sacp_canon},       {"compose", sacp_compose}, {"threads", sacp_threads},
    {"frame", sacp_frame},       {"unframe", sacp_unframe}, {"states", sacp_states},
    {"prompt", sacp_prompt},     {"spec", sacp_spec},       {"query", sacp_query},
    {"plan", sacp_plan},         {"adapt", sacp_adapt},     {"feasibility", sacp_feasibility},
    {"spawn", sacp_spawn},       {"run", sacp_run},         {"agent", sacp_agent},
    {"trace", sacp_trace},       {"format", sacp_format},   {"ask", sacp_ask},
};

// Returns the verdict on a library that was refused.
std::string library_verdict(const std::string &text, const accp_config *config) {
    const Handle<accp_sacp> sacp = new_sacp(nullptr, config);
    accp_verdict verdict = {};
    accp_error err = {};
    if (accp_sacp_check_library(sacp.get(), text.data(), text.size(), &verdict, &err) != ACCP_OK)
        return message_of(err);
    const char *code = accp_sacp_code_name(verdict.code);
    return std::string(code != nullptr ? code : "") + " at byte " + std::to_string(verdict.byte) +
           ": " + std::string(to_view(verdict.details));
}

}  // namespace

Handle<accp_library> open_library(const Arguments &arguments, const accp_config *config) {
    if (arguments.library.empty()) return nullptr;
    const std::string text = read_input(arguments.library);
    accp_library *made = nullptr;
    accp_error err = {};
    if (accp_library_new(text.data(), text.size(), config, &made, &err) != ACCP_OK)
        throw Failure(arguments.library + ": " + library_verdict(text, config));
    return Handle<accp_library>(made);
}

Handle<accp_sacp> new_sacp(const accp_library *library, const accp_config *config) {
    accp_sacp *made = nullptr;
    accp_error err = {};
    if (accp_sacp_new(library, config, &made, &err) != ACCP_OK)
        throw Failure("sacp: " + message_of(err));
    return Handle<accp_sacp>(made);
}

Handle<accp_sacp> open_sacp(const Arguments &arguments, const accp_config *config) {
    return new_sacp(open_library(arguments, config).get(), config);
}

std::string names_per_line(const std::vector<std::string> &lists) {
    std::string lines;
    for (const std::string &list : lists)
        for (const std::string &name : split_commas(list))
            lines.append(lines.empty() ? "" : "\n").append(name);
    return lines;
}

int run_sacp(const Arguments &arguments, Streams &io) {
    for (const SacpAction &action : kSacpActions)
        if (arguments.action == action.name) return action.run(arguments, io);
    throw Failure("unknown action: " + arguments.action);
}

std::string policy_of(const Arguments &arguments, const char *fallback) {
    return arguments.policy.empty() ? fallback : compact_json(read_file(arguments.policy));
}

size_t max_output_of(const std::string &policy) {
    constexpr size_t kDefaultMaxOutput = 16 << 20;  // as in the library
    const std::string max(json_member(policy, "max_output_bytes"));
    return max.empty() ? kDefaultMaxOutput : std::strtoull(max.c_str(), nullptr, 10);
}

}  // namespace cli
