// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files that accp context setup installs. `command`: how a shell starts accp.
#pragma once

#include <string>

namespace cli {

// Commands that a person types, such as /handoff Add a login.
std::string claude_handoff_command(const std::string &command);
std::string opencode_handoff_command(const std::string &command);

// Instructions for work with packets: a skill, and a block of AGENTS.md.
std::string packet_skill(const std::string &command);
std::string agents_text(const std::string &command);

// JavaScript that gives packets to the sub-agents of opencode and records their feedback.
// `program`: the name or path of accp.
std::string opencode_plugin(const std::string &program);

}  // namespace cli
