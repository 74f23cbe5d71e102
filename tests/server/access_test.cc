// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests the rights of clients.
#include "server/http/access.h"

#include <gtest/gtest.h>

#include "server/library/failure.h"

namespace {

using server::Access;
using server::Grant;

Access::Token make_token(const server::CallerLimits &limits) {
    Grant asked;
    asked.agents = "plan";
    asked.sessions = {"*"};
    asked.limits = limits;
    return Access::make(asked);
}

TEST(Access, ATokenIsKnownByItsHash) {
    Grant asked;
    asked.agents = "plan,dev";
    asked.sessions = {"one", "team-*"};
    asked.name = "the \"team\"";
    asked.is_trusted = true;
    const Access::Token made = Access::make(asked), other = Access::make(asked);
    EXPECT_NE(made.token, other.token);
    EXPECT_EQ(made.line.find(made.token), std::string::npos);
    const Access access("# whose\n\n" + other.line + "\n" + made.line + "\n");
    EXPECT_FALSE(access.is_open());
    const auto grant = access.find("Bearer " + made.token);
    ASSERT_TRUE(grant);
    EXPECT_EQ(grant->agents, "plan,dev");
    EXPECT_EQ(grant->name, asked.name);
    EXPECT_TRUE(grant->is_trusted && grant->may_write);
    EXPECT_TRUE(grant->allows_session("one") && grant->allows_session("team-7"));
    EXPECT_FALSE(grant->allows_session("two") || grant->allows_session("team"));
    EXPECT_TRUE(grant->allows_agent("dev") && grant->allows_agent("plan"));
    EXPECT_FALSE(grant->allows_agent("de") || grant->allows_agent("plan,dev2"));
    for (const std::string &wrong :
         {std::string(), std::string("Bearer "), made.token, "Bearerx " + made.token,
          "Bearer " + made.token + "0", "Bearer " + made.token.substr(1)})
        EXPECT_FALSE(access.find(wrong)) << wrong;
    EXPECT_EQ(access.find("bearer " + made.token), grant);
    EXPECT_EQ(access.find("BEARER  " + made.token), grant);
}

TEST(Access, WithoutAFileEverybodyMay) {
    const auto grant = Access().find("");
    ASSERT_TRUE(grant);
    EXPECT_TRUE(grant->allows_agent("anybody") && grant->allows_session("any"));
    EXPECT_FALSE(grant->is_trusted);
}

TEST(Access, ALineThatIsWrongIsNamed) {
    const std::string hash(64, 'a');
    const std::pair<std::string, const char *> cases[] = {
        {"{", "line 1"},
        {"{\"agents\":[\"a\"],\"sessions\":[\"s\"]}", "sha256"},
        {"{\"sha256\":\"AB\",\"agents\":[\"a\"],\"sessions\":[\"s\"]}", "64 digits"},
        {"{\"sha256\":\"" + hash + "\",\"sessions\":[\"s\"]}", "agents"},
        {"{\"sha256\":\"" + hash + "\",\"agents\":[],\"sessions\":[1]}", "sessions"},
        {"{\"sha256\":\"" + hash + "\",\"agents\":[\"a\"],\"sessions\":[\"s\"],\"token\":1}",
         "of a token: \"token\""},
        {"{\"sha256\":\"" + hash + "\",\"agents\":[\"a\"],\"sessions\":[\"s\"],\"write\":1}",
         "true or false"},
        {"{\"sha256\":\"" + hash + "\",\"agents\":[\"a\"],\"sessions\":[\"s\"],\"rate\":-1}",
         "from 0 to 1000000"},
        {"{\"sha256\":\"" + hash +
             "\",\"agents\":[\"a\"],\"sessions\":[\"s\"],\"max_sessions\":\"3\"}",
         "from 0 to 1000000"},
    };
    for (const auto &[line, part] : cases) {
        try {
            const Access access(line);
            ADD_FAILURE() << line;
        } catch (const host::Failure &failure) {
            EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
        }
    }
}

TEST(Access, CountsOutliveANewReadingOfTheFile) {
    const Access::Token made = make_token({7, 2});
    const Access first(made.line);
    const auto grant = first.find("Bearer " + made.token);
    EXPECT_EQ(grant->limits.rate, 7u);
    for (const char *id : {"a", "b", "a"}) {
        EXPECT_TRUE(grant->may_create_session(id));
        grant->count_session(id);
    }
    EXPECT_FALSE(grant->may_create_session("c"));
    const Access again(made.line, {}, &first);
    EXPECT_FALSE(again.find("Bearer " + made.token)->may_create_session("c"));
    EXPECT_TRUE(Access(made.line).find("Bearer " + made.token)->may_create_session("c"));
}

TEST(Access, LimitsOfTheServerAreOfTokensWithoutTheirOwn) {
    const Access::Token plain = make_token({}), own = make_token({7, 0});
    const Access access(plain.line + "\n" + own.line, {100, 5});
    EXPECT_EQ(access.find("Bearer " + plain.token)->limits.rate, 100u);
    EXPECT_EQ(access.find("Bearer " + own.token)->limits.rate, 7u);
    EXPECT_EQ(access.find("Bearer " + own.token)->limits.max_sessions, 5u);
    EXPECT_EQ(Access(server::CallerLimits{3, 0}).find("")->limits.rate, 3u);
}

TEST(Access, AFileThatIsWrongChangesNothing) {
    const Access::Token made = make_token({1, 0});
    const Access first(made.line);
    const auto grant = first.find("Bearer " + made.token);
    EXPECT_EQ(grant->use->rate.take(1000), 0);
    EXPECT_GT(grant->use->rate.take(1000), 0);
    EXPECT_THROW(Access(made.line + "\n{", {}, &first), host::Failure);
    EXPECT_GT(grant->use->rate.take(1000), 0);
    const Access again(made.line, {}, &first);
    EXPECT_GT(again.find("Bearer " + made.token)->use->rate.take(1000), 0);
}

TEST(Access, SessionsOfTheLibraryAreNobodys) {
    for (const char *id : {"accp.capabilities", "accp.", "a2a.tasks"})
        EXPECT_FALSE(Access().find("")->allows_session(id)) << id;
    EXPECT_TRUE(Access().find("")->allows_session("accp"));
}

}  // namespace
