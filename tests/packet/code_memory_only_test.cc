// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The errors of the C API in a build without SQLite.
#include <gtest/gtest.h>

#include "accp/packet.h"

namespace {

TEST(PacketCode, IsInMemoryOnlyWithoutSqlite) {
    accp_packet_code *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_packet_code_new_on_disk("code", 4, nullptr, &made, &error), ACCP_ERR_ARG);
    EXPECT_STREQ(error.message, "this library has no SQLite: files of code are in memory only");
}

}  // namespace
