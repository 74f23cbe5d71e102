// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Error messages (specification 3.6): fail:error under the schema ER, as JSON.
#pragma once

#include "accp/codec.h"
#include "base/memory.h"
#include "value/tree.h"

namespace accp::codec {

// Reads a code as in a frame ("E3001"). Returns 0 for any other text.
accp_status read_error_code(std::string_view text);

// Returns whether the code is one of the sixteen of the specification.
bool is_standard_code(accp_status code);

// Appends the message. The texts need no slack.
void write_error_message(const accp_failure &failure, Buffer<char> &json);

// Reads a JSON message. Returns false if it is not a protocol error but a result of the application
// (decision A69).
bool read_error_message(value::TreeView tree, accp_failure &out);

}  // namespace accp::codec
