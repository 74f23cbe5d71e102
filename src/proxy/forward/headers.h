// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Headers of HTTP messages: finding them, and removing those that belong to one connection only.
#pragma once

#include <string_view>

#include "proxy/http_text.h"

namespace proxy {

// Removes spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

bool has_header(const Headers &headers, std::string_view name);
void remove_header(Headers &headers, std::string_view name);
// Returns whether `token` is an element of a header that is a list, such as "close" of Connection.
bool lists_token(const Headers &headers, std::string_view name, std::string_view token);

// Removes the headers of one connection (RFC 9110, 7.6.1): Connection and those that it names,
// Keep-Alive, Proxy-Connection, Proxy-Authenticate, Proxy-Authorization, TE, Transfer-Encoding and
// Upgrade.
void remove_connection_headers(Headers &headers);

// Returns whether the text has a control character other than a tab.
bool has_control(std::string_view text);
// Appends the line "NAME: VALUE" of a head to `out`. Returns false if it is not a header, or has a
// control character.
bool append_header_line(std::string_view line, Headers &out);

// Returns whether the client accepts a body without a coding: it does unless it excludes "identity"
// by q=0 (RFC 9110, 12.5.3).
bool accepts_identity(const Headers &headers);

}  // namespace proxy
