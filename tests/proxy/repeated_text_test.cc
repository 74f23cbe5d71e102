// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The share of a result that later pages repeat, and what the rewriter does with it.
#include "proxy/repeated_text.h"

#include <gtest/gtest.h>

#include "proxy/body_rewriter.h"
#include "proxy/talk.h"

namespace {

using namespace accp_proxy;
using proxy::Api;
using Shares = std::vector<uint32_t>;

const char kFirst[] = "the first line of it", kSecond[] = "the second one, as long",
           kOther[] = "something else, not there";

std::string lines(std::initializer_list<const char *> all) {
    std::string text;
    for (const char *line : all) text.append(line).append("\n");
    return text;
}

// Returns the shares of the results, in order.
Shares shares_of(Api api, const Talk &talk, size_t stub = 0) {
    const std::string body = join(write_pieces(api, talk, {}));
    proxy::ModelRequest request({1, 2});
    EXPECT_TRUE(request.read(api, "up", body)) << body;
    proxy::RepeatedText repeated({1, 2});
    const Shares all = repeated.shares(request, [stub](size_t page) { return page == stub; });
    EXPECT_EQ(all.size(), request.pages().size());
    Shares out;
    for (size_t i = 0; i < all.size(); ++i) {
        if (request.pages()[i].kind == proxy::PageKind::kResult) out.push_back(all[i]);
        else EXPECT_EQ(all[i], 0u) << "page " << i;
    }
    return out;
}

// A user's request, then calls with these results; all except the last are read.
Talk results(std::initializer_list<std::string> texts) {
    Talk talk = {{Block::kUser, "Mend it.", 0, false}};
    int id = 0;
    for (const std::string &text : texts) {
        talk.push_back({Block::kCall, "a.cc", id, false});
        talk.push_back({Block::kResult, text, id++, false});
    }
    return talk;
}

TEST(RepeatedText, IsTheShareOfLinesThatLaterPagesHave) {
    const std::string both = lines({kFirst, kSecond}), first = lines({kFirst}),
                      spaced = "  " + std::string(kFirst) + "   \n}\n";
    const uint32_t one_of_two = 1000 * (sizeof kFirst - 1) / (sizeof kFirst + sizeof kSecond - 2);
    for (const Api api : {Api::kMessages, Api::kChat, Api::kResponses}) {
        EXPECT_EQ(shares_of(api, results({both, both})), (Shares{1000, 0}));
        EXPECT_EQ(shares_of(api, results({both, first})), (Shares{one_of_two, 0}));
        EXPECT_EQ(shares_of(api, results({first, both})), (Shares{1000, 0}));
        EXPECT_EQ(shares_of(api, results({both, kOther})), (Shares{0, 0}));
        EXPECT_EQ(shares_of(api, results({both, first, lines({kSecond})})), (Shares{1000, 0, 0}));
        EXPECT_EQ(shares_of(api, results({spaced, first})), (Shares{1000, 0})) << "blanks";
        EXPECT_EQ(shares_of(api, results({"}\n", "}\n"})), (Shares{0, 0})) << "short lines";
        EXPECT_EQ(shares_of(api, results({"", ""})), (Shares{0, 0}));
    }
}

TEST(RepeatedText, WordsCountAndStubsDoNot) {
    Talk talk = results({lines({kFirst}), kOther});
    talk.push_back({Block::kWords, kFirst, 0, false});
    talk.push_back({Block::kUser, "Go on.", 0, false});
    EXPECT_EQ(shares_of(Api::kMessages, talk), (Shares{1000, 0}));
    EXPECT_EQ(shares_of(Api::kMessages, talk, 6), (Shares{0, 0})) << "the words are not sent";
    const Talk thrice = results({kFirst, kFirst, kOther});
    EXPECT_EQ(shares_of(Api::kMessages, thrice), (Shares{1000, 0, 0}));
    EXPECT_EQ(shares_of(Api::kMessages, thrice, 5), (Shares{0, 0, 0})) << "the second is a stub";
}

TEST(RepeatedText, VeryLongLinesAreNotCompared) {
    const std::string data(5000, 'x');
    EXPECT_EQ(shares_of(Api::kMessages, results({data, data})), (Shares{0, 0}));
}

// A file that is read again and again: returns how many results are left out.
uint32_t stubs_after(int calls, bool is_same_file, int lines = 60) {
    proxy::Conversations conversations({});
    EXPECT_TRUE(conversations.load());
    proxy::BodyRewriter rewriter({}, conversations);
    const proxy::CallTerms terms = {{100, 1250, 5000, 3000, 0}, 300'000};
    Talk talk = {{Block::kUser, "Mend it.", 0, false}};
    for (int call = 0; call < calls; ++call) {
        talk.push_back({Block::kCall, "a.cc", call, false});
        std::string text;
        for (int line = 0; line < lines; ++line)
            text += "value_" + std::to_string(line) + " = compute(" +
                    std::to_string(is_same_file ? 0 : call) + ");\n";
        talk.push_back({Block::kResult, text, call, false});
        Style style;
        style.mark = static_cast<int>(talk.size()) - 1;
        const std::string body = join(write_pieces(Api::kMessages, talk, style));
        EXPECT_TRUE(rewriter.read(Api::kMessages, "up", body, 1'795'824'000'000 + call * 10'000));
        rewriter.rewrite(terms);
    }
    return rewriter.plan().stubs;
}

TEST(RepeatedText, ResultsThatAreRepeatedLeaveEarlier) {
    EXPECT_EQ(stubs_after(30, false), 0u);
    EXPECT_GT(stubs_after(30, true), 15u);
    EXPECT_EQ(stubs_after(100, true, 5), 0u) << "a stub saves nothing";
}

}  // namespace
