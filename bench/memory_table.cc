// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See memory_table.h.
#include "memory_table.h"

#include <cstdio>

#include "heap_calls.h"
#include "operations.h"
#include "rows.h"

namespace accp_bench {

namespace {

struct Count {
    double heap_calls;  // per message, in the second pass
    size_t held;        // bytes that the handles hold afterwards
};

template <class Operation>
Count count_calls(const Lines &lines, size_t count) {
    CountingAllocator allocator;
    accp_allocator face = allocator.face();
    Config config = make_config();
    accp_config_set_allocator(config.get(), &face, nullptr);
    Operation op(lines, config.get());
    run_pass(op, count, [](auto prepare) { prepare(); });
    size_t aside = 0, before = malloc_calls();
    run_pass(op, count, [&aside](auto prepare) {
        size_t start = malloc_calls();
        prepare();
        aside += malloc_calls() - start;
    });
    return {
        static_cast<double>(malloc_calls() - before - aside) / static_cast<double>(lines.size()),
        allocator.held()};
}

template <class Operation>
bool print_row(const char *name, const Lines &lines, bool batch = false) {
    Count counted = count_calls<Operation>(lines, batch ? 1 : lines.size());
    std::printf("  %-24s %12.4f %16zu   %s\n", name, counted.heap_calls, counted.held,
                counted.heap_calls == 0 ? "met" : "NOT met");
    return counted.heap_calls == 0;
}

}  // namespace

bool print_memory(const Corpus &corpus) {
    std::printf("\nHeap calls a message once warm (must be 0), and what the handles then hold\n");
    std::printf("  %-24s %12s %16s   verdict\n", "row", "heap calls", "bytes held");
    bool good = print_row<Parse>(kParse, corpus.frames);
    good &= print_row<BatchParse>(kBatchParse, corpus.frames, true);
    good &= print_row<Refuse>(kRefuse, corpus.frames);
    good &= print_row<Print>(kPrint, corpus.frames);
    good &= print_row<Canon>(kCanon, corpus.frames);
    good &= print_row<Build>(kBuild, corpus.encoded);
    good &= print_row<Encode>(kEncode, corpus.messages);
    good &= print_row<Decode>(kDecode, corpus.encoded);

    BatchParse batch(corpus.frames, nullptr);
    batch(0);
    size_t nodes = 0;
    accp_batch_nodes(batch.batch.get(), &nodes);
    double a_frame = static_cast<double>(nodes) / static_cast<double>(corpus.frames.size());
    bool small = sizeof(accp_node) <= 16;
    std::printf(
        "\nThe tree: %zu bytes a node (must be at most 16: %s), nothing for text; %.1f nodes and "
        "%.0f bytes a frame of %.0f bytes\n",
        sizeof(accp_node), small ? "met" : "NOT met", a_frame, a_frame * sizeof(accp_node),
        corpus.frames.mean_bytes());
    return good && small;
}

}  // namespace accp_bench
