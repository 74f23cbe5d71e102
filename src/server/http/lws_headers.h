// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Headers of a request or an answer, as libwebsockets has read them.
#pragma once

#include <libwebsockets.h>

#include <string>
#include <string_view>

namespace server {

// One that libwebsockets knows. Empty: there is none.
std::string header_text(lws *wsi, lws_token_indexes token);
// Any other: its name in lower case, with the colon. Empty: there is none.
std::string header_text(lws *wsi, std::string_view name);

}  // namespace server
