// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Times rows, and names them for the tables.
#pragma once

#include <benchmark/benchmark.h>

#include "operations.h"

namespace accp_bench {

constexpr const char *kParse = "parse";
constexpr const char *kBatchParse = "parse, batch";
constexpr const char *kRefuse = "parse, refused";
constexpr const char *kPrint = "print from the tree";
constexpr const char *kCanon = "parse and print";
constexpr const char *kBuild = "print from values";
constexpr const char *kEncode = "JSON to frame";
constexpr const char *kDecode = "frame to JSON";
constexpr const char *kDecodePlain = "plain frame to JSON";
constexpr const char *kCodecEncode = "codec: encode, counted";
constexpr const char *kCodecEncodeOnly = "codec: encode";
constexpr const char *kCodecDecode = "codec: decode";
constexpr const char *kGenerate = "packet of a conversation";
constexpr const char *kSimdjsonTalk = "simdjson DOM, conversation";
constexpr const char *kJudge = "judge a message";
constexpr const char *kJudgeVarious = "judge messages";
constexpr const char *kJudgeWithTree = "judge messages, with tree";
constexpr const char *kSimdjsonJudged = "simdjson DOM, judged";
constexpr const char *kSimdjsonVarious = "simdjson DOM, judged all";
constexpr const char *kMemcpy = "memcpy";
constexpr const char *kSimdjson = "simdjson DOM";
constexpr const char *kSimdjsonHaswell = "simdjson DOM, haswell";
constexpr const char *kSimdjsonMessage = "simdjson DOM, message";
constexpr const char *kRapidInSitu = "RapidJSON in situ";
constexpr const char *kRapidWriter = "RapidJSON Writer";
constexpr const char *kYyjsonInSitu = "yyjson in situ, pool";
constexpr const char *kYyjsonWrite = "yyjson_write_buf";

// SACP messages: one of them a hundred times, and 2,000 different ones. Throws if one is not valid.
struct SacpLines {
    Lines example, various;
};
SacpLines make_sacp_lines();

void add_codec_rows(const Corpus &corpus);
void add_frame_rows(const Corpus &corpus);
void add_kernel_rows(const Corpus &corpus);
void add_packet_rows(const Corpus &corpus);
void add_peer_rows(const Corpus &corpus, const SacpLines &sacp);
void add_sacp_rows(const SacpLines &lines);
void add_worst_rows();
void add_yyjson_rows(const Corpus &corpus);  // if ACCP_BENCH_YYJSON is 1

// Times op(i) for every i below count; an iteration is one pass. make() makes a new op for each
// repetition, so that no row profits from lucky addresses. A pass before the clock starts warms it
// up. items and bytes: the work of one pass.
template <class Make>
void add_row(const std::string &name, size_t count, size_t items, size_t bytes, Make make) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State &state) {
        auto op = make();
        bool good = run_pass(op, count, [](auto prepare) { prepare(); });
        auto unclocked = [&state](auto prepare) {
            state.PauseTiming();
            prepare();
            state.ResumeTiming();
        };
        for (auto _ : state) good &= run_pass(op, count, unclocked);
        if (!good) state.SkipWithError("an operation failed");
        state.SetItemsProcessed(static_cast<int64_t>(items) * state.iterations());
        state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
    });
}

// The usual case: an operation on each of the lines.
template <class Make>
void add_row(const std::string &name, const Lines &lines, Make make) {
    add_row(name, lines.size(), lines.size(), lines.all().size(), make);
}

}  // namespace accp_bench
