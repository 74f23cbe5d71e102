// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp_scale run NAME=VALUE...   one simulation (docs/scale.md)
#include <cstdio>
#include <cstring>
#include <exception>

#include "scale/world.h"

namespace {

int usage() {
    std::fprintf(stderr, "usage: accp_scale run NAME=VALUE...\nnames:");
    for (const std::string &name : scale::scenario_names())
        std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
}

int run(int count, char **settings) {
    scale::Scenario scenario;
    for (int i = 0; i < count; ++i) {
        if (scale::set_scenario(scenario, settings[i])) continue;
        std::fprintf(stderr, "accp_scale: no such setting: %s\n", settings[i]);
        return usage();
    }
    const scale::Frames frames;
    scale::World world(scenario, frames);
    world.run();
    world.check();
    std::fputs(world.report().c_str(), stdout);
    std::fputs(world.model().faults().c_str(), stdout);
    return world.model().fault_count() ? 1 : 0;
}

}  // namespace

int main(int argc, char **argv) {
    try {
        if (argc >= 2 && !std::strcmp(argv[1], "run")) return run(argc - 2, argv + 2);
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "accp_scale: %s\n", failure.what());
        return 1;
    }
    return usage();
}
