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
enum ActionBit : unsigned {
    kOfServe = 1,
    kOfRun = 2,
    kOfReport = 4,
    kOfSetup = 8,
    kOfUndo = 16,
    kOfService = 32,
    kOfDoctor = 64
};
constexpr unsigned kOfForwards = kOfServe | kOfRun;

struct OptionUse {
    std::string_view name;
    unsigned actions;
    std::string_view why_not = {};  // why it has no effect elsewhere; may be empty
};

constexpr OptionUse kUses[] = {
    {"--address", kOfForwards | kOfSetup | kOfDoctor},
    {"--port", kOfServe | kOfSetup | kOfService | kOfDoctor,
     "the proxy of run always listens on a free port"},
    {"--upstream", kOfForwards | kOfService | kOfDoctor},
    {"--token-file", kOfServe | kOfDoctor,
     "agents cannot show a token, and the proxy of run serves this machine only"},
    {"--store", kOfForwards},
    {"--calls", kOfForwards},
    {"--holdout", kOfForwards},
    {"--untouched", kOfForwards},
    {"--no-resolve", kOfForwards},
    {"--prices", kOfForwards},
    {"--clock-header", kOfForwards},
    {"--no-page", kOfForwards},
    {"--marks", kOfForwards},
    {"--plot", kOfReport},
    {"--dry-run", kOfSetup | kOfUndo | kOfService},
    {"--service", kOfSetup | kOfUndo | kOfService},
    {"--json", kOfReport | kOfDoctor},
    {"--log", kOfForwards},
    {"--ca", kOfForwards | kOfDoctor},
    {"--origins", kOfForwards},
    {"--max-body", kOfForwards},
    {"--max-connections", kOfForwards},
    {"--connect-timeout", kOfForwards},
    {"--idle-timeout", kOfForwards},
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
                          (why_not.empty() || bit != kOfRun ? "" : ": " + std::string(why_not)) +
                          "; it is an option of " + titles_of(actions));
    for (const auto &[name, other] : kPairs)
        if (is_given(name) && is_given(other))
            throw Failure(title_of(action) + ": " + std::string(other) + " has no effect with " +
                          std::string(name) + "; leave out one of them");
    if ((bit & kOfForwards) && !arguments.files.empty())
        throw Failure(title_of(action) + ": unexpected argument \"" + arguments.files.front() +
                      (bit == kOfRun ? "\"; the agent's command comes after --" : "\""));
}

}  // namespace cli
