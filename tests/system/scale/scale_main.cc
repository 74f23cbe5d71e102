// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp_scale run NAME=VALUE...                one simulation, figure by figure
// accp_scale sweep FIGURE,... NAME=VALUE,...  one simulation per value, a line each
// accp_scale knee FIGURE,... NAME=VALUE,...   the same at the largest rate that is served in time
// accp_scale cost                             measurements of the library
// accp_scale million NAME=VALUE...            use and cost of a million frames at your prices
// accp_scale store LIBRARY PLACE              measurements of a back end (docs/scale.md)
#include <cmath>
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
                 "       accp_scale knee FIGURE,FIGURE... NAME=VALUE,VALUE...\n"
                 "       accp_scale cost\n"
                 "       accp_scale million [replicas=N] [gb_month=X] [gb_sent=X] [core_hour=X]\n"
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

// Returns every combination of values; the last name changes fastest.
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

// Runs one simulation. Returns false if a setting is wrong.
bool run_once(const scale::Frames &frames, const Strings &settings, scale::Figures &figures,
              std::string &faults) {
    scale::Scenario scenario;
    if (!set_all(scenario, settings)) return false;
    scale::World world(scenario, frames);
    world.run();
    world.check();
    figures = world.figures();
    faults = world.model().faults();
    return true;
}

double figure(const scale::Figures &figures, const std::string &name) {
    for (const auto &[of, value] : figures)
        if (name == of) return value;
    return 0;
}

// Finds the largest rate, in steps of a fourth of a doubling, at which 99 of 100 frames are safe
// within 100 ms. Returns the results at this rate.
bool run_at_knee(const scale::Frames &frames, const Strings &settings, scale::Figures &figures,
                 std::string &faults) {
    constexpr double kFirst = 25, kLongestMs = 100;
    constexpr int kSteps = 4;
    for (int step = 0, by = kSteps, good = -1;; step += by) {
        Strings all = settings;
        all.push_back("rate=" + std::to_string(std::round(
                                    kFirst * std::exp2(static_cast<double>(step) / kSteps))));
        scale::Figures tried;
        if (!run_once(frames, all, tried, faults)) return false;
        const bool is_good = figure(tried, "p99_ms") <= kLongestMs && faults.empty();
        if (is_good || good < 0) figures = tried;
        if (!is_good && (by == 1 || good < 0 || !faults.empty())) break;
        if (is_good) good = step;
        else step = good, by = 1;
    }
    return true;
}

void print_row(const Strings &shown, const Strings &settings, const Strings &values,
               const scale::Figures &figures, bool with_head) {
    std::string head, row;
    for (size_t i = 0; i < values.size(); ++i) {
        if (settings[i].find(',') == settings[i].npos) continue;
        const size_t equals = values[i].find('=');
        head += "| " + values[i].substr(0, equals) + " ";
        row += "| " + values[i].substr(equals + 1) + " ";
    }
    for (const std::string &name : shown) {
        char value[32];
        std::snprintf(value, sizeof value, "| %.4g ", figure(figures, name));
        head += "| " + name + " ";
        row += value;
    }
    if (with_head) std::printf("%s|\n", head.c_str());
    std::printf("%s|\n", row.c_str());
}

template <class Run>
int sweep(const Strings &shown, const Strings &settings, Run run_of) {
    const scale::Frames frames;
    bool is_first = true, is_right = true;
    for (const Strings &values : combinations(settings)) {
        scale::Figures figures;
        std::string faults;
        if (!run_of(frames, values, figures, faults)) return usage();
        print_row(shown, settings, values, figures, is_first);
        std::fputs(faults.c_str(), stdout);
        std::fflush(stdout);
        is_right = is_right && faults.empty();
        is_first = false;
    }
    return is_right ? 0 : 1;
}

int million(const Strings &settings) {
    scale::Prices prices;
    const std::pair<std::string, double *> names[] = {{"replicas", &prices.replicas},
                                                      {"gb_month", &prices.gb_month},
                                                      {"gb_sent", &prices.gb_sent},
                                                      {"core_hour", &prices.core_hour}};
    for (const std::string &one : settings) {
        const size_t equals = one.find('=');
        double *to = nullptr;
        for (const auto &[name, price] : names)
            if (one.substr(0, equals) == name) to = price;
        if (!to || equals == one.npos) return usage();
        *to = std::stod(one.substr(equals + 1));
    }
    scale::print_million(prices);
    return 0;
}

int act(const Strings &arguments) {
    const std::string action = arguments.empty() ? "" : arguments[0];
    if (action == "run") return run({arguments.begin() + 1, arguments.end()});
    if (action == "sweep" && arguments.size() > 1)
        return sweep(split(arguments[1]), {arguments.begin() + 2, arguments.end()}, run_once);
    if (action == "knee" && arguments.size() > 1)
        return sweep(split(arguments[1]), {arguments.begin() + 2, arguments.end()}, run_at_knee);
    if (action == "million") return million({arguments.begin() + 1, arguments.end()});
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
