// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The frames that `accp session receive` could not take, which the command keeps in their session
// for `accp session dead`: the value $ctx.dead_letters,
//   {"untrusted":true,"lost":N,"letters":[{"mid":"…","code":"E1003","message":"…","time_ms":N,
//     "from":"…","untrusted":B,"frame":"…"}]}
// with frame_hex for bytes that are no UTF-8. A message that quotes it whole is untrusted. The
// newest stay: at most kMaxLetters, and as many as have kMaxLetterBytes; `lost` says how many had
// to go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/host.h"

namespace cli {

constexpr size_t kMaxLetters = 64;             // a peer can send any number of bad frames
constexpr size_t kMaxLetterBytes = 256 << 10;  // the value is written anew with each

struct DeadLetter {
    std::string mid, code, message, from, frame;
    int64_t time_ms = 0;
    bool untrusted = false;
};

class DeadLetters {
public:
    // What the session has. Throws Failure for a value that somebody else has put there.
    explicit DeadLetters(accp_session *session);

    const std::vector<DeadLetter> &all() const { return letters_; }
    uint64_t lost() const { return lost_; }
    void add(DeadLetter letter);
    void remove(size_t i) { letters_.erase(letters_.begin() + static_cast<std::ptrdiff_t>(i)); }
    // Puts them into the session; it is durable as anything else there.
    accp_status put(accp_error &err);

private:
    void read(std::string_view json);

    accp_session *session_;
    std::vector<DeadLetter> letters_;
    uint64_t lost_ = 0;
};

// Appends a letter as a JSON object.
void append_letter(const DeadLetter &letter, std::string &out);

// The mid of a frame, empty where it has none or cannot be read.
std::string mid_of(std::string_view frame);

}  // namespace cli
