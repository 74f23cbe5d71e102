// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See shared.h.
#include "registry/shared.h"

namespace accp::registry {

Status make_registry(const Settings &settings, uint32_t profiles, std::string_view text,
                     RegistryRef &out) {
    RegistryRef made(make_handle<accp_registry>(settings));
    value::JsonLimits limits = {settings.limit(ACCP_LIMIT_JSON_BYTES),
                                static_cast<uint32_t>(settings.limit(ACCP_LIMIT_JSON_DEPTH))};
    made.get()->profiles = profiles;
    Status status = made.get()->registry.load(text, profiles, limits);
    if (status.ok()) out = made;
    return status;
}

}  // namespace accp::registry
