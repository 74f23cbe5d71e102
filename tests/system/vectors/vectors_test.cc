// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The vectors through the C face: frames.jsonl (verdict, tree, canonical form) and q1.jsonl (the
// wire form of one payload value, and back).
#include <gtest/gtest.h>

#include <fstream>

#include "reference/ref_json.h"
#include "spec/c_face.h"

namespace {

using accp_face::Answer;
using accp_face::Frames;
using accp_ref::Json;
using accp_ref::JsonKind;

// Calls `check` for each line of a file of vectors. Returns their number.
template <class Check>
int each_line(const std::string &name, Check check) {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/system/vectors/" + name);
    int count = 0;
    for (std::string line; std::getline(file, line); ++count) {
        SCOPED_TRACE(name + ":" + std::to_string(count + 1) + ": " + line);
        const auto vector = accp_ref::parse_json(line);
        if (vector) check(*vector);
        else ADD_FAILURE() << "no JSON";
    }
    return count;
}

std::string with_ok(const Json &ast) {
    Json typed = Json::object({{"ok", Json{JsonKind::kTrue, {}, {}, {}}}});
    typed.members.insert(typed.members.end(), ast.members.begin(), ast.members.end());
    return accp_ref::write_json(typed);
}

void check_canon(Frames &frames, const Json &vector) {
    const Answer printed = frames.print();
    const Json *expected = vector.find("canon");
    ASSERT_NE(expected, nullptr);
    if (expected->kind == JsonKind::kNull) {
        EXPECT_EQ(printed.status, ACCP_E1004);
        return;
    }
    EXPECT_EQ(printed.text, expected->text);
    Frames again;
    ASSERT_TRUE(again.parse(printed.text).ok());
    EXPECT_EQ(again.print().text, printed.text);
}

TEST(Vectors, Frames) {
    Frames frames;
    int taken = 0, refused = 0;
    const int count = each_line("frames.jsonl", [&](const Json &vector) {
        const Answer answer = frames.parse(vector.find("frame")->text);
        if (vector.find("ok")->kind != JsonKind::kTrue) {
            ++refused;
            EXPECT_EQ(accp_status_code_name(answer.status), vector.find("code")->text);
            return;
        }
        ++taken;
        ASSERT_TRUE(answer.ok()) << "refused at " << answer.offset;
        EXPECT_EQ(answer.text, with_ok(*vector.find("ast")));
        check_canon(frames, vector);
    });
    EXPECT_EQ(count, 700);
    EXPECT_TRUE(taken > 300 && refused > 150) << taken << " " << refused;
}

TEST(Vectors, Q1BothWays) {
    Frames frames;
    const int count = each_line("q1.jsonl", [&](const Json &vector) {
        const std::string json = accp_face::wrapped(vector.find("json")->text);
        const std::string wire = "@a>req:x{k:" + vector.find("wire")->text + "}";
        const Answer encoded = frames.encode(json);
        EXPECT_EQ(encoded.text, wire)
            << accp_status_name(encoded.status) << " at " << encoded.offset;
        const Answer decoded = frames.decode(wire);
        ASSERT_TRUE(decoded.ok()) << accp_status_name(decoded.status) << " at " << decoded.offset;
        EXPECT_EQ(accp_face::hash_form(decoded.text).text, accp_face::hash_form(json).text);
        EXPECT_EQ(frames.encode(decoded.text).text, wire);
    });
    EXPECT_EQ(count, 600);
}

}  // namespace
