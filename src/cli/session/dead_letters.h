// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames that `accp session receive` rejected. They are stored in their session, for
// `accp session dead`, as the value $ctx.dead_letters:
//   {"untrusted":true,"lost":N,"letters":[{"mid":"…","code":"E1003","message":"…","time_ms":N,
//     "from":"…","untrusted":B,"frame":"…"}]}
// A frame that is not UTF-8 is stored as frame_hex. The outer "untrusted" marks a message that
// quotes the whole value as untrusted. Only the newest letters are kept, within kMaxLetters and
// kMaxLetterBytes; `lost` counts the others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/host.h"

namespace cli {

constexpr size_t kMaxLetters = 64;             // a peer can send any number of bad frames
constexpr size_t kMaxLetterBytes = 256 << 10;  // each new letter writes the whole value again

struct DeadLetter {
    std::string mid, code, message, from, frame;
    int64_t time_ms = 0;
    bool untrusted = false;
};

class DeadLetters {
public:
    // Reads the session's letters. Throws Failure if the value has another form.
    explicit DeadLetters(accp_session *session);

    const std::vector<DeadLetter> &all() const { return letters_; }
    uint64_t lost() const { return lost_; }
    void add(DeadLetter letter);
    void remove(size_t i) { letters_.erase(letters_.begin() + static_cast<std::ptrdiff_t>(i)); }
    // Writes the letters into the session, without a sync.
    accp_status put(accp_error &err);

private:
    void read(std::string_view json);

    accp_session *session_;
    std::vector<DeadLetter> letters_;
    uint64_t lost_ = 0;
};

// Returns the mid of a frame; empty if it has none or cannot be parsed.
std::string mid_of(std::string_view frame);

}  // namespace cli
