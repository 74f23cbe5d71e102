// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a model is told: its role as an agent, by the template of appendix C (SACP v0.1, Matías
// Iacono, CC BY 4.0), and the protocol in short.
#pragma once

#include "sacp/library/library.h"

namespace accp::sacp {

// Who an agent is: lists have a line feed between two names.
struct AgentRole {
    std::string_view name, verbs, tools;
};

// Can a name stand in the template without ending its line?
bool is_single_line(std::string_view text);

// Appends the template, filled in. `message` is canonical JSON; empty: its slot stays as it is.
void write_prompt(const AgentRole &role, std::string_view message, Buffer<char> &out);

// Appends the protocol in short, then the library's verbs and tools, a line each.
void write_specification(const Library &library, Buffer<char> &out);

}  // namespace accp::sacp
