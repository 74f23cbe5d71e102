// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Handoffs when each allocation fails in turn: open handoffs stay open, and no view of a freed
// message is kept.
#include "packet/panes/handoffs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/limits.h"
#include "failing.h"
#include "frame/message/json.h"

namespace {

using namespace accp;

// Fills freed memory with Z and keeps it until the end, so that a read after free is visible.
struct Kept {
    static void *take(size_t size, void *) { return std::malloc(size); }
    static void give(void *memory, size_t size, void *user) {
        std::memset(memory, 'Z', size);
        static_cast<Kept *>(user)->all.push_back(memory);
    }
    ~Kept() {
        for (void *memory : all) std::free(memory);
    }
    std::vector<void *> all;
} kept;

bool note(packet::Handoffs &handoffs, const std::string &json, bool ours) {
    accp_allocator allocator = private_allocator();
    allocator.alloc = Kept::take;
    allocator.release = Kept::give;
    allocator.user = &kept;
    Memory memory(allocator, UINT64_MAX);
    value::JsonReader reader(memory);
    value::Value value(memory);
    message::Message message;
    EXPECT_TRUE(reader.read(json.data(), json.size(), {kMaxTextBytes, kMaxJsonDepth}, value).ok());
    EXPECT_TRUE(message::read_message(value.view(), 0, {}, message).status.ok());
    return handoffs.observe(message, ours);
}

const std::string kOpens = R"({"agent":"lead","intent":"req","operation":"plan","payload":)"
                           R"({"to":"dev","packet":"$cold.packet_00"},"meta":{"cid":"c1"}})";
const std::string kSays = R"({"agent":"dev","intent":"ack","operation":"context","payload":)"
                          R"({"gaps":["testing approach"]},"meta":{"cid":"c1"}})";
const std::string kEnds =
    R"({"agent":"dev","intent":"done","operation":"plan","payload":{},"meta":{"cid":"c1"}})";

TEST(Handoffs, OutOfMemory) {
    int64_t failed = 0;
    for (const bool says : {false, true}) {
        bool fails = true;
        for (int64_t at = 0; fails && at < 100; ++at) {
            accp_test::Failing failing;
            Memory memory(failing.allocator(), UINT64_MAX);
            packet::Handoffs handoffs(memory);
            if (says) note(handoffs, kOpens, true);
            fails = accp_test::fails(failing, at,
                                     [&] { note(handoffs, says ? kSays : kOpens, !says); });
            failed += fails;
            note(handoffs, kOpens, true);
            EXPECT_EQ(handoffs.bytes().find("ZZ"), std::string_view::npos) << "of what is gone";
            EXPECT_TRUE(note(handoffs, kSays, false));
            EXPECT_NE(handoffs.bytes().find("testing approach"), std::string_view::npos);
            EXPECT_TRUE(note(handoffs, kEnds, false));
            EXPECT_FALSE(note(handoffs, kEnds, false)) << "once";
        }
    }
    EXPECT_GT(failed, 4);
}

}  // namespace
