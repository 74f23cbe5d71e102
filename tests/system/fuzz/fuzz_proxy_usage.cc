// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the bill of an answer: the first byte selects JSON or events, the second one the size of
// the pieces. Pieces of any size must give what the whole gives.
#include "fuzz/fuzz_input.h"
#include "proxy/usage.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const proxy::Headers headers = {
        {"content-type", data[0] % 2 ? "text/event-stream" : "application/json"}};
    const size_t step = 1 + data[1] % 64;
    const std::string_view body(reinterpret_cast<const char *>(data) + 2, size - 2);
    proxy::UsageReader whole, pieces;
    whole.read_head(200, headers);
    pieces.read_head(200, headers);
    whole.read_bytes(body);
    for (size_t at = 0; at < body.size(); at += step) {
        const accp_fuzz::Exact piece(body.substr(at, step));
        pieces.read_bytes(piece.view());
    }
    REQUIRE(whole.usage() == pieces.usage());
    return 0;
}
