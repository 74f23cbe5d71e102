// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as requests that a client sends to a proxy: all at once, and in pieces whose size is
// the first byte. Both must give the same requests, and a body never exceeds its limit.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "proxy/forward/headers.h"
#include "proxy/forward/request_reader.h"

namespace {

using State = proxy::RequestReader::State;
constexpr size_t kMaxBody = 1000;

// Each request as text, then the state after the last one.
std::vector<std::string> read_all(std::string_view bytes, size_t piece) {
    std::vector<std::string> made;
    proxy::RequestReader reader(kMaxBody);
    std::string in;
    for (size_t at = 0; at < bytes.size() && reader.state() != State::kRefused; at += piece) {
        in.append(bytes.substr(at, piece));
        for (State state = reader.read(in); state == State::kWhole; state = reader.read(in)) {
            proxy::Request &request = reader.request();
            REQUIRE(request.has_body || request.body.empty());
            std::string text = request.method + " " + request.target + "\n";
            for (const auto &[name, value] : request.headers) text += name + ":" + value + "\n";
            proxy::remove_connection_headers(request.headers);
            REQUIRE(!proxy::has_header(request.headers, "transfer-encoding"));
            made.push_back(text + request.body);
            reader.reset();
        }
        REQUIRE(reader.body_bytes() <= kMaxBody);
    }
    // A head or a line that is too long may be refused before all of it has arrived.
    if (reader.state() == State::kRefused) REQUIRE(reader.status() >= 400 && *reader.why());
    made.push_back(std::to_string(static_cast<int>(reader.state())));
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const accp_fuzz::Exact bytes(accp_fuzz::text_of(data + 1, size - 1));
    const auto whole = read_all(bytes.view(), std::max<size_t>(bytes.size(), 1));
    REQUIRE(read_all(bytes.view(), size_t{data[0]} + 1) == whole);
    return 0;
}
