// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random messages for the test: what is sent, and what must arrive.
#pragma once

#include "peers/world.h"

namespace accp_peers {

struct Said {
    std::string json;      // as the host sends it
    std::string expected;  // as it must arrive, without the envelope
};

// The schema ZZ of operation `report`, with defaults.
extern const char *const kDocument;

Said random_message(const std::string &agent, const Setup &setup, Dice &dice);
std::string random_state(Dice &dice);

// A form in which equal JSON texts are the same; and the message without its envelope.
std::string canonical(const std::string &json);
std::string without_envelope(const std::string &json);

}  // namespace accp_peers
