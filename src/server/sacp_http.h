// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The validator of SACP over HTTP: POST /sacp/v1/validate, a message in and its verdict out.
#pragma once

#include "server/http_message.h"
#include "server/mcp_tools.h"

namespace server {

// `?lenient=1`: names that the house's library does not have are no error. 200 whatever the verdict
// is.
HttpReply validate_sacp(const McpHouse &house, const HttpRequest &request);

}  // namespace server
