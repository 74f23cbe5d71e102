// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp proxy report: the diagrams of a log of calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "cli/proxy/accounts.h"
#include "run_accp.h"
#include "temp_directory.h"

namespace {

constexpr int64_t kDayMs = 86'400'000, kFirstMs = 1'790'000'000'000;

std::string call_in_log(int64_t time_ms, double billed, double untouched,
                        bool is_held_out = false) {
    return R"({"time_ms":)" + std::to_string(time_ms) +
           R"(,"conversation":"c","model":"m","evicted_now":0,"input":9,"held_out":)" +
           (is_held_out ? "true" : "false") + R"(,"billed":)" + std::to_string(billed) +
           R"(,"untouched":)" + std::to_string(untouched) +
           R"(,"error":0.5,"rewriting":0,"unit":"dollars"})" + "\n";
}

constexpr const char *kDollars = "$: US dollars, by the table of prices.\n";
constexpr const char *kTokens =
    "M: millions of plain input tokens, for models that are not in the table of prices. A token "
    "that is read from the cache counts as a part of one.\n";

size_t count_of(const std::string &text, const std::string &part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

TEST(CliProxyReport, BarsOfDays) {
    const TempDirectory folder;
    const std::string log =
        folder.write("calls", call_in_log(kFirstMs + kDayMs, 3, 2) + call_in_log(kFirstMs, 1, 4) +
                                  call_in_log(kFirstMs, 9, 9, true));
    const Ran run = run_accp({"proxy", "report", log, "--plot"});
    EXPECT_EQ(run.status, 0) << run.err;
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), 4u) << run.out;
    EXPECT_TRUE(lines[1].starts_with("2026-09-21 ")) << run.out;
    EXPECT_EQ(count_of(lines[1], "\u2588"), 10u);
    EXPECT_EQ(count_of(lines[1], "\u2591"), 30u);
    EXPECT_TRUE(lines[1].ends_with(" $1.0000 of $4.0000")) << run.out;
    EXPECT_TRUE(lines[2].starts_with("2026-09-22 ")) << run.out;
    EXPECT_EQ(count_of(lines[2], "\u2588"), 20u);
    EXPECT_EQ(count_of(lines[2], "\u2592"), 10u);
    EXPECT_EQ(lines[3] + "\n", kDollars);
    EXPECT_EQ(run_accp({"proxy", "report", log, "--plot", "-"}).out, run.out);
}

// However many calls: all are in the bars, and there are not too many of these.
TEST(CliProxyReport, BarsOfCallsOfOneDay) {
    const TempDirectory folder;
    for (const int calls : {1, 2, 24, 25, 47, 100}) {
        std::string log;
        for (int i = 0; i < calls; ++i) log += call_in_log(kFirstMs + i, 1, 2);
        const std::vector<std::string> lines =
            lines_of(run_accp({"proxy", "report", folder.write("calls", log), "--plot"}).out);
        EXPECT_LE(lines.size(), 26u);
        double billed = 0;
        int last = 0;
        for (size_t i = 1; i + 1 < lines.size(); ++i) {
            std::smatch found;
            ASSERT_TRUE(std::regex_search(
                lines[i], found, std::regex("^calls? (\\d+)(-(\\d+))? .* \\$([\\d.]+) of")))
                << lines[i];
            EXPECT_EQ(std::stoi(found[1]), last + 1);
            last = std::stoi(found[found[3].matched ? 3 : 1]);
            billed += std::stod(found[4]);
        }
        EXPECT_EQ(last, calls);
        EXPECT_EQ(billed, calls);
    }
}

TEST(CliProxyReport, AnSvgHasBothBills) {
    const TempDirectory folder;
    const std::string log =
        folder.write("calls", call_in_log(kFirstMs, 1, 4) + call_in_log(kFirstMs + kDayMs, 1, 2) +
                                  call_in_log(kFirstMs, 9, 9, true));
    const std::string file = folder / "bill.svg";
    const Ran run = run_accp({"proxy", "report", log, "--plot", file});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "");
    const std::string svg = ::text_of(file);
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    EXPECT_NE(svg.find("2 calls, billed $2.0000, untouched about $6.0000 (error $1.0000)"),
              std::string::npos);
    EXPECT_NE(svg.find("<title>2026-09-21: billed $1.0000, untouched about $4.0000"),
              std::string::npos);
    EXPECT_EQ(count_of(svg, "<polyline "), 2u);
    EXPECT_EQ(count_of(svg, "<g>"), count_of(svg, "</g>"));
    EXPECT_EQ(run_accp({"proxy", "report", log, "--plot", "/no/such/x.svg"}).status, 2);
    EXPECT_EQ(run_accp({"proxy", "report", "--plot", log}).status, 2);
    EXPECT_EQ(run_accp({"proxy", "report", folder.write("none", ""), "--plot"}).out, "no calls\n");
}

// --plot takes the word that follows it, which may be the account itself.
TEST(CliProxyReport, APlotReplacesOnlyAnSvg) {
    const TempDirectory folder;
    const std::string text = call_in_log(kFirstMs, 1, 4), log = folder.write("a.jsonl", text),
                      other = folder.write("b.jsonl", text);
    for (const Args &words :
         {Args{"--plot", log, other}, Args{log, "--plot", log}, Args{log, "--plot=" + log}}) {
        Args args = {"proxy", "report"};
        args.insert(args.end(), words.begin(), words.end());
        const Ran run = run_accp(args);
        EXPECT_EQ(run.status, 2);
        EXPECT_EQ(run.err,
                  "accp: --plot " + log + ": exists and is not an SVG; give another file\n");
        EXPECT_EQ(::text_of(log), text);
    }
    for (const char *old : {"<svg width=\"1\"/>", "<?xml version=\"1.0\"?><svg/>"}) {
        const std::string file = folder.write("bill.svg", old);
        EXPECT_EQ(run_accp({"proxy", "report", log, "--plot", file}).status, 0);
        EXPECT_TRUE(::text_of(file).ends_with("</svg>\n")) << old;
    }
    EXPECT_EQ(run_accp({"proxy", "report", log, "--plot", "/dev/null"}).status, 0);
    const std::string too_long(5000, 'x');
    EXPECT_EQ(run_accp({"proxy", "report", log, "--plot", too_long}).err,
              "accp: --plot " + too_long + ": cannot be written: File name too long\n");
}

// The proxy can be killed while it writes a line. The next one begins a new line.
TEST(CliProxyReport, IncompleteLinesAreSkipped) {
    const TempDirectory folder;
    const std::string line = call_in_log(kFirstMs, 1, 4), file = folder / "calls";
    const Ran whole = run_accp({"proxy", "report", folder.write("calls", line + line)});
    EXPECT_EQ(whole.err, "");
    const std::string why = ", because the proxy was killed while it wrote\n";
    for (size_t size = 1; size + 2 < line.size(); size += 31) {
        const std::string cut = line.substr(0, size);
        Ran run = run_accp({"proxy", "report", folder.write("calls", line + line + cut)});
        EXPECT_EQ(run.status, 0);
        EXPECT_EQ(run.out, whole.out);
        EXPECT_EQ(run.err, "accp: " + file + ": 1 incomplete line was skipped (line 3)" + why);
        folder.write("calls", line + cut + "\n" + line + cut);
        run = run_accp({"proxy", "report", file});
        EXPECT_EQ(run.out, whole.out);
        EXPECT_EQ(run.err, "accp: " + file +
                               ": 2 incomplete lines were skipped (the last one is line 4)" + why);
    }
    // only its line feed is missing
    folder.write("calls", line + line.substr(0, line.size() - 1));
    const Ran both = run_accp({"proxy", "report", file});
    EXPECT_EQ(both.err, "");
    EXPECT_EQ(both.out, whole.out);
}

TEST(CliProxyReport, ABadLineIsNamed) {
    const TempDirectory folder;
    const std::string line = call_in_log(kFirstMs, 1, 4);
    const struct {
        std::string line;
        const char *fault;
    } cases[] = {
        {"x" + line, "not a JSON value"},
        {"{\"time_ms\":1}\n", "it has no number \"evicted_now\""},
        {"[]\n", "it has no number \"time_ms\""},
        {"{\"time_ms\":1}", "it has no number \"evicted_now\""},
    };
    for (const auto &each : cases) {
        const std::string file = folder.write("calls", line + each.line);
        for (const char *option : {"--json", "--plot"}) {
            const Ran run = run_accp({"proxy", "report", file, option});
            EXPECT_EQ(run.status, 2);
            EXPECT_EQ(run.out, "");
            EXPECT_EQ(run.err,
                      "accp: " + file + ":2: not a line of --calls (" + each.fault + ")\n");
        }
    }
    EXPECT_EQ(run_accp({"proxy", "report", folder.write("calls", "\n" + line)}).status, 2);
}

proxy::UnitTotals totals_of(uint64_t calls, uint64_t unknown, uint64_t evictions,
                            uint64_t rewritten, double billed, double untouched,
                            bool is_priced = true) {
    proxy::UnitTotals sums;
    proxy::Totals &totals = sums.of(is_priced);
    totals.calls = calls;
    totals.unknown_calls = unknown;
    totals.evictions = evictions;
    totals.rewritten_calls = rewritten;
    totals.bill.billed = billed;
    totals.bill.untouched = untouched;
    return sums;
}

TEST(CliProxyReport, TheSummaryOfARun) {
    const struct {
        proxy::UnitTotals totals;
        std::string line;
    } cases[] = {
        {totals_of(61, 61, 59, 12, 0, 0),
         "proxy: 61 calls; 59 results were left out; the bill is unknown: the provider reported no "
         "usage in any of them\n"},
        {totals_of(61, 3, 59, 12, 2, 4),
         std::string("proxy: 61 calls, billed $2.0000; without the proxy about $4.0000 (error "
                     "$0.0000): 50 % saved; 59 results were left out; the provider reported no "
                     "usage in 3 of 61, which are not in the bill\n") +
             kDollars},
        {totals_of(2, 0, 1, 1, 1, 4),
         std::string("proxy: 2 calls, billed $1.0000; without the proxy about $4.0000 (error "
                     "$0.0000): 75 % saved; 1 result was left out\n") +
             kDollars},
        {totals_of(2, 0, 0, 1, 1, 4),
         std::string("proxy: 2 calls, billed $1.0000; without the proxy about $4.0000 (error "
                     "$0.0000): 75 % saved; no further result was left out\n") +
             kDollars},
        {totals_of(1, 0, 0, 0, 1, 1),
         std::string("proxy: 1 call, billed $1.0000; no result was left out\n") + kDollars},
        {totals_of(2, 0, 0, 1, 1.08, 1),
         std::string("proxy: 2 calls, billed $1.0800; without the proxy about $1.0000 (error "
                     "$0.0000): 8 % more than without it; no further result was left out\n") +
             kDollars},
        {totals_of(2, 0, 0, 1, 1.001, 1, false),
         std::string("proxy: 2 calls, billed 1.0010 M; without the proxy about 1.0000 M (error "
                     "0.0000 M): 0 % saved; no further result was left out\n") +
             kTokens},
        {totals_of(0, 0, 0, 0, 0, 0), "proxy: no call of a model\n"},
    };
    for (const auto &each : cases) EXPECT_EQ(cli::summary_of(each.totals, {}, {}), each.line);
    EXPECT_EQ(cli::summary_of({}, totals_of(2, 1, 0, 0, 1, 1), {}),
              std::string("held out: 2 calls, billed $1.0000; no result was left out; the provider "
                          "reported no usage in 1 of 2, which are not in the bill\n") +
                  kDollars);
    proxy::UnitTotals both = totals_of(2, 0, 0, 0, 1, 1);
    both.tokens = totals_of(3, 0, 0, 0, 5, 5, false).tokens;
    EXPECT_EQ(cli::summary_of(both, {}, {}),
              std::string("proxy: 2 calls, billed $1.0000; no result was left out\n"
                          "proxy: 3 calls, billed 5.0000 M; no result was left out\n") +
                  kDollars + kTokens);
}

TEST(CliProxyReport, TheSummaryHasCallsThatFailed) {
    const proxy::CallFailure failure = {1, "anthropic", "status 529 (overloaded_error)"};
    const std::string last = "last failure, of anthropic: status 529 (overloaded_error)\n";
    proxy::UnitTotals sums;
    sums.dollars.failed_calls = 3;
    EXPECT_EQ(cli::summary_of(sums, {}, failure),
              "proxy: 3 calls failed, and none had a whole answer\n" + last);
    sums = totals_of(2, 0, 0, 0, 1, 1);
    sums.dollars.failed_calls = 1;
    EXPECT_EQ(cli::summary_of(sums, {}, failure),
              "proxy: 2 calls, billed $1.0000; no result was left out; 1 call failed\n" + last +
                  kDollars);
}

TEST(CliProxyReport, CallsThatFailedAreCountedApart) {
    const TempDirectory folder;
    const auto line = [](const std::string &status, const std::string &more) {
        return R"({"time_ms":1,"conversation":"c","model":"m","status":)" + status + more +
               R"(,"evicted_now":0,"unit":"dollars","billed":0,"untouched":0,"error":0,)" +
               R"("rewriting":0})" + "\n";
    };
    const std::string file = folder.write(
        "calls", line("429", R"(,"failed":"status 429")") + line("200", R"(,"input":9)") +
                     line("200", R"(,"failed":"it broke off","input":9)") +
                     line("0", R"(,"failed":"Connection refused")"));
    const std::string table = run_accp({"proxy", "report", file}).out;
    EXPECT_EQ(count_of(table, "     2       3      $0.0000"), 2u) << table;
    EXPECT_NE(table.find("\nlast failure: Connection refused\n"), std::string::npos) << table;
    const std::string json = run_accp({"proxy", "report", file, "--json"}).out;
    EXPECT_TRUE(json.starts_with(R"({"rewritten":{"unit":"dollars","calls":2,"failed_calls":3,)"
                                 R"("unknown_calls":0,)"))
        << json;
    const std::vector<std::string> bars =
        lines_of(run_accp({"proxy", "report", file, "--plot"}).out);
    EXPECT_EQ(bars.size(), 4u) << "two calls have a bill";
}

// Dollars and tokens have lines of their own. Lines of earlier versions have no unit.
TEST(CliProxyReport, AmountsHaveAUnit) {
    const TempDirectory folder;
    const auto line = [](const std::string &model, const std::string &unit, int billed) {
        return R"({"time_ms":1,"conversation":"c","model":")" + model +
               R"(","evicted_now":0,"input":9)" + unit + R"(,"billed":)" + std::to_string(billed) +
               R"(,"untouched":8,"error":0,"rewriting":0})" + "\n";
    };
    const std::string file =
        folder.write("calls", line("local", R"(,"unit":"million tokens")", 1) +
                                  line("local", R"(,"unit":"dollars")", 2) + line("local", "", 3) +
                                  line("claude-opus-5", "", 4));
    const std::string table = run_accp({"proxy", "report", file}).out;
    const std::pair<std::string, const char *> rows[] = {
        {"     2       -      $6.0000     $16.0000    $0.0000      63 %  ", "claude-opus-5\n"},
        {"     2       -     4.0000 M    16.0000 M   0.0000 M      75 %  ", "local\n"}};
    for (const auto &[cells, model] : rows) {
        EXPECT_EQ(count_of(table, cells), 2u) << cells << "\n" << table;
        EXPECT_NE(table.find(cells + model), std::string::npos) << table;
    }
    EXPECT_TRUE(
        table.ends_with("billed: by the provider. untouched: an estimate of the same calls "
                        "without the proxy. error: one standard deviation of that "
                        "estimate.\n" +
                        std::string(kDollars) + kTokens))
        << table;
    const std::string json = run_accp({"proxy", "report", file, "--json"}).out;
    EXPECT_NE(json.find(R"("rewritten_without_price":{"unit":"million tokens","calls":2,)"),
              std::string::npos)
        << json;
    const std::string bars = run_accp({"proxy", "report", file, "--plot"}).out;
    EXPECT_TRUE(bars.ends_with("\n2 calls of models without a price are left out\n" +
                               std::string(kDollars)))
        << bars;
}

// A line of --calls without members of usage.
std::string unknown_call(int evicted, bool is_held_out = false) {
    return R"({"time_ms":1,"conversation":"u","model":"m","unit":"dollars","evicted_now":)" +
           std::to_string(evicted) + R"(,"held_out":)" + (is_held_out ? "true" : "false") +
           R"(,"billed":0,"untouched":0,"error":0,"rewriting":0})" + "\n";
}

TEST(CliProxyReport, CallsWithoutUsageAreCounted) {
    const TempDirectory folder;
    const auto report = [&](const std::string &log, const char *option = nullptr) {
        Args words = {"proxy", "report", folder.write("calls", log)};
        if (option) words.push_back(option);
        return run_accp(words).out;
    };
    const std::string known = call_in_log(kFirstMs, 1, 4);
    EXPECT_EQ(report(known).find("usage"), std::string::npos);
    const auto expect_line = [&](const std::string &log, const std::string &line) {
        EXPECT_NE(report(log).find("\n" + line + "\nbilled: "), std::string::npos) << report(log);
    };
    expect_line(unknown_call(2) + unknown_call(3),
                "of all: 2 calls; 5 results were left out; the bill is unknown: the provider "
                "reported no usage in any of them");
    expect_line(known + unknown_call(0) + unknown_call(0, true),
                "of all: 2 calls; no result was left out; the provider reported no usage in 1 of "
                "2, which are not in the bill\n"
                "held out: 1 calls; no result was left out; the bill is unknown: the provider "
                "reported no usage in any of them");
    const std::string json = report(known + unknown_call(2) + unknown_call(0, true), "--json");
    EXPECT_TRUE(json.starts_with(
        R"({"rewritten":{"unit":"dollars","calls":2,"failed_calls":0,"unknown_calls":1,"evictions":2,)"))
        << json;
    EXPECT_NE(
        json.find(R"("held_out":{"unit":"dollars","calls":1,"failed_calls":0,"unknown_calls":1,)"),
        std::string::npos)
        << json;
}

// A call of a cheap model costs less than a ten-thousandth of a dollar.
TEST(CliProxyReport, TheJsonHasExactNumbers) {
    const TempDirectory folder;
    const std::string file = folder.write(
        "calls",
        R"({"time_ms":1,"conversation":"c","model":"m","evicted_now":0,"input":9,"resolve":true,)"
        R"("billed":0.0000123456789,"untouched":0.1,"error":1e-9,"rewriting":2})"
        "\n");
    const std::string numbers =
        R"("resolve_billed":1.23456789e-05,"billed":1.23456789e-05,"untouched":0.1,)"
        R"("error":1e-09,"rewriting":2})";
    // of all, and of the conversation
    EXPECT_EQ(count_of(run_accp({"proxy", "report", file, "--json"}).out, numbers), 2u);
}

TEST(CliProxyReport, NothingSavedHasNoSign) {
    const TempDirectory folder;
    const auto report = [&](double billed) {
        return run_accp({"proxy", "report", folder.write("calls", call_in_log(1, billed, 1))}).out;
    };
    EXPECT_EQ(count_of(report(1.001), "  0 %"), 2u) << report(1.001);
    EXPECT_EQ(count_of(report(1.08), " -8 %"), 2u);
    EXPECT_EQ(count_of(report(0.92), " 8 %"), 2u);
}

}  // namespace
