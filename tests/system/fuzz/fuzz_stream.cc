// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads chunks of a few streams, four bytes and their data each, or a message as JSON after a `{`.
// Only documented statuses may occur, the pieces must add up to the whole text, and a refused call
// must neither open nor close a stream.
#include <map>

#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

class Driver {
public:
    Driver() {
        Config config;
        config.limit(ACCP_LIMIT_STREAM_BYTES, 4096)
            .limit(ACCP_LIMIT_STREAM_AHEAD, 8)
            .limit(ACCP_LIMIT_OPEN_STREAMS, 3);
        REQUIRE(accp_stream_new(config.get(), &stream_, nullptr) == ACCP_OK);
    }
    ~Driver() { accp_stream_free(stream_); }

    void run(std::string_view input) {
        while (input.size() >= 4) {
            const auto head = static_cast<uint8_t>(input[0]),
                       index = static_cast<uint8_t>(input[1]),
                       total = static_cast<uint8_t>(input[2]);
            const size_t len = std::min<size_t>(static_cast<uint8_t>(input[3]), input.size() - 4);
            const Exact data(input.substr(4, len));
            input.remove_prefix(4 + len);
            const char cid = static_cast<char>('a' + head % 5);
            if (head & 128 && head & 64) end(cid);
            else
                add(cid, {{&cid, 1},
                          {data.data(), data.size()},
                          index - int64_t{1},
                          total % 20,
                          (head & 32) != 0,
                          0});
        }
    }

    void receive(std::string_view json) {
        const Exact text(json);
        accp_stream_part part = {};
        accp_error error = untouched_error();
        const accp_status status =
            accp_stream_receive(stream_, text.data(), text.size(), &part, &error);
        check_error(status, error, text.size());
    }

private:
    void add(char cid, const accp_chunk &chunk) {
        const uint32_t before = accp_stream_open_count(stream_);
        accp_stream_part part = {};
        accp_error error = untouched_error();
        const accp_status status = accp_stream_add(stream_, &chunk, &part, &error);
        check_error(status, error, 0);
        REQUIRE(status == ACCP_OK || status == ACCP_E1004 || status == ACCP_E2003);
        if (status == ACCP_OK) take(cid, part);
        else REQUIRE(accp_stream_open_count(stream_) == before);
    }
    void end(char cid) {
        accp_stream_part part = {};
        REQUIRE(accp_stream_end(stream_, &cid, 1, &part, nullptr) == ACCP_OK &&
                part.state != ACCP_STREAM_OPEN && part.state != ACCP_STREAM_COMPLETE);
        if (part.state == ACCP_STREAM_ABORTED) take(cid, part);
    }
    void take(char cid, const accp_stream_part &part) {
        std::string &seen = seen_[cid];
        seen.append(part.data.len ? part.data.text : "", part.data.len);
        if (part.state == ACCP_STREAM_OPEN) return;
        REQUIRE(seen == std::string_view(part.whole.len ? part.whole.text : "", part.whole.len));
        seen.clear();
    }

    accp_stream *stream_ = nullptr;
    std::map<char, std::string> seen_;
};

// The pieces of a text must add up to it, unless it is refused because it is not UTF-8.
void cut(std::string_view input, uint32_t max) {
    const Exact text(input);
    accp_chunk chunk = {};
    std::string all;
    accp_status status = ACCP_OK;
    while ((status = accp_chunk_next(text.data(), text.size(), max, &chunk, nullptr)) == ACCP_OK)
        all.append(chunk.data.text, chunk.data.len);
    REQUIRE(status == ACCP_E1004 || (status == ACCP_ERR_CLOSED && all == input));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const std::string_view input = text_of(data, size);
    Driver driver;
    if (size && input[0] == '{') driver.receive(input);
    else driver.run(input);
    if (size) cut(input.substr(1), 1 + static_cast<uint8_t>(input[0]) % 16);
    return 0;
}
