// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// changes.jsonl, one case per line: {"name", "a" and "b" (documents, without profiles), "changes":
// for each expected change "breaking" or "compatible", its kind, and its subject}.
#include "registry/changes.h"

#include <gtest/gtest.h>

#include <fstream>

#include "failing.h"
#include "reference/ref_json.h"
#include "registry/loaded.h"

namespace {

using namespace accp;
using accp_ref::Json;
using accp_unit::Loaded;
using accp_unit::text_of;

std::vector<Json> cases() {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/registry/changes.jsonl");
    std::vector<Json> made;
    for (std::string line; std::getline(file, line);) {
        auto read = accp_ref::parse_json(line);
        EXPECT_TRUE(read) << line;
        if (read) made.push_back(*read);
    }
    return made;
}

struct Answer {
    std::string text;
    bool breaking;
};

Answer changes(const Loaded &a, const Loaded &b) {
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    registry::Changes changes(a.registry, b.registry, room.memory, out);
    EXPECT_TRUE(changes.write().ok());
    return {text_of(out), changes.breaking()};
}

// A change in one line, without its reason: "breaking field_default s.a 1 2".
std::string line_of(const Json &change) {
    std::string line =
        accp_ref::write_json(*change.find("breaking")) == "true" ? "breaking" : "compatible";
    line += " " + change.find("kind")->text;
    for (const char *name : {"schema", "field", "member", "key", "operation", "binding"})
        if (const Json *it = change.find(name))
            line += (std::string_view(name) == "field" ? "." : " ") + it->text;
    for (const char *name : {"from", "to"})
        if (const Json *it = change.find(name)) line += " " + accp_ref::write_json(*it);
    return line;
}

TEST(RegistryChanges, Cases) {
    ASSERT_GT(cases().size(), 30u);
    for (const Json &row : cases()) {
        SCOPED_TRACE(row.find("name")->text);
        const Loaded a(accp_ref::write_json(*row.find("a")), 0),
            b(accp_ref::write_json(*row.find("b")), 0);
        ASSERT_EQ(accp_unit::verdict(a.status), "OK");
        ASSERT_EQ(accp_unit::verdict(b.status), "OK");
        const Answer answer = changes(a, b);
        const auto read = accp_ref::parse_json(answer.text);
        ASSERT_TRUE(read) << answer.text;
        std::string had, wanted;
        bool breaking = false;
        for (const Json &change : read->items) {
            had += line_of(change) + "\n";
            EXPECT_FALSE(change.find("why")->text.empty());
            breaking |= accp_ref::write_json(*change.find("breaking")) == "true";
        }
        for (const Json &line : row.find("changes")->items) wanted += line.text + "\n";
        EXPECT_EQ(had, wanted);
        EXPECT_EQ(answer.breaking, breaking);
    }
}

TEST(RegistryChanges, NothingFromARegistryToItself) {
    for (const Json &row : cases()) {
        const std::string text = accp_ref::write_json(*row.find("b"));
        EXPECT_EQ(changes(Loaded(text), Loaded(text)).text, "[]") << text;
    }
}

TEST(RegistryChanges, OutOfMemory) {
    const Loaded a(R"({"schemas":{"s":{"code":"S","fields":["a","b"],"x":[1]}}})"),
        b(R"({"schemas":{"s":{"code":"S","fields":["b","a"],"x":[2]}}})");
    accp_test::Failing failing;
    auto work = [&] {
        Memory memory(failing.allocator(), UINT64_MAX);
        Buffer<char> out(memory);
        registry::Changes changes(a.registry, b.registry, memory, out);
        EXPECT_TRUE(changes.write().ok());
    };
    int64_t count = 0;
    while (accp_test::fails(failing, count, work)) ++count;
    EXPECT_GE(count, 4);
    EXPECT_EQ(failing.live, 0);
}

}  // namespace
