// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Batches of frame.h and json.h: one record per line, with refused records among the others.
#include <vector>

#include "capi/face.h"

namespace {

using namespace accp_face;

class BatchFace : public testing::Test {
protected:
    std::vector<accp_record> records() {
        size_t count = 0;
        const accp_record *first = accp_batch_records(b, &count);
        return {first, first + count};
    }
    std::string text() { return string_of(accp_batch_text(b)); }
    std::string output(const accp_record &record) {
        return text().substr(record.offset, record.len);
    }
    accp_status run(accp_status (*call)(accp_batch *, const char *, size_t, accp_error *),
                    std::string_view lines) {
        return call(b, lines.data(), lines.size(), nullptr);
    }

    Batch owner = new_batch();
    accp_batch *b = owner.get();
};

constexpr char kMessage[] = R"({"agent":"a","intent":"req","operation":"x","payload":{"k":1}})";

TEST_F(BatchFace, ParsesLines) {
    const std::string lines = "@a>req:x{k:1}\n\n@bad\n@b>req:y{l:[1,2]}[seq:1]";
    ASSERT_EQ(run(accp_batch_parse, lines), ACCP_OK);
    const auto all = records();
    ASSERT_EQ(all.size(), 4u);
    const char *const expected[] = {"@a>req:x{k:1}", "", "@bad", "@b>req:y{l:[1,2]}[seq:1]"};
    const accp_status statuses[] = {ACCP_OK, ACCP_E1001, ACCP_E1001, ACCP_OK};
    const uint64_t offsets[] = {0, 0, 4, 0};
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(lines.substr(all[i].offset, all[i].len), expected[i]);
        EXPECT_EQ(all[i].status, statuses[i]) << i;
        EXPECT_EQ(all[i].message == nullptr, statuses[i] == ACCP_OK);
        EXPECT_EQ(all[i].error_offset, offsets[i]) << "counted from the line's own beginning";
        EXPECT_EQ(all[i].node_count > 0, statuses[i] == ACCP_OK);
    }
    size_t count = 0;
    const accp_node *nodes = accp_batch_nodes(b, &count);
    EXPECT_EQ(count, all[0].node_count + all[3].node_count);
    EXPECT_EQ(all[3].first_node, all[0].node_count);
    const accp_node *second = nodes + all[3].first_node;  // offsets, next: relative to it
    EXPECT_EQ(second[0].offset, 1u);
    EXPECT_EQ(second[3].next, 7u);
    EXPECT_EQ(second[4].next, 7u);
    EXPECT_EQ(expected[3][second[6].offset], '2');
    EXPECT_EQ(text(), "");
}

TEST_F(BatchFace, LineEndings) {
    const struct {
        std::string lines;
        std::vector<accp_status> statuses;
    } cases[] = {
        {"", {}},
        {"\n", {ACCP_E1001}},
        {"\n\n", {ACCP_E1001, ACCP_E1001}},
        {"@a>r:x{}", {ACCP_OK}},
        {"@a>r:x{}\n", {ACCP_OK}},
        {"@a>r:x{}\n\n", {ACCP_OK, ACCP_E1001}},
        {"@a>r:x{}\r\n@a>r:x{}", {ACCP_E1001, ACCP_OK}},
        {std::string("@a>r:x{}\0\n@a>r:x{}\n", 19), {ACCP_E1001, ACCP_OK}},
    };
    for (const auto &c : cases) {
        for (auto *call : {accp_batch_parse, accp_batch_decode}) {
            ASSERT_EQ(run(call, c.lines), ACCP_OK);
            const auto all = records();
            ASSERT_EQ(all.size(), c.statuses.size()) << c.lines;
            for (size_t i = 0; i < all.size(); ++i)
                EXPECT_EQ(all[i].status, c.statuses[i]) << c.lines;
        }
    }
    EXPECT_EQ(accp_batch_parse(b, nullptr, 0, nullptr), ACCP_OK) << "an empty text may be NULL";
    EXPECT_TRUE(records().empty());
}

TEST_F(BatchFace, EncodesLines) {
    const std::string m = kMessage;
    ASSERT_EQ(run(accp_batch_encode, m + "\r\n" + m + "\n{\"no\":1}\n\r\n" + m), ACCP_OK);
    const auto all = records();
    ASSERT_EQ(all.size(), 5u);
    EXPECT_EQ(text(), "@a>req:x{k:1}\n@a>req:x{k:1}\n@a>req:x{k:1}\n");
    for (size_t i : {0, 1, 4}) {
        EXPECT_EQ(all[i].status, ACCP_OK);
        EXPECT_EQ(output(all[i]), "@a>req:x{k:1}");
        EXPECT_EQ(text()[all[i].offset + all[i].len], '\n');
        EXPECT_EQ(all[i].node_count, 0u);
    }
    EXPECT_EQ(all[2].status, ACCP_E1001);
    EXPECT_EQ(all[2].error_offset, 1u);
    EXPECT_EQ(all[2].len, 0u);
    EXPECT_EQ(all[3].status, ACCP_E1001) << "an empty line is a record";
}

TEST_F(BatchFace, DecodesLines) {
    const std::string good = "@a>req:x{k:1}";
    ASSERT_EQ(
        run(accp_batch_decode, good + "\n@a>req:x{k:$r}\n@a>req:x{k:\"%u;\"}\n" + good + "\n"),
        ACCP_OK);
    const auto all = records();
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(text(), std::string(kMessage) + "\n" + kMessage + "\n");
    EXPECT_TRUE(all[1].status == ACCP_E2001 && all[1].error_offset == 11);
    EXPECT_TRUE(all[2].status == ACCP_E1001 && all[2].error_offset == 12);
    EXPECT_EQ(output(all[3]), kMessage);
}

TEST_F(BatchFace, EachCallReplacesTheLast) {
    ASSERT_EQ(run(accp_batch_parse, "@a>req:x{}\n@a>req:x{}\n"), ACCP_OK);
    ASSERT_EQ(run(accp_batch_encode, kMessage), ACCP_OK);
    EXPECT_EQ(records().size(), 1u);
    size_t nodes = 9;
    accp_batch_nodes(b, &nodes);
    EXPECT_EQ(nodes, 0u);
    ASSERT_EQ(run(accp_batch_parse, ""), ACCP_OK);
    EXPECT_TRUE(records().empty());
    EXPECT_EQ(text(), "");
}

// A record gets the same verdict as in a single call.
TEST_F(BatchFace, AgreesWithSingleCalls) {
    const auto setup = with(ACCP_COMPAT, ACCP_EXT_T1, true, true, {{"params", 3}});
    owner = new_batch(setup);
    b = owner.get();
    const auto codec = new_codec(setup);
    const std::vector<std::string> lines = {
        "@a>req:x{d:@dev|k:[12:30]}", "@a>req:x{a:1|b:2|c:3|d:4}",
        "@a>req:x{k:{__cols:[a],__rows:[[1],[2]]}}", "@a>req:x{r:$w}", "x"};
    std::string joined;
    for (const std::string &line : lines) joined += line + "\n";
    ASSERT_EQ(run(accp_batch_decode, joined), ACCP_OK);
    const auto all = records();
    ASSERT_EQ(all.size(), lines.size());
    for (size_t i = 0; i < all.size(); ++i) {
        const std::string single = decode(codec.get(), lines[i]);
        const std::string batched = all[i].status == ACCP_OK
                                        ? output(all[i])
                                        : std::string(accp_status_code_name(all[i].status)) +
                                              " at " + std::to_string(all[i].error_offset);
        EXPECT_EQ(batched, single);
    }
}

TEST_F(BatchFace, OutOfMemoryHoldsNoRecord) {
    owner = new_batch(with(ACCP_STRICT, ACCP_EXT_Q1, false, false, {{"memory_bytes", 65536}}));
    b = owner.get();
    std::string lines;
    for (int i = 0; i < 3000; ++i) lines += "@a>req:x{k:1}\n";
    accp_error error = {};
    EXPECT_EQ(accp_batch_parse(b, lines.data(), lines.size(), &error), ACCP_ERR_NOMEM);
    EXPECT_EQ(error.code, ACCP_ERR_NOMEM);
    EXPECT_TRUE(records().empty());
    ASSERT_EQ(run(accp_batch_parse, lines.substr(0, 140)), ACCP_OK);
    EXPECT_EQ(records().size(), 10u);
}

}  // namespace
