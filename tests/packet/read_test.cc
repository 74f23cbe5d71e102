// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reading packets, case by case: result, JSON form, and what the checksum covers.
#include "packet/file/read.h"

#include <gtest/gtest.h>

#include <string>

#include "unit.h"

namespace {

using namespace accp;

constexpr value::YamlLimits kLimits = {262144, 32};

class PacketReadTest : public testing::Test {
protected:
    Status read(const std::string &yaml) { return reader.read(yaml, kLimits, packet); }
    // Reads a packet with these lines after its head, in its context.
    Status read_context(const std::string &lines) {
        return read(
            "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\n"
            "context:\n  goal: g\n" +
            lines);
    }
    std::string printed() { return accp_unit::json_of(room.memory, packet.view()); }

    accp_unit::Room room;
    packet::Reader reader{room.memory};
    packet::Packet packet{room.memory};
};

TEST_F(PacketReadTest, EachSpellingIsOneForm) {
    const struct {
        const char *lines, *json;
    } cases[] = {
        {"  decisions: [A, B: because, {choice: C, made_by: user}, D: ]",
         R"("decisions":[{"choice":"A"},{"choice":"B","reason":"because"},{"choice":"C","made_by":"user"},{"choice":"D"}])"},
        {"  constraints: [no, 3.10, '~']", R"("constraints":["no","3.10","~"])"},
        {"  codebase:\n    relevant_files: [a.c: the main file]\n    x: [1, ~]",
         R"("codebase":{"relevant_files":[{"path":"a.c","summary":"the main file"}],"x":[1,null]})"},
        {"  failed_attempts:\n    - approach: a\n      reason_failed: 12\n      seen: true",
         R"("failed_attempts":[{"approach":"a","reason_failed":"12","seen":true}])"},
        {"  pivots: [x, {from: 1}]", R"("pivots":["x",{"from":1}])"},
        {"  version: 3\n  changelog: [v1: 'x']", R"("version":3,"changelog":[{"v1":"x"}])"},
        {"  constraints: null\n  odd: {a: [b, {c: 0x10}]}", R"("odd":{"a":["b",{"c":16}]})"},
    };
    for (const auto &given : cases) {
        const Status status = read_context(given.lines);
        ASSERT_TRUE(status.ok()) << given.lines << ": " << status.message;
        EXPECT_EQ(
            printed(),
            R"({"version":1,"created":"2024-01-15T10:30:00Z","creator":"a","target_task":"t",)"
            R"("context":{"goal":"g",)" +
                std::string(given.json) + "}}");
    }
}

TEST_F(PacketReadTest, Refusals) {
    const struct {
        const char *lines, *message;
        const char *at;  // the text at the error's offset
    } cases[] = {
        {"  decisions: A", "wrong type", "A"},
        {"  decisions: [~]", "wrong type", "~"},
        {"  decisions: [{reason: x}]", "missing choice", "{reason"},
        {"  decisions: [' ']", "missing choice", "' '"},
        {"  decisions: [A: [b]]", "wrong type", "[b]]"},
        {"  constraints: [[a]]", "wrong type", "[a]]"},
        {"  constraints: [a, null]", "wrong type", "null]"},
        {"  codebase: [a]", "wrong type", "[a]"},
        {"  pivots: [[]]", "wrong type", "[]]"},
        {"  version: '3'", "bad context version", "'3'"},
        {"  version: 0", "bad context version", "0"},
        {"  changelog: [{a: b, c: d}]", "wrong type", "{a: b"},
        {"  odd: 9007199254740992", "number out of range", "9007"},
        {"checksum: abc", "bad checksum", "abc"},
        {"checksum: sha256:abc...", "checksum placeholder", "sha256:abc"},
        {"token_count: -1", "bad token_count", "-1"},
        {"token_count: '1'", "bad token_count", "'1'"},
    };
    for (const auto &given : cases) {
        const std::string yaml =
            "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\n"
            "context:\n  goal: g\n" +
            std::string(given.lines);
        const Status status = read(yaml);
        ASSERT_TRUE(status.failed()) << given.lines;
        EXPECT_STREQ(status.message, given.message) << given.lines;
        EXPECT_EQ(yaml.compare(status.offset, strlen(given.at), given.at), 0)
            << given.lines << ": " << yaml.substr(status.offset);
    }
}

// The checksum covers everything but the three members of the seal, independent of the notation.
TEST_F(PacketReadTest, TheChecksumCoversWhatIsSaid) {
    auto sum = [this](const std::string &yaml) {
        EXPECT_TRUE(read(yaml).ok()) << yaml;
        return std::string(this->packet.checksum());
    };
    const std::string packet =
        "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\n"
        "context: {goal: g}\n";
    const std::string same = sum(packet);
    EXPECT_EQ(sum("# c\n" + packet + "token_count: 7\ntokenizer: x\n"), same);
    EXPECT_EQ(sum("context:\n  goal: \"g\"\ntarget_task: 't'\ncreator: a\n"
                  "created: 2024-01-15T11:30:00+01:00\nversion: 0x1\n"),
              same);
    EXPECT_EQ(sum(packet + "checksum: " + same + "\n"), same);
    EXPECT_NE(sum(packet + "more: 1\n"), same);
    EXPECT_NE(sum("version: 1\ncreated: 2024-01-15T10:30:01Z\ncreator: a\ntarget_task: t\n"
                  "context: {goal: g}\n"),
              same);
    const Status status = read(packet + "checksum: sha256:" + std::string(64, '0') + "\n");
    EXPECT_STREQ(status.message, "checksum mismatch");
    EXPECT_FALSE(this->packet.empty());
}

}  // namespace
