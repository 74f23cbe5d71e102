// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Loads the library that opens stores in NATS, when the first such store is opened. So libaccp
// itself has no sockets and does not link the libraries that NATS needs.
#include "base/shared_library.h"
#include "store/handle.h"

namespace accp::store {

namespace {

#define ACCP_NATS_LIBRARY "libaccp-nats.so.1"
#define ACCP_NEEDS_NATS "nats:// needs the library " ACCP_NATS_LIBRARY ", which is "

constexpr const char *kMissing = ACCP_NEEDS_NATS
    "not installed: build libaccp with -DACCP_NATS=ON (pkg-config name accp-nats) and put the "
    "library beside libaccp.so.1, or on the loader's path";
constexpr const char *kUnusable = ACCP_NEEDS_NATS
    "found but cannot be loaded: it needs libnats (Debian package libnats3.4); ldd shows what is "
    "missing";
constexpr const char *kForeign =
    ACCP_NEEDS_NATS "found but is not a store back end: install the one of libaccp";

}  // namespace

bool is_in_nats(std::string_view name) {
    return name.starts_with("nats://") || name.starts_with("tls://");
}

Status load_nats(accp_store_opener &out) {
    void *library = load_library(ACCP_NATS_LIBRARY);
    if (!library) {
        // "FILE: cannot open shared object file: …" names the first missing file.
        const char *why = load_failure();
        const bool is_missing = !why || std::string_view(why).starts_with(ACCP_NATS_LIBRARY);
        return fail(ACCP_ERR_ARG, 0, is_missing ? kMissing : kUnusable);
    }
    void *function = find_function(library, ACCP_STORE_BACKEND_ENTRY);
    if (!function) return fail(ACCP_ERR_ARG, 0, kForeign);
    out = reinterpret_cast<accp_store_opener>(function);
    return {};
}

}  // namespace accp::store
