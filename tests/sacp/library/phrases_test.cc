// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Phrases: the prompts of phrases/*.jsonl, invalid phrases, good and bad models, and each
// allocation failing once.
#include "accp/phrases.h"
#include "failing.h"
#include "sacp/message/messages.h"
#include "sacp/planner/interpreter.h"

namespace {

using namespace accp_plan;
using accp_test::Failing;

std::string phrase_file(const std::string &name) {
    return read_file(ACCP_SOURCE_DIR "/tests/sacp/library/phrases/" + name);
}

class Person {
public:
    explicit Person(const std::string &document = phrase_file("phrases.json"),
                    const std::string &library = phrase_file("library.json"),
                    const accp_config *config = nullptr) {
        accp_library *made = nullptr;
        EXPECT_EQ(accp_library_new(library.data(), library.size(), config, &made, nullptr), 0);
        status = accp_phrases_new(document.data(), document.size(), made, config, &phrases, &err);
        accp_library_free(made);
    }
    ~Person() { accp_phrases_free(phrases); }
    Person(const Person &) = delete;
    Person &operator=(const Person &) = delete;

    std::string ask(const std::string &prompt) {
        accp_text out = {};
        status = accp_phrases_ask(phrases, prompt.data(), prompt.size(), &out, &answer, &err);
        return status == ACCP_OK ? std::string(out.text, out.len) : std::string();
    }

    accp_phrases *phrases = nullptr;
    accp_status status = 0;
    accp_error err = {};
    int32_t answer = -1;
};

void check_prompts(const char *name, size_t min) {
    Person person;
    ASSERT_EQ(person.status, ACCP_OK) << person.err.message << " " << person.err.offset;
    const std::vector<std::string> lines =
        read_lines(ACCP_SOURCE_DIR "/tests/sacp/library/phrases/" + std::string(name));
    EXPECT_GE(lines.size(), min);
    Fixture fixture;
    Library library(fixture.memory);
    ASSERT_TRUE(library.read(phrase_file("library.json"), kMaxBytes, fixture.verdict));
    for (const std::string &line : lines) {
        const Case one(line);
        const std::string made = person.ask(one.text("say"));
        EXPECT_EQ(made, one.json(one.find("is"))) << line;
        const bool message = made.starts_with("{\"g\"");
        EXPECT_EQ(person.answer, message                             ? ACCP_SACP_VALID
                                 : made.find("\"ERR\"") != made.npos ? ACCP_SACP_ERR
                                                                     : ACCP_SACP_REQ_CLARIFY);
        if (!message) continue;
        // a message must be able to run
        fixture.validator.check(made, kMaxBytes, library, true, fixture.verdict);
        EXPECT_TRUE(fixture.verdict.valid()) << made;
    }
}

TEST(Phrases, SACP_9A_02_PromptsBecomeMessagesOrQuestions) { check_prompts("prompts.jsonl", 20); }

// These prompts were not used to write the phrases.
TEST(Phrases, SACP_10_03_PromptsThatWereKeptAside) { check_prompts("kept_aside.jsonl", 8); }

// Words of the prompts in random order give a VALID message or none.
TEST(Phrases, SACP_10_05_NoPromptMakesAnUnknownPair) {
    Person person;
    Fixture fixture;
    Library library(fixture.memory);
    ASSERT_TRUE(library.read(phrase_file("library.json"), kMaxBytes, fixture.verdict));
    const std::vector<std::string> words = {
        "find",    "hotels", "hotel", "in",    "Paris", "under",  "150",  "EUR",   "with",
        "wifi",    "and",    "best",  "5",     "\"",    "$ctx.x", "from", "06-01", "to",
        "weather", "sort",   "price", "where", "stay",  "{n}",    "\\"};
    uint32_t state = 5, messages = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string prompt;
        const uint32_t count = (state = state * 1664525 + 1013904223) >> 28;
        for (uint32_t i = 0; i < count; ++i) {
            state = state * 1664525 + 1013904223;
            prompt += words[(state >> 16) % words.size()] + " ";
        }
        const std::string made = person.ask(prompt);
        if (person.answer != ACCP_SACP_VALID) continue;
        ++messages;
        fixture.validator.check(made, kMaxBytes, library, true, fixture.verdict);
        ASSERT_TRUE(fixture.verdict.valid()) << prompt << made;
    }
    EXPECT_GT(messages, 0u);
}

struct Refused {
    const char *document, *at, *what;
};
const Refused kRefused[] = {
    {"[]", "[", "a phrase, a slot and a message must be objects"},
    {"{}", "{", "the document has no phrases"},
    {R"({"phrases":{}})", "{}", "phrases and ignore must be arrays"},
    {R"({"phrases":[],"more":1})", "1", "an unknown member"},
    {R"({"phrases":[{"say":[]}]})", "{\"say", "a phrase must have say and message"},
    {R"({"phrases":[{"say":[""],"message":{}}]})", "\"\"", "a pattern has no words"},
    {R"({"phrases":[{"say":["a [b"],"message":{}}]})", "\"a [", "a [ has no ]"},
    {R"({"phrases":[{"say":["a ]"],"message":{}}]})", "\"a ]", "a ] has no ["},
    {R"({"phrases":[{"say":["{x}"],"message":{}}]})", "\"{x}", "the slot is not in slots"},
    {R"({"phrases":[{"say":["a"],"message":{"g":"{x}"}}]})", "\"{x}", "the slot is not in slots"},
    {R"({"phrases":[{"say":["{x} {x}"],"slots":{"x":{"type":"text"}},"message":{}}]})", "\"{x} {",
     "a slot is used twice"},
    {R"({"phrases":[{"say":["a"],"slots":{"x":{"type":"float"}},"message":{}}]})", "{\"type",
     "unknown type of a slot: use text, number, money, date, one_of or some_of"},
    {R"({"phrases":[{"say":["a"],"slots":{"x":{"type":"money"}},"message":{}}]})", "{\"type",
     "money must have a currency such as EUR"},
    {R"({"phrases":[{"say":["a"],"slots":{"x":{"type":"one_of","of":[]}},"message":{}}]})",
     "{\"type", "one_of and some_of must have a list `of` with texts"},
};

TEST(Phrases, BadDocumentsAreRefusedWithTheirPlace) {
    for (const Refused &each : kRefused) {
        Person person(each.document);
        EXPECT_NE(person.status, ACCP_OK) << each.document;
        EXPECT_EQ(person.phrases, nullptr);
        EXPECT_STREQ(person.err.message, each.what) << each.document;
        EXPECT_EQ(person.err.offset, std::string(each.document).find(each.at)) << each.document;
    }
}

TEST(Phrases, PromptsHaveBounds) {
    Person person;
    EXPECT_NE(person.ask(std::string(4097, 'x')).find("LIMIT"), std::string::npos);
    std::string words;
    for (int i = 0; i < 257; ++i) words += "x ";
    EXPECT_NE(person.ask(words).find("LIMIT"), std::string::npos);
    EXPECT_NE(person.ask("\xff").find("MALFORMED_MESSAGE"), std::string::npos);
    EXPECT_EQ(person.ask("hotels in Paris").substr(0, 5), "{\"g\":");
}

// A model with scripted replies that stores its prompts.
struct Scripted {
    std::vector<std::string> says;
    accp_status status = ACCP_OK;
    std::vector<std::string> prompts = {}, refused = {};
    std::string specification = {};

    static accp_status answer(const char *prompt, size_t prompt_len, const char *specification,
                              size_t specification_len, const char *refused, size_t refused_len,
                              accp_text *out, void *user) {
        auto &self = *static_cast<Scripted *>(user);
        self.prompts.emplace_back(prompt, prompt_len);
        self.refused.emplace_back(refused, refused_len);
        self.specification.assign(specification, specification_len);
        const std::string &said = self.says[self.prompts.size() - 1];
        *out = {said.data(), said.size()};
        return self.status;
    }
};

const std::string kGood = R"({"g":"X","plan":[["weather","W_API",{"city":"Rome"}]]})";
const std::string kBadPair = R"({"g":"X","plan":[["weather","H_API",{"city":"Rome"}]]})";
const std::string kMismatch =
    R"({"status":"ERR","code":"VERB_TOOL_MISMATCH","details":"the tool does not support the verb: action step 1"})";

struct ModelCase {
    std::vector<std::string> says;
    std::string wanted;
};

TEST(PhrasesModel, SACP_9A_04_ItsMessageIsCheckedAndAskedForAgainOnce) {
    const std::vector<ModelCase> cases = {
        {{kGood}, kGood},
        {{kBadPair, kGood}, kGood},
        {{kBadPair, kBadPair}, kMismatch},
        {{"Sure! Here it is.", kGood}, kGood},
        {{R"({"status":"REQ_CLARIFY","need":["ctx.city"]})"},
         R"({"status":"REQ_CLARIFY","need":["ctx.city"]})"},
        {{R"({"g":"X","plan":[["weather","W_API",{}]]})"},
         R"({"status":"REQ_CLARIFY","need":["step.1.city"]})"},
        {{R"({"status":"VALID"})", kGood}, kGood},
        {{R"({"status":"REQ_CLARIFY","need":[]})", R"({"status":"REQ_CLARIFY","need":[1]})"},
         R"({"status":"ERR","code":"MALFORMED_MESSAGE","details":"a model must reply with a message, or with REQ_CLARIFY and need"})"},
    };
    for (const ModelCase &each : cases) {
        Person person;
        Scripted model = {each.says};
        ASSERT_EQ(accp_phrases_set_model(person.phrases, Scripted::answer, &model, nullptr), 0);
        EXPECT_EQ(person.ask("tell me of Rome"), each.wanted);
        EXPECT_EQ(model.prompts.size(), each.says.size());
        EXPECT_EQ(model.prompts[0], "tell me of Rome");
        EXPECT_EQ(model.refused[0], "");
        if (model.refused.size() > 1) {
            EXPECT_TRUE(model.refused[1].starts_with(R"({"status":"ERR")"));
        }
        // the prompt has the definitions of the tools (SACP 10)
        EXPECT_NE(model.specification.find("\nW_API: weather\n"), std::string::npos);
    }
}

TEST(PhrasesModel, IsAskedOnlyWhereNoPhraseFits) {
    Person person;
    Scripted model = {{kGood}};
    accp_phrases_set_model(person.phrases, Scripted::answer, &model, nullptr);
    person.ask("hotels in Rome");
    person.ask("hotels");
    person.ask("how is it in Rome");
    EXPECT_TRUE(model.prompts.empty());
    model.status = ACCP_ERR_IO;
    EXPECT_EQ(person.ask("else"), "");
    EXPECT_EQ(person.status, ACCP_ERR_IO);
    model.status = ACCP_DROPPED;
    model.says.push_back(kGood);
    person.ask("else");
    EXPECT_EQ(person.status, ACCP_E9999);
    accp_phrases_set_model(person.phrases, nullptr, nullptr, nullptr);
    EXPECT_EQ(person.ask("else"), R"({"status":"REQ_CLARIFY","need":["goal"]})");
}

TEST(PhrasesMemory, EachAllocationFails) {
    const std::string document = phrase_file("phrases.json"), text = phrase_file("library.json");
    const std::string prompt =
        "best 5 hotels in " + std::string(400, 'x') + " " + std::string(400, 'y');
    Fixture fixture;
    Library library(fixture.memory);
    ASSERT_TRUE(library.read(text, kMaxBytes, fixture.verdict));
    Failing failing;
    bool failed = true;
    for (int64_t at = 0; failed; ++at) {
        ASSERT_LT(at, 10'000);
        failed = accp_test::fails(failing, at, [&] {
            Memory memory(failing.allocator(), UINT64_MAX);
            Verdict verdict(memory);
            PromptInterpreter interpreter(memory);
            Buffer<char> out(memory);
            ASSERT_TRUE(interpreter.read(document, kMaxBytes, verdict));
            ASSERT_TRUE(
                interpreter.interpret(prompt, library, kMaxBytes, nullptr, out, verdict).ok());
            EXPECT_TRUE(verdict.valid());
            EXPECT_FALSE(out.empty());
        });
        ASSERT_EQ(failing.live, 0) << at;
    }
}

}  // namespace
