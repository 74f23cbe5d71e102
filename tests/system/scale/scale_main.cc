// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp_scale run NAME=VALUE...                one simulation, figure by figure
// accp_scale sweep FIGURE,... NAME=VALUE,...  one for each of the values, a line each
// accp_scale cost                             what is measured of the library
// accp_scale store LIBRARY PLACE              what is measured of a back end (docs/scale.md)
#include <cstdio>
#include <exception>
#include <string_view>

#include "scale/costs.h"
#include "scale/world.h"

namespace {

using Strings = std::vector<std::string>;

int usage() {
    std::fprintf(stderr,
                 "usage: accp_scale run NAME=VALUE...\n"
                 "       accp_scale sweep FIGURE,FIGURE... NAME=VALUE,VALUE...\n"
                 "       accp_scale cost\n"
                 "       accp_scale store LIBRARY PLACE\nnames:");
    for (const std::string &name : scale::scenario_names())
        std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
}

Strings split(const std::string &text) {
    Strings all;
    for (size_t at = 0, end = 0; end != text.npos; at = end + 1) {
        end = text.find(',', at);
        all.push_back(text.substr(at, end == text.npos ? end : end - at));
    }
    return all;
}

bool set_all(scale::Scenario &scenario, const Strings &settings) {
    for (const std::string &one : settings) {
        if (scale::set_scenario(scenario, one)) continue;
        std::fprintf(stderr, "accp_scale: no such setting: %s\n", one.c_str());
        return false;
    }
    return true;
}

int run(const Strings &settings) {
    scale::Scenario scenario;
    if (!set_all(scenario, settings)) return usage();
    const scale::Frames frames;
    scale::World world(scenario, frames);
    world.run();
    world.check();
    std::fputs(world.report().c_str(), stdout);
    std::fputs(world.model().faults().c_str(), stdout);
    return world.model().fault_count() ? 1 : 0;
}

// Every combination of values, the last name's fastest.
std::vector<Strings> combinations(const Strings &settings) {
    std::vector<Strings> all = {{}};
    for (const std::string &one : settings) {
        const size_t equals = one.find('=');
        std::vector<Strings> more;
        for (const Strings &before : all)
            for (const std::string &value : split(one.substr(equals + 1))) {
                more.push_back(before);
                more.back().push_back(one.substr(0, equals + 1) + value);
            }
        all = std::move(more);
    }
    return all;
}

int sweep(const Strings &shown, const Strings &settings) {
    const scale::Frames frames;
    bool is_first = true, is_right = true;
    for (const Strings &one : combinations(settings)) {
        scale::Scenario scenario;
        if (!set_all(scenario, one)) return usage();
        scale::World world(scenario, frames);
        world.run();
        world.check();
        std::string head, row;
        for (size_t i = 0; i < one.size(); ++i) {
            if (settings[i].find(',') == settings[i].npos) continue;
            const size_t equals = one[i].find('=');
            head += "| " + one[i].substr(0, equals) + " ",
                row += "| " + one[i].substr(equals + 1) + " ";
        }
        char value[32];
        for (const std::string &name : shown)
            for (const auto &[figure, found] : world.figures()) {
                if (name != figure) continue;
                std::snprintf(value, sizeof value, "| %.4g ", found);
                head += "| " + name + " ", row += value;
            }
        if (is_first) std::printf("%s|\n", head.c_str());
        std::printf("%s|\n", row.c_str());
        std::fputs(world.model().faults().c_str(), stdout);
        std::fflush(stdout);
        is_right = is_right && world.model().fault_count() == 0;
        is_first = false;
    }
    return is_right ? 0 : 1;
}

int act(const Strings &arguments) {
    const std::string action = arguments.empty() ? "" : arguments[0];
    if (action == "run") return run({arguments.begin() + 1, arguments.end()});
    if (action == "sweep" && arguments.size() > 1)
        return sweep(split(arguments[1]), {arguments.begin() + 2, arguments.end()});
    if (action == "cost") return scale::print_costs(), 0;
    if (action == "store" && arguments.size() == 3) {
        if (scale::print_store(arguments[1], arguments[2])) return 0;
        std::fprintf(stderr, "accp_scale: %s at %s does not answer\n", arguments[1].c_str(),
                     arguments[2].c_str());
        return 1;
    }
    return usage();
}

}  // namespace

int main(int argc, char **argv) {
    try {
        return act({argv + 1, argv + argc});
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "accp_scale: %s\n", failure.what());
        return 1;
    }
}
