// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A conversation that was kept as text, line by line to messages.
#pragma once

#include "transcript/speakers.h"

namespace accp::transcript {

class SpokenReader {
public:
    SpokenReader(Memory &memory, uint64_t max_bytes)
        : max_bytes_(max_bytes), said_(memory), out_(memory) {}

    // Passes a message for each turn to the sink. Text before the first speaker is ignored. E1001:
    // a turn has more than max_bytes (`record` is its number, `offset` its first byte), or there is
    // no speaker. E1004: the text is not UTF-8.
    Status read(Format format, std::string_view text, const Sink &sink);
    // For use in a sink: the number of turns up to that of the message, and where that one begins.
    uint32_t turns() const { return turns_; }
    size_t turn_offset() const { return turn_at_; }

private:
    Status end_turn(const Sink &sink);

    uint64_t max_bytes_;
    Buffer<char> said_;
    Outbox out_;
    Speaker speaker_ = Speaker::kNobody;
    bool has_spoken_ = false;
    CodeBlock code_;
    size_t turn_at_ = 0;
    uint32_t turns_ = 0;
};

}  // namespace accp::transcript
