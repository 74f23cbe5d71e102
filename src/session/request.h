// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes contexts as requests of providers, and appends transcripts of hosts to sessions.
#pragma once

#include "session/session.h"
#include "transcript/read.h"
#include "transcript/write.h"

namespace accp::session {

// Appends a request whose messages are the context, and counts its tokens. Messages that the
// context contains in full are read from the log, because of their calls and results.
Status write_request(Session &session, transcript::Provider provider, uint64_t budget,
                     Scratch &scratch, Buffer<char> &out, uint64_t &tokens);

// Converts the messages of a transcript, appends them to the session and counts them. `peer`: the
// sender, as in Session::append(). If the transcript has an error, nothing is appended.
Status append_transcript(Session &session, transcript::Format format, std::string_view text,
                         const Peer *peer, int64_t now_ms, Scratch &scratch, uint64_t &count);

}  // namespace accp::session
