// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Documents: stored unchanged, hashed by meaning, compared and united.
#include "registry/document.h"

#include <gtest/gtest.h>

#include "registry/loaded.h"

namespace {

using namespace accp;
using accp_unit::Loaded;
using accp_unit::text_of;
using accp_unit::verdict;

constexpr const char *kA =
    R"({"version":3,"note":"a","operations":["y","x"],"schemas":{"sales_report":{"code":"SR","version":1,
    "fields":["period","revenue"],"defaults":{"period":"quarterly"},"owner":"unknown members stay"}}})";
constexpr const char *kB =
    R"({"version":2,"note":"b","operations":["z","x"],"schemas":{"sales_report":{"code":"SR","version":2,
    "fields":["period","revenue","notes"]},"other":{"code":"OT","fields":[]}}})";

std::string unite(const registry::Registry &a, const registry::Registry &b) {
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    Status status = registry::write_union(a, b, room.arena, out);
    return status.ok() ? text_of(out) : verdict(status);
}

TEST(RegistryDocument, KeptByteForByte) {
    const std::string text = std::string(" ") + kA + "\n";
    const Loaded it(text);
    ASSERT_EQ(verdict(it.status), "OK");
    EXPECT_EQ(it.registry.source(), text);
    EXPECT_EQ(it.registry.version(), 3);
}

TEST(RegistryDocument, HashOfWhatIsInForce) {
    const Loaded plain, spaced("{ \"schemas\" : { } }"), chat({}, 1), none({}, 0);
    EXPECT_EQ(plain.registry.hash().view(), spaced.registry.hash().view());
    EXPECT_NE(plain.registry.hash().view(), chat.registry.hash().view());
    EXPECT_NE(none.registry.hash().view(), chat.registry.hash().view());
    // A schema of a profile is the same if the document contains it.
    accp_unit::Room room;
    Buffer<char> text(room.memory);
    registry::write_effective(plain.registry, text);
    const Loaded spelled(text_of(text), 0);
    EXPECT_EQ(spelled.registry.hash().view(), plain.registry.hash().view());
    EXPECT_EQ(spelled.registry.canonical(), plain.registry.canonical());
}

TEST(RegistryDocument, TheDocumentGoesBeforeTheProfile) {
    const Loaded it(
        R"({"schemas":{"mine":{"code":"TA","version":9,"fields":["x"]},"chat":{"code":"Q","fields":[]}}})");
    ASSERT_EQ(verdict(it.status), "OK");
    EXPECT_EQ(it.registry.by_code("TA")->version, 9);
    EXPECT_FALSE(it.registry.by_code("CH"));
    EXPECT_TRUE(it.registry.by_code("TX"));
}

TEST(RegistryDocument, DeltaMakesOneIntoTheOther) {
    const Loaded a(kA), b(kB), none({}, 0);
    const registry::Registry *bases[] = {nullptr, &none.registry, &a.registry, &b.registry};
    for (const registry::Registry *from : bases) {
        for (const Loaded *to : {&a, &b, &none}) {
            accp_unit::Room room;
            Buffer<char> delta(room.memory), text(room.memory);
            ASSERT_TRUE(registry::write_delta(from, to->registry, room.arena, delta).ok());
            value::JsonReader reader(room.memory);
            value::Value value(room.memory);
            ASSERT_TRUE(reader.read(delta.data(), delta.size(), {1 << 20, 64}, value).ok())
                << text_of(delta);
            ASSERT_TRUE(registry::apply_delta(from, value.view(), text).ok());
            const Loaded made(text_of(text), 0);
            ASSERT_EQ(verdict(made.status), "OK");
            EXPECT_EQ(made.registry.canonical(), to->registry.canonical());
            EXPECT_EQ(made.registry.hash().view(), to->registry.hash().view());
        }
    }
}

TEST(RegistryDocument, UnionIsTheSameFromBothSides) {
    const Loaded a(kA), b(kB, 0);
    const Loaded left(unite(a.registry, b.registry), 0), right(unite(b.registry, a.registry), 0);
    ASSERT_EQ(verdict(left.status), "OK");
    EXPECT_EQ(left.registry.canonical(), right.registry.canonical());
    EXPECT_EQ(left.registry.by_code("SR")->version, 2);
    EXPECT_EQ(left.registry.version(), 3);
    for (const char *code : {"OT", "CH", "ER"}) EXPECT_TRUE(left.registry.by_code(code)) << code;
    for (const char *name : {"x", "y", "z"}) EXPECT_TRUE(left.registry.has_operation(name)) << name;
    EXPECT_EQ(left.registry.canonical().find("\"note\""), std::string_view::npos)
        << "they disagree about it";
}

TEST(RegistryDocument, NoUnion) {
    const char *base = R"({"schemas":{"s":{"code":"S","version":1,"fields":["a"]}}})";
    for (const char *other : {R"({"schemas":{"s":{"code":"S","version":1,"fields":["b"]}}})",
                              R"({"schemas":{"s":{"code":"T","version":2,"fields":["a"]}}})",
                              R"({"schemas":{"t":{"code":"S","version":2,"fields":["a"]}}})"}) {
        const Loaded a(base, 0), b(other, 0);
        EXPECT_EQ(unite(a.registry, b.registry), "E1003 at 0") << other;
        EXPECT_EQ(unite(b.registry, a.registry), "E1003 at 0") << other;
    }
    const Loaded a(R"({"aliases":{"w":"work"}})"), b(R"({"aliases":{"w":"week"}})"),
        c(R"({"aliases":{"wk":"work"}})");
    EXPECT_EQ(unite(a.registry, b.registry), "E1003 at 0");
    EXPECT_EQ(Loaded(unite(a.registry, c.registry), 0).status.code, ACCP_E1004)
        << "two aliases of one key";
}

TEST(RegistryDocument, Refused) {
    const struct {
        const char *text, *expected;
    } rows[] = {
        {"[]", "E1004 at 0"},
        {"{", "E1001 at 1"},
        {R"({"schemas":[]})", "E1004 at 11"},
        {R"({"schemas":{"s":1}})", "E1004 at 16"},
        {R"({"schemas":{"s":{}}})", "E1004 at 16"},
        {R"({"schemas":{"s":{"code":"S"}}})", "E1004 at 16"},
        {R"({"schemas":{"s":{"code":"1","fields":[]}}})", "E1004 at 24"},
        {R"({"schemas":{"s":{"code":"true","fields":[]}}})", "E1004 at 24"},
        {R"({"schemas":{"s":{"code":"S","fields":["a","a"]}}})", "E1004 at 42"},
        {R"({"schemas":{"s":{"code":"S","fields":[]},"s":{"code":"T","fields":[]}}})",
         "E1001 at 41"},
        {R"({"schemas":{"s":{"code":"S","fields":[]},"t":{"code":"S","fields":[]}}})",
         "E1004 at 53"},
        {R"({"schemas":{"s":{"code":"S","fields":["a"],"defaults":{"b":1}}}})", "E1004 at 59"},
        {R"({"schemas":{"s":{"code":"S","fields":["a"],"types":{"a":"integer"},"defaults":{"a":"x"}}}})",
         "E1004 at 83"},
        {R"({"schemas":{"s":{"code":"S","fields":["a"],"types":{"a":"float"}}}})", "E1004 at 56"},
        {R"({"schemas":{"s":{"code":"S","fields":["a","b"],"aliases":{"a":"b"}}}})", "E1004 at 62"},
        {R"({"schemas":{"s":{"code":"S","fields":["a"],"aliases":{"x":"a","y":"a"}}}})",
         "E1004 at 66"},
        {R"({"schemas":{"s":{"code":"S","fields":["a"],"aliases":{"x":"y","y":"x"}}}})",
         "E1004 at 58"},
        {R"({"schemas":{"s":{"code":"S","fields":["a"],"required":["b"]}}})", "E1004 at 55"},
        {R"({"schemas":{"s":{"code":"S","fields":[],"bind":["please:x"]}}})", "E1002 at 48"},
        {R"({"schemas":{"s":{"code":"S","fields":[],"bind":["req:"]}}})", "E1004 at 48"},
        {R"({"schemas":{"s":{"code":"S","fields":[],"version":-1}}})", "E1004 at 50"},
        {R"({"operations":["a b"]})", "E1004 at 15"},
        {R"({"operations":["a","a"]})", "E1004 at 19"},
        {R"({"aliases":{"d":"depth"}})", "E1004 at 16"},
        {R"({"aliases":{"dt":"data"}})", "E1004 at 17"},
        {R"({"aliases":{"a":"b","b":"a"}})", "E1004 at 16"},
        {R"({"version":"3"})", "E1004 at 11"},
    };
    for (const auto &row : rows)
        EXPECT_EQ(verdict(Loaded(row.text).status), row.expected) << row.text;
}

// A session stores the hash form as one blob, so a larger one is refused.
TEST(RegistryDocument, TheHashFormHasALimit) {
    constexpr size_t kSchemas = 2048, kFields = 130;
    std::string fields;
    for (size_t i = 0; i < kFields; ++i) {
        std::string name = std::to_string(i);
        name.resize(kMaxRegistryKeyBytes, 'x');
        fields += (i ? ",\"" : "\"") + name + "\"";
    }
    std::string text = R"({"schemas":{)";
    for (size_t i = 0; i < kSchemas; ++i) {
        const std::string code = "S" + std::to_string(i);
        text +=
            (i ? ",\"" : "\"") + code + R"(":{"code":")" + code + R"(","fields":[)" + fields + "]}";
    }
    accp_unit::Room room;
    registry::Registry it(room.memory);
    const Status status = it.load(text + "}}", 0, {kMaxTextBytes, kMaxJsonDepth});
    EXPECT_EQ(verdict(status), "E1001 at 0");
    EXPECT_EQ(status.limit, kMaxRegistryBytes);
    EXPECT_GT(status.had, status.limit);
}

}  // namespace
