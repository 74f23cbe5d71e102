// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reading and writing of JSON strings, at every length around a vector, with every byte in every
// position.
#include <gtest/gtest.h>

#include <string>

#include "unit.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace {

using namespace accp;
using accp_unit::Padded;

struct Copied {
    bool good;
    std::string text;
    size_t fault;
};

// The input is exactly the string and its quotes, so that a sanitizer detects a read outside.
Copied copy(const std::string &inside) {
    const std::string quoted = '"' + inside + '"';
    std::unique_ptr<char[]> exact(new char[quoted.size()]);
    std::memcpy(exact.get(), quoted.data(), quoted.size());
    std::unique_ptr<char[]> out(new char[inside.size() + 17]);
    const value::StringCopy result =
        value::copy_json_string(exact.get() + 1, exact.get() + quoted.size(), out.get());
    return {!result.fault,
            {out.get(), result.written},
            result.fault ? static_cast<size_t>(result.fault - exact.get()) : 0};
}

std::string written(const std::string &text) {
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    value::write_json_string(Padded(text).view(), out);
    return accp_unit::text_of(out);
}

TEST(JsonString, EscapesInEveryPlace) {
    const struct {
        std::string escape, meaning;
    } cases[] = {{"\\\"", "\""},
                 {"\\\\", "\\"},
                 {"\\/", "/"},
                 {"\\b", "\b"},
                 {"\\f", "\f"},
                 {"\\n", "\n"},
                 {"\\r", "\r"},
                 {"\\t", "\t"},
                 {"\\u0041", "A"},
                 {"\\u00e9", "é"},
                 {"\\u20AC", "€"},
                 {"\\ud83d\\ude00", "😀"},
                 {"\\uDBFF\\uDFFF", "\xF4\x8F\xBF\xBF"},
                 {"\\u0000", std::string(1, '\0')},
                 {"日", "日"}};
    for (size_t before = 0; before < 40; ++before) {
        for (size_t after : {size_t{0}, size_t{1}, size_t{15}, size_t{16}, size_t{33}}) {
            for (const auto &c : cases) {
                const Copied got =
                    copy(std::string(before, 'x') + c.escape + std::string(after, 'y'));
                ASSERT_TRUE(got.good) << c.escape << ' ' << before;
                ASSERT_EQ(got.text, std::string(before, 'x') + c.meaning + std::string(after, 'y'));
            }
        }
    }
}

TEST(JsonString, BadEscapesInEveryPlace) {
    const struct {
        const char *escape;
        accp_status status;
    } cases[] = {{"\\x", ACCP_E1001},
                 {"\\0", ACCP_E1001},
                 {"\\u", ACCP_E1001},
                 {"\\u12", ACCP_E1001},
                 {"\\u12G4", ACCP_E1001},
                 {"\\ud800", ACCP_E1004},
                 {"\\ud800x", ACCP_E1004},
                 {"\\ud800\\n", ACCP_E1004},
                 {"\\ud800\\u0041", ACCP_E1004},
                 {"\\udc00", ACCP_E1004},
                 {"\\ud800\\ud800", ACCP_E1004},
                 {"\\U0041", ACCP_E1001},
                 {"\\ud8", ACCP_E1001},
                 {"\\'", ACCP_E1001},
                 {"\\\x80", ACCP_E1001},
                 {"\\ud83d\\ude0", ACCP_E1004}};
    for (size_t before = 0; before < 40; ++before) {
        for (const auto &c : cases) {
            const std::string inside = std::string(before, 'x') + c.escape;
            const Copied got = copy(inside);
            ASSERT_FALSE(got.good) << c.escape;
            ASSERT_EQ(got.fault, before + 1) << c.escape;
            const std::string text = '"' + inside + '"';
            const Status status = value::json_string_fault(text.data() + got.fault, text.data());
            ASSERT_EQ(status.code, c.status) << c.escape;
            ASSERT_EQ(status.offset, before + 1);
        }
    }
}

TEST(JsonString, EveryByteIsWrittenInEveryPlace) {
    constexpr char kHex[] = "0123456789abcdef";
    constexpr std::string_view kShort = "\b\f\n\r\t\"\\";
    for (int value = 0; value < 0x80; ++value) {
        const char byte = static_cast<char>(value);
        std::string escape(1, byte);
        const size_t at = kShort.find(byte);
        if (at != std::string_view::npos) escape = std::string("\\") + "bfnrt\"\\"[at];
        else if (value < 0x20) escape = std::string("\\u00") + kHex[value >> 4] + kHex[value & 15];
        for (size_t before : {size_t{0}, size_t{1}, size_t{14}, size_t{15}, size_t{16}, size_t{17},
                              size_t{31}, size_t{40}}) {
            for (size_t after : {size_t{0}, size_t{1}, size_t{15}, size_t{16}, size_t{32}}) {
                const std::string text = std::string(before, 'a') + byte + std::string(after, 'b');
                ASSERT_EQ(written(text),
                          '"' + std::string(before, 'a') + escape + std::string(after, 'b') + '"')
                    << value;
            }
        }
    }
}

TEST(JsonString, WrittenTextIsReadBack) {
    accp_unit::Random random(8);
    const std::string alphabet = std::string("ab\"\\\n\x01/ ") + '\0';
    for (int round = 0; round < 5000; ++round) {
        const std::string text = random.text(alphabet, random.below(100));
        const std::string json = written(text);
        const Copied got = copy(json.substr(1, json.size() - 2));
        ASSERT_TRUE(got.good);
        ASSERT_EQ(got.text, text);
    }
    const std::string all_escapes(5000, '\x01');
    EXPECT_EQ(written(all_escapes).size(), 5000u * 6 + 2);
}

}  // namespace
