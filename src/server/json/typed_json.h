// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A parsed frame as one typed JSON object, as `accp parse` prints it. It needs nothing but the
// public headers.
#pragma once

#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/parts.h"

namespace host {

// Appends {"ok":true,"agent":…,"intent":…,"operation":…,"payload":V,"meta":V or null} for the frame
// that was parsed last: no white space, no newline. V is {"int":"42"}, {"dec":"3.14"}, {"str":"…"},
// {"bool":true}, {"null":null}, {"ref":"warm.k"}, {"array":[V…]} or {"map":[["key",V]…]} in the
// order of the wire. Nothing where there is no frame.
void append_typed_json(const accp_frame *frame, std::string &out);

// Appends {"ok":false,"code":"E1001","offset":17,"message":"…"}.
void append_refusal_json(const accp_error &error, std::string &out);

// Appends `text`, which is UTF-8, as a JSON string with its quotes; only what must be escaped is.
void append_json_string(std::string_view text, std::string &out);
std::string json_string(std::string_view text);

}  // namespace host
