// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The one writer of a message as JSON.
#pragma once

#include "base/memory.h"
#include "frame/message/message.h"

namespace accp::message {

// Appends the three names, each a name (names.h), up to where the payload stands.
void open_json(std::string_view agent, std::string_view intent, std::string_view operation,
               Buffer<char> &out);

// Appends the message, with its metadata, and `untrusted` where it is.
void write_json(const Message &message, Buffer<char> &out);

// What a message that is untrusted ends with.
inline constexpr std::string_view kUntrustedEnd = ",\"untrusted\":true}";

}  // namespace accp::message
