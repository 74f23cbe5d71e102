// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Why an address cannot be listened to: libwebsockets says that it cannot, and not why.
#pragma once

#include <string>

#include "server/http/web_loop.h"

namespace server {

std::string listen_fault(const WebOptions &options);

}  // namespace server
