// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compares random registries and queries with a slow and simple model.
#include "sacp/agents/capability_model.h"
#include "sacp/agents/registry.h"

namespace {

using namespace accp;
using accp_model::Agent;
using accp_model::Query;
using accp_model::Texts;
using accp_unit::AgentRegistry;

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
    // uses few different numbers, so that cosines are often equal to thresholds and to each other
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
        const sacp::FoundAgent &got = registry.found[i];
        EXPECT_EQ(got.agent->name(), wanted[i].name) << json_of(query);
        EXPECT_EQ(got.match == sacp::Match::kExact, wanted[i].exact);
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
        // reading its own output gives the same registry
        AgentRegistry again(room.memory);
        ASSERT_EQ(again.load(registry.document()), "");
        EXPECT_EQ(again.document(), registry.document());
        for (int i = 0; i < 20; ++i)
            ASSERT_NO_FATAL_FAILURE(expect_same(again, model, random.query(), 5));
    }
}

}  // namespace
