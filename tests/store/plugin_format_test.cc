// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The keys of a session in a back end (store/plugin_format.h): what is written is read, and nothing
// else. A back end may return any bytes.
#include "store/plugin_format.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit.h"

namespace {

using namespace accp;
using namespace accp::store;

std::string text_of(const PluginKey &key) { return std::string(key.view()); }

// Keys of all kinds, cut at each byte, and some that no session has.
std::vector<std::string> keys() {
    std::vector<std::string> made = {"", "x", "b", "bx", "b\4k", std::string("b\0k", 3), "g", "s"};
    for (const std::string &whole :
         {text_of(state_key()), text_of(blob_key(static_cast<Tier>(1), "key")),
          text_of(blob_key(static_cast<Tier>(3), "key")), text_of(mids_key(1, 2, 3)),
          text_of(grants_key(std::string("a\0b", 3))) + "prefix"})
        for (size_t len = 1; len <= whole.size(); ++len) made.push_back(whole.substr(0, len));
    return made;
}

TEST(PluginFormat, OnlyKeysOfBlobsAreRead) {
    size_t read = 0;
    for (const std::string &key : keys()) {
        Tier tier;
        std::string_view name;
        if (!read_blob_key(key, tier, name)) continue;
        EXPECT_EQ(text_of(blob_key(tier, name)), key);
        EXPECT_FALSE(name.empty());
        ++read;
    }
    EXPECT_EQ(read, 6U);  // the names of two keys, by one to three bytes
    Tier tier;
    std::string_view name;
    EXPECT_TRUE(read_blob_key("b\1" + std::string(256, 'k'), tier, name));
    EXPECT_FALSE(read_blob_key("b\1" + std::string(257, 'k'), tier, name));
}

TEST(PluginFormat, OnlyKeysOfGrantsAreRead) {
    accp_unit::Room room;
    size_t read = 0;
    for (const std::string &key : keys()) {
        Buffer<char> grantee(room.memory);
        std::string_view prefix;
        if (!read_grant_key(key, grantee, prefix)) continue;
        EXPECT_EQ(accp_unit::text_of(grantee), std::string("a\0b", 3));
        EXPECT_EQ(text_of(grants_key(accp_unit::text_of(grantee))) + std::string(prefix), key);
        ++read;
    }
    EXPECT_EQ(read, 7U);  // the prefix by none to six bytes
}

TEST(PluginFormat, ARowIsReadAsItWasWritten) {
    SessionRow row = {};
    row.birth = 1, row.ops = 3, row.record_bytes = UINT64_MAX;
    const PluginRow bytes = write_row(row);
    SessionRow back = {};
    ASSERT_TRUE(read_row(bytes.view(), back));
    EXPECT_EQ(back.birth, 1U);
    EXPECT_EQ(back.ops, 3U);
    EXPECT_EQ(back.record_bytes, UINT64_MAX);
    EXPECT_FALSE(read_row(bytes.view().substr(1), back));
}

}  // namespace
