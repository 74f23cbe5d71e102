// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages for another agent, and threads of messages: cases, and random forests against a model.
#include <map>
#include <random>
#include <set>

#include "sacp/message/sacp_face.h"

namespace {

using accp_test::Sacp;

std::string compose(Sacp &sacp, const std::string &text, const std::string &role,
                    const std::string &formatters = {}, const std::string &id = {}) {
    const accp_sacp_receiver to = {
        {role.data(), role.size()}, {formatters.data(), formatters.size()}, {id.data(), id.size()}};
    return sacp.text([&](accp_text *out) {
        return accp_sacp_compose(sacp.get(), text.data(), text.size(), &to, out, nullptr);
    });
}

struct ComposeCase {
    const char *role, *formatters, *text, *wanted;
};
const ComposeCase kComposed[] = {
    {"executor", "", R"({"plan":[],"g":"G","out_fmt":"human"})", R"({"g":"G","plan":[]})"},
    {"", "", R"({"g":"G","plan":[],"out_fmt":"human"})", R"({"g":"G","plan":[]})"},
    {"formatter", "", R"({"g":"G","plan":[],"out_fmt":"human"})",
     R"({"g":"G","plan":[],"out_fmt":"human"})"},
    {"interface", "", R"({"g":"G","plan":[],"out_fmt":"human"})",
     R"({"g":"G","plan":[],"out_fmt":"human"})"},
    {"interfaces", "", R"({"g":"G","plan":[],"out_fmt":"human"})", R"({"g":"G","plan":[]})"},
    {"executor", "", R"({"g":"G","plan":[],"out_fmt":"summary"})",
     R"({"g":"G","plan":[],"out_fmt":"summary"})"},
    {"executor", "", R"({"g":"G","plan":[],"out_fmt":"raw"})", R"({"g":"G","plan":[]})"},
    // nested messages, for any receiver, except in a formatter's step
    {"formatter", "",
     R"({"g":"G","plan":[],"out_fmt":"human","subtask":{"g":"H","plan":[],"out_fmt":"human"}})",
     R"({"g":"G","plan":[],"out_fmt":"human","subtask":{"g":"H","plan":[]}})"},
    {"", "SAY\nTELL",
     R"({"g":"G","plan":[["a","TELL",{"subtask":{"g":"H","plan":[],"out_fmt":"human"}}],)"
     R"(["a","TEL",{"subtask":{"g":"H","plan":[],"out_fmt":"human",)"
     R"("subtask":[{"g":"I","out_fmt":"human","plan":[]}]}}]]})",
     R"({"g":"G","plan":[["a","TELL",{"subtask":{"g":"H","plan":[],"out_fmt":"human"}}],)"
     R"(["a","TEL",{"subtask":{"g":"H","plan":[],"subtask":[{"g":"I","plan":[]}]}}]]})"},
    // text that only looks like out_fmt
    {"", "", R"({"g":"human","ctx":{"out_fmt":"human"},"plan":[["a","T",{"out_fmt":"human"}]]})",
     R"({"g":"human","ctx":{"out_fmt":"human"},"plan":[["a","T",{"out_fmt":"human"}]]})"},
    {"", "", R"({"g":"G"})",
     R"({"status":"ERR","code":"MISSING_FIELD","details":"a message must have a plan"})"},
};

TEST(Compose, SACP_4_05_TakesHumanFromThoseInBetween) {
    Sacp sacp;
    for (const ComposeCase &each : kComposed) {
        const std::string made = compose(sacp, each.text, each.role, each.formatters);
        EXPECT_EQ(made, each.wanted) << each.text;
        if (made.starts_with("{\"g\"")) {
            EXPECT_EQ(compose(sacp, made, each.role, each.formatters), made);
        }
    }
    // the next call of another kind is not affected
    const std::string human = R"({"g":"G","plan":[],"out_fmt":"human"})";
    EXPECT_EQ(sacp.text([&](accp_text *out) {
        return accp_sacp_spell(sacp.get(), human.data(), human.size(), ACCP_SACP_AS_IS, out,
                               nullptr);
    }),
              human);
}

TEST(Compose, GivesAnIdWhereThereIsNone) {
    Sacp sacp;
    EXPECT_EQ(compose(sacp, R"({"g":"G","plan":[],"reply_to":"q"})", "", "", "a.1"),
              R"({"g":"G","plan":[],"msg_id":"a.1","reply_to":"q"})");
    EXPECT_EQ(compose(sacp, R"({"g":"G","plan":[],"msg_id":"own"})", "", "", "a.1"),
              R"({"g":"G","plan":[],"msg_id":"own"})");
    EXPECT_EQ(compose(sacp, R"({"g":"G","plan":[],"subtask":{"g":"H","plan":[]}})", "", "", "a"),
              R"({"g":"G","plan":[],"msg_id":"a","subtask":{"g":"H","plan":[]}})");
    const accp_sacp_receiver bad = {{"", 0}, {"", 0}, {"a b", 3}};
    accp_text out = {};
    EXPECT_EQ(accp_sacp_compose(sacp.get(), "{}", 2, &bad, &out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_sacp_compose(sacp.get(), "{}", 2, nullptr, &out, nullptr), ACCP_ERR_ARG);
}

std::string thread(Sacp &sacp, const std::string &text, bool indented = false) {
    return sacp.text([&](accp_text *out) {
        return accp_sacp_thread(sacp.get(), text.data(), text.size(), indented, out, nullptr);
    });
}

struct ThreadCase {
    const char *text, *list;
};
const ThreadCase kThreads[] = {
    {"", ""},
    {"\n \n", ""},
    {"{}\n{}", "- (line 1)\n- (line 2)\n"},
    {"{\"msg_id\":\"c\",\"reply_to\":\"b\"}\n{\"msg_id\":\"a\"}\r\n\n"
     "{\"reply_to\":\"a\",\"msg_id\":\"b\"}\n{\"reply_to\":\"a\"}",
     "a (line 2)\n  b (line 4)\n    c (line 1)\n  - (line 5)\n"},
    {"{\"msg_id\":\"b\",\"reply_to\":\"a\"}\n{\"reply_to\":\"b\",\"status\":\"VALID\"}",
     "b (line 1, orphan, to a)\n  - (line 2)\n"},
    // the first of two messages with the same id gets the replies
    {"{\"msg_id\":\"a\"}\n{\"msg_id\":\"a\"}\n{\"reply_to\":\"a\",\"msg_id\":\"b\"}\n"
     "{\"reply_to\":\"a\",\"msg_id\":\"b\"}",
     "a (line 1)\n  b (line 3)\n  b (line 4, duplicate of line 3)\n"
     "a (line 2, duplicate of line 1)\n"},
    {"{\"msg_id\":\"a\",\"reply_to\":\"a\"}", "a (line 1, cycle, to a)\n"},
    {"{\"reply_to\":\"b\",\"msg_id\":\"x\"}\n{\"msg_id\":\"b\",\"reply_to\":\"c\"}\n"
     "{\"msg_id\":\"c\",\"reply_to\":\"b\"}",
     "b (line 2, cycle, to c)\n  x (line 1)\n  c (line 3)\n"},
    {"{\"msg_id\":1}", R"({"status":"ERR","code":"INVALID_TYPE","details":"msg_id is a string"})"},
    {"{}\n{\"reply_to\":\"\"}",
     "{\"status\":\"ERR\",\"code\":\"MALFORMED_MESSAGE\",\"details\":"
     "\"reply_to is 1 to 128 letters, digits, . _ : -\"}"},
    {"{}\n[]", R"({"status":"ERR","code":"MALFORMED_MESSAGE","details":"a message is an object"})"},
};

TEST(Threads, SACP_2_02_AreBuiltFromMessagesInAnyOrder) {
    Sacp sacp;
    for (const ThreadCase &each : kThreads)
        EXPECT_EQ(thread(sacp, each.text, true), each.list) << each.text;
    EXPECT_EQ(thread(sacp, "{\"msg_id\":\"a\",\"reply_to\":\"b\"}\n{\"msg_id\":\"a\"}"),
              R"([{"line":1,"depth":0,"kind":"orphan","msg_id":"a","reply_to":"b"},)"
              R"({"line":2,"depth":0,"kind":"duplicate","msg_id":"a","of":1}])");
    EXPECT_EQ(thread(sacp, ""), "[]");
}

TEST(Threads, SayWhereALineIsWrong) {
    Sacp sacp;
    const std::string text = "{}\n\n{\"msg_id\":\"?\"}";
    accp_text out = {};
    accp_error err = {};
    EXPECT_EQ(accp_sacp_thread(sacp.get(), text.data(), text.size(), 0, &out, &err), ACCP_E1001);
    EXPECT_EQ(err.offset, text.find("\"?\""));
    EXPECT_EQ(accp_sacp_thread(sacp.get(), "{}", 2, 2, &out, &err), ACCP_ERR_ARG);
}

// The input lines, and the expected list, computed slowly.
struct Line {
    std::string id, to;
};
class Model {
public:
    explicit Model(std::vector<Line> lines) : lines_(std::move(lines)) {}

    std::string list() {
        for (size_t i = 0; i < lines_.size(); ++i)
            if (begins_thread(i)) write(i, 0);
        return list_;
    }

private:
    static constexpr size_t kNone = SIZE_MAX;

    size_t find(const std::string &id) const {
        for (size_t i = 0; i < lines_.size(); ++i)
            if (!id.empty() && lines_[i].id == id) return i;
        return kNone;
    }
    // The messages on the way from a line up its replies. In a cycle the line itself is last.
    std::vector<size_t> way(size_t line) const {
        std::vector<size_t> way;
        for (size_t at = find(lines_[line].to); at != kNone; at = find(lines_[at].to)) {
            way.push_back(at);
            if (at == line || way.size() > lines_.size()) break;
        }
        return way;
    }
    bool is_cut(size_t line) const {
        const std::vector<size_t> around = way(line);
        if (around.empty() || around.back() != line) return false;
        for (size_t other : around)
            if (other < line) return false;
        return true;
    }
    bool begins_thread(size_t line) const { return find(lines_[line].to) == kNone || is_cut(line); }
    void write(size_t line, size_t depth) {
        const Line &own = lines_[line];
        list_ += std::string(2 * std::min<size_t>(depth, 32), ' ') +
                 (own.id.empty() ? "-" : own.id) + " (line " + std::to_string(line + 1);
        const size_t first = find(own.id);
        if (first != kNone && first != line)
            list_ += ", duplicate of line " + std::to_string(first + 1);
        else if (is_cut(line)) list_ += ", cycle, to " + own.to;
        else if (!own.to.empty() && find(own.to) == kNone) list_ += ", orphan, to " + own.to;
        list_ += ")\n";
        if (first != line) return;
        for (size_t i = 0; i < lines_.size(); ++i)
            if (lines_[i].to == own.id && !is_cut(i)) write(i, depth + 1);
    }

    std::vector<Line> lines_;
    std::string list_;
};

TEST(Threads, AreWhatTheModelSays) {
    std::mt19937 random(7);
    Sacp sacp;
    for (int round = 0; round < 3000; ++round) {
        const unsigned ids = 1 + random() % 12, count = random() % 14;
        std::vector<Line> lines(count);
        std::string text;
        const auto pick = [&] { return random() % 4 ? "m" + std::to_string(random() % ids) : ""; };
        for (Line &line : lines) {
            line = {pick(), pick()};
            text += "{\"g\":1";
            if (!line.to.empty()) text += ",\"reply_to\":\"" + line.to + "\"";
            if (!line.id.empty()) text += ",\"msg_id\":\"" + line.id + "\"";
            text += "}\n";
        }
        ASSERT_EQ(thread(sacp, text, true), Model(lines).list()) << text;
    }
}

// A quadratic algorithm would take minutes.
TEST(Threads, LongChainsAndCirclesAreLinear) {
    Sacp sacp;
    constexpr int kMany = 200'000;
    std::string chain, circle;
    for (int i = kMany; i > 0; --i) {
        const std::string id = std::to_string(i), to = std::to_string(i - 1);
        chain += "{\"msg_id\":\"" + id + "\",\"reply_to\":\"" + to + "\"}\n";
    }
    circle = chain + "{\"msg_id\":\"0\",\"reply_to\":\"" + std::to_string(kMany) + "\"}\n";
    EXPECT_TRUE(thread(sacp, chain).starts_with(R"([{"line":200000,"depth":0,"kind":"orphan")"));
    EXPECT_TRUE(thread(sacp, chain).ends_with(R"("reply_to":"199999"}])"));
    EXPECT_TRUE(thread(sacp, circle).starts_with(R"([{"line":1,"depth":0,"kind":"cycle")"));
    EXPECT_TRUE(thread(sacp, circle, true).ends_with(" 199999 (line 2)\n")) << "deepest";
}

}  // namespace
