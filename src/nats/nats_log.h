// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages of a log in few rounds of requests: each names those before it (LogTrail), so that all
// of a round are asked for at once.
#pragma once

#include "nats/nats_stream.h"

namespace accp_nats {

struct LogMessage {
    Message message;
    LogHead head;
    size_t body = 0;  // where it begins

    std::string_view rest() const { return std::string_view(message.data).substr(body); }
    // Throws where it is none.
    void read(Message &&from);
};

// Which messages of a log have a sequence above `above`, up to the newest of `ends`, in their
// order. Each of `ends` counts and is above it; `newest`, which may be NULL, is one that was read.
// False: one is gone, or what counts for nothing is in the way; walking says what is there.
bool read_back(Stream &stream, const Sequences &ends, const LogMessage *newest, uint64_t above,
               std::vector<LogMessage> &out);

}  // namespace accp_nats
