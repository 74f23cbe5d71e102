// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The benchmark program: checks results, counts, measures times, and prints tables. accp_bench
// [--gate] [--benchmark_…]. --gate: exit status 1 if a promised ratio is not met. Without it, only
// a failed operation causes an error.
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

#include <rapidjson/rapidjson.h>

#include "kernels.h"
#include "memory_table.h"
#include "peers.h"
#include "ratio_table.h"
#include "rows.h"
#include "script_rows.h"
#include "self_check.h"
#include "token_rows.h"

using namespace accp_bench;

namespace {

// Removes our own option from argv, and puts our defaults before the arguments for Google
// Benchmark, where later ones win.
std::vector<char *> read_arguments(int argc, char **argv, bool &gate) {
    static char interleave[] = "--benchmark_enable_random_interleaving=true",
                repeat[] = "--benchmark_repetitions=15", time[] = "--benchmark_min_time=0.05";
    std::vector<char *> arguments = {argv[0], interleave, repeat, time};
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--gate")) gate = true;
        else arguments.push_back(argv[i]);
    }
    return arguments;
}

void print_head(const Corpus &corpus) {
    std::printf("libaccp %s, kernel of the first pass: %s\n", accp_version(), best_kernel());
    std::printf("peers: simdjson %s, RapidJSON %s\n", simdjson_choice().c_str(),
                RAPIDJSON_VERSION_STRING);
    std::printf("compiler: %s\n", ACCP_BENCH_COMPILER);
    std::printf("corpus: %zu messages; a frame has %.0f bytes, the same as compact JSON %.0f\n",
                corpus.frames.size(), corpus.frames.mean_bytes(), corpus.compact.mean_bytes());
    std::fflush(stdout);
    benchmark::AddCustomContext("accp_kernel", best_kernel());
    benchmark::AddCustomContext("simdjson", simdjson_choice());
    benchmark::AddCustomContext("compiler", ACCP_BENCH_COMPILER);
}

int run(int argc, char **argv) {
    bool gate = false;
    std::vector<char *> arguments = read_arguments(argc, argv, gate);
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

    Corpus corpus = read_corpus(ACCP_SOURCE_DIR "/data/corpus");
    const SacpLines sacp = make_sacp_lines();
    print_head(corpus);
    if (!check_operations(corpus) || !check_peers(corpus)) return 1;
    add_frame_rows(corpus);
    add_codec_rows(corpus);
    add_packet_rows(corpus);
    add_peer_rows(corpus, sacp);
    add_sacp_rows(sacp);
#if ACCP_BENCH_YYJSON
    add_yyjson_rows(corpus);
#endif
    add_kernel_rows(corpus);
    add_worst_rows();
    add_token_rows(corpus);
    add_script_rows();
    add_text_rows();

    RatioTable table;
    benchmark::RunSpecifiedBenchmarks(&table);
    bool met = table.print_ratios();
    met &= print_token_ratios(corpus, table);
    print_script_ratios(table);
    print_text_ratios(table);
    met &= print_memory(corpus);
    table.print_rows();
    if (table.failed()) return 1;
    return gate && !met ? 1 : 0;
}

}  // namespace

int main(int argc, char **argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "accp_bench: %s\n", error.what());
        return 1;
    }
}
