// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts for a language model: the prompt of an agent's role, by the template of appendix C (SACP
// v0.1, Matías Iacono, CC BY 4.0), and a short specification of the protocol.
#pragma once

#include "sacp/library/library.h"

namespace accp::sacp {

// The lists separate names by a line feed.
struct AgentRole {
    std::string_view name, verbs, tools;
};

// Returns whether a name fits on one line of the template.
bool is_single_line(std::string_view text);

// Appends the filled template. `message` is canonical JSON; if it is empty, its slot stays.
void write_prompt(const AgentRole &role, std::string_view message, Buffer<char> &out);

// Appends the protocol in short, then one line for each verb and tool of the library.
void write_specification(const Library &library, Buffer<char> &out);

}  // namespace accp::sacp
