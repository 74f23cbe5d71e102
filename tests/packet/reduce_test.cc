// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Smaller packets: the four strategies with the proposal's examples, layers, versions, and
// properties of all packets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <sstream>

#include "codec/codecs.h"
#include "packet/made_packets.h"

namespace {

using namespace accp_packets;
using accp_ref::Json;

// ---- sources of items

// Removing an item removes its source; lists that no longer match lose their sources.
TEST(PacketLess, SourcesStayInStep) {
    constexpr const char *kFiles =
        "  codebase: {relevant_files: [a/x.c: 'reads, async', a/y.c: 'reads, async', a/z.c: "
        "'reads, "
        "async', b.c: login]}\n";
    constexpr const char *kHashes =
        "  relevant_files: ['sha256:0000000000000001 b.c', 'sha256:0000000000000002 a/x.c']\n";
    const auto fade = [](accp_packet *of) { return accp_packet_fade(of, 1, 1, nullptr); };
    const auto filter = [](accp_packet *of) {
        return accp_packet_filter(of, "login", 5, 0, nullptr, nullptr, nullptr);
    };
    const auto find = [](accp_packet *of) { return accp_packet_extract_patterns(of, 0, nullptr); };
    const auto merge = [](accp_packet *of) { return accp_packet_merge_decisions(of, nullptr); };
    const struct {
        const char *context, *sources;
        std::function<accp_status(accp_packet *)> change;
        const char *gives;
    } cases[] = {
        {"  decisions: [Tabs, Blanks, Lines]\n  constraints: [c]\n",
         "  decisions: ['1:0-4', '2:0-6', '3:0-5']\n  constraints: ['0:0-1']\n", fade,
         R"({"decisions":["2:0-6","3:0-5"],"constraints":["0:0-1"]})"},
        {"  decisions: [Tabs, Blanks, Lines]\n", "  decisions: ['1:0-4']\n  more: [x]\n", fade,
         R"({"more":["x"]})"},  // written by hand
        {"  decisions: [Tabs]\n", "  decisions: ['1:0-4']\n", filter, "{}"},
        {"  codebase: {relevant_files: [weather: rain, b.c: login]}\n",
         "  relevant_files: ['sha256:0000000000000001 b.c', 'sha256:0000000000000002 weather']\n",
         filter, R"({"relevant_files":["sha256:0000000000000001 b.c"]})"},
        {kFiles, kHashes, find, R"({"relevant_files":["sha256:0000000000000001 b.c"]})"},
        {"  decisions: [Use JWT, Use RS256]\n  constraints: [c]\n",
         "  decisions: ['1:0-7', '2:0-9']\n  constraints: ['0:0-1']\n", merge,
         R"({"constraints":["0:0-1"]})"},
        {"  decisions: [Use JWT, Blanks]\n", "  decisions: ['1:0-7', '2:0-6']\n", merge,
         R"({"decisions":["1:0-7","2:0-6"]})"},
    };
    for (const auto &given : cases) {
        const Packet packet =
            read_context(std::string(given.context) + "sources:\n" + given.sources);
        ASSERT_EQ(given.change(packet.get()), ACCP_OK);
        const auto json = accp_ref::parse_json(printed(packet, accp_packet_print_json));
        EXPECT_EQ(accp_ref::write_json(*json->find("sources")), given.gives) << given.context;
    }
}

// ---- merging of decisions

TEST(PacketMerge, DecisionsAboutOneThingAreOne) {
    const Packet packet = read_context(
        "  decisions:\n"
        "    - {choice: Use JWT, reason: Stateless, made_by: orchestrator}\n"
        "    - {choice: Use RS256, reason: secure}\n"
        "    - {choice: 24h expiry, reason: user-specified expiry, made_by: user}\n"
        "    - Store in httpOnly cookie\n"
        "    - Indent with four blanks\n");
    ASSERT_EQ(accp_packet_merge_decisions(packet.get(), nullptr), ACCP_OK);
    const Json context = context_of(packet);
    EXPECT_EQ(accp_ref::write_json(*context.find("decisions")),
              R"([{"choice":"JWT with RS256, 24h expiry, httpOnly cookie storage",)"
              R"("reason":"Stateless + secure + user-specified expiry",)"
              R"("made_by":"orchestrator + user"},{"choice":"Indent with four blanks"}])");
    EXPECT_EQ(accp_ref::write_json(*context.find("merged")),
              R"([{"choice":"JWT with RS256, 24h expiry, httpOnly cookie storage","of":[)"
              R"({"choice":"Use JWT","reason":"Stateless","made_by":"orchestrator"},)"
              R"({"choice":"Use RS256","reason":"secure"},)"
              R"({"choice":"24h expiry","reason":"user-specified expiry","made_by":"user"},)"
              R"({"choice":"Store in httpOnly cookie"}]}])");
    EXPECT_EQ(accp_packet_warnings(packet.get()), 0u);
}

// Decisions that may concern different things are not merged.
TEST(PacketMerge, OthersStayApart) {
    for (const char *decisions : {
             "[Use PostgreSQL, Use SQLite for tests]",            // two things
             "[Use JWT, Use OAuth, 24h expiry]",                  // ambiguous
             "[Use JWT, Session affinity on the load balancer]",  // not only a detail
             "[Use JWT, 24h retention of logs]",                  // of something else
             "[Use JWT, No cookies]",                             // a negation
             "[Use JWT, Use session cookies instead of JWT]",     // rejects it
             "[Use RS256, Store in httpOnly cookie]",             // names no thing
             "[24h expiry, Use JWT]",                             // the detail of another one
             "[Use JWT, Tabs, 24h expiry]",                       // likewise
             "[Use JWT, 24h or 48h]",                             // undecided
             "[Use JWT, Deploy to Kubernetes]",                   // about the project
             "[Use JWT, {choice: Use RS256, superseded: true}]",  // has another member
             "[Use JWT or sessions, Use RS256]",                  // undecided
             "[Use Redis, TTL 60 seconds in the CDN]",            //
             "[Use Kafka, Use Stripe, Use React]",
         }) {
        const Packet packet = read_context(std::string("  decisions: ") + decisions + "\n");
        const std::string before = accp_ref::write_json(*context_of(packet).find("decisions"));
        ASSERT_EQ(accp_packet_merge_decisions(packet.get(), nullptr), ACCP_OK);
        EXPECT_EQ(accp_ref::write_json(*context_of(packet).find("decisions")), before);
        EXPECT_EQ(context_of(packet).find("merged"), nullptr);
    }
}

TEST(PacketMerge, EachThingTakesItsDetails) {
    const struct {
        const char *decisions, *merged;
    } cases[] = {
        {"[Use Redis, 'TTL: 60 seconds']", "Redis with 60s TTL"},
        {"[Use Kafka, 12 partitions, 'Retry limit: 5']", "Kafka with 12 partitions, 5 retry limit"},
        {"[Switch to PostgreSQL, 'Pool size: 20']", "PostgreSQL with 20 pool size"},
        {"[JWT over session tokens, RS256 signing algorithm]",
         "JWT over session tokens with RS256 signing algorithm"},
    };
    for (const auto &given : cases) {
        const Packet packet = read_context(std::string("  decisions: ") + given.decisions + "\n");
        ASSERT_EQ(accp_packet_merge_decisions(packet.get(), nullptr), ACCP_OK);
        const Json context = context_of(packet);
        ASSERT_EQ(context.find("decisions")->items.size(), 1u) << given.decisions;
        EXPECT_EQ(context.find("decisions")->items[0].find("choice")->text, given.merged);
    }
}

// Returns the meaningful words of a text, in lower case.
std::vector<std::string> words_of(const std::string &text) {
    std::vector<std::string> words;
    std::string word;
    for (char c : text + " ") {
        if (std::isalnum(static_cast<unsigned char>(c))) {
            word.push_back(static_cast<char>(std::tolower(c)));
            continue;
        }
        if (word.size() > 1 && word != "use" && word != "in") words.push_back(word);
        word.clear();
    }
    return words;
}

// For random decisions of several topics: nothing is lost, topics are not mixed, and makers are
// kept.
TEST(PacketMerge, NothingIsLostOrMixed) {
    const std::vector<std::vector<std::string>> topics = {
        {"Use JWT", "Use RS256", "24h expiry", "bcrypt", "PKCE"},
        {"Use Redis", "TTL 60 seconds", "LRU eviction"},
        {"Use Kafka", "12 partitions", "Retry limit 5"},
        {"Use Stripe", "Invoice per month", "Currency EUR"},
        {"Rename the module", "Paint it blue", "Ship on Friday", "Frobnicate X-9"},
    };
    std::mt19937_64 random(7);
    const auto below = [&](uint64_t bound) { return random() % bound; };
    for (int round = 0; round < 300; ++round) {
        std::string lines = "  decisions:\n";
        std::vector<std::string> all;
        for (size_t n = 1 + below(8); n; --n) {
            const auto &topic = topics[below(topics.size())];
            const std::string choice = topic[below(topic.size())],
                              reason = "because" + std::to_string(below(50)),
                              by = below(2) ? "user" : "pane-" + std::to_string(below(3));
            lines +=
                "    - {choice: " + choice + ", reason: " + reason + ", made_by: " + by + "}\n";
            all.push_back(choice + " " + reason + " " + by);
        }
        const Packet packet = read_context(lines);
        ASSERT_EQ(accp_packet_merge_decisions(packet.get(), nullptr), ACCP_OK);
        const std::string prompt = printed(packet, accp_packet_print_prompt);
        std::string lower;
        for (char c : prompt) lower.push_back(static_cast<char>(std::tolower(c)));
        for (const std::string &said : all)
            for (const std::string &word : words_of(said))
                ASSERT_TRUE(word == "seconds" || lower.find(word) != std::string::npos)
                    << word << prompt;
        const Json context = context_of(packet);
        for (const Json &decision : context.find("decisions")->items) {
            const std::string choice = decision.find("choice")->text;
            int of = 0;
            for (const char *thing :
                 {"JWT", "Redis", "Kafka", "Stripe", "Rename", "Paint", "Ship", "X-9"})
                of += choice.find(thing) != std::string::npos;
            ASSERT_LE(of, 1) << choice;
        }
    }
}

// ---- patterns

TEST(PacketPatterns, FilesThatSayTheSameAreOnePattern) {
    const Packet packet = read_context(
        "  codebase:\n    relevant_files:\n"
        "      - routes/users.py: \"async handlers, {error, code} format\"\n"
        "      - routes/products.py: \"async handlers, {error, code} format\"\n"
        "      - routes/orders.py: \"async handlers, {error, code} format; locks rows\"\n"
        "      - models/user.py: \"async handlers, {error, code} format\"\n");
    ASSERT_EQ(accp_packet_extract_patterns(packet.get(), 0, nullptr), ACCP_OK);
    const Json context = context_of(packet);
    EXPECT_EQ(accp_ref::write_json(*context.find("codebase")),
              R"({"relevant_files":[{"path":"routes/orders.py","summary":"locks rows"},)"
              R"({"path":"models/user.py","summary":"async handlers, {error, code} format"}],)"
              R"("patterns":["Route handlers are async, use {error, code} format"],)"
              R"("examples":["routes/users.py"]})");
    EXPECT_EQ(accp_ref::write_json(*context.find("not_included")),
              R"(["1 file like routes/users.py: routes/products.py"])");
}

TEST(PacketPatterns, OthersStay) {
    for (const char *files : {
             "[a/x.c: reads frames, a/y.c: reads frames]",                       // only two
             "[a/x.c: reads frames, a/y.c: reads frames, b/z.c: reads frames]",  // two folders
             "[a/x.c: reads frames, a/y.c: reads frames, a/z.c: never reads frames]",  // a negation
             "[a/x.c, a/y.c, a/z.c]",                                                  // no summary
         }) {
        const Packet packet =
            read_context(std::string("  codebase:\n    relevant_files: ") + files + "\n");
        const std::string before = accp_ref::write_json(context_of(packet));
        ASSERT_EQ(accp_packet_extract_patterns(packet.get(), 0, nullptr), ACCP_OK);
        EXPECT_EQ(accp_ref::write_json(context_of(packet)), before);
    }
    EXPECT_EQ(accp_packet_extract_patterns(read_context("").get(), 1, nullptr), ACCP_ERR_ARG);
}

// For random files: each path and each clause is kept somewhere, and no clause is attributed to a
// file without it.
TEST(PacketPatterns, NothingIsLost) {
    const char *const clauses[] = {"async handlers",
                                   "not async handlers",
                                   "{error, code} format",
                                   "locks rows (one, at most)",
                                   "logs calls",
                                   "the",
                                   "no"};
    std::mt19937_64 random(11);
    const auto below = [&](uint64_t bound) { return random() % bound; };
    for (int round = 0; round < 300; ++round) {
        std::string list;
        std::vector<std::pair<std::string, std::string>> said;
        for (size_t n = 2 + below(7); n; --n) {
            const std::string path =
                (below(3) ? "routes/f" : "models/f") + std::to_string(n) + (below(5) ? ".py" : "");
            std::string summary;
            for (size_t k = 1 + below(3); k; --k) {
                const std::string clause = clauses[below(std::size(clauses))];
                summary += (summary.empty() ? "" : ", ") + clause;
                said.emplace_back(path, clause);
            }
            list += "      - {path: '" + path + "', summary: '" + summary + "'}\n";
        }
        const Packet packet = read_context("  codebase:\n    relevant_files:\n" + list);
        ASSERT_EQ(accp_packet_extract_patterns(packet.get(), 2, nullptr), ACCP_OK);
        const std::string prompt = printed(packet, accp_packet_print_prompt);
        for (const auto &[path, clause] : said) {
            ASSERT_NE(prompt.find(path), std::string::npos) << path << "\n" << list << prompt;
            const bool turned = clause == "async handlers" &&
                                prompt.find("handlers are async") != std::string::npos;
            ASSERT_TRUE(turned || prompt.find(clause) != std::string::npos) << clause << "\n"
                                                                            << list << prompt;
        }
    }
}

// ---- age

TEST(PacketFade, ThreeBands) {
    const Packet packet = read_context(
        "  decisions:\n"
        "    - {choice: Use MySQL for now, reason: it is there}\n"
        "    - {choice: Tabs, reason: taste, made_by: user}\n"
        "    - {choice: \"Switch to SQLite\\nas discussed\", reason: no server}\n"
        "    - {choice: Use WAL, reason: readers do not wait}\n"
        "  failed_attempts: [A: b]\n");
    ASSERT_EQ(accp_packet_fade(packet.get(), 1, 1, nullptr), ACCP_OK);
    const Json context = context_of(packet);
    EXPECT_EQ(accp_ref::write_json(*context.find("decisions")),
              R"([{"choice":"Tabs","made_by":"user"},{"choice":"Switch to SQLite"},)"
              R"({"choice":"Use WAL","reason":"readers do not wait"}])");
    EXPECT_EQ(accp_ref::write_json(*context.find("not_included")),
              R"(["1 older decision: MySQL"])");
    EXPECT_EQ(accp_ref::write_json(*context.find("failed_attempts")),
              R"([{"approach":"A","reason_failed":"b"}])");
}

// Also if the user decided together with others.
TEST(PacketFade, MergedDecisionsOfUsersStay) {
    const Packet packet = read_context(
        "  decisions:\n"
        "    - {choice: A, made_by: orchestrator + user}\n"
        "    - {choice: B, made_by: userland}\n");
    ASSERT_EQ(accp_packet_fade(packet.get(), 0, 0, nullptr), ACCP_OK);
    EXPECT_EQ(accp_ref::write_json(*context_of(packet).find("decisions")),
              R"([{"choice":"A","made_by":"orchestrator + user"}])");
}

TEST(PacketFade, TimesGoBeforeOrder) {
    const Packet packet = read_context(
        "  decisions:\n"
        "    - {choice: New, reason: r, at: '2025-03-01T00:00:00Z'}\n"
        "    - {choice: Old, reason: r, at: '2025-01-01T00:00:00Z'}\n");
    ASSERT_EQ(accp_packet_fade(packet.get(), 1, 0, nullptr), ACCP_OK);
    EXPECT_EQ(accp_ref::write_json(*context_of(packet).find("not_included")),
              R"(["1 older decision: Old"])");
}

// ---- relevance

TEST(PacketFilter, KeepsWhatIsAboutTheTask) {
    const Packet packet = read_context(
        "  decisions:\n"
        "    - {choice: JWT over session tokens, reason: Stateless, made_by: orchestrator}\n"
        "    - {choice: Blue for buttons, reason: contrast, made_by: orchestrator}\n"
        "    - {choice: Weekly newsletter, made_by: user}\n"
        "  constraints: [Login stays under 200 ms, Invoices keep their numbers]\n"
        "  codebase: {relevant_files: [routes/auth.py: login and logout, css/nav.css: colours]}\n");
    ASSERT_EQ(accp_packet_filter(packet.get(), "Add JWT login to the endpoint", 29, 0, nullptr,
                                 nullptr, nullptr),
              ACCP_OK);
    const Json context = context_of(packet);
    EXPECT_EQ(
        accp_ref::write_json(context),
        R"({"goal":"g","decisions":[{"choice":"JWT over session tokens","reason":)"
        R"("Stateless","made_by":"orchestrator"}],"constraints":["Login stays under 200 ms"],)"
        R"("codebase":{"relevant_files":[{"path":"routes/auth.py","summary":)"
        R"("login and logout"}]},"not_included":[)"
        R"("1 constraint not about: Add JWT login to the endpoint",)"
        R"("2 decisions not about: Add JWT login to the endpoint",)"
        R"("1 file not about: Add JWT login to the endpoint"]})");
    EXPECT_GT(accp_packet_score(packet.get(), ACCP_PACKET_DECISION, 1), 0.07);
    EXPECT_EQ(accp_packet_score(packet.get(), ACCP_PACKET_DECISION, 2), -1);
    ASSERT_EQ(accp_packet_merge_decisions(packet.get(), nullptr), ACCP_OK);
    ASSERT_EQ(accp_packet_fade(packet.get(), 0, 1, nullptr), ACCP_OK);
    EXPECT_EQ(accp_packet_score(packet.get(), ACCP_PACKET_DECISION, 1), -1);
}

// Items of three tasks in one packet, twelve times (relevance.jsonl): how many of a task's items
// are kept, and how many kept items are its own. The data was written by hand, and the threshold
// was chosen on it.
TEST(PacketFilter, ReachesWhatTheDocumentsSay) {
    std::istringstream lines(
        accp_codecs::read_file(ACCP_SOURCE_DIR "/tests/packet/relevance.jsonl"));
    std::vector<Json> cases;
    for (std::string line; std::getline(lines, line);) cases.push_back(*accp_ref::parse_json(line));
    int own = 0, kept = 0, kept_own = 0;
    for (size_t i = 0; i < cases.size(); ++i) {
        std::string list;
        for (size_t k = 0; k < 3; ++k)
            for (const Json &item :
                 cases[(i + k * cases.size() / 3) % cases.size()].find("items")->items)
                list += (list.empty() ? "" : ",") + accp_ref::write_json(item);
        const Packet packet = read_context("  open_questions: [" + list + "]\n");
        const std::string task = cases[i].find("task")->text;
        ASSERT_EQ(accp_packet_filter(packet.get(), task.data(), task.size(), 0, nullptr, nullptr,
                                     nullptr),
                  ACCP_OK);
        const Json context = context_of(packet);
        const std::vector<Json> &mine = cases[i].find("items")->items;
        own += static_cast<int>(mine.size());
        for (const Json &item : context.find("open_questions")->items) {
            ++kept;
            kept_own += std::any_of(mine.begin(), mine.end(),
                                    [&](const Json &one) { return one.text == item.text; });
        }
    }
    EXPECT_GE(kept_own * 100, own * 50) << kept_own << " of " << own;
    EXPECT_GE(kept_own * 100, kept * 95) << kept_own << " of " << kept;
}

// An embedder for which cats and dogs are alike, and rocks are not, with a fault.
struct Vectors {
    accp_status status = ACCP_OK;
    size_t missing = 0;  // vectors
    size_t dimension = 2;
    float number = 0.5F;
    std::string reason = {};
    bool changes_length = false, changes_model = false;
    int calls = 0;
    std::vector<float> numbers = {};
};
accp_status embed(const accp_text *texts, size_t count, accp_vectors *out, void *user) {
    Vectors &to = *static_cast<Vectors *>(user);
    const size_t dimension = to.dimension + (to.changes_length && to.calls);
    to.numbers.assign(count * dimension, 0);
    for (size_t i = 0; i < count && dimension > 1; ++i) {
        const std::string text(texts[i].text, texts[i].len);
        const bool cat = text.find("cat") != std::string::npos;
        const bool rock = text.find("rock") != std::string::npos;
        to.numbers[i * dimension] = rock ? 0 : cat ? 1.0F : to.number;
        to.numbers[i * dimension + 1] = cat ? 0.5F : 1.0F;
    }
    out->numbers = to.numbers.data();
    out->count = count - to.missing;
    out->dimension = dimension;
    out->model = {to.changes_model && to.calls ? "n" : "m", 1};
    out->reason = {to.reason.data(), to.reason.size()};
    ++to.calls;
    return to.status;
}

TEST(PacketFilter, TakesVectors) {
    const Packet packet = read_context("  constraints: [a cat, a rock, a dog]\n");
    Vectors vectors;
    ASSERT_EQ(accp_packet_filter(packet.get(), "cats", 4, 0.7, embed, &vectors, nullptr), ACCP_OK);
    EXPECT_EQ(vectors.calls, 1);
    EXPECT_EQ(accp_ref::write_json(*context_of(packet).find("constraints")),
              R"(["a cat","a dog"])");
    EXPECT_NEAR(accp_packet_score(packet.get(), ACCP_PACKET_CONSTRAINT, 2), 0.8, 1e-6);
    const std::string before = printed(packet, accp_packet_print_yaml);
    EXPECT_EQ(accp_packet_filter(packet.get(), "cats", 4, 1.5, nullptr, nullptr, nullptr),
              ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_filter(packet.get(), "\xFF", 1, 0, nullptr, nullptr, nullptr),
              ACCP_E1004);
    EXPECT_EQ(printed(packet, accp_packet_print_yaml), before);
}

// Without a threshold, words decide how many items stay (here those of one word, but at least one
// in four), and words and vectors together which.
TEST(PacketFilter, RanksByWordsAndVectors) {
    const Packet packet = read_context(
        "  open_questions: [a rock, old rocks, big rock, two rocks, a dog, grey cat]\n");
    Vectors vectors;
    ASSERT_EQ(accp_packet_filter(packet.get(), "the cat", 7, 0, embed, &vectors, nullptr), ACCP_OK);
    EXPECT_EQ(accp_ref::write_json(*context_of(packet).find("open_questions")),
              R"(["a dog","grey cat"])");
}

// The hook of the config is used if the call has no function.
TEST(PacketFilter, TakesTheHook) {
    Vectors vectors;
    accp_test::Config config;
    config.hooks(accp_test::hooks_for(embed, &vectors));
    accp_packet *made = nullptr;
    ASSERT_EQ(accp_packet_new(config.get(), &made, nullptr), ACCP_OK);
    const Packet packet(made);
    const std::string text =
        printed(read_context("  constraints: [a cat, a rock]\n"), accp_packet_print_json);
    ASSERT_EQ(accp_packet_parse(made, text.data(), text.size(), 0, nullptr), ACCP_OK);
    ASSERT_EQ(accp_packet_filter(made, "cats", 4, 0.7, nullptr, nullptr, nullptr), ACCP_OK);
    EXPECT_EQ(accp_ref::write_json(*context_of(packet).find("constraints")), R"(["a cat"])");
}

// Each fault of an embedder is an error of the call, which changes nothing.
TEST(PacketFilter, RefusesBadVectors) {
    std::string many = "  constraints: [a cat";
    for (int i = 0; i < 80; ++i) many += ", dog " + std::to_string(i);
    many += "]\n";
    const struct {
        Vectors vectors;
        accp_status status;
        const char *message;
    } cases[] = {
        {{ACCP_E9999}, ACCP_E9999, "the embedder has failed"},
        {{ACCP_ERR_IO, 0, 2, 0.5F, "no such host"}, ACCP_ERR_IO, "the embedder: no such host"},
        {{ACCP_OK, 1}, ACCP_ERR_ARG, "the embedder returned fewer vectors than texts"},
        {{ACCP_OK, 0, 0}, ACCP_ERR_ARG, "the embedder returned empty vectors"},
        {{ACCP_OK, 0, 2, NAN},
         ACCP_ERR_ARG,
         "the embedder returned a vector with a number that is not finite"},
        {{ACCP_OK, 0, 2, INFINITY},
         ACCP_ERR_ARG,
         "the embedder returned a vector with a number that is not finite"},
        {{ACCP_OK, 0, 2, 0.5F, "", true},
         ACCP_ERR_ARG,
         "the embedder returned vectors of different lengths"},
        {{ACCP_OK, 0, 2, 0.5F, "", false, true},
         ACCP_ERR_ARG,
         "the embedder changed its model during the call"},
    };
    for (const auto &given : cases) {
        const Packet packet = read_context(many);
        const std::string before = printed(packet, accp_packet_print_yaml);
        Vectors vectors = given.vectors;
        accp_error error = {};
        EXPECT_EQ(accp_packet_filter(packet.get(), "cats", 4, 0, embed, &vectors, &error),
                  given.status)
            << given.message;
        EXPECT_STREQ(error.message, given.message);
        EXPECT_EQ(printed(packet, accp_packet_print_yaml), before);
    }
}

// ---- layers

TEST(PacketLayers, EachIsAskedForAlone) {
    const Packet packet = read_context(kJwtContext);
    std::string all;
    for (uint32_t layer : {1U, 2U, 4U, 8U}) {
        accp_text out = {};
        uint64_t tokens = 0;
        ASSERT_EQ(accp_packet_print_layers(packet.get(), layer, &out, nullptr), ACCP_OK);
        ASSERT_EQ(accp_packet_layer_tokens(packet.get(), layer, &tokens, nullptr), ACCP_OK);
        EXPECT_GT(tokens, 5u);
        EXPECT_LT(tokens, accp_packet_tokens(packet.get()));
        all += (all.empty() ? "" : "\n") + std::string(out.text, out.len);
    }
    EXPECT_EQ(all, printed(packet, accp_packet_print_prompt));
    accp_text out = {};
    ASSERT_EQ(accp_packet_print_layers(packet.get(), ACCP_PACKET_DECISIONS, &out, nullptr),
              ACCP_OK);
    EXPECT_EQ(
        std::string(out.text, out.len),
        "## Decisions\n- JWT over session tokens (user): Stateless, works with planned mobile "
        "app\n- RS256 signing algorithm (orchestrator): Can verify without shared secret\n");
    EXPECT_EQ(accp_packet_print_layers(packet.get(), 0, &out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_print_layers(packet.get(), 16, &out, nullptr), ACCP_ERR_ARG);
}

// ---- versions

TEST(PacketVersions, EachHasTheChangelogOfAllBefore) {
    const Packet first = read_context(
        "  version: 1\n  changelog: [v1: 'Initial: session tokens']\n"
        "  decisions: [Session tokens: simple]\n");
    const Packet second = read_context("  decisions: [JWT: stateless]\n");
    const Packet third = read_context("  decisions: [JWT: signed, RS256: no shared secret]\n");
    const std::string notes[] = {"Changed to JWT per user request", "Added RS256 requirement"};
    ASSERT_EQ(
        accp_packet_revise(second.get(), first.get(), notes[0].data(), notes[0].size(), nullptr),
        ACCP_OK);
    ASSERT_EQ(
        accp_packet_revise(third.get(), second.get(), notes[1].data(), notes[1].size(), nullptr),
        ACCP_OK);
    EXPECT_NE(printed(third, accp_packet_print_yaml)
                  .find("  version: 3\n  changelog:\n    - v1: \"Initial: session tokens\"\n"
                        "    - v2: Changed to JWT per user request\n"
                        "    - v3: Added RS256 requirement\n"),
              std::string::npos)
        << printed(third, accp_packet_print_yaml);
    accp_text out = {};
    ASSERT_EQ(accp_packet_print_diff(third.get(), second.get(), &out, nullptr), ACCP_OK);
    EXPECT_EQ(std::string(out.text, out.len),
              R"({"versions":[2,3],"decisions":{"added":[{"choice":"RS256","reason":)"
              R"("no shared secret"}],"changed":[{"from":{"choice":"JWT","reason":"stateless"},)"
              R"("to":{"choice":"JWT","reason":"signed"}}]}})");
    ASSERT_EQ(accp_packet_print_diff(second.get(), first.get(), &out, nullptr), ACCP_OK);
    EXPECT_EQ(std::string(out.text, out.len),
              R"({"versions":[1,2],"decisions":{"added":[{"choice":"JWT","reason":"stateless"}],)"
              R"("removed":[{"choice":"Session tokens","reason":"simple"}]}})");
    EXPECT_EQ(accp_packet_revise(third.get(), first.get(), " ", 1, nullptr), ACCP_ERR_ARG);
}

}  // namespace
