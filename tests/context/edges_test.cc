// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Limits of a context: what is exactly at a limit, and what is one more.
#include <gtest/gtest.h>

#include "context/cut.h"
#include "context/lines.h"
#include "context/sample.h"
#include "context/session.h"

namespace {

using namespace accp_context;

std::string letters(size_t count) { return std::string(count, 'a'); }

TEST(ContextEdges, ALineIsCutAboveItsLimit) {
    constexpr size_t kMax = accp::context::kMaxLineBytes;
    for (const size_t size : {size_t{1}, kMax - 1, kMax, kMax + 1, 2 * kMax})
        for (const std::string_view end : {"", "\n", "\nnext"}) {
            const std::string text = letters(size).append(end);
            std::string joined;
            size_t pieces = 0;
            for (size_t at = 0; at < text.size(); ++pieces) {
                const size_t from = at;
                const std::string_view piece = accp::context::next_piece(text, at);
                ASSERT_LE(piece.size(), kMax);
                ASSERT_EQ(piece, text.substr(from, piece.size()));
                joined.append(text, from, at - from);
            }
            EXPECT_EQ(joined, text);
            const size_t lines = end.size() > 1 ? 2 : 1;
            EXPECT_EQ(pieces == lines, size <= kMax) << size << " bytes, then '" << end << "'";
        }
}

// Beside a long text, a text of at most 40 bytes is written among the values. A longer one has a
// line of its own.
TEST(ContextEdges, AShortTextIsAmongTheValues) {
    for (const size_t size : {39u, 40u, 41u}) {
        const std::string label = "two " + letters(size - 4), note = "a note of " + letters(150);
        Session session(counting());
        EXPECT_TRUE(
            session
                .append(message("agent", "done", "work",
                                R"({"n":1,"label":")" + label + R"(","note":")" + note + R"("})"))
                .ok());
        const std::string first =
            size <= 40 ? " {n:1 label:\"" + label + "\"}\n" : " {n:1}\nlabel: " + label + "\n";
        EXPECT_EQ(session.render(), "@agent done:work" + first + "note: " + note + "\n");
    }
}

// A checkpoint leaves the last two messages open if they have as many tokens as may stay.
TEST(ContextEdges, TheLastTwoMessagesStayOpenIfTheyFit) {
    auto open_after = [](uint32_t hot_due, uint64_t &tokens) {
        accp::context::ContextOptions options;
        options.price_write = options.price_cached = 0;
        options.hot_due = hot_due;
        Session session(counting(), options);
        for (const char *words : {"one two three", "four five", "six seven eight nine"})
            EXPECT_TRUE(session
                            .append(message("user", "req", "message",
                                            std::string(R"({"content":")") + words + "\"}"))
                            .ok());
        const accp::context::ContextState &state = session.context.state();
        tokens = state.tokens(state.units.size() - 2, state.units.size());
        EXPECT_TRUE(session.context.checkpoint().ok());
        return state.units.size() - state.open;
    };
    uint64_t tokens = 0;
    (void)open_after(1 << 18, tokens);
    const uint32_t fits = static_cast<uint32_t>(tokens) + 16;  // for the name of the checkpoint
    EXPECT_EQ(open_after(fits, tokens), 2u);
    EXPECT_EQ(open_after(fits - 1, tokens), 1u);
}

// The number of a line of a listing has up to seven digits.
TEST(ContextEdges, ALongNumberIsNoNumberOfALine) {
    for (const std::string digits : {"1", "1234567", "12345678"}) {
        std::string_view rest;
        const std::string line = digits + "\tint main() {";
        EXPECT_EQ(accp::context::number_of_line(line, rest), digits.size() <= 7 ? digits : "");
        EXPECT_EQ(rest, digits.size() <= 7 ? "int main() {" : line);
    }
}

// A result that repeats lines is whole until the history has more tokens than it may have whole.
TEST(ContextEdges, AShortHistoryIsWhole) {
    std::string lines;
    for (int i = 0; i < 40; ++i)
        lines += "line " + std::to_string(i) + " of a file that is read twice\\n";
    auto text_of = [&](uint32_t whole_max, uint64_t &tokens) {
        accp::context::ContextOptions options;
        options.whole_max = whole_max;
        Session session(counting(), options);
        for (int i = 0; i < 2; ++i)
            EXPECT_TRUE(session
                            .append(message("shell", "done", "tool",
                                            R"({"tool_name":"read","result":")" + lines + "\"}"))
                            .ok());
        tokens = session.context.state().all_tokens() + options.host_tokens;
        return session.render();
    };
    uint64_t tokens = 0, ignored = 0;
    const std::string whole = text_of(1 << 20, tokens);
    EXPECT_EQ(text_of(static_cast<uint32_t>(tokens), ignored), whole);
    EXPECT_NE(text_of(static_cast<uint32_t>(tokens) - 1, ignored).find(" lines as above"),
              std::string::npos);
}

}  // namespace
