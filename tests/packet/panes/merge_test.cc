// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The merged text of a pane's packet and the shared one.
#include "packet/panes/merge.h"

#include <gtest/gtest.h>

#include "packet/file/read.h"
#include "unit.h"

namespace {

struct MergeCase {
    const char *pane, *shared;  // the context, in YAML's flow form
    const char *gives;          // as JSON
};

constexpr MergeCase kMergeCases[] = {
    {"goal: g", "goal: other", R"({"goal":"g"})"},
    {"goal: g, constraints: [a, b]", "goal: h, constraints: [b, c]",
     R"({"goal":"g","constraints":["a","b","c"]})"},
    {"goal: g", "goal: h, constraints: [c], open_questions: [q]",
     R"({"goal":"g","constraints":["c"],"open_questions":["q"]})"},
    // the pane's decision wins
    {"goal: g, decisions: [{choice: JWT, reason: ours}]",
     "goal: h, decisions: [{choice: JWT, reason: theirs}, RS256]",
     R"({"goal":"g","decisions":[{"choice":"JWT","reason":"ours"},{"choice":"RS256"}]})"},
    {"goal: g, codebase: {patterns: [p]}",
     "goal: h, codebase: {relevant_files: [a.py], patterns: [p, q]}",
     R"({"goal":"g","codebase":{"patterns":["p","q"],"relevant_files":[{"path":"a.py"}]}})"},
    {"goal: g", "goal: h, codebase: {patterns: [p]}",
     R"({"goal":"g","codebase":{"patterns":["p"]}})"},
    {"goal: g, codebase: {}", "goal: h, codebase: {}", R"({"goal":"g","codebase":{}})"},
    {"goal: g, constraints: []", "goal: h, constraints: []", R"({"goal":"g","constraints":[]})"},
    // members that are the pane's alone
    {"goal: g", "goal: h, version: 3, changelog: [{v1: x}], not_included: [n]", R"({"goal":"g"})"},
    {"goal: g, not_included: [a]", "goal: h, not_included: [b]",
     R"({"goal":"g","not_included":["a"]})"},
    // unknown members: lists are merged, otherwise the pane's value wins
    {"goal: g, more: {a: 1}, list: [1]", "goal: h, more: {b: 2}, list: [[2], 3], new: x",
     R"({"goal":"g","more":{"a":1},"list":[1,[2],3],"new":"x"})"},
    {"goal: g, more: 1", "goal: h, more: [2]", R"({"goal":"g","more":1})"},
    // places: not for a list that grows; hashes are taken from both
    {"goal: g, decisions: [b], constraints: [a]}, sources: {constraints: ['0:0-1'], decisions: "
     "['1:0-1']",
     "goal: h, constraints: [c]}, sources: {constraints: ['7:0-1']",
     R"({"goal":"g","decisions":[{"choice":"b"}],"constraints":["a","c"]},)"
     R"("sources":{"decisions":["1:0-1"]})"},
    {"goal: g, codebase: {relevant_files: [a]}}, sources: {relevant_files: "
     "['sha256:0000000000000001 a']",
     "goal: h, codebase: {relevant_files: [b, a]}}, sources: {relevant_files: "
     "['sha256:0000000000000002 b', 'sha256:0000000000000003 a', x]",
     R"({"goal":"g","codebase":{"relevant_files":[{"path":"a"},{"path":"b"}]}},"sources":)"
     R"({"relevant_files":["sha256:0000000000000001 a","sha256:0000000000000002 b"]})"},
    {"goal: g", "goal: h}, sources: {relevant_files: ['sha256:0000000000000002 b']",
     R"({"goal":"g"},"sources":{"relevant_files":["sha256:0000000000000002 b"]})"},
    {"goal: g}, sources: {relevant_files: 1", "goal: h}, sources: {relevant_files: []",
     R"({"goal":"g"},"sources":{"relevant_files":[]})"},
    {"goal: g}, sources: {x: 1", "goal: h", R"({"goal":"g"},"sources":{"x":1})"},
};

TEST(Merge, Cases) {
    accp_unit::Room room;
    accp::packet::Reader reader(room.memory);
    auto read = [&](const std::string &context, accp::packet::Packet &out) {
        const std::string text =
            "{version: 1, created: 2024-01-15T10:30:00Z, creator: a, target_task: t, context: {" +
            context + "}}";
        ASSERT_TRUE(reader.read(text, {1 << 20, 32}, out).ok()) << text;
    };
    for (const MergeCase &each : kMergeCases) {
        accp::packet::Packet pane(room.memory), shared(room.memory);
        read(each.pane, pane);
        read(each.shared, shared);
        pane.seal(1, "o200k_base");  // the seal is not part of the result
        accp::Buffer<char> out(room.memory);
        accp::packet::merge_packets(pane.view(), shared.view(), room.memory, out);
        EXPECT_EQ(accp_unit::text_of(out),
                  std::string(R"({"version":1,"created":"2024-01-15T10:30:00Z","creator":"a",)") +
                      R"("target_task":"t","context":)" + each.gives + "}")
            << each.pane;
    }
}

}  // namespace
