// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets of a few lines, and the example of the proposal.
#pragma once

#include "packet/packets.h"

namespace accp_packets {

inline Packet read_packet(const std::string &text) {
    Packet packet = new_packet();
    accp_error error = {};
    EXPECT_EQ(accp_packet_parse(packet.get(), text.data(), text.size(), 0, &error), ACCP_OK)
        << error.message << " at byte " << error.offset << ": " << text;
    return packet;
}

// Returns a packet whose context has these lines.
inline Packet read_context(const std::string &lines, const std::string &task = "t",
                           const std::string &goal = "g",
                           const std::string &created = "2024-01-15T10:30:00Z") {
    return read_packet("version: 1\ncreated: " + created +
                       "\ncreator: orchestrator-pane-0\ntarget_task: '" + task +
                       "'\ncontext:\n  goal: '" + goal + "'\n" + lines);
}

inline accp_ref::Json context_of(const Packet &packet) {
    const auto json = accp_ref::parse_json(printed(packet, accp_packet_print_json));
    return *json->find("context");
}

inline const char *const kJwtTask = "Add JWT authentication";
inline const char *const kJwtGoal =
    "Add JWT-based authentication to the login endpoint. User should receive a token on successful "
    "login.";
inline const char *const kJwtContext = R"yaml(  decisions:
    - choice: "JWT over session tokens"
      reason: "Stateless, works with planned mobile app"
      made_by: user
    - choice: "RS256 signing algorithm"
      reason: "Can verify without shared secret"
      made_by: orchestrator
  constraints:
    - "Must use existing User model from models/user.py"
    - "Token expiry: 24 hours (user preference)"
    - "Do NOT modify the registration flow"
  codebase:
    relevant_files:
      - path: "models/user.py"
        summary: "User model with email, password_hash, created_at"
      - path: "routes/auth.py"
        summary: "Currently has /register endpoint, need to add /login"
    patterns:
      - "Error responses use {error: string, code: number} format"
      - "All routes use async/await"
  failed_attempts:
    - approach: "Using PyJWT library"
      reason_failed: "Not in requirements.txt, use python-jose instead"
  not_included:
    - "Full conversation history"
    - "Unrelated codebase exploration"
    - "UI/frontend considerations (separate task)"
)yaml";

}  // namespace accp_packets
