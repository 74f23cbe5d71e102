// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Server-sent events, split at any place.
#include "server/http/client_call.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

struct SseCase {
    const char *name;
    std::string bytes;
    std::vector<std::string> data;
    std::string last_id;
    int64_t retry_ms;
};

const SseCase kSseCases[] = {
    {"one", "data: {\"a\":1}\n\n", {"{\"a\":1}"}, "", -1},
    {"no blank after the colon", "data:x\n\ndata:  y\n\n", {"x", " y"}, "", -1},
    {"lines are joined", "data: a\ndata\ndata: b\n\n", {"a\n\nb"}, "", -1},
    {"CR LF", "id: 7\r\ndata: a\r\n\r\ndata: b\r\n\r\n", {"a", "b"}, "7", -1},
    {"lines that end with CR LF are joined", "data: a\r\ndata: b\r\n\r\n", {"a\nb"}, "", -1},
    {"CR alone", "data: a\r\rdata: b\r\r", {"a", "b"}, "", -1},
    {"all at once", "data: a\n\rdata: b\r\n\n", {"a", "b"}, "", -1},
    {"a mark of UTF-8 at the beginning",
     "\xEF\xBB\xBF"
     "data: é日\n\n",
     {"é日"},
     "",
     -1},
    {"comments and other fields", ": ping\n\nevent: message\nfoo: 1\ndata: a\n\n", {"a"}, "", -1},
    {"an event that is primed without data", "id: 3\nretry: 500\ndata: \n\n", {}, "3", 500},
    {"an id alone is kept", "id: 3\n\n", {}, "3", -1},
    {"an event without an id keeps the last", "id: 3\ndata: a\n\ndata: b\n\n", {"a", "b"}, "3", -1},
    {"an empty id ends it", "id: 3\ndata: a\n\nid\ndata: b\n\n", {"a", "b"}, "", -1},
    {"no id with a zero byte",
     std::string("id: 3\ndata: a\n\nid: 4\0\ndata: b\n\n", 32),
     {"a", "b"},
     "3",
     -1},
    {"what is not whole is none", "data: a\n\nid: 9\ndata: b\n", {"a"}, "", -1},
    {"a retry that is no number", "retry: 1x\nretry: -5\nretry:\n\n", {}, "", -1},
};

TEST(SseReader, ReadsEventsInAnyPieces) {
    for (const SseCase &one : kSseCases) {
        SCOPED_TRACE(one.name);
        for (size_t first = 0; first <= one.bytes.size(); ++first)
            for (size_t second = first; second <= one.bytes.size(); ++second) {
                server::SseReader reader;
                std::vector<std::string> data;
                const auto each = [&](const std::string &text) { data.push_back(text); };
                const std::string_view bytes = one.bytes;
                reader.read(bytes.substr(0, first), each);
                reader.read(bytes.substr(first, second - first), each);
                reader.read(bytes.substr(second), each);
                ASSERT_EQ(data, one.data) << first << ", " << second;
                ASSERT_EQ(reader.last_id(), one.last_id);
                ASSERT_EQ(reader.retry_ms(), one.retry_ms);
            }
    }
}

TEST(SseReader, TellsWhatItHolds) {
    server::SseReader reader;
    const auto each = [](const std::string &) {};
    reader.read("data: 12345\ndata: 67", each);
    EXPECT_EQ(reader.held_bytes(), 5u + 8u);
    reader.read("\n\n", each);
    EXPECT_EQ(reader.held_bytes(), 0u);
}

}  // namespace
