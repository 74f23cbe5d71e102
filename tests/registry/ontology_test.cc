// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The content of the built-in tables.
#include "registry/ontology.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "accp/types.h"

namespace {

using namespace accp;

TEST(Ontology, ACCP_4_1_TwelveIntents) {
    const char *codes[] = {"req",  "done", "fail", "wait",   "esc",    "comp",
                           "sync", "qry",  "ack",  "cancel", "stream", "end"};
    for (int i = 0; i < registry::kIntentCount; ++i) {
        EXPECT_EQ(registry::intent_code(i), codes[i]);
        EXPECT_EQ(registry::find_intent(codes[i]), i);
    }
    for (std::string_view other :
         {"", "REQ", "re", "reqs", "request", "streams", "streaming", "ping", "canceled"})
        EXPECT_EQ(registry::find_intent(other), -1) << other;
    EXPECT_EQ(registry::find_intent(std::string_view("req\0", 4)), -1);
}

TEST(Ontology, ACCP_4_2_SixteenAbbreviationsOneToOne) {
    const char *rows[][2] = {{"d", "data"},
                             {"f", "findings"},
                             {"nx", "next_action"},
                             {"src", "source"},
                             {"dst", "destination"},
                             {"q", "query"},
                             {"fmt", "format"},
                             {"pri", "priority"},
                             {"err", "error"},
                             {"v", "version"},
                             {"ts", "timestamp"},
                             {"ttl", "time_to_live"},
                             {"ctx", "context_reference"},
                             {"who", "target"},
                             {"when", "temporal_constraint"},
                             {"why", "rationale_code"}};
    std::set<std::string> names;
    for (const auto &row : rows) {
        EXPECT_EQ(registry::find_abbreviated(row[0]), row[1]);
        EXPECT_EQ(registry::find_abbreviation(row[1]), row[0]);
        names.insert(row[0]);
        names.insert(row[1]);
    }
    EXPECT_EQ(names.size(), 2u * registry::kAbbreviationCount) << "no code is a key";
    EXPECT_TRUE(registry::find_abbreviated("data").empty() &&
                registry::find_abbreviation("d").empty() && registry::find_abbreviated("").empty());
}

TEST(Ontology, ACCP_4_3_OperationsOfTheCoreAndOfTheSamples) {
    for (const char *name : {"analyze", "plan", "execute", "review", "approve", "reject", "fetch",
                             "transform", "summarize", "classify", "generate", "validate",
                             "schedule", "notify", "merge", "split", "route", "cache", "purge"})
        EXPECT_LT(static_cast<unsigned>(registry::find_operation(name)),
                  unsigned{registry::kCoreOperationCount})
            << name;
    for (const char *name :
         {"lookup", "state", "registry", "error", "chat", "tool", "transaction", "infer"})
        EXPECT_GE(registry::find_operation(name), registry::kCoreOperationCount) << name;
    EXPECT_EQ(registry::find_operation("audit"), -1);
}

TEST(Ontology, TypesTakeTheirKinds) {
    const struct {
        // of null bool int decimal number string ref array map, in this order
        const char *type, *taken;
    } rows[] = {{"any", "111111111"},     {"string", "100001100"}, {"integer", "101000100"},
                {"decimal", "101100100"}, {"number", "101110100"}, {"boolean", "110000100"},
                {"array", "100000110"},   {"object", "100000101"}};
    for (const auto &row : rows) {
        registry::FieldType type;
        ASSERT_TRUE(registry::find_type(row.type, type));
        EXPECT_EQ(registry::type_name(type), row.type);
        for (int kind = ACCP_NULL; kind <= ACCP_MAP; ++kind)
            EXPECT_EQ(registry::fits(type, static_cast<uint8_t>(kind)), row.taken[kind - 1] == '1')
                << row.type << ' ' << kind;
    }
    registry::FieldType type;
    EXPECT_FALSE(registry::find_type("float", type) || registry::find_type("", type));
}

}  // namespace
