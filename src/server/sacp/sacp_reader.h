// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages of SACP that frames carry, in their own JSON.
#pragma once

#include <string>
#include <string_view>

#include "server/library/handles.h"

namespace server {

class SacpReader {
public:
    // Throws Failure.
    SacpReader();

    // Both give a message, or a verdict; empty: there is none.
    std::string read_frame(std::string_view frame);
    std::string read_message(std::string_view message);  // of ACCP, as JSON

    // May a message of ACCP, as JSON, carry one? By its operation.
    static bool may_carry(std::string_view message);

private:
    host::Handle<accp_registry> registry_;
    host::Handle<accp_codec> codec_;
    host::Handle<accp_sacp> sacp_;
};

}  // namespace server
