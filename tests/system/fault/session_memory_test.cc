// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every allocation of every call on a session fails: once, and permanently from there on. The call
// must return ACCP_ERR_NOMEM and leave the session unchanged. The same call must then succeed as
// without the failure.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "fault/injector.h"
#include "session/sessions.h"

namespace {

using namespace accp_fault;
using namespace accp_sessions;

// The chain of a message with a held part. It is long, so that its record needs memory.
const std::string kHeld(600, 'h');

struct World {
    World() {
        accp_test::Config config;
        config.allocator(allocator()).rule(ACCP_RULE_SHARES_STORE, 1).rule(ACCP_RULE_SEED, 7);
        config.rule(ACCP_RULE_DEADLINE_MS, 1000).rule(ACCP_RULE_BY_SENDER, 1);
        engine = open_engine(config.rule(ACCP_RULE_PARTS, 1));
        session = open_session(engine.get());
        EXPECT_EQ(receive(session.get(), frame(1, "@a>req:plan{task:first_parser}")), ACCP_OK);
        EXPECT_EQ(receive(session.get(), frame(3, "@a>req:plan{task:third}")), ACCP_HELD);
        EXPECT_EQ(put(session.get(), "warm.k", "[1,2]"), ACCP_OK);
        EXPECT_NE(
            send(
                session.get(),
                R"({"agent":"z","intent":"req","operation":"plan","payload":{},"meta":{"cid":"asked"}})"),
            "");
        EXPECT_EQ(receive(session.get(), part(1, "a:1", kHeld, 0)), ACCP_OK);
        drain(session.get());
        Handle<accp_session> owner = open_session(engine.get(), "owner");
        EXPECT_EQ(accp_session_add_grant(owner.get(), "s", 1, "hot.", 4, 0, nullptr), ACCP_OK);
        EXPECT_NE(send_state(owner.get(), R"({"long":")" + std::string(60, 'x') + R"("})"), "");
    }
    static std::string frame(int seq, const std::string &body) {
        return body + "[mid:b0000000000" + std::to_string(seq) + ",seq:" + std::to_string(seq) +
               ",ts:1714000000]";
    }

    static std::string part(int seq, const std::string &params, const std::string &cid, int index) {
        return "@p>req:plan{" + params + "}[mid:c0000000000" + std::to_string(seq) +
               ",seq:" + std::to_string(seq) + ",cid:" + cid + ",fi:" + std::to_string(index) +
               ",ft:2]";
    }

    // Returns everything that can be observed of a session.
    std::string seen() {
        // comes first, because a call completes any pending recovery of the session
        std::string all = context(session.get());
        all += "\n" + state_of(session.get()) + "\n";
        all += std::to_string(accp_session_next_deadline(session.get())) + " ";
        return all + std::to_string(accp_session_record_count(session.get())) + " " +
               std::to_string(accp_session_newest_checkpoint(session.get()));
    }

    Handle<accp_engine> engine;
    Handle<accp_session> session;
};

// Only calls of the C face, because allocations of the test itself would fail too.
struct Call {
    const char *name;
    accp_status (*run)(World &world);
};

// Runs a call that returns a text.
template <class Function>
accp_status answer(Function function) {
    accp_text out = {};
    return function(&out);
}

accp_status receive_text(World &w, const std::string &text) {
    return accp_session_receive(w.session.get(), text.data(), text.size(), kNow, nullptr, nullptr);
}

const std::string kNext = World::frame(2, "@a>done:plan{r:$warm.k|out:second_file.cc}"),
                  kLater = World::frame(5, "@a>req:plan{}");
const std::string kLong = R"({"agent":"a","intent":"req","operation":"plan","payload":{"long":")" +
                          std::string(80, 'x') + "\"}}";
const std::string kDone =
    R"({"agent":"a","intent":"done","operation":"plan","payload":{"result":"tests/parser_test.cc passes"}})";
const std::string kAsk =
    R"({"agent":"z","intent":"qry","operation":"plan","payload":{},"meta":{"cid":"also"}})";
const std::string kState = R"({"k":[1,{"x":2}]})", kRef = "cold.m1.payload.task";

const std::string kPart = World::part(2, "a:1", "other", 0),
                  kLastPart = World::part(2, "b:2", kHeld, 1);
const std::string kVeryLong = [] {
    std::string words;
    for (int i = 0; i < 300; ++i) words += " word" + std::to_string(i);
    return R"({"agent":"z","intent":"req","operation":"plan","payload":{"long":")" + words + "\"}}";
}();

const std::string kSaid = R"([{"role":"user","content":"Add a test."}])",
                  kAsked = R"({"ref":"$cold.m1","query":"parser"})";

const Call kCalls[] = {
    {"receive, and what waited", [](World &w) { return receive_text(w, kNext); }},
    {"receive that waits",
     [](World &w) {
         accp_status status = receive_text(w, kLater);
         return status == ACCP_HELD ? ACCP_OK : status;
     }},
    {"send",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_send(w.session.get(), kLong.data(), kLong.size(), kNow, out...,
                                      nullptr);
         });
     }},
    {"receive a part", [](World &w) { return receive_text(w, kPart); }},
    {"receive the last part", [](World &w) { return receive_text(w, kLastPart); }},
    {"abandon",
     [](World &w) {
         return accp_session_remove_parts(w.session.get(), kHeld.data(), kHeld.size(), kNow,
                                          nullptr);
     }},
    {"send in parts",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_send(w.session.get(), kVeryLong.data(), kVeryLong.size(), kNow,
                                      out..., nullptr);
         });
     }},
    {"send a request",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_send(w.session.get(), kAsk.data(), kAsk.size(), kNow, out...,
                                      nullptr);
         });
     }},
    {"expire", [](World &w) { return accp_session_expire(w.session.get(), kNow + 1001, nullptr); }},
    {"retry",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_retry(w.session.get(), 2, kNow, out..., nullptr);
         });
     }},
    {"send_state",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_send_state(w.session.get(), "a", 1, kState.data(), kState.size(),
                                            kNow, out..., nullptr);
         });
     }},
    {"append, and a checkpoint",
     [](World &w) {
         return accp_session_append(w.session.get(), kDone.data(), kDone.size(), kNow, nullptr);
     }},
    {"checkpoint",
     [](World &w) { return accp_session_checkpoint(w.session.get(), kNow, nullptr); }},
    {"put",
     [](World &w) { return accp_session_put(w.session.get(), "cold.k", 6, "[1]", 3, 0, nullptr); }},
    {"grant",
     [](World &w) {
         return accp_session_add_grant(w.session.get(), "t", 1, "cold.", 5, 0, nullptr);
     }},
    {"resolve",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_resolve(w.session.get(), kRef.data(), kRef.size(), nullptr, 0,
                                         kNow, out..., nullptr);
         });
     }},
    {"resolve of another session",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_resolve(w.session.get(), "hot.state", 9, "owner", 5, kNow, out...,
                                         nullptr);
         });
     }},
    {"context",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_context(w.session.get(), 0, out..., nullptr, nullptr);
         });
     }},
    {"context as blocks",
     [](World &w) {
         const accp_context_block *blocks = nullptr;
         size_t count = 0;
         return accp_session_context_blocks(w.session.get(), 0, &blocks, &count, nullptr);
     }},
    {"context as pages",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_context_pages(w.session.get(), out..., nullptr);
         });
     }},
    {"context as messages",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_context_messages(w.session.get(), ACCP_INTERFACE_ANTHROPIC, 0,
                                                  out..., nullptr, nullptr);
         });
     }},
    {"append messages",
     [](World &w) {
         return accp_session_append_messages(w.session.get(), kSaid.data(), kSaid.size(),
                                             ACCP_INTERFACE_OPENAI, kNow, nullptr, nullptr);
     }},
    {"append history",
     [](World &w) {
         accp_history_report report = {};
         return accp_session_append_history(w.session.get(), kSaid.data(), kSaid.size(),
                                            ACCP_INTERFACE_OPENAI, kNow, nullptr, &report, nullptr);
     }},
    {"answer",
     [](World &w) {
         return answer([&](auto... out) {
             return accp_session_answer(w.session.get(), kAsked.data(), kAsked.size(), kNow, out...,
                                        nullptr);
         });
     }},
    {"open",
     [](World &w) {
         accp_session *made = nullptr;
         accp_status status = accp_session_open(w.engine.get(), "s", 1, 0, &made, nullptr);
         if (status == ACCP_OK) w.session.reset(made);
         return status;
     }},
};

class SessionMemory : public testing::TestWithParam<Call> {};

TEST_P(SessionMemory, FailsAtEveryAllocation) {
    const Call &call = GetParam();
    std::string before, after;
    uint64_t calls = 0;
    {
        World setup;
        before = setup.seen();
        arm(kNever, false);
        ASSERT_EQ(call.run(setup), ACCP_OK);
        calls = disarm();
        after = setup.seen();
    }
    ASSERT_GT(calls, 0u);
    for (uint64_t first = 0; first < calls; ++first) {
        for (bool for_ever : {false, true}) {
            SCOPED_TRACE(std::string(call.name) +
                         (for_ever ? ", from allocation " : ", at allocation ") +
                         std::to_string(first));
            World setup;
            setup.seen();
            arm(first, for_ever);
            accp_status status = call.run(setup);
            disarm();
            // the frame was accepted; the next call returns what waited
            if (status == ACCP_OK && call.run == kCalls[0].run) {
                ASSERT_EQ(call.run(setup), ACCP_E3002);
                ASSERT_EQ(setup.seen(), after);
                continue;
            }
            ASSERT_EQ(status, ACCP_ERR_NOMEM);
            const bool opens = std::string_view(call.name) == "open";  // ends the older handle
            ASSERT_EQ(opens ? before : setup.seen(), before);
            ASSERT_EQ(call.run(setup), ACCP_OK);
            ASSERT_EQ(setup.seen(), after);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Calls, SessionMemory, testing::ValuesIn(kCalls),
                         [](const testing::TestParamInfo<Call> &info) {
                             std::string name = info.param.name;
                             for (char &c : name)
                                 if (!isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

}  // namespace
