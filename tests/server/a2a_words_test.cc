// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Bytes and times in JSON.
#include <gtest/gtest.h>

#include "server/a2a/types.h"
#include "server/json/base64.h"

namespace {

TEST(Base64, IsReadAndWritten) {
    // RFC 4648, section 10, and bytes that use the end of the alphabet.
    const std::pair<std::string, std::string> cases[] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xff\xef\xbe", "/+++"},
        {std::string("\0\x10", 2), "ABA="},
    };
    std::string read;
    for (const auto &[bytes, text] : cases) {
        EXPECT_EQ(host::print_base64(bytes), text);
        EXPECT_TRUE(host::read_base64(text, read)) << text;
        EXPECT_EQ(read, bytes);
        EXPECT_TRUE(host::read_base64(text.substr(0, text.find('=')), read)) << text;
        EXPECT_EQ(read, bytes);
    }
    EXPECT_TRUE(host::read_base64("_---", read) && read == "\xff\xef\xbe");
    for (const char *wrong : {"Z", "Zg=", "Zh==", "Z===", "Zm9v=Zg", "Zm 9", "Zm9v\n", "Zg==="}) {
        const bool is_read = host::read_base64(wrong, read);
        EXPECT_EQ(is_read, std::string(wrong) == "Zg=") << wrong;  // padding may be missing
    }
}

TEST(IsoTime, IsReadAndWritten) {
    const std::pair<const char *, int64_t> cases[] = {
        {"1970-01-01T00:00:00.000Z", 0},
        {"2026-11-06T21:20:00.007Z", 1'794'000'000'007},
        {"2024-02-29T23:59:59.999Z", 1'709'251'199'999},
        {"1969-12-31T23:59:59.999Z", -1},
    };
    int64_t read = 0;
    for (const auto &[text, ms] : cases) {
        EXPECT_EQ(server::print_time(ms), text);
        EXPECT_TRUE(server::read_time(text, read)) << text;
        EXPECT_EQ(read, ms);
    }
    const std::pair<const char *, int64_t> others[] = {
        {"1970-01-01T00:00:01Z", 1000},       {"1970-01-01T00:00:00.1Z", 100},
        {"1970-01-01T00:00:00.123456Z", 123}, {"1970-01-01T01:00:00+01:00", 0},
        {"1969-12-31T18:30:00.5-05:30", 500},
    };
    for (const auto &[text, ms] : others) EXPECT_TRUE(server::read_time(text, read) && read == ms);
    for (const char *wrong :
         {"", "1970", "1970-01-01", "1970-01-01T00:00:00", "1970-13-01T00:00:00Z",
          "1970-00-01T00:00:00Z", "1970-01-00T00:00:00Z", "1970-01-32T00:00:00Z",
          "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z",
          "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00Zx", "1970-01-01T00:00:00+1:00",
          "1970-01-01 00:00:00Z", "-970-01-01T00:00:00Z"})
        EXPECT_FALSE(server::read_time(wrong, read)) << wrong;
}

}  // namespace
