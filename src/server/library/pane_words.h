// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the command and the servers say of a project's packets in the same words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace host {

// As a worker is told of it: .agentwire/context/pane-1.yaml
std::string pane_path(int64_t pane);

// The line with which a worker's task begins.
std::string reading_line(int64_t pane);

// A depth of packets by its name: minimal, standard, deep; also simple and complex.
int32_t depth_of(std::string_view name);

// What a worker missed and did not need, an item a line each, as a text and as JSON.
std::string feedback_text(std::string_view gaps, std::string_view unused);
std::string feedback_json(int64_t pane, std::string_view gaps, std::string_view unused);

// What is added to the instructions of an agent that hands packets over, or works by one: by the
// commands that it has, or by the tools.
enum class Role { kOrchestrator, kWorker };
enum class PaneInterface { kCommands, kTools };
std::string role_text(Role role, PaneInterface way);

}  // namespace host
