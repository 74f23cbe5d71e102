// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Points in time as ISO 8601 writes them, in UTC: "2026-11-25T16:31:32.000Z".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace host {

// Of milliseconds since the epoch.
std::string print_time(int64_t ms);
// False: it is none. The fraction may be missing, the zone may be an offset.
bool read_time(std::string_view text, int64_t &ms);

}  // namespace host
