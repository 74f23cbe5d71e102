// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The report of accp session replay, compared with a slow model of it; and its plot.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>

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
    EXPECT_NEAR(row["effective_price"].GetDouble(),
                (expected.billed + expected.fetches) / everything.billed, 1e-6);
    for (const char *kind : {"lacks_nothing", "identifiers", "phrases", "task", "newest"}) {
        const auto found = expected.recall.find(kind);
        const ModelShare share = found == expected.recall.end() ? ModelShare() : found->second;
        EXPECT_EQ(row[kind]["needed"].GetUint64(), share.needed) << kind;
        EXPECT_EQ(row[kind]["present"].GetUint64(), share.present) << kind;
    }
}

void expect_model(const std::string &input, const Args &options, const ModelPrices &prices = {}) {
    const rapidjson::Document report = replayed(input, options);
    auto model = model_report(input, options, prices);
    const Value &rows = report["runs"][0]["rows"];
    ASSERT_EQ(rows.Size(), model.size());
    for (const Value &row : rows.GetArray()) {
        SCOPED_TRACE(row["name"].GetString());
        expect_row(row, model[row["name"].GetString()], model["everything"]);
    }
}

// Adds meta.ts: message n comes `seconds(n)` after the first.
template <typename Seconds>
std::string with_times(const std::string &input, Seconds seconds) {
    std::string timed;
    int64_t n = 0;
    for (const std::string &line : lines_of(input))
        timed += line.substr(0, line.size() - 1) +
                 ",\"meta\":{\"ts\":" + std::to_string(1'700'000'000 + seconds(n++)) + "}}\n";
    return timed;
}

struct ReportCase {
    const char *what;
    Args options;
    ModelPrices prices;
};

TEST(CliReplay, TheReportIsWhatASlowModelSays) {
    const ReportCase cases[] = {
        {"defaults", {}, {}},
        {"pages are evicted", {"--rule", "whole_max=300"}, {}},
        {"rules of the specification", {"--rules", "specification"}, {}},
        {"a system prompt", {"--rule", "whole_max=300", "--system", "17000"}, {.system = 17000}},
        {"no prices", {"--rule", "price_write=0", "--rule", "price_cached=0"}, {}},
        {"prices are rules",
         {"--rule", "whole_max=300", "--rule", "price_cached=300", "--rule", "price_write=2000",
          "--rule", "price_output=4000"},
         {.cached = 0.3, .write = 2, .output = 4}},
    };
    for (const ReportCase &one : cases) {
        SCOPED_TRACE(one.what);
        expect_model(recording(), one.options, one.prices);
    }
}

TEST(CliReplay, ACacheExpires) {
    // A call each 20 seconds, and a pause of more than five minutes at each ninth message.
    const std::string timed =
        with_times(recording(), [](int64_t n) { return 20 * n + 301 * (n / 9); });
    expect_model(timed, {"--rule", "whole_max=300"});
    expect_model(timed, {"--system", "5000"}, {.system = 5000});
    const rapidjson::Document report = replayed(timed, {});
    EXPECT_EQ(report["runs"][0]["expired"].GetInt(), 3);
    expect_model(timed, {"--rule", "cache_ttl_ms=1000000"}, {.ttl_seconds = 1000});
    expect_model(timed, {"--rule", "cache_ttl_ms=0"}, {.ttl_seconds = 1e9});
}

TEST(CliReplay, TheReportHasItsPrices) {
    const rapidjson::Document report =
        replayed(recording(), {"--rule", "price_cached=300", "--rule", "price_write=1500", "--rule",
                               "price_output=4000", "--system", "70"});
    EXPECT_EQ(report["price_cached"].GetInt(), 300);
    EXPECT_EQ(report["price_write"].GetInt(), 1500);
    EXPECT_EQ(report["price_output"].GetInt(), 4000);
    EXPECT_EQ(report["cache_ttl_ms"].GetInt(), 300'000);
    EXPECT_EQ(report["system_tokens"].GetInt(), 70);
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

// A result of more than 2,000 tokens counts as the newest message.
TEST(CliReplay, ALongNewestMessageCounts) {
    std::string text;
    for (int i = 0; i < 400; ++i) text += "line " + std::to_string(i) + " of a long result\\n";
    const std::string call =
        R"({"agent":"a","intent":"req","operation":"tool","payload":{"tool_name":"run","arguments":{}}})";
    const std::string input =
        R"({"agent":"user","intent":"req","operation":"plan","payload":"Run it."})"
        "\n" +
        call + "\n" +
        R"({"agent":"sh","intent":"done","operation":"tool","payload":{"tool_name":"run","result":")" +
        text + "\"}}\n" + call + "\n";
    const rapidjson::Document report = replayed(input, {});
    EXPECT_EQ(report["runs"][0]["rows"][0]["newest"]["needed"].GetInt(), 400);
    expect_model(input, {});
    expect_model(input, {"--rule", "newest_max=2000"});
}

// The mean of a share over the runs of each folder, and over the folders.
double mean_of(const rapidjson::Document &report, const char *share) {
    std::map<std::string, std::vector<double>> folders;
    for (const Value &run : report["runs"].GetArray()) {
        const Value &value = run["rows"][0][share];
        const double number = value.IsObject() ? value["share"].GetDouble() : value.GetDouble();
        const std::string file = run["file"].GetString();
        folders[file.substr(0, file.rfind('/'))].push_back(number);
    }
    double sum = 0;
    for (const auto &[folder, all] : folders)
        sum += std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
    return sum / static_cast<double>(folders.size());
}

TEST(CliReplay, SeveralFilesAreRuns) {
    const std::string root = ACCP_SOURCE_DIR "/data/";
    const Args files = {root + "agents/tau2-policy/airline_20260531_204930_608103_0.jsonl",
                        root + "examples/trajectories/test-repo-1.jsonl",
                        root + "examples/trajectories/rev-rock.jsonl"};
    Args options = files;
    options.insert(options.begin(), {"--system", "3000"});
    const rapidjson::Document report = replayed("", options);
    ASSERT_EQ(report["runs"].Size(), 3u);
    double worst = 0;
    for (size_t i = 0; i < files.size(); ++i) {
        const Value &run = report["runs"][static_cast<rapidjson::SizeType>(i)];
        const rapidjson::Document alone = replayed("", {"--system", "3000", files[i]});
        EXPECT_TRUE(run == alone["runs"][0]) << "a run depends on the one before";
        EXPECT_EQ(run["file"].GetString(), files[i]);
        if (run["calls"].Size() >= 8) worst = std::max(worst, run["rows"][0]["price"].GetDouble());
    }
    const Value &mean = report["rows"][0];
    EXPECT_GT(worst, 0);
    EXPECT_NEAR(mean["worst"].GetDouble(), worst, 1e-6);
    for (const char *share : {"raw", "price", "effective_price", "lacks_nothing", "identifiers",
                              "phrases", "task", "newest"})
        EXPECT_NEAR(mean[share].GetDouble(), mean_of(report, share), 2e-6) << share;
    Args stored = options;
    stored.insert(stored.begin(), {"session", "replay", "--report", "--store", "sqlite:runs.db"});
    const Ran refused = run_accp(stored, "");
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("leave --store out"), std::string::npos) << refused.err;
    EXPECT_FALSE(std::ifstream("runs.db")) << "a refusal changes nothing";
    Args drawn = files;
    drawn.insert(drawn.begin(), {"session", "replay", "--plot", "runs.svg"});
    EXPECT_EQ(run_accp(drawn, "").status, 2);
    EXPECT_FALSE(std::ifstream("runs.svg"));
}

TEST(CliReplay, TheTableNamesWhatItCounts) {
    const Ran run = run_accp({"session", "replay", "--report"}, recording());
    EXPECT_EQ(run.status, 0) << run.err;
    for (const char *said :
         {"34 messages, 15 calls of a model", "tokens by o200k_base", "effective", "lacks",
          "before each context: 0;", "accp session", "everything", "first and last",
          "stubbed by 16,000", "checkpoints   1:"})
        EXPECT_NE(run.out.find(said), std::string::npos) << said << "\n" << run.out;
    const Ran approx =
        run_accp({"session", "replay", "--report", "--tokenizer", "approx"}, recording());
    EXPECT_NE(approx.out.find("tokens estimated by approx"), std::string::npos) << approx.out;
}

TEST(CliReplay, WhatHasNoCallsHasNoShares) {
    const std::string hello =
        R"({"agent":"a","intent":"req","operation":"plan","payload":"hello"})";
    const rapidjson::Document report = replayed(hello + "\n", {});
    EXPECT_EQ(report["runs"][0]["messages"].GetInt(), 1);
    EXPECT_EQ(report["runs"][0]["calls"].Size(), 0u);
    EXPECT_TRUE(report["rows"][0]["price"].IsNull());
    EXPECT_TRUE(report["rows"][0]["worst"].IsNull());
    EXPECT_EQ(replayed("", {})["runs"][0]["messages"].GetInt(), 0);
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
