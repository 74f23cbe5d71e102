// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See store_place.h.
#include "server/library/store_place.h"

#include "server/library/plugin_file.h"

namespace host {

namespace {

constexpr std::string_view kNats = "nats://", kNatsTls = "tls://";
constexpr const char *kNatsLibrary = "libaccp-nats.so.1";

bool is_in_nats(std::string_view name) {
    return name.starts_with(kNats) || name.starts_with(kNatsTls);
}

}  // namespace

accp_bus_opener bus_of_store(std::string_view name) {
    return is_in_nats(name) ? load_bus(kNatsLibrary) : nullptr;
}

bool is_store_name(std::string_view name) {
    return name.starts_with("sqlite:") || name.starts_with("memory:") || is_in_nats(name);
}

}  // namespace host
