// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The place of the anchor, and the bytes of a request that it changes.
#include "proxy/anchor.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using proxy::Anchor;
using proxy::Edit;
using proxy::PageState;

constexpr std::string_view kMark = R"("cache_control":{"type":"ephemeral"})",
                           kHourMark = R"("cache_control":{"type":"ephemeral","ttl":"1h"})";

constexpr int kNone = -2, kRequest = -1;  // no result; the first message of the user

struct Case {
    const char *name;
    uint32_t calls;                 // of the model, before the request
    std::vector<uint16_t> evicted;  // the call before which result i was evicted; 0: it was not
    std::vector<size_t> marked;     // results with a mark of the client
    size_t front_marks;
    size_t leaving;     // the first result that may leave soon
    bool evicts;        // this call evicts
    int readable;       // the result at whose end the provider can read
    int anchor;         // the result with the anchor
    int moved = kNone;  // the result that loses its mark
    int hour = kNone;   // the result whose mark is for an hour
};

void PrintTo(const Case &one, std::ostream *out) { *out << one.name; }

// Returns a body with a call and its result for each call of the model; page 2i + 3 is result i.
std::string body_of(const Case &one) {
    std::string body = R"({"system":[{"type":"text","text":"s")";
    if (one.front_marks > 0) body.append(",").append(kMark);
    body += R"(},{"type":"text","text":"t")";
    if (one.front_marks > 1) body.append(",").append(kMark);
    body += R"(}],"messages":[{"role":"user","content":[{"type":"text","text":"u"}]})";
    for (uint32_t i = 0; i < one.calls; ++i) {
        const std::string id = std::to_string(i);
        body += R"(,{"role":"assistant","content":[{"type":"tool_use","id":")" + id +
                R"(","name":"Read","input":{}}]},{"role":"user","content":[{"type":"tool_result",)"
                R"("tool_use_id":")" +
                id + R"(","content":"r")";
        if (std::count(one.marked.begin(), one.marked.end(), i))
            body.append(",").append(one.hour == static_cast<int>(i) ? kHourMark : kMark);
        body += "}]}";
    }
    return body + "]}";
}

size_t page_of(size_t result) { return 2 * result + 3; }  // of kRequest: 1

// Returns the result whose block has its first member at `begin`.
int result_at(const proxy::ModelRequest &request, size_t begin) {
    for (size_t i = 1; i < request.pages().size(); i += 2)
        if (request.begin_of(request.pages()[i].node) + 1 == begin)
            return (static_cast<int>(i) - 3) / 2;
    return kNone;
}

class AnchorCases : public testing::TestWithParam<Case> {};

TEST_P(AnchorCases, IsWhereTheLastRequestBeforeTheFirstThatLeavesEnded) {
    const Case &one = GetParam();
    const std::string body = body_of(one);
    proxy::ModelRequest request({1, 2});
    ASSERT_TRUE(request.read(proxy::Api::kMessages, "up", body)) << body;
    ASSERT_EQ(request.calls(), one.calls);
    std::vector<PageState> states(request.pages().size());
    for (size_t i = 0; i < one.evicted.size(); ++i) states[page_of(i)].evicted_at = one.evicted[i];
    const Anchor anchor(request, states, [&](uint32_t call) {
        // before an eviction, the first result that may leave is the first that it evicts
        for (size_t i = 0; i < one.evicted.size(); ++i)
            if (one.evicted[i] >= call) return page_of(i);
        return page_of(one.leaving);
    });
    EXPECT_EQ(anchor.readable(), one.readable == kNone ? 0 : page_of(one.readable));
    std::vector<Edit> edits;
    anchor.add_edits(one.evicts, edits);
    ASSERT_EQ(edits.size(), (one.anchor != kNone) + (one.moved != kNone));
    if (one.anchor == kNone) return;
    EXPECT_EQ(edits[0].begin, edits[0].end);
    EXPECT_EQ(edits[0].text, std::string(kMark) + ",");
    EXPECT_EQ(result_at(request, edits[0].begin), one.anchor);
    if (one.moved == kNone) return;
    EXPECT_EQ(body.substr(edits[1].begin, edits[1].end - edits[1].begin), "," + std::string(kMark));
    EXPECT_GT(edits[1].begin, request.begin_of(request.pages()[page_of(one.moved)].node));
    EXPECT_LT(edits[1].begin, request.begin_of(request.pages()[page_of(one.moved)].node) + 99);
}

// The client's mark that becomes the anchor may be within the content of a result, which this call
// may replace.
TEST(Anchor, AMarkWithinAContentIsMoved) {
    const Case one = {"", 9, {0, 8}, {8}, 2, 5, false, 4, 4, 7};
    std::string body = body_of(one);
    const std::string plain = R"("tool_use_id":"7","content":"r")",
                      list = R"("tool_use_id":"7","content":[{"type":"text","text":"r",)" +
                             std::string(kMark) + "}]";
    body.replace(body.find(plain), plain.size(), list);
    proxy::ModelRequest request({1, 2});
    ASSERT_TRUE(request.read(proxy::Api::kMessages, "up", body)) << body;
    std::vector<PageState> states(request.pages().size());
    states[page_of(1)].evicted_at = 8;
    const Anchor anchor(request, states, [](uint32_t) { return page_of(5); });
    const proxy::Page &page = request.pages()[page_of(7)];
    ASSERT_NE(page.content, 0u);
    EXPECT_EQ(anchor.moved_mark(false), request.mark_within(page.content, 0));
    EXPECT_EQ(request.mark_within(page.content, anchor.moved_mark(false)), 0u);
    std::vector<Edit> edits;
    anchor.add_edits(false, edits);
    ASSERT_EQ(edits.size(), 2u);
    const std::string moved = proxy::apply_edits(body, {edits[1]});
    EXPECT_NE(moved.find(R"("content":[{"type":"text","text":"r"}]})"), moved.npos) << moved;
    const size_t begin = request.begin_of(page.content);
    std::vector<Edit> replaced = {{begin, request.end_of(begin), "\"stub\""}};
    anchor.add_edits(false, replaced);
    ASSERT_EQ(replaced.size(), 2u);
    EXPECT_EQ(replaced[1].begin, edits[0].begin);
    EXPECT_EQ(replaced[1].text, edits[0].text);
}

INSTANTIATE_TEST_SUITE_P(
    All, AnchorCases,
    testing::Values(
        Case{"nothing was evicted", 9, {}, {7, 8}, 2, 5, false, kNone, kNone},
        Case{"the call after the first eviction", 9, {0, 9}, {7, 8}, 2, 5, false, kNone, 4, 7},
        Case{"it evicts too", 9, {0, 9}, {7, 8}, 2, 5, true, kNone, 4, 7},
        Case{"the next call", 9, {0, 8}, {7, 8}, 2, 5, false, 4, 4, 7},
        Case{"it evicts: the place of the call before",
             9,
             {0, 4, 4, 9},
             {7, 8},
             2,
             6,
             true,
             2,
             2,
             7},
        Case{"after two calls that evict", 9, {4, 0, 8, 9}, {7, 8}, 2, 6, true, 1, 1, 7},
        Case{
            "it evicts nothing: the place moves on", 9, {0, 4, 4, 9}, {7, 8}, 2, 6, false, 2, 5, 7},
        Case{"a mark is free", 9, {0, 8}, {7, 8}, 1, 5, false, 4, 4},
        Case{"one mark of the client", 9, {0, 8}, {8}, 0, 5, false, 4, 4},
        Case{"the place has a mark", 9, {0, 8}, {4, 8}, 2, 5, false, 4, kNone},
        Case{"the mark before the place is the client's",
             9,
             {0, 8},
             {2, 8},
             2,
             5,
             false,
             kNone,
             kNone},
        Case{"the end has no mark", 9, {0, 8}, {6, 7}, 2, 5, false, kNone, kNone},
        Case{"a mark for an hour after the place",
             9,
             {0, 8},
             {6, 8},
             1,
             5,
             false,
             kNone,
             kNone,
             kNone,
             6},
        Case{"a mark for an hour before the place", 9, {0, 8}, {3, 8}, 1, 5, false, 4, 4, kNone, 3},
        Case{"of four marks, the last two differ",
             9,
             {0, 8},
             {7, 8},
             2,
             5,
             false,
             kNone,
             kNone,
             kNone,
             7},
        Case{"no marks", 9, {0, 8}, {}, 0, 5, false, kNone, kNone},
        Case{"the first result leaves", 9, {0, 8}, {7, 8}, 2, 0, false, kRequest, kRequest, 7}));

}  // namespace
