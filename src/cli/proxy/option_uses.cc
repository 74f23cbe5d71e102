// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/option_uses.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/host.h"

namespace cli {
namespace {

// "" is the proxy that keeps running. "service" is setup --service.
constexpr std::string_view kActions[] = {"", "run", "report", "setup", "undo", "service", "doctor"};
struct In {
    static constexpr unsigned kServe = 1, kRun = 2, kReport = 4, kSetup = 8, kUndo = 16,
                              kService = 32, kDoctor = 64, kForwards = kServe | kRun;
};

struct OptionUse {
    std::string_view name;
    unsigned actions;
    std::string_view why_not = {};  // why it has no effect elsewhere; may be empty
};

constexpr OptionUse kUses[] = {
    {"--address", In::kForwards | In::kSetup | In::kDoctor},
    {"--port", In::kServe | In::kSetup | In::kService | In::kDoctor,
     "the proxy of run always listens on a free port"},
    {"--upstream", In::kForwards | In::kService | In::kDoctor},
    {"--token-file", In::kServe | In::kDoctor,
     "agents cannot show a token, and the proxy of run serves this machine only"},
    {"--store", In::kForwards},
    {"--calls", In::kForwards},
    {"--holdout", In::kForwards},
    {"--untouched", In::kForwards},
    {"--no-resolve", In::kForwards},
    {"--prices", In::kForwards},
    {"--clock-header", In::kForwards},
    {"--no-page", In::kForwards},
    {"--marks", In::kForwards},
    {"--plot", In::kReport},
    {"--dry-run", In::kSetup | In::kUndo | In::kService},
    {"--service", In::kSetup | In::kUndo | In::kService},
    {"--json", In::kReport | In::kDoctor},
    {"--log", In::kForwards},
    {"--ca", In::kForwards | In::kDoctor},
    {"--origins", In::kForwards},
    {"--max-body", In::kForwards},
    {"--max-connections", In::kForwards},
    {"--connect-timeout", In::kForwards},
    {"--idle-timeout", In::kForwards},
};

// The second option has no effect beside the first.
constexpr std::string_view kPairs[][2] = {
    {"--untouched", "--holdout"}, {"--untouched", "--marks"}, {"--plot", "--json"}};

std::string title_of(std::string_view action) {
    if (action.empty()) return "proxy";
    return action == "service" ? "proxy setup --service" : "proxy " + std::string(action);
}

// "proxy, proxy setup and proxy doctor".
std::string titles_of(unsigned actions) {
    std::string titles;
    for (size_t i = 0; i < std::size(kActions); ++i) {
        if (!(actions & (1U << i))) continue;
        const bool is_last = !(actions >> (i + 1));
        if (!titles.empty()) titles += is_last ? " and " : ", ";
        titles += title_of(kActions[i]);
    }
    return titles;
}

}  // namespace

void check_proxy_options(const Arguments &arguments) {
    const auto is_given = [&](std::string_view name) {
        return std::find(arguments.given.begin(), arguments.given.end(), name) !=
               arguments.given.end();
    };
    const std::string action =
        arguments.action == "setup" && arguments.service ? "service" : arguments.action;
    const auto at = std::find(std::begin(kActions), std::end(kActions), action);
    const unsigned bit = 1U << (at - std::begin(kActions));
    for (const auto &[name, actions, why_not] : kUses)
        if (is_given(name) && !(actions & bit))
            throw Failure(title_of(action) + ": " + std::string(name) + " has no effect here" +
                          (why_not.empty() || bit != In::kRun ? "" : ": " + std::string(why_not)) +
                          "; it is an option of " + titles_of(actions));
    for (const auto &[name, other] : kPairs)
        if (is_given(name) && is_given(other))
            throw Failure(title_of(action) + ": " + std::string(other) + " has no effect with " +
                          std::string(name) + "; leave out one of them");
    if ((bit & In::kForwards) && !arguments.files.empty())
        throw Failure(title_of(action) + ": unexpected argument \"" + arguments.files.front() +
                      (bit == In::kRun ? "\"; the agent's command comes after --" : "\""));
}

}  // namespace cli
