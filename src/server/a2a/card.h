// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The agent card of A2A: what a hub is to those who find it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/a2a/words.h"
#include "server/hub/hub.h"

namespace server {

struct A2aCard {
    std::string_view url;            // of the interface
    std::string_view version;        // of this program
    std::string_view registry_hash;  // of the frames
    bool needs_token = false;
    std::vector<Hub::Connected> agents;  // that may be told of; sorted
};

// For either version; a card of 1.0 can be read by clients of 0.3 that look for no token.
std::string print_card(const A2aCard &card, A2aVersion version);

}  // namespace server
