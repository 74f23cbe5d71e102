// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// There are two machines for frames: a fast one accepts or rejects, and another finds the error in
// a rejected frame. They must agree. The second finds an error in every frame that the first
// rejects, and reaches the end of every frame that it accepts.
#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include "frame/parse.h"
#include "unit.h"

namespace {

using namespace accp;

class Agreement {
public:
    explicit Agreement(const Settings &settings)
        : settings_(settings), parser_(capacity_.memory, settings_) {}

    void check(const std::string &text) {
        Buffer<value::Node> nodes(capacity_.memory);
        const Status parsed = parser_.parse(text.data(), text.size(), nodes);
        capacity_.arena.reset();
        const Status located =
            frame::locate_fault(text.data(), text.size(), settings_, capacity_.arena);
        ASSERT_LE(located.offset, text.size());
        ASSERT_TRUE(located.message && *located.message);
        if (parsed.failed()) {
            ASSERT_EQ(parsed.offset, located.offset);
            ASSERT_EQ(nodes.size(), 0u);
            return;
        }
        // With one more byte, the error is after the frame.
        ASSERT_EQ(located.offset, text.size()) << text;
        const std::string longer = text + "x";
        ASSERT_EQ(
            frame::locate_fault(longer.data(), longer.size(), settings_, capacity_.arena).offset,
            text.size())
            << text;
    }

private:
    const Settings settings_;
    accp_unit::Room capacity_;
    frame::Parser parser_;
};

Settings usual(int32_t dialect) {
    Settings settings;
    settings.dialect = dialect;
    return settings;
}

// Limits that a short frame reaches.
Settings narrow(int32_t dialect) {
    Settings settings = usual(dialect);
    settings.limits[ACCP_LIMIT_FRAME_BYTES] = 40;
    settings.limits[ACCP_LIMIT_PARAMS] = settings.limits[ACCP_LIMIT_ITEMS] = 3;
    settings.limits[ACCP_LIMIT_KEY_BYTES] = 4;
    settings.limits[ACCP_LIMIT_DEPTH] = 2;
    return settings;
}

// A random frame, usually valid.
std::string random_frame(accp_unit::Random &random) {
    static const char *const kPieces[] = {"@a",
                                          ">req",
                                          ":x",
                                          "{",
                                          "}",
                                          "[",
                                          "]",
                                          "k",
                                          "k2",
                                          "longkey",
                                          ":",
                                          "1",
                                          "v",
                                          "|",
                                          ",",
                                          "~",
                                          "$a.b",
                                          "\\|",
                                          "@dev",
                                          "null",
                                          "true",
                                          "1.50",
                                          "\xC3\xA9",
                                          "[mid:a1,seq:1]",
                                          "{a:1,b:2}",
                                          "[1,2]",
                                          "[]",
                                          "{}",
                                          "\\",
                                          " ",
                                          "delta:{k:null}",
                                          "\x7F"};
    std::string text = random.below(8) ? "@a>req:x{" : "";
    const size_t count = random.below(14);
    for (size_t i = 0; i < count; ++i) {
        if (random.below(2))
            text += "k" + std::to_string(random.below(5)) + ":" +
                    (random.below(3) ? "v" : "[a,{b:1}]") + "|";
        else text += kPieces[random.below(std::size(kPieces))];
    }
    if (random.below(4)) text += random.below(2) ? "z:1}" : "z:[1,2]}[seq:1]";
    return text;
}

TEST(Locate, AgreesWithParse) {
    for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8}) {
        Agreement wide(usual(dialect)), tight(narrow(dialect));
        accp_unit::Random random(12);
        for (int round = 0; round < 40000; ++round) {
            const std::string text = random_frame(random);
            wide.check(text);
            tight.check(text);
            if (testing::Test::HasFatalFailure()) FAIL() << dialect << ": " << text;
        }
    }
}

// Every prefix of a valid frame is incomplete, and both machines agree on every change of a single
// byte.
TEST(Locate, AgreesOnEveryEditOfAFrame) {
    const std::string frame =
        "@a-b>req:op_1{k:[1,{a:~,b:$w.k}]|l:\\@x|m:{}|n:-1.50}[mid:a00000000001,seq:1]";
    for (int32_t dialect : {ACCP_STRICT, ACCP_COMPAT, ACCP_U8}) {
        Agreement agreement(usual(dialect));
        for (size_t at = 0; at <= frame.size(); ++at) {
            agreement.check(frame.substr(0, at));
            for (int value = 0; value < 256 && at < frame.size(); ++value) {
                std::string edited = frame;
                edited[at] = static_cast<char>(value);
                agreement.check(edited);
                agreement.check(frame.substr(0, at) + static_cast<char>(value) + frame.substr(at));
            }
            if (testing::Test::HasFatalFailure()) FAIL() << dialect << " at " << at;
        }
    }
}

}  // namespace
