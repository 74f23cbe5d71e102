// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The prompts of our MCP server: the roles of seed 003.
#pragma once

#include <string>
#include <string_view>

namespace server {

// What prompts/list answers.
std::string list_prompts();
// What prompts/get answers; `arguments` is a compact object, or empty. Throws Failure where there
// is no such prompt, or it does not take that.
std::string get_prompt(std::string_view name, std::string_view arguments);

}  // namespace server
