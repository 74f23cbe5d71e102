// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registry of agents against a model of it that is slow and plain; leases, publications,
// refusals, and what ranking may be asked for beyond the rules.
#include "registry.h"

#include "capability_model.h"

namespace {

using namespace accp;
using accp_model::Agent;
using accp_model::Query;
using accp_model::Texts;
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

// A threshold that a cosine meets exactly, and cosines that are equal, are not told apart by how
// doubles are rounded.
TEST_F(Registry, RoundingDecidesNothing) {
    EXPECT_EQ(registry.add(entry("B", R"("embedding":[0.3,0.3,0.3])")), "");
    EXPECT_EQ(registry.add(entry("A", R"("embedding":[0.7,0.7,0.7])")), "");
    EXPECT_EQ(registry.add(entry("C", R"("embedding":[1e-7,1e-7,1e-7])")), "");
    EXPECT_EQ(registry.names(R"({"query":{"embedding":[5,5,5],"threshold":1}})"), "A B C");
    EXPECT_EQ(registry.add(entry("D", R"("embedding":[0.6,0.8])")), "");
    EXPECT_EQ(registry.names(R"({"query":{"embedding":[9,0],"threshold":0.6}})"), "D");
    EXPECT_EQ(registry.names(R"({"query":{"embedding":[0,0.1],"threshold":0.8}})"), "D");
}

// Names with NUL, quotes and member names in them are names.
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

// A publication replaces what it is about, and nothing else.
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
    const std::string said = registry.ask(query, plan::kNoClock, plan::kWithLexical);
    EXPECT_EQ(said.find(R"({"agent_name":"ORACLE","match":"lexical","score":)"),
              said.find("ORACLE") - 15);
    EXPECT_EQ(registry.names(query, plan::kNoClock, plan::kWithLexical), "PRICES ORACLE COOK");
    EXPECT_EQ(registry.names(R"({"query":{"verb":"dance"}})", 0, plan::kWithLexical), "");
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
    EXPECT_EQ(registry.names(exact, 0, plan::kByOutcomes), "B A C");
    EXPECT_EQ(registry.names(similar, 0, plan::kByOutcomes), "B A C");
    registry.agents.note_outcome("C", false);  // below who is not known
    registry.add(entry("D"));
    EXPECT_EQ(registry.names(exact, 0, plan::kByOutcomes), "B A D C");
    registry.add(entry("B", R"("version":"2")"));  // the agent is the same
    EXPECT_EQ(registry.names(exact, 0, plan::kByOutcomes), "B A D C");
}

// ------------------------------------------------------------- against the model

std::string json_of(const Texts &texts) {
    std::string json = "[";
    for (const std::string &text : texts) json += (json.size() > 1 ? ",\"" : "\"") + text + "\"";
    return json + "]";
}

std::string json_of(const std::vector<double> &numbers) {
    std::string json = "[";
    for (double number : numbers) json += (json.size() > 1 ? "," : "") + std::to_string(number);
    return json + "]";
}

class RandomAgents {
public:
    explicit RandomAgents(uint64_t seed) : random_(seed) {}

    Agent agent() {
        Agent made;
        made.name = name();
        made.verbs = texts("pqr");
        made.tools = texts("PQR");
        made.inputs = paths();
        made.outputs = paths();
        made.tags = texts("xyz");
        made.confidence = static_cast<double>(random_.below(4)) / 4;
        if (random_.below(3) == 0) made.lease_until = random_.below(10);
        if (random_.below(2)) made.model = random_.below(2) ? "m" : "";
        if (random_.below(4)) made.embedding = embedding();
        return made;
    }
    Query query() {
        Query made;
        if (random_.below(3) == 0) made.verb = random_.text("pqr", 1);
        if (random_.below(4) == 0) made.tool = random_.text("PQR", 1);
        if (random_.below(4) == 0) made.inputs = paths();
        if (random_.below(4) == 0) made.output = path();
        if (random_.below(5) == 0) made.tags = texts("xyz");
        if (random_.below(5) == 0) made.min_confidence = static_cast<double>(random_.below(4)) / 4;
        if (random_.below(2)) made.model = random_.below(2) ? "m" : "";
        if (random_.below(3)) made.embedding = embedding();
        made.threshold = static_cast<double>(random_.below(9)) / 4 - 1;
        if (random_.below(3) == 0) made.top = 1 + random_.below(6);
        return made;
    }
    std::string name() { return random_.text("ABC", 1 + random_.below(3)); }
    size_t below(size_t bound) { return random_.below(bound); }

private:
    Texts texts(std::string_view alphabet) {
        Texts made(random_.below(3));
        for (std::string &text : made) text = random_.text(alphabet, 1);
        return made;
    }
    std::string path() {
        return random_.below(2) ? random_.text("ab", 1)
                                : random_.text("cd", 1) + "." + random_.text("ab", 1);
    }
    Texts paths() {
        Texts made(random_.below(3));
        for (std::string &text : made) text = path();
        return made;
    }
    // of few numbers, so that cosines meet thresholds and each other
    std::vector<double> embedding() {
        std::vector<double> made(1 + random_.below(3));
        for (double &x : made) x = static_cast<double>(random_.below(5)) - 2;
        return made;
    }

    accp_unit::Random random_;
};

std::string json_of(const Agent &agent) {
    std::string json =
        R"({"agent_name":")" + agent.name + R"(","supported_verbs":)" + json_of(agent.verbs) +
        R"(,"supported_tools":)" + json_of(agent.tools) + R"(,"inputs":)" + json_of(agent.inputs) +
        R"(,"outputs":)" + json_of(agent.outputs) + R"(,"description":"","tags":)" +
        json_of(agent.tags) + R"(,"confidence_score":)" + std::to_string(agent.confidence);
    if (agent.lease_until) json += R"(,"lease_until":)" + std::to_string(*agent.lease_until);
    if (agent.model) json += R"(,"embedding_model":")" + *agent.model + "\"";
    if (!agent.embedding.empty()) json += R"(,"embedding":)" + json_of(agent.embedding);
    return json + "}";
}

std::string json_of(const Query &query) {
    std::string json = R"({"query":{"threshold":)" + std::to_string(query.threshold);
    if (query.verb) json += R"(,"verb":")" + *query.verb + "\"";
    if (query.tool) json += R"(,"tool":")" + *query.tool + "\"";
    if (query.output) json += R"(,"output_type":")" + *query.output + "\"";
    if (query.inputs) json += R"(,"inputs":)" + json_of(*query.inputs);
    if (query.tags) json += R"(,"tags":)" + json_of(*query.tags);
    if (query.min_confidence)
        json += R"(,"min_confidence":)" + std::to_string(*query.min_confidence);
    if (query.model) json += R"(,"embedding_model":")" + *query.model + "\"";
    if (!query.embedding.empty()) json += R"(,"embedding":)" + json_of(query.embedding);
    if (query.top) json += R"(,"top_k":)" + std::to_string(query.top);
    return json + "}}";
}

void expect_same(AgentRegistry &registry, const std::map<std::string, Agent> &model,
                 const Query &query, double now) {
    registry.ask(json_of(query), now);
    const std::vector<accp_model::Answer> wanted = accp_model::ask(model, query, now);
    ASSERT_EQ(registry.found.size(), wanted.size()) << json_of(query);
    for (size_t i = 0; i < wanted.size(); ++i) {
        const plan::Found &got = registry.found[i];
        EXPECT_EQ(got.agent->name(), wanted[i].name) << json_of(query);
        EXPECT_EQ(got.match == plan::Match::kExact, wanted[i].exact);
        if (!wanted[i].exact) {
            EXPECT_NEAR(got.score, wanted[i].score, 1e-9);
        }
    }
}

TEST(RegistryModel, RandomRegistriesAnswerAsTheModel) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
        accp_unit::Room room;
        AgentRegistry registry(room.memory);
        std::map<std::string, Agent> model;
        RandomAgents random(seed);
        for (int step = 0; step < 120; ++step) {
            const size_t what = random.below(8);
            if (what < 5) {
                const Agent agent = random.agent();
                ASSERT_EQ(registry.add(json_of(agent)), "");
                model[agent.name] = agent;
            } else if (what == 5) {
                const std::string name = random.name();
                ASSERT_EQ(registry.agents.remove(name), model.erase(name) == 1);
            }
            ASSERT_EQ(registry.agents.count(), model.size());
            ASSERT_NO_FATAL_FAILURE(
                expect_same(registry, model, random.query(), double(random.below(11))));
        }
        // what it writes is what it is
        AgentRegistry again(room.memory);
        ASSERT_EQ(again.load(registry.document()), "");
        EXPECT_EQ(again.document(), registry.document());
        for (int i = 0; i < 20; ++i)
            ASSERT_NO_FATAL_FAILURE(expect_same(again, model, random.query(), 5));
    }
}

}  // namespace
