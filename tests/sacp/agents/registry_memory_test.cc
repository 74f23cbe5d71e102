// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each allocation of the registry fails once: nothing changes, nothing is lost, and then the same
// call succeeds.
#include "failing.h"
#include "sacp/agents/registry.h"
#include "sacp/agents/shared_capabilities.h"

namespace {

using namespace accp;
using accp_unit::AgentRegistry;
using accp_unit::entry;

const std::string kDocument = "[" + entry("A", R"("embedding":[1,2],"tags":["t"])") + "," +
                              entry("B") + "," +
                              entry("C", R"("embedding":[1,2,3],"embedding_model":"m")") + "," +
                              entry("A", R"("embedding":[2,3,4],"embedding_model":"m")") + "," +
                              R"({"agent":"B","embedding":[2,2],"description":"p"})" + "]";

// Calls work(registry) with failing allocation 0, 1, … until none fails.
template <class Work>
void fail_each(Work work) {
    bool done = false;
    for (int64_t at = 0; !done && at < 1000; ++at) {
        accp_test::Failing failing;
        {
            Memory memory(failing.allocator(), UINT64_MAX);
            AgentRegistry registry(memory);
            ASSERT_EQ(registry.load(kDocument), "");
            const std::string before = registry.document();
            done = !accp_test::fails(failing, at, [&] { work(registry); });
            if (!done) {
                EXPECT_EQ(registry.document(), before) << at;
                work(registry);
            }
            EXPECT_EQ(registry.names(R"({"query":{"embedding":[4,5]}})"), "D B");
        }
        EXPECT_EQ(failing.live, 0);
    }
    EXPECT_TRUE(done);
}

TEST(RegistryMemory, OfANewAgent) {
    fail_each([](AgentRegistry &registry) {
        registry.add(
            entry("D", R"("embedding":[4,5],"x":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy")"));
    });
}

TEST(RegistryMemory, OfALoad) {
    bool done = false;
    for (int64_t at = 0; !done; ++at) {
        accp_test::Failing failing;
        {
            Memory memory(failing.allocator(), UINT64_MAX);
            AgentRegistry registry(memory);
            done = !accp_test::fails(failing, at, [&] { registry.load(kDocument); });
            if (!done) {
                ASSERT_EQ(registry.load(kDocument), "");
            }
            EXPECT_EQ(registry.agents.count(), 3u);
            EXPECT_EQ(registry.names(R"({"query":{"embedding":[5,5]}})"), "B");
            done = done && !accp_test::fails(failing, -1, [] {});
        }
        EXPECT_EQ(failing.live, 0);
        ASSERT_LT(at, 1000);
    }
}

TEST(RegistryMemory, OfAQuestion) {
    bool done = false;
    for (int64_t at = 0; !done; ++at) {
        accp_test::Failing failing;
        {
            Memory memory(failing.allocator(), UINT64_MAX);
            AgentRegistry registry(memory);
            ASSERT_EQ(registry.load(kDocument), "");
            const char *query = R"({"query":{"verb":"v","embedding":[2,2]}})";
            done = !accp_test::fails(failing, at, [&] { registry.ask(query, 0, 3); });
            EXPECT_EQ(registry.names(query, 0, 3), "A B C");
        }
        EXPECT_EQ(failing.live, 0);
        ASSERT_LT(at, 1000);
    }
}

// A change that was committed but not applied, for lack of memory, is applied by the next call.
TEST(RegistryMemory, OfASharedRegistry) {
    bool done = false;
    for (int64_t at = 0; !done; ++at) {
        accp_test::Failing failing;
        accp_unit::Room room;
        store::Store store{Settings()};
        ASSERT_TRUE(store.open({.name = "memory:"}).ok());
        {
            Memory memory(failing.allocator(), UINT64_MAX);
            sacp::SharedCapabilities shared(&store, memory), other(&store, room.memory);
            AgentRegistry texts(room.memory);
            bool known = false;
            const std::string json = entry("D", R"("embedding":[4,5])");
            const accp_unit::Padded padded(json);
            ASSERT_TRUE(
                texts.reader.read(padded.view().data(), json.size(), {1 << 20, 9}, texts.value)
                    .ok());
            const auto work = [&] {
                ASSERT_TRUE(shared.add(texts.value.view(), 0, texts.verdict).ok());
                ASSERT_TRUE(shared.note_outcome("D", true, known).ok());
                ASSERT_TRUE(shared.renew("D", 5, 1, known).ok());
            };
            done = !accp_test::fails(failing, at, work);
            ASSERT_TRUE(other.refresh().ok());
            ASSERT_TRUE(shared.refresh().ok());
            EXPECT_EQ(shared.agents().count(), other.agents().count());
            work();
            ASSERT_TRUE(other.refresh().ok());
            ASSERT_NE(other.agents().find("D"), nullptr);
            EXPECT_EQ(shared.agents().find("D")->outcomes.all,
                      other.agents().find("D")->outcomes.all);
        }
        EXPECT_EQ(failing.live, 0);
        ASSERT_LT(at, 1000);
    }
}

}  // namespace
