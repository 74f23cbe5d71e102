// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages with names never change, and there are never more than the table can hold.
#include "base/status.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using accp::interned_text;

constexpr const char *kOtherwise = "otherwise";

TEST(LastingText, StaysWhateverComesAfterIt) {
    const char *first = interned_text({"the field ", "amount", " is missing"}, kOtherwise);
    EXPECT_STREQ(first, "the field amount is missing");
    EXPECT_EQ(interned_text({"the field amount", " is missing"}, kOtherwise), first);
    size_t kept = 0;
    for (int i = 0; i < 5000; ++i) {
        const std::string name = "name" + std::to_string(i);
        const char *text = interned_text({name}, kOtherwise);
        EXPECT_TRUE(text == kOtherwise || text == name);
        kept += text != kOtherwise;
    }
    EXPECT_GT(kept, 256u);
    EXPECT_LE(kept, 512u);
    EXPECT_STREQ(first, "the field amount is missing");
    EXPECT_EQ(interned_text({"the field amount is missing"}, kOtherwise), first);
}

TEST(LastingText, IsOneLineThatFits) {
    EXPECT_EQ(interned_text({"two\nlines"}, kOtherwise), kOtherwise);
    EXPECT_EQ(interned_text({"\x7F"}, kOtherwise), kOtherwise);
    EXPECT_EQ(interned_text({"\xE2\x80\xAE"}, kOtherwise), kOtherwise);
    EXPECT_EQ(interned_text({std::string(160, 'x')}, kOtherwise), kOtherwise);
    EXPECT_EQ(interned_text({"a name of ", std::string(150, 'x')}, kOtherwise), kOtherwise);
}

}  // namespace
