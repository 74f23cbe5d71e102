// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Replaces the secrets in the texts of a packet by [redacted:KIND] (text/secrets.h).
#pragma once

#include "packet/file/read.h"

namespace accp::packet {

// Does not change keys and `sources`. If the packet has secrets, it loses its seal and `changed` is
// set. On failure the packet is unchanged.
Status redact_packet(Packet &packet, Reader &reader, Memory &memory, bool &changed);

}  // namespace accp::packet
