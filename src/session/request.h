// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Contexts as providers' requests, and what hosts have of conversations into sessions.
#pragma once

#include "session/session.h"
#include "transcript/read.h"
#include "transcript/write.h"

namespace accp::session {

// Appends a request whose messages are the context, and says how many tokens that has. What stands
// in it as it was said is looked up in the log, for its calls and their results.
Status write_request(Session &session, transcript::Provider provider, uint64_t budget,
                     Scratch &scratch, Buffer<char> &out, uint64_t &tokens);

// Appends to the session what the messages of a transcript become, and counts them. `peer`: who
// says them, as Session::append() has it. Of a transcript with a mistake in it nothing is appended.
Status append_transcript(Session &session, transcript::Format format, std::string_view text,
                         const Peer *peer, int64_t now_ms, Scratch &scratch, uint64_t &count);

}  // namespace accp::session
