// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The blocks of a context, and the tool by which a model reads omitted content.
#include <string_view>

#include "session/sessions.h"

namespace {

using namespace accp_sessions;

std::string said(const std::string &agent, const std::string &what, const std::string &payload) {
    return R"({"agent":")" + agent + R"(","intent":")" + (what == "asked" ? "req" : "done") +
           R"(","operation":")" + (what == "asked" ? "plan" : "tool") + R"(","payload":)" +
           payload + "}";
}

std::string numbered_lines(int count) {
    std::string text;
    for (int i = 1; i <= count; ++i) text += "row " + std::to_string(i) + " of the table\\n";
    return text;
}

struct Asked {
    Asked() : engine(open_engine()), session(open_session(engine.get())) {
        EXPECT_EQ(append(session.get(), said("user", "asked", R"({"content":"Count the rows."})")),
                  ACCP_OK);
        EXPECT_EQ(append(session.get(),
                         said("shell", "answered", R"({"result":")" + numbered_lines(40) + "\"}")),
                  ACCP_OK);
        EXPECT_EQ(
            accp_session_put(session.get(), "warm.note", 9, "\"@user req:plan\"", 16, 0, nullptr),
            ACCP_OK);
    }
    std::string ask(const std::string &arguments) {
        return text_of([&](accp_text *out, accp_error *err) {
            return accp_session_answer(session.get(), arguments.data(), arguments.size(), kNow, out,
                                       err);
        });
    }
    Handle<accp_engine> engine;
    Handle<accp_session> session;
};

TEST(SessionResolveTool, AllOfIt) {
    Asked asked;
    EXPECT_EQ(asked.ask(R"({"ref":"$cold.m1"})"), "Count the rows.");
    const std::string all = asked.ask(R"({"ref":"cold.m2"})");
    EXPECT_EQ(all.find("row 1 of the table\nrow 2"), 0u) << all;
    EXPECT_NE(all.find("\nrow 40 of the table\n"), all.npos) << all;
    EXPECT_EQ(asked.ask(R"({"ref":"$warm.note"})"), "@user req:plan")
        << "what the host has put there is given as it is";
}

TEST(SessionResolveTool, SomeLines) {
    Asked asked;
    EXPECT_EQ(asked.ask(R"({"ref":"$cold.m2","lines":"3-4"})"),
              "lines 3-4 of 40:\nrow 3 of the table\nrow 4 of the table\n");
    EXPECT_EQ(asked.ask(R"({"ref":"$cold.m2","lines":"40-90"})"),
              "lines 40-40 of 40:\nrow 40 of the table\n");
    EXPECT_EQ(asked.ask(R"({"ref":"$cold.m2","lines":"2"})"),
              "lines 2-2 of 40:\nrow 2 of the table\n");
    EXPECT_EQ(asked.ask(R"({"ref":"$cold.m2","lines":"99-"})"), "lines 99-99 of 40:\n");
}

TEST(SessionResolveTool, WhatMatches) {
    Asked asked;
    EXPECT_EQ(asked.ask(R"({"ref":"$cold.m2","query":"ROW 7 "})"),
              "1 of 40 lines have it:\n5: row 5 of the table\n6: row 6 of the table\n"
              "7: row 7 of the table\n8: row 8 of the table\n9: row 9 of the table\n");
    EXPECT_EQ(asked.ask(R"({"ref":"$cold.m2","query":"row 39"})"),
              "1 of 40 lines have it:\n37: row 37 of the table\n38: row 38 of the table\n"
              "39: row 39 of the table\n40: row 40 of the table\n");
    EXPECT_EQ(asked.ask(R"({"ref":"$cold.m2","query":"nothing"})"), "0 of 40 lines have it:\n");
}

// Errors of the model are in the result. The host gets no error.
TEST(SessionResolveTool, WhatTheModelGotWrong) {
    Asked asked;
    for (const char *bad : {"", "[]", "{}", R"({"ref":7})", "no JSON", R"({"ref":""})"})
        EXPECT_EQ(asked.ask(bad).rfind("error: the arguments of resolve are ", 0), 0u) << bad;
    EXPECT_EQ(asked.ask(R"({"ref":"$cold.m7"})"),
              "error: nothing stands under \"$cold.m7\": messages are $cold.m1 to $cold.m2, "
              "checkpoints $warm.ckpt_N as the context names them\n");
    for (const char *lines : {"0", "4-3", "a-b", "3-x", "-4"})
        EXPECT_EQ(asked.ask(R"({"ref":"$cold.m2","lines":")" + std::string(lines) + "\"}"),
                  "error: lines are a-b, such as 10-40, counted from 1\n");
}

// A long text is read in pieces. Each piece names the start of the next.
TEST(SessionResolveTool, InPieces) {
    auto engine = open_engine();
    auto session = open_session(engine.get());
    ASSERT_EQ(append(session.get(),
                     said("shell", "answered", R"({"result":")" + numbered_lines(9000) + "\"}")),
              ACCP_OK);
    std::string whole;
    size_t pieces = 0;
    for (std::string lines = "1-"; !lines.empty() && pieces < 10; ++pieces) {
        const std::string ask = R"({"ref":"$cold.m1","lines":")" + lines + "\"}";
        std::string text = text_of([&](accp_text *out, accp_error *err) {
            return accp_session_answer(session.get(), ask.data(), ask.size(), kNow, out, err);
        });
        EXPECT_LE(text.size(), size_t{70'000});
        if (lines != "1-") text.erase(0, text.find('\n') + 1);  // the total
        const size_t more = text.find("\xE2\x80\xA6 more: ask for lines ");
        lines = more == text.npos ? "" : text.substr(more + 24, text.size() - more - 25);
        whole += text.substr(0, more);
    }
    EXPECT_GT(pieces, size_t{2});
    EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 9000);
    EXPECT_NE(whole.find("\nrow 9000 of the table\n"), whole.npos);
}

TEST(SessionBlocks, AreTheContext) {
    Asked asked;
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    ASSERT_EQ(accp_session_context_blocks(asked.session.get(), 0, &blocks, &count, nullptr),
              ACCP_OK);
    ASSERT_EQ(count, size_t{3});
    EXPECT_EQ(blocks[0].kind, ACCP_BLOCK_PINNED);
    EXPECT_EQ(blocks[1].kind, ACCP_BLOCK_NEWEST);
    EXPECT_EQ(blocks[2].kind, ACCP_BLOCK_VALUES);
    EXPECT_EQ(blocks[0].since, uint64_t{1});
    EXPECT_EQ(blocks[1].since, uint64_t{2});
    EXPECT_EQ(blocks[1].is_stable, 1);
    EXPECT_EQ(blocks[2].is_stable, 0);
    std::string text;
    for (size_t i = 0; i < count; ++i) text.append(blocks[i].text.text, blocks[i].text.len);
    EXPECT_EQ(text, context(asked.session.get()));
    accp_error error = {};
    EXPECT_EQ(accp_session_context_blocks(asked.session.get(), 3, &blocks, &count, &error),
              ACCP_E2003);
    EXPECT_EQ(error.limit, uint64_t{3});
}

TEST(Interfaces, HaveNamesAndTools) {
    for (int32_t i = 1; accp_interface_name(i); ++i) {
        const std::string_view name = accp_interface_name(i);
        EXPECT_EQ(accp_interface_find(name.data(), name.size()), i);
    }
    EXPECT_EQ(accp_interface_find("x", 1), -1);
    EXPECT_EQ(accp_interface_name(0), nullptr);
    EXPECT_EQ(accp_interface_tool(ACCP_INTERFACE_CLAUDE_CODE), nullptr);
    for (int32_t of : {ACCP_INTERFACE_OPENAI, ACCP_INTERFACE_ANTHROPIC, ACCP_INTERFACE_MCP}) {
        const std::string_view tool = accp_interface_tool(of);
        accp_value *value = nullptr;
        ASSERT_EQ(accp_value_new(nullptr, &value, nullptr), ACCP_OK);
        EXPECT_EQ(accp_value_parse_json(value, tool.data(), tool.size(), nullptr), ACCP_OK) << tool;
        accp_value_free(value);
    }
}

}  // namespace
