// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The functions of libwebsockets and OpenSSL that servers and clients use. Shared libraries are
// loaded at the first call: every start of the command would take 2 ms longer if they were linked.
#pragma once

#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

namespace server {

struct WebLibrary {
#define ACCP_LWS_FUNCTION(name) decltype(&::lws_##name) name;
#define ACCP_SSL_FUNCTION(member, function) decltype(&::function) member;
#include "server/http/web_library.def"
};

// Loads the libraries at the first call. Throws Failure if the machine lacks one.
const WebLibrary &web();

}  // namespace server
