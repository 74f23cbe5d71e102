// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The section `context` of a configuration: accepted values, and errors with their offsets.
#include "packet/panes/panes.h"

#include <gtest/gtest.h>

#include "unit.h"

namespace {

using accp::packet::PaneSettings;

struct SettingsCase {
    const char *yaml;
    const char *gives;  // settings that differ from the default; or the message
    uint64_t offset = 0;
};

std::string told(const PaneSettings &is) {
    const PaneSettings none;
    std::string out;
    auto tell = [&](const char *name, int64_t value, int64_t usual) {
        if (value != usual) out += std::string(name) + "=" + std::to_string(value) + " ";
    };
    tell("depth", is.depth, none.depth);
    for (int i = 0; i < 3; ++i)
        tell("budget", static_cast<int64_t>(is.budgets[i]), static_cast<int64_t>(none.budgets[i]));
    tell("generate", is.auto_generate, none.auto_generate);
    tell("track", is.track_efficiency, none.track_efficiency);
    tell("cleanup", is.auto_cleanup, none.auto_cleanup);
    tell("lock", is.lock_seconds, none.lock_seconds);
    tell("pane", is.pane, none.pane);
    return out;
}

constexpr SettingsCase kSettingsCases[] = {
    {"", ""},
    {"# nothing\n", ""},
    {"context:\n", ""},
    {"context: {}\n", ""},
    {"server:\n  port: 1\n", ""},
    // the example of the proposal
    {"context:\n  # Default compression depth\n  default_depth: \"standard\"  # minimal\n\n"
     "  budgets:\n    minimal: 100\n    standard: 400\n    deep: 800\n  auto_generate: true\n"
     "  track_efficiency: true\n  auto_cleanup: true\n",
     ""},
    {"context: {default_depth: deep}\n", "depth=2 "},
    {"context: {default_depth: simple}\n", "depth=0 "},
    {"context: {default_depth: complex}\n", "depth=2 "},
    {"context: {budgets: {standard: 500}}\n", "budget=500 "},
    {"context: {budgets: {complex: 900, simple: 50}}\n", "budget=50 budget=900 "},
    {"context: {auto_generate: false, track_efficiency: False, auto_cleanup: FALSE}\n",
     "generate=0 track=0 cleanup=0 "},
    {"context: {pane: 3}\n", "pane=3 "},
    // errors, with their byte offset
    {"context: [1]\n", "context: not a mapping", 9},
    {"- 1\n", "not a mapping", 0},
    {"context:\n  default_depht: deep\n",
     "context: default_depht: not one of default_depth, budgets, auto_generate, track_efficiency, "
     "auto_cleanup, lock_seconds, pane",
     11},
    {"context:\n  default_depth: shallow\n",
     "context: default_depth must be minimal, standard or deep", 26},
    {"context:\n  default_depth: [deep]\n",
     "context: default_depth must be minimal, standard or deep", 26},
    {"context:\n  budgets: 400\n", "context.budgets: not a mapping", 20},
    {"context: {budgets: {deep: 0}}\n", "context: deep must be a number of tokens from 1", 26},
    {"context: {budgets: {deep: -1}}\n", "context: deep must be a number of tokens from 1", 26},
    {"context: {budgets: {deep: \"800\"}}\n", "context: deep must be a number of tokens from 1",
     26},
    {"context: {budgets: {huge: 9}}\n", "context: huge: not one of minimal, standard, deep", 20},
    {"context: {auto_cleanup: no}\n", "context: auto_cleanup must be true or false", 24},
    {"context: {auto_cleanup: \"true\"}\n", "context: auto_cleanup must be true or false", 24},
    {"context: {lock_seconds: 0}\n", "lock=0 "},
    {"context: {lock_seconds: 3600}\n", "lock=3600 "},
    {"context: {lock_seconds: 3601}\n", "context: lock_seconds must be a number from 0 to 3600",
     24},
    {"context: {pane: first}\n", "context: pane must be a number from 0 to 9999", 16},
    {"context: {pane: 10000}\n", "context: pane must be a number from 0 to 9999", 16},
    {"context: {pane: &a 1}\n", "anchor or alias", 16},
    {"context: {pane: 1, pane: 2}\n", "duplicate key", 19},
    {"context: {pane\n",
     "not yaml: a map in { } has no } at its end, or no comma between two members", 15},
};

TEST(PaneSettings, Cases) {
    accp_unit::Room room;
    for (const SettingsCase &each : kSettingsCases) {
        SCOPED_TRACE(each.yaml);
        PaneSettings settings;
        const accp::Status status = accp::packet::read_settings(each.yaml, room.memory, settings);
        EXPECT_EQ(status.ok() ? told(settings) : status.message, each.gives);
        EXPECT_EQ(status.offset, each.offset);
        if (status.failed()) {
            EXPECT_EQ(told(settings), "");
        }
    }
}

// An error changes nothing, not even the settings before it.
TEST(PaneSettings, AllOrNothing) {
    accp_unit::Room room;
    PaneSettings settings;
    settings.budgets[1] = 7;
    EXPECT_TRUE(accp::packet::read_settings("context: {default_depth: deep, nothing: 1}",
                                            room.memory, settings)
                    .failed());
    EXPECT_EQ(told(settings), "budget=7 ");
}

}  // namespace
