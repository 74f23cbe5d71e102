// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registry of agents: errors, extreme numbers and names, leases, publications and additional
// rankings.
#include "sacp/agents/registry.h"

namespace {

using namespace accp;
using accp_unit::AgentRegistry;
using accp_unit::entry;

class Registry : public testing::Test {
protected:
    accp_unit::Room room;
    AgentRegistry registry{room.memory};
};

TEST_F(Registry, RefusesEachWrongType) {
    EXPECT_EQ(registry.add("[]"), "MALFORMED_MESSAGE");
    EXPECT_EQ(registry.add(R"({"agent":"A","agent_name":"A"})"), "MALFORMED_MESSAGE");
    EXPECT_EQ(registry.add(entry("")), "INVALID_TYPE");
    for (const char *more :
         {R"("tags":"t")", R"("tags":[1])", R"("confidence_score":"1")", R"("version":1)",
          R"("agent_location":{})", R"("tool.interface":[])", R"("embedding":{})",
          R"("embedding":["1"])", R"("embedding":[1,null])", R"("embedding":[1e999])",
          R"("embedding":[[1]])", R"("embedding_model":null)", R"("lease_until":"soon")"})
        EXPECT_EQ(registry.add(entry("A", more)), "INVALID_TYPE") << more;
    EXPECT_EQ(registry.agents.count(), 0u);
}

TEST_F(Registry, NumbersAtTheEndsOfTheRange) {
    EXPECT_EQ(registry.add(entry("A", R"("embedding":[1e-999,-0.0,0])")), "");
    EXPECT_EQ(registry.add(entry("B", R"("embedding":[1e308,0,1e-320])")), "");
    EXPECT_EQ(registry.add(entry("C", R"("embedding":[])")), "");
    EXPECT_EQ(registry.ask(R"({"query":{"embedding":[1e-300,0,0]}})"),
              R"([{"agent_name":"B","match":"similar","score":1.0}])");
    EXPECT_EQ(registry.names(R"({"query":{"embedding":[0,0,0],"threshold":-2}})"), "");
    EXPECT_EQ(registry.names(R"({"query":{"top_k":99999999999999999999}})"), "A B C");
    for (const char *top : {"0", "-1", "1.0", "1e1", "true"})
        EXPECT_EQ(registry.ask(R"({"query":{"top_k":)" + std::string(top) + "}}"), "INVALID_TYPE");
    EXPECT_EQ(registry.ask(R"({"query":{"embedding":[]}})"), "INVALID_TYPE");
    EXPECT_EQ(registry.ask(R"({"query":[]})"), "INVALID_TYPE");
    EXPECT_EQ(registry.ask(R"({"query":{},"top_k":1})"), "MALFORMED_MESSAGE");
    EXPECT_EQ(registry.ask("3"), "MALFORMED_MESSAGE");
}

// Rounding of doubles does not affect a cosine that equals the threshold, or equal cosines.
TEST_F(Registry, RoundingDecidesNothing) {
    EXPECT_EQ(registry.add(entry("B", R"("embedding":[0.3,0.3,0.3])")), "");
    EXPECT_EQ(registry.add(entry("A", R"("embedding":[0.7,0.7,0.7])")), "");
    EXPECT_EQ(registry.add(entry("C", R"("embedding":[1e-7,1e-7,1e-7])")), "");
    EXPECT_EQ(registry.names(R"({"query":{"embedding":[5,5,5],"threshold":1}})"), "A B C");
    EXPECT_EQ(registry.add(entry("D", R"("embedding":[0.6,0.8])")), "");
    EXPECT_EQ(registry.names(R"({"query":{"embedding":[9,0],"threshold":0.6}})"), "D");
    EXPECT_EQ(registry.names(R"({"query":{"embedding":[0,0.1],"threshold":0.8}})"), "D");
}

// Names may have NUL, quotes and names of members in them.
TEST_F(Registry, NamesThatLookLikeOthers) {
    EXPECT_EQ(
        registry.add(R"({"agent_name":"\"embedding\":[9","supported_verbs":["a\u0000b"],)"
                     R"("supported_tools":["embedding","],"],"inputs":["x.","."],)"
                     R"("outputs":[".y"],"description":"","embedding":[1,2],"z.embedding":[3]})"),
        "");
    for (const char *query : {R"({"verb":"a"})", R"({"verb":"b"})", R"({"verb":"a\u0000"})",
                              R"({"inputs":["x"]})", R"({"output_type":"y."})"})
        EXPECT_EQ(registry.ask(R"({"query":)" + std::string(query) + "}"), "[]") << query;
    for (const char *query :
         {R"({"verb":"a\u0000b"})", R"({"inputs":[""]})", R"({"inputs":["x."]})",
          R"({"output_type":"y"})", R"({"embedding":[2,4]})"})
        EXPECT_NE(registry.ask(R"({"query":)" + std::string(query) + "}"), "[]") << query;
}

TEST_F(Registry, ALeaseEndsAndIsRenewed) {
    EXPECT_EQ(registry.add(entry("A", R"("lease_until":100.5)")), "");
    EXPECT_EQ(registry.add(entry("B")), "");
    const char *all = R"({"query":{}})";
    EXPECT_EQ(registry.names(all, 100), "A B");
    EXPECT_EQ(registry.names(all, 100.5), "B");
    EXPECT_EQ(registry.names(all), "A B");  // without a clock
    EXPECT_FALSE(registry.agents.renew("A", 300, 100.5));
    EXPECT_TRUE(registry.agents.renew("A", 300, 100));
    EXPECT_FALSE(registry.agents.renew("C", 300, 100));
    EXPECT_EQ(registry.names(all, 299), "A B");
    EXPECT_EQ(registry.document(),
              "[" + entry("A", R"("lease_until":300)") + "," + entry("B") + "]");
    EXPECT_EQ(registry.agents.sweep(299), 0u);
    EXPECT_EQ(registry.agents.sweep(300), 1u);
    EXPECT_EQ(registry.agents.count(), 1u);
    EXPECT_EQ(registry.agents.find("A"), nullptr);
}

// A publication replaces only the embedding, its model and the description.
TEST_F(Registry, Publication) {
    const std::string published = R"({"embedding":[1],"agent":"A","description":"new"})";
    EXPECT_EQ(registry.add(published), "NO_AGENT");
    EXPECT_EQ(registry.add(R"({"embedding":[1],"agent":"A"})"), "MISSING_FIELD");
    EXPECT_EQ(registry.add(entry("A", R"("x":[{"y":1.50}],"embedding":[2,3],"embedding_model":"m",)"
                                      R"("lease_until":9)")),
              "");
    EXPECT_TRUE(registry.agents.note_outcome("A", true));
    EXPECT_EQ(registry.add(published), "");
    EXPECT_EQ(registry.document(),
              R"([{"agent_name":"A","supported_verbs":["v"],"supported_tools":["T"],)"
              R"("inputs":["ctx.i"],"outputs":["o"],"x":[{"y":1.50}],"description":"new",)"
              R"("embedding":[1],"lease_until":9}])");
    EXPECT_EQ(registry.agents.find("A")->outcomes.all, 1u);
    EXPECT_EQ(registry.names(R"({"query":{"embedding":[2,3],"embedding_model":"m"}})"), "");
    EXPECT_EQ(registry.names(R"({"query":{"embedding":[7]}})"), "A");
}

TEST_F(Registry, LexicalBetweenExactAndSimilar) {
    const auto agent = [](const char *name, const char *verb, const char *description) {
        return R"({"agent_name":")" + std::string(name) + R"(","supported_verbs":[")" + verb +
               R"("],"supported_tools":[],"inputs":[],"outputs":[],"description":")" + description +
               R"(","embedding":[1,0]})";
    };
    registry.add(agent("PRICES", "predict_price", "Statistics"));
    registry.add(agent("ORACLE", "foresee", "Predicts the price of hotels"));
    registry.add(agent("COOK", "cook", "Cooks dinner"));
    const char *query = R"({"query":{"verb":"predict_price","embedding":[1,0]}})";
    EXPECT_EQ(registry.names(query), "PRICES COOK ORACLE");
    const std::string said = registry.ask(query, sacp::kNoClock, sacp::kWithLexical);
    EXPECT_EQ(said.find(R"({"agent_name":"ORACLE","match":"lexical","score":)"),
              said.find("ORACLE") - 15);
    EXPECT_EQ(registry.names(query, sacp::kNoClock, sacp::kWithLexical), "PRICES ORACLE COOK");
    EXPECT_EQ(registry.names(R"({"query":{"verb":"dance"}})", 0, sacp::kWithLexical), "");
}

TEST_F(Registry, OutcomesWeigh) {
    for (const char *name : {"A", "B", "C"}) registry.add(entry(name, R"("embedding":[1,1])"));
    EXPECT_FALSE(registry.agents.note_outcome("D", true));
    for (int i = 0; i < 9; ++i) {
        registry.agents.note_outcome("A", i % 2);
        registry.agents.note_outcome("B", i > 0);
    }
    const char *exact = R"({"query":{"verb":"v"}})", *similar = R"({"query":{"embedding":[1,1]}})";
    EXPECT_EQ(registry.names(exact), "A B C");
    EXPECT_EQ(registry.names(exact, 0, sacp::kByOutcomes), "B A C");
    EXPECT_EQ(registry.names(similar, 0, sacp::kByOutcomes), "B A C");
    registry.agents.note_outcome("C", false);  // below unknown ones
    registry.add(entry("D"));
    EXPECT_EQ(registry.names(exact, 0, sacp::kByOutcomes), "B A D C");
    registry.add(entry("B", R"("version":"2")"));  // the same agent
    EXPECT_EQ(registry.names(exact, 0, sacp::kByOutcomes), "B A D C");
}

}  // namespace
