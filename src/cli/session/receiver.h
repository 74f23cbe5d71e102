// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames into a session, and those that it could not take into its dead letters.
#pragma once

#include <optional>

#include "cli/session/dead_letters.h"
#include "cli/session/received.h"
#include "cli/session/sessions.h"

namespace cli {

class Receiver {
public:
    explicit Receiver(SessionTools &tools) : tools_(tools) {}

    // The frame of `from`, and the peer that it came from; what it brings goes into `received`.
    // `notes`: what is refused goes into the letters.
    accp_status take(const DeadLetter &from, bool notes, Streams &io, accp_error &err);
    // Puts what was noted into the session: before anything is said of it.
    accp_status keep_letters(accp_error &err);
    DeadLetters &letters();

    Received received;

private:
    void note(DeadLetter letter, const std::string &mid, accp_status status, const char *why);
    void note_waited(const DeadLetter &from, const accp_delivery &one, uint64_t before);

    SessionTools &tools_;
    std::optional<DeadLetters> letters_;
    bool noted_ = false;
};

}  // namespace cli
