// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The lookups that the codec makes for each message.
#include <gtest/gtest.h>

#include <set>

#include "registry/loaded.h"
#include "value/json_reader.h"

namespace {

using namespace accp;
using accp_unit::Loaded;
using accp_unit::verdict;

TEST(RegistryLookup, BuiltInSchemas) {
    const Loaded it;
    ASSERT_EQ(verdict(it.status), "OK");
    const struct {
        const char *code, *intent, *operation;
        uint32_t fields;
    } rows[] = {{"ER", "fail", "error", 6},   {"CH", "req", "chat", 5},
                {"TC", "done", "tool", 5},    {"TX", "req", "transaction", 7},
                {"ST", "stream", "infer", 4}, {"TA", "done", "schedule", 5}};
    for (const auto &row : rows) {
        const registry::Schema *schema = it.registry.by_code(row.code);
        ASSERT_TRUE(schema) << row.code;
        EXPECT_EQ(schema->field_count, row.fields);
        EXPECT_TRUE(schema->built_in);
        EXPECT_EQ(it.registry.by_name(schema->name), schema);
        EXPECT_EQ(it.registry.bound(registry::find_intent(row.intent), row.operation), schema);
        EXPECT_TRUE(schema->is_bound(registry::find_intent(row.intent), row.operation));
        EXPECT_FALSE(schema->is_bound(registry::find_intent("ack"), row.operation));
    }
    EXPECT_FALSE(it.registry.by_code("ZZ") || it.registry.by_code("") ||
                 it.registry.bound(0, "nothing"));
}

TEST(RegistryLookup, ProfilesAreAdditive) {
    for (uint32_t profiles = 0; profiles < 32; ++profiles) {
        const Loaded it({}, profiles);
        ASSERT_EQ(verdict(it.status), "OK");
        const char *codes[] = {"CH", "TC", "TX", "ST", "TA"};
        EXPECT_TRUE(it.registry.by_code("ER"));
        for (int i = 0; i < 5; ++i)
            EXPECT_EQ(it.registry.by_code(codes[i]) != nullptr, (profiles >> i & 1) != 0);
    }
}

TEST(RegistryLookup, KeysUnderASchema) {
    const Loaded it;
    const struct {
        const char *code, *key, *wire;
        bool escape;
    } rows[] = {
        {"TX", "transaction_id", "txn", false},
        {"TX", "amount", "amt", false},
        {"TX", "currency", "currency", false},
        {"TX", "source", "src", false},
        {"TX", "src", "src", true},
        {"TX", "txn", "txn", true},
        {"TX", "other", "other", false},
        {"TX", "schema", "schema", true},
        {"TA", "priority", "pri", false},
        {"ST", "data", "d", false},
        {"ST", "d", "d", true},
        {"ER", "src", "src", false},
        {"ER", "source", "source", false},
        {"", "source", "src", false},
        {"", "src", "src", true},
        {"", "transaction_id", "transaction_id", false},
    };
    for (const auto &row : rows) {
        const registry::Schema *schema = *row.code ? it.registry.by_code(row.code) : nullptr;
        const registry::KeyForm form = it.registry.write_key(schema, row.key);
        EXPECT_EQ(form.text, row.wire) << row.code << ' ' << row.key;
        EXPECT_EQ(form.escape, row.escape) << row.code << ' ' << row.key;
        if (form.escape) continue;
        EXPECT_EQ(it.registry.read_key(schema, form.text).text, row.key);
        EXPECT_EQ(it.registry.read_key(schema, form.text).field, form.field);
    }
    const registry::Schema *tx = it.registry.by_code("TX");
    EXPECT_EQ(it.registry.read_key(tx, "transaction_id").text, "transaction_id")
        << "both names are read";
    EXPECT_EQ(it.registry.read_key(tx, "transaction_id").field, tx->fields);
}

// No two keys are written alike, and each is read back. Tests every word of a small set under
// schemas whose names collide.
TEST(RegistryLookup, KeysAreOneToOne) {
    const std::string words[] = {"d", "data", "src",  "source", "q",   "query",    "a",
                                 "b", "wip",  "work", "x",      "pri", "priority", "schema"};
    accp_unit::Random random(7);
    int made = 0;
    for (int round = 0; round < 4000; ++round) {
        auto word = [&] { return words[random.below(13)]; };
        std::string text = R"({"aliases":{"wip":"work"},"schemas":{"s":{"code":"S","fields":[")" +
                           word() + "\",\"" + word() + "\",\"" + word() + R"("],"aliases":{")" +
                           word() + "\":\"" + word() + "\",\"" + word() + "\":\"" + word() +
                           "\"}}}}";
        const Loaded it(text, 0);
        if (it.status.failed()) continue;
        ++made;
        const registry::Schema *schema = it.registry.by_code("S");
        std::set<std::string> wires;
        for (const std::string &key : words) {
            const registry::KeyForm form = it.registry.write_key(schema, key);
            EXPECT_TRUE(wires.insert((form.escape ? "__" : "") + std::string(form.text)).second)
                << text << ' ' << key;
            if (form.escape) EXPECT_EQ(form.text, key);
            else EXPECT_EQ(it.registry.read_key(schema, form.text).text, key) << text;
        }
    }
    EXPECT_GT(made, 50);
}

TEST(RegistryLookup, ManyFieldsAndManySchemas) {
    std::string fields, text = "{\"schemas\":{";
    for (int j = 0; j < 30; ++j) fields += (j ? ",\"f" : "\"f") + std::to_string(j) + "\"";
    for (int i = 0; i < 1000; ++i) {
        const std::string n = std::to_string(i);
        text += (i ? ",\"name" : "\"name") + n + "\":{\"code\":\"C" + n + "\",\"fields\":[" +
                fields + "],\"bind\":[\"op" + n + "\",\"req:all\"]}";
    }
    const Loaded it(text + "}}");
    ASSERT_EQ(verdict(it.status), "OK");
    for (int i = 0; i < 1000; ++i) {
        const registry::Schema *schema = it.registry.by_code("C" + std::to_string(i));
        ASSERT_TRUE(schema);
        for (uint32_t j = 0; j < 30; ++j)
            ASSERT_EQ(it.registry.field_by_name(*schema, "f" + std::to_string(j)),
                      schema->fields + j);
        EXPECT_FALSE(it.registry.field_by_name(*schema, "f30"));
        EXPECT_EQ(it.registry.bound(3, "op" + std::to_string(i)), schema);
    }
    EXPECT_FALSE(it.registry.bound(0, "all")) << "a thousand would do";
}

TEST(RegistryLookup, Defaults) {
    const Loaded it(
        R"({"schemas":{"s":{"code":"S","fields":["a","b","c","d"],"defaults":{"a":1.0,"b":{"k":[1,"x",true]},"d":null}}}})",
        0);
    ASSERT_EQ(verdict(it.status), "OK");
    const registry::Schema *schema = it.registry.by_code("S");
    const char *texts[] = {"1.0", R"({"k":[1,"x",true]})", "", "null"};
    for (int i = 0; i < 4; ++i) EXPECT_EQ(schema->fields[i].default_json, texts[i]);
    value::JsonReader reader(const_cast<Loaded &>(it).memory);
    value::Value value(const_cast<Loaded &>(it).memory);
    auto equal = [&](int field, std::string_view json) {
        EXPECT_TRUE(reader.read(json.data(), json.size(), {1000, 64}, value).ok());
        return registry::is_default(*schema, schema->fields[field], value.view(), 0);
    };
    EXPECT_TRUE(equal(0, "1.0") && equal(1, texts[1]) && equal(3, "null"));
    EXPECT_FALSE(equal(0, "1") || equal(0, "1.00") || equal(0, "\"1.0\"") || equal(2, "null") ||
                 equal(3, "false"));
    for (const char *other : {R"({"k":[1,"x",false]})", R"({"k":[1,"x"]})", R"({"l":[1,"x",true]})",
                              R"({"k":[1,"y",true]})", R"([[1,"x",true]])", R"({"k":[1,["x"]]})",
                              R"({"k":[1,"x",true],"l":1})"})
        EXPECT_FALSE(equal(1, other)) << other;
}

TEST(RegistryLookup, ACCP_4_3_03_OperationsOfItsOwn) {
    const Loaded it(R"({"operations":["audit","redact"]})");
    ASSERT_EQ(verdict(it.status), "OK");
    EXPECT_TRUE(it.registry.has_operation("audit") && it.registry.has_operation("redact") &&
                it.registry.has_operation("plan"));
    EXPECT_FALSE(it.registry.has_operation("redacted") || it.registry.has_operation(""));
}

}  // namespace
