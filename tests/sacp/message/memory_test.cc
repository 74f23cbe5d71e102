// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each allocation fails once: all memory is released, and the same objects then work normally.
#include "failing.h"
#include "sacp/message/adapt.h"
#include "sacp/message/mapping.h"
#include "sacp/message/messages.h"
#include "sacp/planner/planner.h"
#include "sacp/planner/threads.h"

namespace {

using namespace accp_plan;
using accp_test::Failing;
using accp_test::fails;

constexpr int kMaxAllocations = 10'000;

// Long enough that buffers grow more than once.
std::string make_message() {
    std::string steps;
    for (int i = 1; i <= 40; ++i)
        steps += std::string(i > 1 ? "," : "") + R"(["s","H_API",{"c":"Oslo )" + std::to_string(i) +
                 R"(","lim":5,"x":"$ctx.k)" + std::to_string(i) + R"("}])";
    std::string members;
    for (int i = 1; i <= 39; ++i) members += ",\"k" + std::to_string(i) + "\":1";
    return R"({"g":"SPAWN_AGENT","msg_id":"m","ctx":{"loc":"Oslo")" + members +
           R"(},"plan":[["define","Q",{"description":"","inputs":[],"outputs":1}],)" + steps +
           R"(,{"parallel":[["f","H_CACHE",{"k":"x"}],[["r","RANK",{}],["p","PRES",{"n":1}]]]},)" +
           R"(["join","MERGE",{}],["delegate","AGENT",{"subtask":{"g":"Y","plan":[]}}]],)" +
           R"("subtask":[{"g":"A","ctx":{"in":"$ctx.loc"},"plan":[["fetch","HISTO_API",{}]]}]})";
}

// Calls work(memory) with each allocation failing, and then with none.
template <class Work>
void let_each_fail(Work work) {
    Failing failing;
    int64_t at = 0;
    for (; at < kMaxAllocations; ++at) {
        const bool failed = fails(failing, at, [&] {
            Memory memory(failing.allocator(), UINT64_MAX);
            work(memory);
        });
        ASSERT_EQ(failing.live, 0) << at;
        if (!failed) break;
    }
    EXPECT_GT(at, 0);
    EXPECT_LT(at, kMaxAllocations);
}

TEST(PlanMemory, ReadsLibrary) {
    const std::string document = read_file(vectors("library/travel.json"));
    let_each_fail([&](Memory &memory) {
        Verdict verdict(memory);
        Library library(memory);
        EXPECT_TRUE(library.read(document, kMaxBytes, verdict));
    });
}

// The objects are reused: one that failed to check a message checks it the next time.
TEST(PlanMemory, ChecksAndSpells) {
    Fixture fixture;
    const Library &library = fixture.library("travel");
    const std::string text = make_message();
    fixture.validator.check(text, kMaxBytes, library, true, fixture.verdict);
    const std::string wanted = summary_of(fixture.verdict);
    EXPECT_EQ(wanted.substr(0, 4), "NEED") << wanted;
    Buffer<char> spelt(fixture.memory);
    ASSERT_TRUE(
        fixture.validator.spell(text, kMaxBytes, library, Spelling::kFull, spelt, fixture.verdict));
    Failing failing;
    for (int64_t at = 0; at < kMaxAllocations; ++at) {
        Memory memory(failing.allocator(), UINT64_MAX);
        Verdict verdict(memory);
        Validator validator(memory);
        Buffer<char> out(memory);
        const bool failed = fails(failing, at, [&] {
            validator.check_fast(text, kMaxBytes, library, true, verdict);
            validator.spell(text, kMaxBytes, library, Spelling::kFull, out, verdict);
        });
        validator.check_fast(text, kMaxBytes, library, true, verdict);
        ASSERT_EQ(summary_of(verdict), wanted) << at;
        out.clear();
        ASSERT_TRUE(validator.spell(text, kMaxBytes, library, Spelling::kFull, out, verdict));
        ASSERT_EQ(out.view(), spelt.view()) << at;
        if (!failed) return;
    }
    FAIL() << "more allocations than thought of";
}

// Calls work(tool, out) on the same tool, from make(memory), after each failure.
template <class Make, class Work>
void let_each_fail_and_go_on(Make make, Work work) {
    Memory plain(private_allocator(), UINT64_MAX);
    Buffer<char> wanted(plain);
    ASSERT_TRUE(work(*make(plain), wanted));
    ASSERT_FALSE(wanted.empty());
    Failing failing;
    for (int64_t at = 0; at < kMaxAllocations; ++at) {
        Memory memory(failing.allocator(), UINT64_MAX);
        const auto tool = make(memory);
        Buffer<char> out(memory);
        const bool failed = fails(failing, at, [&] { work(*tool, out); });
        out.clear();
        ASSERT_TRUE(work(*tool, out)) << at;
        ASSERT_EQ(out.view(), wanted.view()) << at;
        if (failed) continue;
        EXPECT_GT(at, 0);
        return;
    }
    FAIL() << "more allocations than thought of";
}

// A chain for a goal, and parallel steps, each of which needs the outputs of others.
TEST(PlanMemory, Plans) {
    std::string verbs, supported;
    for (int i = 0; i < 40; ++i) {
        const std::string own = std::to_string(i);
        const std::string needs = i % 8 ? "\"o" + std::to_string(i - 1) + "\"" : "";
        verbs += std::string(i ? "," : "") + R"({"name":"v)" + own +
                 R"(","description":"","inputs":[)" + needs + R"(],"required":[)" + needs +
                 R"(],"outputs":"o)" + own + "\"}";
        supported += (i ? ",\"v" : "\"v") + own + "\"";
    }
    const std::string document = R"({"verbs":[)" + verbs +
                                 R"(],"tools":[{"id":"T","description":"","supported_verbs":[)" +
                                 supported + "]}]}";
    Memory memory(private_allocator(), UINT64_MAX);
    Verdict verdict(memory);
    Library library(memory);
    ASSERT_TRUE(library.read(document, kMaxBytes, verdict));
    const std::string text = R"({"g":"G","msg_id":"m","ctx":{"long":")" + std::string(3000, 'x') +
                             R"("},"plan":[["v7","T",{}],["v15","T",{"x":"$step.1"}],)"
                             R"(["v23","T",{}],["v39","T",{"long":")" +
                             std::string(3000, 'y') + R"("}]]})";
    for (const bool beside : {false, true})
        let_each_fail_and_go_on([](Memory &own) { return std::make_unique<Planner>(own); },
                                [&](Planner &planner, Buffer<char> &out) {
                                    Verdict own(memory);
                                    return planner.plan(text, library, beside, kMaxBytes, out, own);
                                });
}

// To ACCP, with a member that is mapped as text, and back.
TEST(PlanMemory, Maps) {
    std::string deep = "1";
    for (int i = 0; i < 9; ++i) deep = "[" + deep + ",\"" + std::string(200, 'd') + "\"]";
    const std::string failed =
        R"({"g":"G","plan":[["a","T",{"k":)" + deep +
        R"(}]],"state":"FAILED","msg_id":"m","result":{"error":{"status":"ERR","code":"TIMEOUT",)"
        R"("details":"d","more":")" +
        std::string(3000, 'x') + R"("},"step_results":{}}})";
    Memory memory(private_allocator(), UINT64_MAX);
    Verdict verdict(memory);
    Library none(memory);
    ASSERT_TRUE(none.read("{}", kMaxBytes, verdict));
    for (const std::string &text :
         {failed, R"({"query":{"verb":")" + std::string(3000, 'v') + "\"}}",
          std::string(R"({"status":"REQ_CLARIFY","need":["plan"]})")})
        let_each_fail_and_go_on([&](Memory &own) { return std::make_unique<Mapper>(own, none); },
                                [&](Mapper &mapper, Buffer<char> &out) {
                                    Verdict own(memory);
                                    Buffer<char> message(memory);
                                    return mapper.to_accp(text, "a", kMaxBytes, message, own) &&
                                           mapper.from_accp(message.view(), kMaxBytes, out, own);
                                });
}

TEST(PlanMemory, ComposesAndThreads) {
    Fixture fixture;
    const Library &library = fixture.library("travel");
    const std::string text = make_message();
    std::string lines;
    for (int i = 0; i < 200; ++i)
        lines += R"({"msg_id":"m)" + std::to_string(i) + R"(","reply_to":"m)" +
                 std::to_string(i / 2) + "\"}\n";
    let_each_fail([&](Memory &memory) {
        Verdict verdict(memory);
        Validator validator(memory);
        Buffer<char> out(memory);
        EXPECT_TRUE(
            validator.compose(text, kMaxBytes, library, {false, "RANK", "id"}, out, verdict));
        Threads threads(memory);
        EXPECT_TRUE(threads.read(lines, kMaxBytes, verdict));
        threads.write_json(out);
        threads.write_indented(out);
    });
}

TEST(PlanMemory, Adapts) {
    Fixture fixture;
    const Library &library = fixture.library("none");
    const std::string text =
        R"({"g":"X","msg_id":"m","plan":[["a","A",{}],{"parallel":[["b","B",{}],[["c","C",{}],)"
        R"(["d","D",{}]]]},["join","MERGE",{}]],"ctx":{"long":")" +
        std::string(2000, 'x') + R"("}})";
    let_each_fail([&](Memory &memory) {
        Verdict verdict(memory);
        value::JsonReader reader(memory);
        value::Value value(memory);
        Adapter adapter(memory);
        Buffer<char> up(memory), down(memory);
        ASSERT_TRUE(reader.read(text.data(), text.size(), {kMaxBytes, 128}, value).ok());
        EXPECT_TRUE(adapter.to_v1(value.view(), library, {"", "2026-05-09T00:00:00Z", "A", ""},
                                  nullptr, up, verdict));
        ASSERT_TRUE(reader.read(up.data(), up.size(), {kMaxBytes, 128}, value).ok());
        EXPECT_TRUE(adapter.to_v01(value.view(), library, nullptr, down, verdict));
    });
}

}  // namespace
