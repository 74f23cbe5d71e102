// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The streams of a place, one a shard: ACCP-PREFIX alone, or ACCP-PREFIX-0 … of N, of which the
// description of each says N ("accp shards=N").
#pragma once

#include <memory>

#include "nats/nats_stream.h"

namespace accp_nats {

// Those that are there, or made where `makes` says so. ACCP_ERR_ARG: there are none, or not as many
// as the place says.
std::vector<std::unique_ptr<Stream>> open_streams(Link &link, const Place &place, bool makes);

// Which of `shards` has a session: FNV-1a of its id, in 64 bits.
size_t shard_of(std::string_view id, size_t shards);

}  // namespace accp_nats
