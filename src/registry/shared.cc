// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See shared.h.
#include "registry/shared.h"

namespace accp::registry {

Status make_registry(const Settings &settings, uint32_t profiles, std::string_view text,
                     RegistryRef &out) {
    RegistryRef made(make_handle<accp_registry>(settings));
    made.get()->profiles = profiles;
    Status status = made.get()->registry.load(text, profiles, value::json_limits(settings));
    if (status.ok()) out = made;
    return status;
}

}  // namespace accp::registry
