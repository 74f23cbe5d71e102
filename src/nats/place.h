// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// nats://HOST:PORT,HOST:PORT/PREFIX?replicas=3&shards=4&watch=never&creds=FILE&ca=FILE&cert=FILE
// &key=FILE: where sessions are kept. tls:// instead of nats:// asks for TLS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accp/store_backend.h"

namespace accp_nats {

constexpr int kMaxShards = 64;

// What a function of the table answers, thrown up to it. The message is static.
struct Failure {
    accp_status status;
    const char *message;
};
inline constexpr const char *kNoServer = "no NATS server answers";

// Of what others write to replicated streams (nats_watch.h).
enum class Watching : uint8_t { kWhereManyWrite, kAlways, kNever };

struct Place {
    std::vector<std::string> servers;  // each a URL
    std::string prefix;                // of all subjects
    int replicas = 1;                  // of a stream that is made
    int shards = 0;                    // 0: as many as there are, or one
    bool tls = false;
    Watching watching = Watching::kWhereManyWrite;
    std::string creds, ca, cert, key;  // files
};

// Failure: it is no such name.
Place read_place(std::string_view name);

}  // namespace accp_nats
