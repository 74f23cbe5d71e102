// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/library/backend.h"

#include "server/library/failure.h"
#include "server/library/loader.h"

namespace host {
namespace {

constexpr std::string_view kNats = "nats://", kNatsTls = "tls://";
constexpr const char *kNatsLibrary = "libaccp-nats.so.1";

bool is_in_nats(std::string_view name) {
    return name.starts_with(kNats) || name.starts_with(kNatsTls);
}

}  // namespace

accp_store_opener load_backend(const std::string &file) {
    void *function = find_function(load_library(file), ACCP_STORE_BACKEND_ENTRY);
    if (!function)
        throw Failure(file + ": not a store back end: it has no " ACCP_STORE_BACKEND_ENTRY);
    return reinterpret_cast<accp_store_opener>(function);
}

accp_bus_opener load_bus(const std::string &file) {
    return reinterpret_cast<accp_bus_opener>(find_function(load_library(file), ACCP_BUS_ENTRY));
}

accp_bus_opener bus_of_store(std::string_view name) {
    return is_in_nats(name) ? load_bus(kNatsLibrary) : nullptr;
}

bool is_store_name(std::string_view name) {
    return name.starts_with("sqlite:") || name.starts_with("memory:") || is_in_nats(name);
}

}  // namespace host
