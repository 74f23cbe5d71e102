// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One GET without an API key, to check whether a server responds.
#pragma once

#include <cstdint>
#include <string>

namespace cli {

struct ProbeAnswer {
    int status = 0;     // 0: no response
    std::string fault;  // the reason, if the status is 0
    std::string body;   // its first 64 KiB
    int64_t ms = 0;     // until the end of the response
};

// `authorities`: a file with trusted certificates, besides those of the machine; or empty. `token`:
// of an accp proxy; or empty. Throws Failure if the machine has no libcurl.
ProbeAnswer probe(const std::string &url, const std::string &authorities,
                  const std::string &token = {});

}  // namespace cli
