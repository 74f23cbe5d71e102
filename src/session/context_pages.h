// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Explains the context of a session as JSON, page by page (context/explain.h).
#pragma once

#include "session/session.h"

namespace accp::session {

// Appends the object that accp_session_context_pages() describes. Reads each message from the log.
Status write_pages(Session &session, Scratch &scratch, Buffer<char> &out);

}  // namespace accp::session
