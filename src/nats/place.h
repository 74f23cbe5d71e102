// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The place of a store, as a URL:
// nats://HOST:PORT,HOST:PORT/PREFIX?replicas=3&shards=4&watch=never&creds=FILE&ca=FILE&cert=FILE
// &key=FILE. tls:// instead of nats:// requires TLS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accp/store_backend.h"

namespace accp_nats {

constexpr int kMaxShards = 64;

// The error of a function of the back end's table (c_interface.h). It is thrown and caught before
// the function returns. The message is static.
struct Failure {
    accp_status status;
    const char *message;
};
inline constexpr const char *kNoServer = "no NATS server answers";

// When to watch what other clients write to replicated streams (watch.h).
enum class Watching : uint8_t { kWhereManyWrite, kAlways, kNever };

struct Place {
    std::vector<std::string> servers;  // URLs
    std::string prefix;                // of all subjects of the store
    int replicas = 1;                  // of new streams
    int shards = 0;                    // 0: as the store has, or one for a new store
    bool tls = false;
    Watching watching = Watching::kWhereManyWrite;
    std::string creds, ca, cert, key;  // paths of files
};

// Throws a Failure if the name is malformed.
Place read_place(std::string_view name);

}  // namespace accp_nats
