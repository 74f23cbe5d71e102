// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The report of accp session replay, compared with a slow model of it; and its plot.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "cli/session/sessions.h"
#include "replay_model.h"

namespace {

using rapidjson::Value;

std::string recording() { return project_file("tests/system/cli/recordings/parser.jsonl"); }

rapidjson::Document replayed(const std::string &input, Args options) {
    options.insert(options.begin(), {"session", "replay", "--report", "--json"});
    const Ran run = run_accp(options, input);
    EXPECT_EQ(run.status, 0) << run.err;
    rapidjson::Document document;
    document.Parse(run.out.c_str());
    EXPECT_FALSE(document.HasParseError()) << run.out;
    return document;
}

void expect_row(const Value &row, const ModelRow &expected, const ModelRow &everything) {
    EXPECT_EQ(row["tokens"].GetUint64(), expected.tokens);
    EXPECT_NEAR(row["raw"].GetDouble(),
                static_cast<double>(expected.tokens) / static_cast<double>(everything.tokens),
                1e-6);
    EXPECT_NEAR(row["price"].GetDouble(), expected.billed / everything.billed, 1e-6);
    for (const char *kind :
         {"identifiers", "far_identifiers", "phrases", "far_phrases", "task", "newest"}) {
        const auto found = expected.recall.find(kind);
        const ModelShare share = found == expected.recall.end() ? ModelShare() : found->second;
        EXPECT_EQ(row[kind]["needed"].GetUint64(), share.needed) << kind;
        EXPECT_EQ(row[kind]["present"].GetUint64(), share.present) << kind;
    }
}

void expect_model(const std::string &input, const Args &options, const ModelPrices &prices = {}) {
    const rapidjson::Document report = replayed(input, options);
    auto model = model_report(input, options, prices);
    ASSERT_EQ(report["rows"].Size(), model.size());
    for (const Value &row : report["rows"].GetArray()) {
        SCOPED_TRACE(row["name"].GetString());
        expect_row(row, model[row["name"].GetString()], model["everything"]);
    }
}

TEST(CliReplay, TheReportIsWhatASlowModelSays) {
    expect_model(recording(), {});
    expect_model(recording(), {"--rule", "whole_max=300"});
    expect_model(recording(), {"--rules", "specification"});
}

TEST(CliReplay, PricesAreRules) {
    const Args options = {"--rule",           "whole_max=300", "--rule",
                          "price_cached=300", "--rule",        "price_write=1250"};
    expect_model(recording(), options, {0.3, 1.25});
    const rapidjson::Document report = replayed(recording(), options);
    EXPECT_EQ(report["price_cached"].GetInt(), 300);
    EXPECT_EQ(report["price_write"].GetInt(), 1250);
}

// Long enough for all baselines that stub in batches.
TEST(CliReplay, ALongRun) {
    std::string input;
    for (const std::string name : {"marshmallow-1867", "rev-rock", "marshmallow-1867-b"})
        input += project_file("data/examples/trajectories/" + name + ".jsonl");
    expect_model(input, {});
    const rapidjson::Document report = replayed(input, {});
    EXPECT_LT(report["rows"][7]["raw"].GetDouble(), 1) << "16,000 tokens of answers";
}

TEST(CliReplay, TheTableNamesWhatItCounts) {
    const Ran run = run_accp({"session", "replay", "--report"}, recording());
    EXPECT_EQ(run.status, 0) << run.err;
    for (const char *said :
         {"34 messages, 15 calls of a model", "tokens by o200k_base", "accp session", "everything",
          "first and last", "stubbed by 16,000", "checkpoints   1:"})
        EXPECT_NE(run.out.find(said), std::string::npos) << said << "\n" << run.out;
    const Ran approx =
        run_accp({"session", "replay", "--report", "--tokenizer", "approx"}, recording());
    EXPECT_NE(approx.out.find("tokens estimated by approx"), std::string::npos) << approx.out;
}

TEST(CliReplay, WhatHasNoCallsHasNoShares) {
    const std::string hello =
        R"({"agent":"a","intent":"req","operation":"plan","payload":"hello"})";
    const rapidjson::Document report = replayed(hello + "\n", {});
    EXPECT_EQ(report["messages"].GetInt(), 1);
    EXPECT_EQ(report["calls"].Size(), 0u);
    EXPECT_TRUE(report["rows"][0]["price"].IsNull());
    EXPECT_EQ(replayed("", {})["messages"].GetInt(), 0);
    const Ran refused = run_accp({"session", "replay", "--report"}, "{\n" + hello + "\n");
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("record 1: E1001"), std::string::npos) << refused.err;
    EXPECT_EQ(refused.out.substr(0, 11), "1 messages,") << refused.out;
}

TEST(CliReplay, ThePlotIsAnSvgOfItsOwn) {
    const std::string path = testing::TempDir() + "accp_replay_plot.svg";
    const Ran run =
        run_accp({"session", "replay", "--plot", path, "--rule", "whole_max=300"}, recording());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "");
    std::ifstream file(path);
    const std::string svg{std::istreambuf_iterator<char>(file), {}};
    std::remove(path.c_str());
    EXPECT_EQ(svg.substr(0, 5), "<svg ");
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
    for (const char *said :
         {"Billed so far", "Tokens of each context", "the history resent 1.00", "<title>step "})
        EXPECT_NE(svg.find(said), std::string::npos) << said;
    for (const char *not_said : {"<script", "href", "nan", "inf\""})
        EXPECT_EQ(svg.find(not_said), std::string::npos) << not_said;
    EXPECT_EQ(
        run_accp({"session", "replay", "--plot", path, "--rules", "specification"}, recording())
            .status,
        0);
    std::ifstream folded(path);
    EXPECT_NE(
        std::string(std::istreambuf_iterator<char>(folded), {}).find("made by price or for room"),
        std::string::npos);
    std::remove(path.c_str());
    EXPECT_EQ(run_accp({"session", "replay", "--plot", "/no/such/place.svg"}, recording()).status,
              2);
    EXPECT_EQ(run_accp({"session", "replay", "--plot", path}, "").status, 0);
    std::remove(path.c_str());
    EXPECT_EQ(run_accp({"session", "replay", "--json"}, recording()).status, 2);
}

TEST(CliReplay, EachLineIsACallOrNot) {
    const cli::Arguments arguments;
    cli::MessageReader reader(arguments);
    const std::string call =
        R"({"agent":"a","intent":"req","operation":"x","payload":{"arguments":{}}})";
    std::string compact;
    accp_error err = {};
    for (const char *other : {"[]", "1", "{", "", "{}"}) {
        EXPECT_EQ(reader.read(call, compact, err), ACCP_OK);
        EXPECT_TRUE(reader.is_call());
        reader.read(other, compact, err);
        EXPECT_FALSE(reader.is_call()) << other;
    }
}

}  // namespace
