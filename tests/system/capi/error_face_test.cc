// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// error.h and version.h: every status of the table, and unknown numbers.
#include <set>

#include "accp/version.h"
#include "capi/face.h"

namespace {

struct Row {
    int32_t constant;
    const char *symbol;
    int32_t number;
    const char *name;
    int retryable;
    const char *meaning;
};
const Row kRows[] = {
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) \
    {ACCP_##symbol, #symbol, number, name, retryable, meaning},
#include "accp/errors.def"
#undef ACCP_STATUS
};

TEST(ErrorFace, EveryStatusOfTheTable) {
    std::set<int32_t> numbers;
    std::set<std::string> names;
    for (const Row &row : kRows) {
        EXPECT_EQ(row.constant, row.number);
        EXPECT_STREQ(accp_status_name(row.number), row.name);
        EXPECT_STREQ(accp_status_meaning(row.number), row.meaning);
        EXPECT_EQ(accp_status_is_retryable(row.number), row.retryable);
        EXPECT_STREQ(accp_status_code_name(row.number), row.symbol);
        EXPECT_TRUE(numbers.insert(row.number).second) << row.number;
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
    }
    EXPECT_EQ(numbers.size(), 26u);
}

// The message of an error names what was expected at that place.
TEST(ErrorFace, MessagesOfTheGrammar) {
    const char *const key = "expected a key: letters, digits and _";
    const char *const bar = "expected | and another param, or }";
    const struct {
        const char *frame;
        uint64_t offset;
        const char *message;
    } cases[] = {
        {"a>req:x{}", 0, "expected @ at the beginning of the frame"},
        {"@>req:x{}", 1, "expected the name of an agent: letters, digits, _ and -"},
        {"@a>:x{}", 3, "expected an intent: letters"},
        {"@a>req:{}", 7, "expected an operation: letters, digits and _"},
        {"@a>req:x{k:}", 11, "expected a value"},
        {"@a>req:x{k:1||}", 13, key},
        {"@a>req:x{k:[1,]}", 14, "expected an element"},
        {"@a>req:x{k:$}", 12,
         "expected the name of a reference: letters, digits and _ between dots"},
        {"@a>req:x{}[]", 11, key},
        {"@a>req:x{k:[1,2}", 15, "expected a comma and another element, or ]"},
        {"@a>req:x{k:1]", 12, bar},
        {"@a>req:x{k:a\\:{}", 14, bar},
        {"@a>req:x{}x", 10, "expected [ and metadata, or the end of the frame"},
        {"@a>req:x{k:a\\n}", 13,
         "expected a delimiter after the backslash: one of @>:{}[]|$,~ or another"},
        {"@a>req:x{k:1", 12, "the frame ends too early: expected | and another param, or }"},
        {"", 0, "the frame ends too early: expected @ at the beginning of the frame"},
    };
    const auto frame = accp_face::new_frame();
    for (const auto &c : cases) {
        accp_error error = {};
        EXPECT_EQ(accp_frame_parse(frame.get(), c.frame, std::strlen(c.frame), &error), ACCP_E1001)
            << c.frame;
        EXPECT_EQ(error.offset, c.offset) << c.frame;
        EXPECT_STREQ(error.message, c.message) << c.frame;
    }
}

// The specification's own list (3.6), so that the table cannot differ from it.
TEST(ErrorFace, CodesOfTheSpecification) {
    const struct {
        int32_t number;
        const char *code, *name;
        int retryable;
    } cases[] = {
        {1001, "E1001", "PARSE_ERROR", 0},
        {1002, "E1002", "INVALID_INTENT", 0},
        {1003, "E1003", "UNKNOWN_SCHEMA", 0},
        {1004, "E1004", "INVALID_TYPE", 0},
        {2001, "E2001", "REF_NOT_FOUND", 0},
        {2002, "E2002", "REF_EXPIRED", 0},
        {2003, "E2003", "BUDGET_EXCEEDED", 0},
        {3001, "E3001", "TIMEOUT", 1},
        {3002, "E3002", "DUPLICATE", 0},
        {3003, "E3003", "SEQUENCE_GAP", 1},
        {4001, "E4001", "TOOL_NOT_FOUND", 0},
        {4002, "E4002", "TOOL_EXEC_FAILED", 1},
        {4003, "E4003", "TOOL_SCHEMA_MISMATCH", 0},
        {5001, "E5001", "POLICY_DENIED", 0},
        {5002, "E5002", "UNAUTHORIZED_REF", 0},
        {9999, "E9999", "INTERNAL_ERROR", 1},
    };
    for (const auto &c : cases) {
        EXPECT_STREQ(accp_status_code_name(c.number), c.code);
        EXPECT_STREQ(accp_status_name(c.number), c.name);
        EXPECT_EQ(accp_status_is_retryable(c.number), c.retryable) << c.code;
    }
}

TEST(ErrorFace, NumbersThatAreNone) {
    for (int32_t number : {3, 1000, 1005, -8, INT32_MIN, INT32_MAX, int32_t{ACCP_STATUS_END_}}) {
        EXPECT_STREQ(accp_status_name(number), "UNKNOWN");
        EXPECT_STREQ(accp_status_meaning(number), "");
        EXPECT_EQ(accp_status_is_retryable(number), 0);
        EXPECT_STREQ(accp_status_code_name(number), "UNKNOWN");
    }
}

TEST(ErrorFace, ErrorMayBeNullAndIsLeftAloneOnSuccess) {
    const auto frame = accp_face::new_frame();
    EXPECT_EQ(accp_frame_parse(frame.get(), "x", 1, nullptr), ACCP_E1001);
    accp_error error = {77, 88, 99, "mine", 55, 66};
    EXPECT_EQ(accp_frame_parse(frame.get(), "@a>req:x{}", 10, &error), ACCP_OK);
    EXPECT_TRUE(error.code == 77 && error.record == 88 && error.offset == 99 &&
                std::string(error.message) == "mine" && error.had == 55 && error.limit == 66);
    EXPECT_EQ(accp_frame_parse(frame.get(), "@a>req:x}", 9, &error), ACCP_E1001);
    EXPECT_TRUE(error.code == ACCP_E1001 && error.record == 0 && error.offset == 8);
}

TEST(ErrorFace, Version) {
    EXPECT_STREQ(accp_version(), ACCP_VERSION_STRING);
    EXPECT_EQ(accp_abi_version(), ACCP_ABI_VERSION);
}

}  // namespace
