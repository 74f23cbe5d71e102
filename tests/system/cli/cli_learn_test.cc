// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp registry learn, and the learner by itself on random messages.
#include <gtest/gtest.h>

#include <unistd.h>
#include <fstream>
#include <random>

#include "cli/registry/learner.h"
#include "cli/settings.h"
#include "run_accp.h"

namespace learn_test {
namespace {

using namespace cli;

const std::string kPipeline = ACCP_SOURCE_DIR "/data/examples/pipeline.jsonl";

std::string message(const std::string &what, const std::string &payload) {
    const size_t colon = what.find(':');
    return R"({"agent":"a","intent":")" + what.substr(0, colon) + R"(","operation":")" +
           what.substr(colon + 1) + R"(","payload":)" + payload + "}";
}

std::string repeated(const std::string &line, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += line + "\n";
    return out;
}

std::string write(const std::string &name, const std::string &text) {
    const std::string path = testing::TempDir() + "accp_learn_" + std::to_string(getpid()) + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

Ran learn(const std::string &input, Args more = {}) {
    Args args = {"registry", "learn", "--train", "1000000"};
    args.insert(args.end(), more.begin(), more.end());
    return run_accp(args, input);
}

TEST(CliLearn, OrderIsByHowOftenAndTrailingOnesCostNothing) {
    const Ran run =
        learn(repeated(message("req:ship", R"({"fragile":true,"address":"x","weight":3})"), 1) +
              repeated(message("req:ship", R"({"address":"y","weight":4})"), 3));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find(R"("code":"A","version":1,"bind":["req:ship"],"fields":[)"),
              std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find(R"(,"fragile"]}}})"), std::string::npos) << run.out;
    EXPECT_NE(run.err.find("4 of 4 messages come back equal\n"), std::string::npos) << run.err;
}

TEST(CliLearn, DefaultsAndTypesOnlyWhereSure) {
    const std::string line = message("req:ship", R"({"address":"x","carrier":"north_post","n":1})");
    const Ran few = learn(repeated(line, 7)), many = learn(repeated(line, 8));
    EXPECT_EQ(few.out.find("defaults"), std::string::npos) << few.out;
    EXPECT_EQ(few.out.find("types"), std::string::npos) << few.out;
    EXPECT_NE(many.out.find(R"("carrier":"north_post")"), std::string::npos) << many.out;
    EXPECT_NE(many.out.find(R"("n":"number")"), std::string::npos) << many.out;
    // a message that is only measured contradicts both
    const Ran against =
        run_accp({"registry", "learn", "--train", "8"},
                 repeated(line, 8) + message("req:ship", R"({"address":"x","n":"one"})") + "\n");
    EXPECT_EQ(against.status, 0) << against.err;
    EXPECT_EQ(against.out.find(R"("carrier":"north_post")"), std::string::npos) << against.out;
    EXPECT_EQ(against.out.find(R"("n":"number")"), std::string::npos) << against.out;
    EXPECT_NE(against.err.find("9 of 9 messages come back equal\n"), std::string::npos);
}

TEST(CliLearn, AShortKeyWhereItSaves) {
    const std::string payload = R"({"warehouse_location_identifier":7})";
    const Ran run =
        learn(message("req:ship", payload) + "\n" + message("done:ship", payload) + "\n");
    EXPECT_NE(run.out.find(R"(:"warehouse_location_identifier")"), std::string::npos) << run.out;
    const Ran one_token = learn(message("req:ship", R"({"note":7})") + "\n" +
                                message("done:ship", R"({"note":7})") + "\n");
    EXPECT_EQ(one_token.out.find("aliases"), std::string::npos) << one_token.out;
}

TEST(CliLearn, APairThatWasNotSeen) {
    // a schema learned from two pairs of an intent applies to a third pair
    const Ran run = learn(message("ack:fetch", R"({"minutes_remaining":1})") + "\n" +
                          message("ack:plan", R"({"minutes_remaining":2})") + "\n");
    const std::string path = write("unseen.json", run.out);
    const Ran wire = run_accp({"encode", "--ext", "p1", "--registry", path},
                              message("ack:review", R"({"minutes_remaining":3})") + "\n");
    EXPECT_NE(wire.out.find(":[3]}"), std::string::npos) << wire.out << run.out;
}

TEST(CliLearn, ErrorsThatTheBuiltInSchemaRefuses) {
    const std::string line = message("fail:error", R"({"reason_of_failure":"x"})");
    for (const char *train : {"0", "1", "3"}) {
        const Ran run = run_accp({"registry", "learn", "--train", train}, repeated(line, 3));
        EXPECT_EQ(run.status, 0) << train << run.out << run.err;
        EXPECT_NE(run.out.find(R"("code":"ER")"), std::string::npos) << run.out;
    }
}

TEST(CliLearn, ThePipeline) {
    const Args args = {"registry",   "learn",
                       "--ignore",   "to,nl",
                       "--registry", ACCP_SOURCE_DIR "/data/examples/pipeline-registry.json",
                       kPipeline};
    const Ran run = run_accp(args), again = run_accp(args);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, again.out);
    EXPECT_EQ(run.err, again.err);
    EXPECT_NE(run.err.find("48 of 48 messages come back equal\n"), std::string::npos);
    for (const char *row : {"plain ", "built-in profiles ", "--registry ", "learned "})
        EXPECT_NE(run.err.find(std::string("  ") + row), std::string::npos) << row << run.err;
    // the frames of the messages give the same document
    const std::string frames = run_accp({"encode", "--ignore", "to,nl", kPipeline}).out;
    EXPECT_EQ(run_accp({"registry", "learn"}, frames).out, run.out);
    // a codec accepts the document
    const std::string path = write("pipeline.json", run.out);
    const Args with = {"--ext", "p1", "--registry", path, "--profile", "none", "--mark-defaults"};
    Args encode = {"encode", "--ignore", "to,nl", kPipeline}, decode = {"decode"};
    encode.insert(encode.end(), with.begin(), with.end());
    decode.insert(decode.end(), with.begin(), with.end());
    const Ran wire = run_accp(encode), back = run_accp(decode, wire.out);
    EXPECT_EQ(wire.status, 0) << wire.err;
    EXPECT_EQ(back.status, 0) << back.err;
}

TEST(CliLearn, Refused) {
    const std::string good = message("req:ship", R"({"a":1})");
    const Ran run =
        run_accp({"registry", "learn"}, good + "\n" + message("req:ship", R"({"schema":"TA"})") +
                                            "\n" + message("please:ship", "{}") + "\nno JSON\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(
        run.err.substr(0, run.err.find("accp: learned")),
        "accp: record 2: E1003 at byte 0: the message names its schema, which a learned "
        "document does not have; learn from messages without a schema\n"
        "accp: record 3: E1002 at byte 22: an intent that is none of the twelve: req done fail "
        "wait esc comp sync qry ack cancel stream end; found \"please\"\n"
        "accp: record 4: E1001 at byte 0: not a JSON value; found no\n");
    EXPECT_NE(run.err.find("accp: learned from 1 messages"), std::string::npos);
    const Ran none = run_accp({"registry", "learn"}, "");
    EXPECT_EQ(none.status, 0);
    EXPECT_EQ(none.out, "{\"version\":1,\"schemas\":{}}\n");
    for (const Args &args :
         {Args{"registry", "learn", "nowhere.jsonl"}, Args{"registry", "learn", "--train", "-1"},
          Args{"registry", "learn", "--tokenizer", "none"}})
        EXPECT_EQ(run_accp(args, good + "\n").status, 2) << args.back();
}

// Makes random messages of a few pairs, whose keys and values often equal names in a document. One
// of `spread` keys is missing, and one of `spread` values differs.
std::string random_message(std::mt19937_64 &random, size_t spread) {
    static constexpr const char *kPairs[] = {"req:plan",   "done:plan", "req:ship",
                                             "fail:error", "ack:ship",  "sync:x"};
    static constexpr const char *kKeys[] = {
        "A",   "alpha_beta", "ab", "source",  "src", "d",        "data",
        "__x", "a-b",        "",   "\\u0007", "Q",   "defaults", "long_key_of_words"};
    static constexpr const char *kValues[] = {"1",    "\"!\"", "\"x y\"",    "null",
                                              "2.50", "true",  "[1,2]",      "{}",
                                              "1e9",  "\"\"",  "{\"a\":[]}", "\"1\""};
    const std::string pair = kPairs[random() % (spread > 9 ? 2 : 6)];
    if (random() % (10 * spread) == 0) return message(pair, "\"some text\"");
    std::string payload;
    for (const char *key : kKeys)
        if (random() % spread != 0)
            payload += (payload.empty() ? "\"" : ",\"") + std::string(key) +
                       "\":" + kValues[random() % spread == 0 ? random() % 12 : 2];
    return message(pair, "{" + payload + "}");
}

LearnSample all_of(const std::vector<LearnMessage> &messages, size_t begin, size_t end) {
    LearnSample sample;
    for (size_t i = begin; i < end; ++i) sample.push_back(&messages[i]);
    return sample;
}

TEST(CliLearn, RandomMessagesComeBack) {
    const Arguments arguments;
    const Handle<accp_config> config = make_config(arguments);
    LearnReader reader(config.get());
    LearnCosts costs(arguments);
    std::mt19937_64 random(11);
    constexpr size_t kRounds = ACCP_SANITIZED ? 5 : 16;
    size_t schemas = 0, defaults = 0, types = 0;
    for (size_t round = 0; round < kRounds; ++round) {
        const size_t seen = 10 + random() % 60, train = random() % (seen + 1),
                     spread = round % 2 ? 3 : 60;
        std::vector<LearnMessage> messages(seen + 30);
        for (LearnMessage &made : messages) {
            accp_error err = {};
            const std::string text = random_message(random, spread);
            ASSERT_EQ(reader.read(text, made, err), ACCP_OK) << text << err.message;
        }
        const LearnSample learned = all_of(messages, 0, train), all = all_of(messages, 0, seen);
        const LearnedDocument document = Learner(costs, learned, all).learn();
        EXPECT_EQ(document.json(), Learner(costs, learned, all).learn().json());
        const LearnCosts::Result result = costs.measure({document.json()}, all);
        EXPECT_EQ(result.refused + result.changed + result.added, 0u) << document.json();
        EXPECT_LE(costs.with_document(document, learned), costs.plain(learned) + learned.size());
        // a type can refuse an unseen message, and defaults can be added, but its content never
        // changes
        const LearnSample fresh = all_of(messages, seen, messages.size());
        EXPECT_EQ(costs.measure({document.json()}, fresh).changed, 0u) << document.json();
        schemas += document.schemas.size();
        for (const LearnedSchema &schema : document.schemas) {
            defaults += schema.defaults.size();
            types += schema.types.size();
        }
    }
    EXPECT_GT(schemas, 3 * kRounds);
    EXPECT_GT(defaults, kRounds / 2);
    EXPECT_GT(types, 3 * kRounds);
}

}  // namespace
}  // namespace learn_test
