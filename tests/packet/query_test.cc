// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Questions to packets: the proposal's example, each kind, questions that no item matches, and
// results through references.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "codec/codecs.h"
#include "packet/made_packets.h"

namespace {

using namespace accp_packets;

struct FreeIndex {
    void operator()(accp_packet_index *index) const { accp_packet_index_free(index); }
};
using Index = std::unique_ptr<accp_packet_index, FreeIndex>;

Index new_index(const accp_config *config = nullptr) {
    accp_packet_index *made = nullptr;
    EXPECT_EQ(accp_packet_index_new(config, &made, nullptr), ACCP_OK);
    return Index(made);
}

std::string checksum_of(const Packet &packet) {
    const accp_text sum = accp_packet_checksum(packet.get());
    return {sum.text, sum.len};
}

// Returns the JSON or the name of the error.
std::string ask(const Index &index, const std::string &question, const std::string &from = "") {
    accp_text out = {};
    accp_error error = {};
    const accp_status status = accp_packet_index_query(
        index.get(), question.data(), question.size(), from.data(), from.size(), &out, &error);
    return status == ACCP_OK ? std::string(out.text, out.len) : accp_status_code_name(status);
}

std::string answer(const Index &index, const std::string &question, const std::string &from = "") {
    const std::string json = ask(index, question, from);
    const auto parsed = accp_ref::parse_json(json);
    return parsed ? parsed->find("answer")->text : json;
}

class PacketQuery : public testing::Test {
protected:
    void SetUp() override { add(jwt); }
    void add(const Packet &packet) {
        ASSERT_EQ(accp_packet_index_add(index.get(), packet.get(), nullptr), ACCP_OK);
    }
    Packet jwt = read_context(kJwtContext, kJwtTask, kJwtGoal);
    Index index = new_index();
};

TEST_F(PacketQuery, TheExampleOfTheProposal) {
    const std::string head =
        "{\"packet\":\"" + checksum_of(jwt) + "\",\"task\":\"Add JWT authentication\",";
    const std::string wanted =
        R"({"answer":"JWT with RS256, 24h expiry, per user request","sources":[)" + head +
        R"x("kind":"constraints","number":2,"text":"Token expiry: 24 hours (user preference)",)x"
        R"("score":0.50},)" +
        head +
        R"("kind":"decisions","number":1,"text":"JWT over session tokens",)"
        R"("why":"Stateless, works with planned mobile app","made_by":"user","score":0.50},)" +
        head +
        R"("kind":"decisions","number":2,"text":"RS256 signing algorithm",)"
        R"("why":"Can verify without shared secret","made_by":"orchestrator","score":0.50}]})";
    EXPECT_EQ(ask(index, "What authentication approach was decided?"), wanted);
}

TEST_F(PacketQuery, TheQuestionSaysWhichKind) {
    const struct {
        const char *question, *answer;
    } cases[] = {
        {"Why JWT over sessions?", "Stateless, works with planned mobile app"},
        {"Why did we choose RS256?", "Can verify without shared secret"},
        {"What did we try that failed with PyJWT?",
         "Using PyJWT library: Not in requirements.txt, use python-jose instead"},
        {"Which file has the User model?",
         "models/user.py: User model with email, password_hash, created_at"},
        {"Must I touch the registration flow?", "Do NOT modify the registration flow"},
        {"Which signing algorithm was chosen?", "RS256 signing algorithm, by orchestrator"},
        {"How long until a token expires? What expiry was decided?", ""},
        {"What failed?", "Using PyJWT library: Not in requirements.txt, use python-jose instead"},
        {"What format do error responses have?",
         "Error responses use {error: string, code: number} format"},
    };
    for (const auto &given : cases) {
        if (!*given.answer) continue;
        EXPECT_EQ(answer(index, given.question), given.answer) << given.question;
    }
}

TEST_F(PacketQuery, WhatNothingAnswersHasNoAnswer) {
    for (const char *question :
         {"What database was decided?", "Why Redis?", "Which color should the buttons have?",
          "What failed with Kafka?", "Which payment provider was chosen?",
          "Was MongoDB chosen for authentication storage of invoices?", "Who won the match?",
          "Which file has the parser?", "Must I support Windows?", "What?", "the", "???"}) {
        const std::string got = answer(index, question);
        EXPECT_TRUE(got == "E2001" || got == "ERR_ARG") << question << ": " << got;
    }
    EXPECT_EQ(ask(index, "Which file has \xE6\x88?"), "E1004");
    EXPECT_EQ(ask(new_index(), "What authentication approach was decided?"), "E2001");
}

TEST_F(PacketQuery, TheNewestOfManyAnswers) {
    add(read_context("  decisions: [{choice: Use OAuth, made_by: user}]\n", "Add authentication",
                     "g", "2024-02-01T00:00:00Z"));
    for (int i = 0; i < 50; ++i)
        add(read_context("  decisions: [Use table " + std::to_string(i) + "]\n",
                         "Store records " + std::to_string(i)));
    EXPECT_EQ(answer(index, "What authentication approach was decided?"),
              "Use OAuth, per user request");
    EXPECT_EQ(accp_packet_index_count(index.get()), 52u);
    add(jwt);
    EXPECT_EQ(accp_packet_index_count(index.get()), 52u);
}

// For one task, creator and second, the higher version is the newer, in any order of adding.
TEST(PacketIndex, ANewerVersionIsNewer) {
    const auto version = [](const std::string &number, const std::string &choice,
                            const std::string &task) {
        return read_context("  version: " + number + "\n  decisions: [" + choice + "]\n", task);
    };
    const Packet packets[] = {version("1", "Use sessions", "Add a login"),
                              version("2", "Use OAuth", "Add a login"),
                              version("10", "Use JWT", "Add a login"),
                              read_context("  decisions: [Use basic auth]\n", "Add a login"),
                              version("99", "Use tabs", "Format code")};
    std::vector<size_t> order = {0, 1, 2, 3, 4};
    do {
        const Index index = new_index();
        for (size_t i : order)
            ASSERT_EQ(accp_packet_index_add(index.get(), packets[i].get(), nullptr), ACCP_OK);
        const std::string got = answer(index, "Which login was decided?");
        ASSERT_EQ(got, "Use JWT") << order[0] << order[1] << order[2] << order[3];
    } while (std::next_permutation(order.begin(), order.end()));
}

// Six packets, thirty questions with their item, and twelve that no item matches (questions.jsonl).
// In a few, the question and the item have different words.
TEST(PacketQuestions, ReachesWhatTheDocumentsSay) {
    const Index index = new_index();
    std::vector<std::string> sums;
    int known = 0, right = 0;
    std::istringstream lines(
        accp_codecs::read_file(ACCP_SOURCE_DIR "/tests/packet/questions.jsonl"));
    for (std::string line; std::getline(lines, line);) {
        const accp_ref::Json json = *accp_ref::parse_json(line);
        if (const accp_ref::Json *given = json.find("packet"); given && !json.find("question")) {
            const Packet packet = read_packet(accp_ref::write_json(*given));
            ASSERT_EQ(accp_packet_index_add(index.get(), packet.get(), nullptr), ACCP_OK);
            sums.push_back(checksum_of(packet));
            continue;
        }
        const std::string got = ask(index, json.find("question")->text);
        const accp_ref::Json *kind = json.find("kind");
        if (!kind) {
            EXPECT_EQ(got, "E2001") << json.find("question")->text;
            continue;
        }
        ++known;
        const std::string source =
            R"("sources":[{"packet":")" + sums[std::stoul(json.find("packet")->text)] + "\"";
        const std::string item =
            R"("kind":")" + kind->text + R"(","number":)" + json.find("number")->text + ",";
        const size_t first = got.find(source), end = got.find("\"text\"", first);
        right += first != std::string::npos &&
                 got.substr(first, end - first).find(item) != std::string::npos;
    }
    EXPECT_GE(right, 25) << known;
}

// An embedder with a direction for each of some subjects, in any words.
struct Subjects {
    accp_status status = ACCP_OK;
    std::string model = "m";
    std::vector<size_t> calls = {};  // texts in each
    std::vector<float> numbers = {};
};
accp_status embed_subjects(const accp_text *texts, size_t count, accp_vectors *out, void *user) {
    constexpr const char *kSubjects[][3] = {{"pastry", "croissant", "bakery"},
                                            {"ship", "vessel", "harbour"},
                                            {"violin", "fiddle", "orchestra"}};
    constexpr size_t kDimension = std::size(kSubjects) + 1;
    Subjects &to = *static_cast<Subjects *>(user);
    to.calls.push_back(count);
    to.numbers.assign(count * kDimension, 0);
    for (size_t i = 0; i < count; ++i) {
        const std::string text(texts[i].text, texts[i].len);
        to.numbers[(i + 1) * kDimension - 1] = 0.3F;
        for (size_t k = 0; k + 1 < kDimension; ++k)
            for (const char *word : kSubjects[k])
                if (text.find(word) != text.npos) to.numbers[i * kDimension + k] = 1;
    }
    out->numbers = to.numbers.data();
    out->count = count;
    out->dimension = kDimension;
    out->model = {to.model.data(), to.model.size()};
    return to.status;
}

TEST(PacketIndex, FindsByMeaning) {
    Subjects subjects;
    accp_test::Config config;
    config.hooks(accp_test::hooks_for(embed_subjects, &subjects));
    const Index index = new_index(config.get());
    std::string decisions = "  decisions: [Buy a croissant, Paint the vessel, Tune the fiddle";
    for (int i = 0; i < 12; ++i) decisions += ", Do chore " + std::to_string(i);
    const Packet packet = read_context(decisions + "]\n");
    ASSERT_EQ(accp_packet_index_add(index.get(), packet.get(), nullptr), ACCP_OK);
    EXPECT_EQ(answer(index, "What was decided about the pastry?"), "Buy a croissant");
    EXPECT_EQ(answer(index, "What was decided about the harbour?"), "Paint the vessel");
    EXPECT_EQ(answer(index, "What was decided about chess?"), "E2001");  // nothing stands out
    // words count too, and the vectors of the items are made once
    EXPECT_EQ(answer(index, "What was decided about chore 7?"), "Do chore 7");
    EXPECT_EQ(subjects.calls, (std::vector<size_t>{1, 16, 1, 1, 1}));
    // a packet that is added later, and another model
    const Packet other = read_context("  decisions: [Polish the violin]\n", "u");
    ASSERT_EQ(accp_packet_index_add(index.get(), other.get(), nullptr), ACCP_OK);
    subjects.calls.clear();
    EXPECT_NE(ask(index, "What was decided about the orchestra?").find("Polish the violin"),
              std::string::npos);
    EXPECT_EQ(subjects.calls, (std::vector<size_t>{1, 2}));
    subjects.calls.clear();
    subjects.model = "n";
    answer(index, "What was decided about the ship?");
    EXPECT_EQ(subjects.calls, (std::vector<size_t>{1, 18}));
    // a failure is one of the call, also if words would do
    subjects.status = ACCP_ERR_IO;
    EXPECT_EQ(answer(index, "What was decided about chore 7?"), "ERR_IO");
    subjects.status = ACCP_OK;
    EXPECT_EQ(answer(index, "What was decided about chore 7?"), "Do chore 7");
}

// An embedder that uses the index that calls it, and frees it.
struct Intruder {
    accp_packet_index *index = nullptr;
    const accp_packet *packet = nullptr;
    std::string said = {};
    std::vector<float> numbers = {};
};
accp_status embed_and_free(const accp_text *, size_t count, accp_vectors *out, void *user) {
    Intruder &self = *static_cast<Intruder *>(user);
    accp_text text = {};
    if (self.index) {
        self.said = accp_status_code_name(accp_packet_index_add(self.index, self.packet, nullptr));
        self.said += accp_status_code_name(
            accp_packet_index_query(self.index, "why?", 4, nullptr, 0, &text, nullptr));
        accp_packet_index_free(std::exchange(self.index, nullptr));
    }
    self.numbers.assign(count, 1);
    out->numbers = self.numbers.data();
    out->count = count;
    out->dimension = 1;
    out->model = {"m", 1};
    return ACCP_OK;
}

// Its embedder may not use the index. It may free it, which then ends with the call.
TEST(PacketIndex, IsBusyAndKeptWhileItEmbeds) {
    const Packet packet = read_context("  decisions: [Buy a croissant]\n");
    Intruder intruder = {nullptr, packet.get()};
    accp_test::Config config;
    config.hooks(accp_test::hooks_for(embed_and_free, &intruder));
    intruder.index = new_index(config.get()).release();
    ASSERT_EQ(accp_packet_index_add(intruder.index, packet.get(), nullptr), ACCP_OK);
    const std::string question = "What was decided about the croissant?";
    accp_text out = {};
    EXPECT_EQ(accp_packet_index_query(intruder.index, question.data(), question.size(), nullptr, 0,
                                      &out, nullptr),
              ACCP_ERR_CLOSED);
    EXPECT_EQ(intruder.said, "ERR_BUSYERR_BUSY");
    EXPECT_EQ(out.text, nullptr);
}

// A decides, B refers to A, and C to B: a search from C finds A, with the path.
TEST_F(PacketQuery, GoesByReferences) {
    const std::string a = checksum_of(jwt);
    const Packet b = read_context("  references: ['" + a + "#1']\n", "Build the API");
    const Packet c = read_context("  references: ['" + checksum_of(b) + "', odd, 7]\n", "Mobile");
    add(c);
    EXPECT_EQ(answer(index, "What authentication approach was decided?", checksum_of(c)), "E2001");
    add(b);
    add(read_context("  decisions: [Use SAML]\n", "Authentication", "g", "2025-01-01T00:00:00Z"));
    const std::string json =
        ask(index, "What authentication approach was decided?", checksum_of(c));
    EXPECT_NE(json.find(R"({"answer":"JWT over session tokens, per user request")"),
              std::string::npos)
        << json;
    EXPECT_NE(json.find(R"("by_way_of":[")" + checksum_of(c) + R"(",")" + checksum_of(b) + "\"]"),
              std::string::npos)
        << json;
    EXPECT_EQ(ask(index, "What?", "sha256:no"), "ERR_ARG");
}

// Circular references terminate.
TEST_F(PacketQuery, CirclesEnd) {
    std::string last = checksum_of(jwt);
    for (int i = 0; i < 40; ++i) {
        const Packet next = read_context("  references: ['" + last + "', '" + last + "']\n",
                                         "step " + std::to_string(i));
        add(next);
        last = checksum_of(next);
    }
    EXPECT_EQ(answer(index, "Why JWT?", last), "E2001");  // more than 32 hops away
}

}  // namespace
