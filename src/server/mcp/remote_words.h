// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a client of MCP over HTTP says beside the messages, and what it tells of answers that are
// none.
#pragma once

#include <string>
#include <string_view>

#include "server/http/json_rpc.h"
#include "server/http/web_call.h"

namespace server {

// A text as a header of MCP has it: what has no place there goes as Base64.
std::string header_value(std::string_view text);
// Of a post: from 2026-07-28 on they say again what the message says. `session` and `revision`:
// what `initialize` has agreed on.
WebHeaders post_headers(const RpcMessage &message, std::string_view session,
                        std::string_view revision);
// Of a stream that is asked for; last_id: of the event that it goes on after.
WebHeaders listen_headers(std::string_view session, std::string_view revision,
                          std::string_view last_id);

// "the server answered 401: …", and what may help.
std::string tell_refusal(const WebHead &head, std::string_view body);
// Does a server that answers 400 where 404 is meant say that it does not know the session? Many do,
// as the examples of the SDKs have it.
bool tells_no_session(const WebHead &head, std::string_view body);

}  // namespace server
