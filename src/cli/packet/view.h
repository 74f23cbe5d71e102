// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A packet as a person looks at it.
#pragma once

#include <cstdint>
#include <string>

#include "accp/packet.h"

namespace cli {

// Its prompt, each layer in a colour, and how much of a budget each takes, as bars. budget_tokens
// 0: of the smallest depth that the packet fits in.
void show_layers(accp_packet *packet, uint64_t budget_tokens, std::string &out);

}  // namespace cli
