// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts about a project's packets that the command and the MCP server share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace host {

// The path in texts for a worker: .agentwire/context/pane-1.yaml
std::string pane_path(int64_t pane);

// The first line of a worker's task.
std::string reading_line(int64_t pane);

// Facts about a packet that its prompt lacks: when it was made, how it changed since
// its first version, and which files have changed. Markdown, to append to the prompt.
// `packet_json`: the packet. `stale`: paths, one a line. `missed`: frequent_gaps(). Invalid members
// are left out.
std::string about_packet(std::string_view packet_json, int64_t now_ms, std::string_view stale,
                         std::string_view missed);

// Returns the kinds of gaps that workers report often, in at least three tasks and one of five:
// "testing approach (3 of 8 tasks)", one a line. `stats_json`: accp_panes_print_stats_json().
std::string frequent_gaps(std::string_view stats_json);
// Tells a worker about them; empty without gaps.
std::string frequent_gaps_text(std::string_view missed);

// A depth of packets by its name: minimal, standard, deep; also simple and complex.
int32_t depth_of(std::string_view name);

// The feedback of a worker as text and as JSON. `gaps` and `unused` have one item a line.
std::string feedback_text(std::string_view gaps, std::string_view unused);
std::string feedback_json(int64_t pane, std::string_view gaps, std::string_view unused);

// An addition to the instructions of an agent that creates packets (orchestrator) or works with one
// (worker). It refers to commands or to MCP tools.
enum class Role { kOrchestrator, kWorker };
enum class PaneInterface { kCommands, kTools };
std::string role_text(Role role, PaneInterface way);

}  // namespace host
