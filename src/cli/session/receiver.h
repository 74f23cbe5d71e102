// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Receives frames into a session, and stores rejected frames as dead letters.
#pragma once

#include <optional>
#include <string>

#include "cli/session/dead_letters.h"
#include "cli/session/sessions.h"

namespace cli {

// Collects the deliveries of one call of receive as a JSON array:
// [{"seq":1,"message":{…}},{"seq":2,"held":true},{"seq":3,"dropped":"…"}].
class DeliveryWriter {
public:
    // The status of the frame itself: dropped or held.
    void add(accp_status status, const accp_error &err);
    void add(const accp_delivery &delivery, bool is_frame_held);
    // Appends the array and starts a new one.
    void write(std::string &out);
    // The exit status over all calls, if no frame was refused.
    int exit_status() const;

private:
    void begin_object(const std::string &members);
    void add_dropped(const std::string &seq, const char *reason);

    std::string json_;
    bool has_dropped_ = false, has_held_ = false;
};

class Receiver {
public:
    explicit Receiver(CommandSession &session) : session_(session) {}

    // Receives the letter's frame as from the letter's peer, and adds the deliveries to
    // `deliveries`. `stores_letters`: a rejected frame becomes a dead letter.
    accp_status receive(const DeadLetter &letter, bool stores_letters, Streams &io,
                        accp_error &err);
    // Writes new dead letters into the session. Call this before you print the deliveries.
    accp_status store_letters(accp_error &err);
    DeadLetters &letters();

    DeliveryWriter deliveries;

private:
    void add_letter(DeadLetter letter, const std::string &mid, accp_status status,
                    const char *reason);
    void add_held_letter(const DeadLetter &letter, const accp_delivery &delivery,
                         uint64_t records_before);

    CommandSession &session_;
    std::optional<DeadLetters> letters_;
    bool has_new_letters_ = false;
};

}  // namespace cli
