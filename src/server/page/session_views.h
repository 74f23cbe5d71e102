// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the page shows of a session beside its frames: its checkpoints with their facts, and
// packets.
#pragma once

#include <cstdint>

#include "server/library/handles.h"
#include "server/http/http_message.h"

namespace server {

HttpReply json_refusal(int status, std::string_view why);

// [{"name":"$warm.ckpt_3","value":…}…], the newest first: all that the session still has, but for
// what is over 1 MiB together.
HttpReply view_checkpoints(accp_session *session, int64_t now_ms);

// {"packet":…,"tokens":N,"layers":{"goals":N,…}} of the packet that a message carries, as JSON,
// where its checksum holds; {"error":…} where there is none.
HttpReply view_carried_packet(accp_session *session, const accp_config *config,
                              std::string_view message, int64_t now_ms);
// The same of one that is made of the session now, and not kept, for the request's `task` (or the
// session's first request), `depth` and `budget`.
HttpReply view_made_packet(accp_session *session, const accp_config *config,
                           const HttpRequest &request, int64_t now_ms);

}  // namespace server
