// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rows of the library, measured through its C face.
#include <cstring>

#include "operations.h"
#include "rows.h"

namespace accp_bench {

namespace {

// The lower bound: anything that reads a frame takes at least this time.
struct Copy {
    explicit Copy(const Lines &lines) : lines(lines), room(lines.all().size()) {}
    bool operator()(size_t i) {
        std::memcpy(room.data(), lines[i].data(), lines[i].size());
        benchmark::DoNotOptimize(room.data());
        benchmark::ClobberMemory();
        return true;
    }

    const Lines &lines;
    std::vector<char> room;
};

template <class Operation>
void add(const char *name, const Lines &lines) {
    add_row(name, lines, [&lines]() { return Operation(lines, nullptr); });
}

}  // namespace

void add_frame_rows(const Corpus &corpus) {
    add_row(kMemcpy, corpus.frames, [&corpus]() { return Copy(corpus.frames); });
    add<Parse>(kParse, corpus.frames);
    add_row(kBatchParse, 1, corpus.frames.size(), corpus.frames.all().size(),
            [&corpus]() { return BatchParse(corpus.frames, nullptr); });
    add<Refuse>(kRefuse, corpus.frames);
    add<Print>(kPrint, corpus.frames);
    add<Canon>(kCanon, corpus.frames);
    add<Build>(kBuild, corpus.encoded);
    add<Encode>(kEncode, corpus.messages);
    add<Decode>(kDecode, corpus.encoded);
    add<DecodePlain>(kDecodePlain, corpus.frames);
}

}  // namespace accp_bench
