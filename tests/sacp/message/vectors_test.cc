// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs vectors/*.jsonl, one case for each line. A new case needs no C++.
#include "sacp/message/message.h"
#include "sacp/message/messages.h"

namespace {

using namespace accp_plan;

void check_verdict(const Case &line, Fixture &fixture) {
    EXPECT_EQ(summary_of(fixture.verdict), summary_of(line, line.find("verdict")))
        << fixture.verdict.details();
    if (line.find("exact")) {
        EXPECT_EQ(text_of(fixture.verdict, fixture.memory), line.text("exact"));
    }
}

void check_reply(const Case &line, const std::string &text, Fixture &fixture) {
    const uint32_t under = line.find("reply_under");
    const std::string role = line.text("role", under);
    const ReplyRules rules = {role, find_out_fmt(line.text("out_fmt", under))};
    fixture.validator.check_reply(text, kMaxBytes, fixture.library(line.text("library")),
                                  line.flag("strict"), rules, fixture.verdict);
    check_verdict(line, fixture);
}

void judge_all(const char *file) {
    Fixture fixture;
    for (const std::string &each : read_lines(vectors(file))) {
        const Case line(each);
        SCOPED_TRACE(line.text("name"));
        const std::string text =
            line.find("raw") ? line.text("raw") : line.json(line.find("message"));
        if (line.find("reply_under")) {
            check_reply(line, text, fixture);
            continue;
        }
        const Library &library = fixture.library(line.text("library"));
        fixture.validator.check(text, kMaxBytes, library, line.flag("strict"), fixture.verdict);
        check_verdict(line, fixture);
        fixture.validator.check_fast(text, kMaxBytes, library, line.flag("strict"),
                                     fixture.verdict);
        check_verdict(line, fixture);
    }
}

TEST(PlanVectors, AreJudged) { judge_all("validate.jsonl"); }
TEST(PlanVectors, OfVersion1AreJudged) { judge_all("validate-1.0.0.jsonl"); }

TEST(PlanVectors, AreSpelt) {
    Fixture fixture;
    for (const std::string &each : read_lines(vectors("alias.jsonl"))) {
        const Case line(each);
        SCOPED_TRACE(line.text("name"));
        const std::string op = line.text("op");
        const Spelling spelling = op == "expand"    ? Spelling::kFull
                                  : op == "compact" ? Spelling::kBrief
                                                    : Spelling::kAsIs;
        Buffer<char> out(fixture.memory);
        const bool made = fixture.validator.spell(line.text("in"), kMaxBytes,
                                                  fixture.library(line.text("library")), spelling,
                                                  out, fixture.verdict);
        EXPECT_EQ(made, line.find("out") != 0);
        if (made) EXPECT_EQ(out.view(), line.text("out"));
        else check_verdict(line, fixture);
    }
}

// A new task is PENDING.
std::string change(Version version, uint32_t &state, value::TreeView tree, uint32_t wanted) {
    const auto refused = [&](const char *code) {
        return "{\"ok\":false,\"code\":\"" + std::string(code) + "\",\"state\":\"" +
               std::string(state_name(version, state)) + "\"}";
    };
    if (tree[wanted].kind != ACCP_STRING) return refused("INVALID_TYPE");
    const uint32_t next = find_state(version, tree.string(wanted));
    if (next == kNoState) return refused("UNKNOWN_STATE");
    if (!may_follow(version, state, next)) return refused("INVALID_STATE_TRANSITION");
    state = next;
    return "{\"ok\":true,\"state\":\"" + std::string(state_name(version, state)) + "\"}";
}

void change_all(const char *file) {
    for (const std::string &each : read_lines(vectors(file))) {
        const Case line(each);
        SCOPED_TRACE(line.text("name"));
        const Version version = line.text("version") == "0.1" ? Version::k01 : Version::k100;
        std::map<std::string, uint32_t> tasks;
        const value::TreeView tree = line.tree();
        uint32_t verdict = line.find("verdicts") + 1;
        for (uint32_t i = line.find("changes") + 1; i < tree[line.find("changes")].next;
             i = tree[i].next, verdict = tree[verdict].next)
            EXPECT_EQ(change(version, tasks[std::string(tree.string(i + 1))], tree, i + 2),
                      line.json(verdict));
    }
}

TEST(PlanVectors, ChangeStates) { change_all("states.jsonl"); }
TEST(PlanVectors, OfVersion1ChangeStates) { change_all("states-1.0.0.jsonl"); }

}  // namespace
