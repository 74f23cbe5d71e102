// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Error frames (specification 3.6): the message fail:error under the schema ER, as JSON, and what
// one says.
#pragma once

#include "accp/codec.h"
#include "base/memory.h"
#include "value/tree.h"

namespace accp::codec {

// The number of a code as a frame has it ("E3001"); 0 for any other text: a digit of a category,
// then three.
accp_status read_error_code(std::string_view text);

// Is it one of the sixteen that the specification defines?
bool is_standard_code(accp_status code);

// Appends the message. Texts may lie anywhere.
void write_error_message(const accp_failure &failure, Buffer<char> &json);

// What a message in JSON says. False where it is no protocol error: then it is an application's
// result (decision A69).
bool read_error_message(value::TreeView tree, accp_failure &out);

}  // namespace accp::codec
