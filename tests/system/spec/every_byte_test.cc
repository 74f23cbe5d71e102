// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// ACCP-3.1-13 and related requirements for every byte, in every place that has a class of
// characters in the grammar.
#include <gtest/gtest.h>

#include <string>

#include "reference/ref_parser.h"
#include "spec/c_face.h"

namespace {

const std::string kAlpha = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                  kWord = kAlpha + "0123456789_", kAgent = kWord + "-";
const std::string kDelimiters = "@>:{}[]|$,~\\";

std::string safe() {
    std::string out;
    for (char c = 0x21; c < 0x7F; ++c) {
        if (kDelimiters.find(c) == std::string::npos) out += c;
    }
    return out;
}

// The byte is between two others of its class, so that no delimiter can end or begin anything
// there.
void every_byte(const std::string &before, const std::string &members, const std::string &after) {
    for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8}) {
        accp_face::Setup setup;
        setup.dialect = dialect;
        accp_face::Frames frames(setup);
        for (int byte = 0; byte < 256; ++byte) {
            const std::string text = before + static_cast<char>(byte) + after;
            const bool member = members.find(static_cast<char>(byte)) != std::string::npos;
            const accp_face::Answer answer = frames.parse(text);
            ASSERT_EQ(answer.ok(), member) << "byte " << byte << " dialect " << dialect;
            const auto reference =
                accp_ref::parse_frame(text, static_cast<accp_ref::Dialect>(dialect));
            ASSERT_EQ(reference.frame.has_value(), member)
                << "byte " << byte << " dialect " << dialect;
            EXPECT_EQ(answer.offset, reference.offset) << "byte " << byte << " dialect " << dialect;
        }
    }
}

TEST(EveryByte, ACCP_3_1_13_safe_char) { every_byte("@a>r:x{k:", safe(), "\\,}"); }
TEST(EveryByte, ACCP_3_1_14_behind_a_backslash) { every_byte("@a>r:x{k:a\\", kDelimiters, "b}"); }
TEST(EveryByte, ACCP_3_1_21_agent) { every_byte("@a", kAgent, "b>r:x{}"); }
TEST(EveryByte, ACCP_3_1_22_intent) { every_byte("@a>r", kAlpha, "s:x{}"); }
TEST(EveryByte, ACCP_3_1_23_operation) { every_byte("@a>r:x", kWord, "y{}"); }
TEST(EveryByte, ACCP_3_1_24_key_of_a_param) { every_byte("@a>r:x{k", kWord, "l:1}"); }
TEST(EveryByte, ACCP_3_1_24_key_of_an_entry) { every_byte("@a>r:x{k:{k", kWord, "l:1}}"); }
TEST(EveryByte, ACCP_3_1_24_key_of_a_pair) { every_byte("@a>r:x{}[k", kWord, "l:1]"); }
TEST(EveryByte, ACCP_3_1_25_ref) { every_byte("@a>r:x{k:$a", kWord + ".", "b}"); }
TEST(EveryByte, ACCP_3_1_16_behind_a_null) { every_byte("@a>r:x{k:~", "|", "l:1}"); }

}  // namespace
