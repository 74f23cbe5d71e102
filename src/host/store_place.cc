// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See store_place.h.
#include "host/store_place.h"

#include <string>

#include "host/failure.h"
#include "host/plugin_file.h"

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

accp_status open_store(std::string_view name, uint32_t flags, const accp_config *config,
                       accp_store **out, accp_error *err) {
    if (!is_in_nats(name))
        return accp_store_open(name.data(), name.size(), flags, config, out, err);
    const accp_store_backend *table = nullptr;
    void *user = nullptr;
    accp_error said = {};
    const accp_status code =
        load_backend(kNatsLibrary)(name.data(), name.size(), flags, &table, &user, &said);
    if (code == ACCP_OK)
        return accp_store_open_backend(table, user, flags & ACCP_STORE_READ_ONLY, config, out, err);
    if (err) *err = error_of(code, said.message);
    return code;
}

bool is_store_name(std::string_view name) {
    return name.starts_with("sqlite:") || name.starts_with("memory:") || is_in_nats(name);
}

}  // namespace host
