// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registry of agents through the C interface: errors, views, handles that share a store, and
// processes that share a file.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "config.h"
#include "failing_allocator.h"

namespace {

struct FreeRegistry {
    void operator()(accp_capabilities *held) const { accp_capabilities_close(held); }
    void operator()(accp_store *held) const { accp_store_close(held, nullptr); }
};
using Agents = std::unique_ptr<accp_capabilities, FreeRegistry>;
using Store = std::unique_ptr<accp_store, FreeRegistry>;

std::string text_of(accp_text text) { return {text.text, text.len}; }

std::string entry(const std::string &name, const std::string &more = "") {
    return R"({"agent_name":")" + name +
           R"(","supported_verbs":["v"],"supported_tools":["T"],"inputs":[],"outputs":[],)"
           R"("description":"d")" +
           (more.empty() ? "" : "," + more) + "}";
}

Store open_store(const std::string &name) {
    accp_store *made = nullptr;
    EXPECT_EQ(accp_store_open(name.data(), name.size(), 0, nullptr, &made, nullptr), ACCP_OK);
    return Store(made);
}

Agents open_agents(accp_store *store = nullptr, const accp_config *config = nullptr) {
    accp_capabilities *made = nullptr;
    accp_error err = {};
    EXPECT_EQ(accp_capabilities_open(store, config, &made, &err), ACCP_OK) << err.message;
    return Agents(made);
}

accp_status add(const Agents &agents, const std::string &json, accp_error *err = nullptr) {
    return accp_capabilities_register(agents.get(), json.data(), json.size(), err);
}

std::string ask(const Agents &agents, const std::string &query, int64_t now_ms = ACCP_NO_CLOCK,
                uint32_t ranking = 0) {
    const std::string json = R"({"query":)" + query + "}";
    accp_text out = {};
    const accp_status status = accp_capabilities_query(agents.get(), json.data(), json.size(),
                                                       now_ms, ranking, &out, nullptr);
    return status == ACCP_OK ? text_of(out) : accp_status_code_name(status);
}

std::string names(const Agents &agents, const std::string &query, int64_t now_ms = ACCP_NO_CLOCK,
                  uint32_t ranking = 0) {
    ask(agents, query, now_ms, ranking);
    std::string all;
    accp_found_agent found;
    for (size_t i = 0; accp_capabilities_found(agents.get(), i, &found, nullptr) == ACCP_OK; ++i)
        all += text_of(found.name);
    return all;
}

// An embedder for which texts about plants are alike, and texts about money.
struct TopicVectors {
    accp_status status = ACCP_OK;
    std::string model = "topics";
    int calls = 0;
    float vector[2] = {};
};
accp_status embed_topic(const accp_text *texts, size_t count, accp_vectors *out, void *user) {
    TopicVectors &to = *static_cast<TopicVectors *>(user);
    ++to.calls;
    const std::string text = text_of(texts[0]);
    const bool is_plant = text.find("lawn") != text.npos || text.find("rose") != text.npos;
    to.vector[0] = is_plant ? 1 : 0.1F;
    to.vector[1] = is_plant ? 0.1F : 1;
    out->numbers = to.vector;
    out->count = count;
    out->dimension = 2;
    out->model = {to.model.data(), to.model.size()};
    return to.status;
}

std::string described(const std::string &name, const std::string &description,
                      const std::string &more = "") {
    std::string json = entry(name, more);
    json.replace(json.find(R"("d")"), 3, "\"" + description + "\"");
    return json;
}

// Texts in, vectors stored with the name of their model.
TEST(Capabilities, AreFoundByMeaning) {
    TopicVectors topics;
    accp_test::Config config;
    config.hooks(accp_test::hooks_for(embed_topic, &topics));
    const Agents agents = open_agents(nullptr, config.get());
    ASSERT_EQ(add(agents, described("GARDENER", "Cuts the lawn")), ACCP_OK);
    ASSERT_EQ(add(agents, described("LEDGER", "Adds up invoices")), ACCP_OK);
    EXPECT_EQ(topics.calls, 2);
    // an entry with an embedding keeps it, and is not compared with those of another model
    ASSERT_EQ(
        add(agents, described("OTHER", "Roses", R"("embedding":[1,0.1],"embedding_model":"x")")),
        ACCP_OK);
    EXPECT_EQ(topics.calls, 2);
    EXPECT_EQ(names(agents, R"({"verb":"none","text":"my roses are dry"})"), "GARDENER");
    EXPECT_EQ(names(agents, R"({"verb":"none","text":"what do I owe"})"), "LEDGER");
    accp_text out = {};
    ASSERT_EQ(accp_capabilities_print(agents.get(), &out, nullptr), ACCP_OK);
    EXPECT_NE(text_of(out).find(R"("embedding":[1,0.1],"embedding_model":"topics")"),
              std::string::npos)
        << text_of(out);
    // a query by text may have a threshold, and no embedding
    EXPECT_EQ(names(agents, R"({"verb":"none","text":"roses","threshold":0.1})"), "GARDENERLEDGER");
    EXPECT_EQ(ask(agents, R"({"text":"roses","embedding":[1,0]})"), "E1001");
    EXPECT_EQ(ask(agents, R"({"text":7})"), "E1004");
    EXPECT_EQ(ask(open_agents(), R"({"text":"roses"})"), "ERR_ARG");
}

// Errors of the embedder are those of the call, which changes nothing.
TEST(Capabilities, EmbedderFails) {
    TopicVectors topics;
    accp_test::Config config;
    config.hooks(accp_test::hooks_for(embed_topic, &topics));
    const Agents agents = open_agents(nullptr, config.get());
    ASSERT_EQ(add(agents, described("GARDENER", "Cuts the lawn")), ACCP_OK);
    topics.status = ACCP_ERR_IO;
    EXPECT_EQ(add(agents, described("GARDENER", "Waters roses")), ACCP_ERR_IO);
    EXPECT_EQ(ask(agents, R"({"text":"roses"})"), "ERR_IO");
    EXPECT_EQ(names(agents, "{}"), "GARDENER");
    accp_text out = {};
    ASSERT_EQ(accp_capabilities_print(agents.get(), &out, nullptr), ACCP_OK);
    EXPECT_NE(text_of(out).find("Cuts the lawn"), std::string::npos);
    // a refused entry has its offset in the caller's text
    topics.status = ACCP_OK;
    accp_error err = {};
    const std::string bad = described("A", "Cuts the lawn", R"("tags":1)");
    EXPECT_EQ(add(agents, bad, &err), ACCP_E1004);
}

// An embedder that uses the registry that calls it, and closes it if `closes` is set.
struct Intruder {
    accp_capabilities *agents = nullptr;
    bool closes = false;
    std::string said;
};
accp_status embed_and_intrude(const accp_text *, size_t count, accp_vectors *out, void *user) {
    static const float kNumbers[2] = {1, 0};
    Intruder &self = *static_cast<Intruder *>(user);
    const std::string json = described("INTRUDER", "Comes in between");
    accp_text text = {};
    accp_error err = {};
    self.said = accp_status_code_name(
        accp_capabilities_register(self.agents, json.data(), json.size(), &err));
    self.said += accp_status_code_name(accp_capabilities_print(self.agents, &text, &err));
    if (self.closes) accp_capabilities_close(self.agents);
    out->numbers = kNumbers;
    out->count = count;
    out->dimension = 2;
    out->model = {"m", 1};
    return ACCP_OK;
}

// Its embedder may not use the registry. It may close it, which then ends with the call.
TEST(Capabilities, AreBusyAndKeptWhileTheyEmbed) {
    Intruder intruder;
    accp_test::Config config;
    config.hooks(accp_test::hooks_for(embed_and_intrude, &intruder));
    for (const bool queries : {false, true}) {
        Agents agents = open_agents(nullptr, config.get());
        intruder = {agents.get(), false, ""};
        ASSERT_EQ(add(agents, described("GARDENER", "Cuts the lawn")), ACCP_OK);
        EXPECT_EQ(intruder.said, "ERR_BUSYERR_BUSY");
        EXPECT_EQ(names(agents, R"({"text":"roses"})"), "GARDENER");
        intruder.closes = true;
        if (queries) {
            EXPECT_EQ(ask(agents, R"({"text":"roses"})"), "ERR_CLOSED");
        } else {
            EXPECT_EQ(add(agents, described("LEDGER", "Adds up invoices")), ACCP_OK);
        }
        EXPECT_EQ(intruder.said, "ERR_BUSYERR_BUSY");
        (void)agents.release();
    }
}

// A call without memory changes no output, also if its result was complete before.
TEST(Capabilities, FailuresChangeNoOutput) {
    const std::string query = R"({"query":{"verb":"v"}})";
    const Store store = open_store("memory:");
    ASSERT_EQ(add(open_agents(store.get()), entry("A")), ACCP_OK);
    for (int call = 0; call < 3; ++call) {
        int failures = 0;
        for (int64_t at = 0;; ++at, ++failures) {
            accp_test::Failing failing;
            accp_test::Config config;
            config.allocator(failing.allocator());
            const Agents agents = open_agents(store.get(), config.get());
            accp_text out = {nullptr, 7};
            uint64_t count = 7;
            failing.left = at;
            const accp_status status =
                call == 0 ? accp_capabilities_query(agents.get(), query.data(), query.size(), 0, 0,
                                                    &out, nullptr)
                : call == 1 ? accp_capabilities_print(agents.get(), &out, nullptr)
                            : accp_capabilities_expire(agents.get(), 2000, &count, nullptr);
            failing.left = -1;
            if (status == ACCP_OK) break;
            ASSERT_EQ(status, ACCP_ERR_NOMEM);
            EXPECT_EQ(out.len, 7u) << call << " " << at;
            EXPECT_EQ(count, 7u) << at;
        }
        EXPECT_GT(failures, 0) << call;
    }
}

TEST(Capabilities, RefusalsAreVerdicts) {
    const Agents agents = open_agents();
    const struct {
        std::string json;
        accp_status status;
        const char *code;
    } cases[] = {
        {"{", ACCP_E1001, "MALFORMED_MESSAGE"},
        {"[]", ACCP_E1001, "MALFORMED_MESSAGE"},
        {R"({"agent_name":"A","agent_name":"A"})", ACCP_E1001, "MALFORMED_MESSAGE"},
        {std::string(2000, '['), ACCP_E1001, "LIMIT"},
        {"{}", ACCP_E1004, "MISSING_FIELD"},
        {entry("A", R"("tags":1)"), ACCP_E1004, "INVALID_TYPE"},
        {R"({"agent":"A","embedding":[1],"description":""})", ACCP_E4001, "NO_AGENT"},
    };
    for (const auto &given : cases) {
        accp_error err = {};
        EXPECT_EQ(add(agents, given.json, &err), given.status) << given.json;
        EXPECT_EQ(err.code, given.status);
        EXPECT_NE(text_of(accp_capabilities_verdict(agents.get()))
                      .find("\"code\":\"" + std::string(given.code) + "\""),
                  std::string::npos);
    }
    EXPECT_EQ(accp_capabilities_count(agents.get()), 0u);
    EXPECT_EQ(ask(agents, R"({"top_k":0})"), "E1004");
    EXPECT_EQ(accp_capabilities_found_count(agents.get()), 0u);
    // a long name is shown in part, cut between characters
    std::string name = "a";
    for (int i = 0; i < 40; ++i) name += "\u00e4";
    EXPECT_EQ(ask(agents, "{\"" + name + "\":1}"), "E1001");
    accp_value *value = nullptr;
    const accp_text verdict = accp_capabilities_verdict(agents.get());
    ASSERT_EQ(accp_value_new(nullptr, &value, nullptr), ACCP_OK);
    EXPECT_EQ(accp_value_parse_json(value, verdict.text, verdict.len, nullptr), ACCP_OK);
    accp_value_free(value);
    accp_error err = {};
    const std::string list = "[" + entry("A") + "," + entry("B") + ",{}," + entry("C") + "]";
    EXPECT_EQ(accp_capabilities_register_all(agents.get(), list.data(), list.size(), &err),
              ACCP_E1004);
    EXPECT_EQ(err.record, 2u);
    EXPECT_EQ(names(agents, "{}"), "AB");
    EXPECT_EQ(accp_capabilities_remove(agents.get(), "A", 1, nullptr), ACCP_OK);
    EXPECT_EQ(accp_capabilities_found_count(agents.get()),
              0u);  // the views are invalid after the change
}

TEST(Capabilities, Misuse) {
    const Agents agents = open_agents();
    accp_text out = {};
    uint64_t count = 7;
    EXPECT_EQ(accp_capabilities_open(nullptr, nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_capabilities_register(nullptr, "{}", 2, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_capabilities_register(agents.get(), nullptr, 2, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_capabilities_query(agents.get(), "{}", 2, 0, 4, &out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_capabilities_query(agents.get(), "{}", 2, -2, 0, &out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_capabilities_expire(agents.get(), -1, &count, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_capabilities_record_outcome(agents.get(), "A", 1, 2, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_capabilities_renew(agents.get(), "A", 1, -1, 0, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_capabilities_remove(agents.get(), "A", 1, nullptr), ACCP_E2001);
    EXPECT_EQ(accp_capabilities_renew(agents.get(), "A", 1, 5, 0, nullptr), ACCP_E2001);
    EXPECT_EQ(accp_capabilities_record_outcome(agents.get(), "A", 1, 1, nullptr), ACCP_E2001);
    ASSERT_EQ(add(agents, entry("A")), ACCP_OK);
    ASSERT_EQ(accp_capabilities_print(agents.get(), &out, nullptr), ACCP_OK);
    EXPECT_EQ(accp_capabilities_register_all(agents.get(), out.text, out.len, nullptr),
              ACCP_ERR_ARG);
    EXPECT_EQ(text_of(out), "[" + entry("A") + "]");
    EXPECT_EQ(count, 7u);
    EXPECT_EQ(accp_capabilities_count(nullptr), 0u);
    EXPECT_EQ(accp_capabilities_verdict(nullptr).len, 0u);
    accp_capabilities_close(nullptr);
}

TEST(Capabilities, HandlesOnOneStoreHaveOneRegistry) {
    const Store store = open_store("memory:");
    const Agents one = open_agents(store.get()), other = open_agents(store.get());
    EXPECT_EQ(add(one, entry("A", R"("lease_until":100,"embedding":[1,0])")), ACCP_OK);
    EXPECT_EQ(add(other, entry("B")), ACCP_OK);
    EXPECT_EQ(add(other, R"({"agent":"A","embedding":[0,1],"description":"new"})"), ACCP_OK);
    EXPECT_EQ(names(one, R"({"embedding":[0,2]})"), "A");
    EXPECT_EQ(names(one, "{}", 100'000), "B");
    EXPECT_EQ(accp_capabilities_renew(other.get(), "A", 1, 200'500, 99'999, nullptr), ACCP_OK);
    EXPECT_EQ(names(one, "{}", 200'499), "AB");
    EXPECT_EQ(accp_capabilities_record_outcome(one.get(), "B", 1, 1, nullptr), ACCP_OK);
    EXPECT_EQ(names(other, "{}", 0, ACCP_RANK_BY_OUTCOMES), "BA");
    EXPECT_EQ(accp_capabilities_remove(other.get(), "B", 1, nullptr), ACCP_OK);
    EXPECT_EQ(accp_capabilities_remove(one.get(), "B", 1, nullptr), ACCP_E2001);
    const Agents late = open_agents(store.get());
    EXPECT_EQ(names(late, "{}"), "A");
    uint64_t count = 0;
    EXPECT_EQ(accp_capabilities_expire(late.get(), 200'500, &count, nullptr), ACCP_OK);
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(names(one, "{}"), "");
}

// Calls everything once. Returns ACCP_OK or the first failure, which must be ACCP_ERR_NOMEM.
accp_status use_all(accp_store *store, const accp_config *config) {
    accp_capabilities *made = nullptr;
    accp_status status = accp_capabilities_open(store, config, &made, nullptr);
    const Agents agents(made);
    const std::string list = "[" + entry("A", R"("embedding":[1,2])") + "," + entry("B") + "]",
                      query = R"({"query":{"verb":"v","embedding":[1,1]}})";
    accp_text out = {};
    uint64_t count = 0;
    accp_capabilities *held = agents.get();
    if (status == ACCP_OK)
        status = accp_capabilities_register_all(held, list.data(), list.size(), nullptr);
    if (status == ACCP_OK)
        status = accp_capabilities_renew(held, "A", 1, 9000, ACCP_NO_CLOCK, nullptr);
    if (status == ACCP_OK) status = accp_capabilities_record_outcome(held, "A", 1, 0, nullptr);
    if (status == ACCP_OK)
        status = accp_capabilities_query(held, query.data(), query.size(), 0, 3, &out, nullptr);
    if (status == ACCP_OK) status = accp_capabilities_print(held, &out, nullptr);
    if (status == ACCP_OK) status = accp_capabilities_expire(held, 9000, &count, nullptr);
    if (status == ACCP_OK) status = accp_capabilities_remove(held, "B", 1, nullptr);
    if (status == ACCP_OK) {
        EXPECT_EQ(count, 1u);
        EXPECT_EQ(accp_capabilities_count(held), 0u);
    }
    return status;
}

// An outcome is recorded under the name in the result of a search. The name is a view into the
// handle and stays valid after another handle registers that agent again.
TEST(Capabilities, WhoWasFoundIsNamedByTheAnswer) {
    const auto note = [](accp_capabilities *of, accp_text who) {
        return accp_capabilities_record_outcome(of, who.text, who.len, 1, nullptr);
    };
    const auto renew = [](accp_capabilities *of, accp_text who) {
        return accp_capabilities_renew(of, who.text, who.len, 2000, 1, nullptr);
    };
    const auto remove = [](accp_capabilities *of, accp_text who) {
        return accp_capabilities_remove(of, who.text, who.len, nullptr);
    };
    const accp_allocator clearing = {[](size_t size, void *) { return std::malloc(size); },
                                     [](void *memory, size_t size, void *) {
                                         if (memory) std::memset(memory, '?', size);
                                         std::free(memory);
                                     },
                                     nullptr};
    accp_test::Config config;
    config.allocator(clearing);
    for (accp_status (*call)(accp_capabilities *, accp_text) : {+note, +renew, +remove}) {
        const Store store = open_store("memory:");
        const Agents ours = open_agents(store.get(), config.get()),
                     others = open_agents(store.get());
        ASSERT_EQ(add(others, entry("A")), ACCP_OK);
        accp_found_agent found = {};
        ask(ours, "{}");
        ASSERT_EQ(accp_capabilities_found(ours.get(), 0, &found, nullptr), ACCP_OK);
        ASSERT_EQ(add(others, entry("A", R"("lease_until":1)")), ACCP_OK);
        EXPECT_EQ(call(ours.get(), found.name), ACCP_OK);
    }
}

TEST(Capabilities, WithoutMemory) {
    for (const bool is_stored : {false, true}) {
        accp_status status = ACCP_ERR_NOMEM;
        for (int64_t at = 0; status == ACCP_ERR_NOMEM && at < 2000; ++at) {
            const Store store = is_stored ? open_store("memory:") : nullptr;
            accp_test::Failing scarce;
            const accp_allocator allocator = scarce.allocator();
            accp_config *config = nullptr;
            ASSERT_EQ(accp_config_new(&config, nullptr), ACCP_OK);
            ASSERT_EQ(accp_config_set_allocator(config, &allocator, nullptr), ACCP_OK);
            scarce.left = at;
            status = use_all(store.get(), config);
            scarce.left = -1;
            accp_config_free(config);
            EXPECT_EQ(scarce.live, 0) << at;
        }
        EXPECT_EQ(status, ACCP_OK);
    }
}

#if ACCP_SQLITE
// Processes register, renew and remove agents at the same time. Each change is applied once, and
// all processes end with the same registry.
TEST(Capabilities, ProcessesShareAFile) {
    std::string directory = testing::TempDir() + "accp-capabilities-XXXXXX";
    ASSERT_NE(mkdtemp(directory.data()), nullptr);
    const std::string place = "sqlite:" + directory + "/store";
    constexpr int kProcesses = 4, kAgents = ACCP_SANITIZED ? 10 : 60;
    std::vector<pid_t> children;
    for (int process = 0; process < kProcesses; ++process) {
        const pid_t child = fork();
        if (child == 0) {
            const Store store = open_store(place);
            const Agents agents = open_agents(store.get());
            bool good = true;
            for (int i = 0; i < kAgents; ++i) {
                const std::string name = std::to_string(process) + "-" + std::to_string(i);
                good &= add(agents, entry(name)) == ACCP_OK;
                good &= add(agents, entry("shared")) == ACCP_OK;
                good &= accp_capabilities_record_outcome(agents.get(), "shared", 6, i % 2,
                                                         nullptr) == ACCP_OK;
                if (i % 3 == 0)
                    good &= accp_capabilities_remove(agents.get(), name.data(), name.size(),
                                                     nullptr) == ACCP_OK;
            }
            _exit(good ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    {
        const Store store = open_store(place);
        const Agents agents = open_agents(store.get());
        EXPECT_EQ(accp_capabilities_count(agents.get()),
                  1u + kProcesses * (kAgents - (kAgents + 2) / 3));
        ask(agents, R"({"verb":"v","top_k":1000})");
        accp_found_agent found = {};
        size_t i = 0;
        while (accp_capabilities_found(agents.get(), i, &found, nullptr) == ACCP_OK &&
               text_of(found.name) != "shared")
            ++i;
        EXPECT_EQ(found.outcomes, uint64_t{kProcesses * kAgents});
        EXPECT_EQ(found.successes, uint64_t{kProcesses * (kAgents / 2)});
    }
    std::filesystem::remove_all(directory);
}
#endif

}  // namespace
