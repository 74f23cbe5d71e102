// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The first pass over a frame, from bytes to symbols, and the whole parse, with each kernel that
// this machine can run. The C face cannot select a kernel, so these rows use internals. They show
// the speed on other machines.
#include "base/settings.h"
#include "frame/parse.h"
#include "frame/symbols.h"
#include "kernels.h"
#include "rows.h"

namespace accp_bench {

namespace {

struct FirstPass {
    FirstPass(const Lines &lines, const char *kernel)
        : lines(lines), positions(lines.all().size() + 64), codes(lines.all().size() + 64) {
        accp::frame::use_symbols_kernel(kernel);
    }
    bool operator()(size_t i) {
        accp::frame::Symbols symbols = {positions.data(), codes.data(), 0, false, false};
        return accp::frame::find_symbols(lines[i].data(), lines[i].size(), false, symbols) &&
               symbols.count;
    }

    const Lines &lines;
    std::vector<uint32_t> positions;
    std::vector<uint8_t> codes;
};

struct WholeParse {
    WholeParse(const Lines &lines, const char *kernel)
        : lines(lines),
          memory(settings.allocator, UINT64_MAX),
          parser(memory, settings),
          nodes(memory) {
        accp::frame::use_symbols_kernel(kernel);
    }
    bool operator()(size_t i) {
        nodes.clear();
        return parser.parse(lines[i].data(), lines[i].size(), nodes).ok();
    }

    const Lines &lines;
    accp::Settings settings;
    accp::Memory memory;
    accp::frame::Parser parser;
    accp::Buffer<accp::value::Node> nodes;
};

}  // namespace

const char *best_kernel() {
    for (const char *name : kKernels)
        if (accp::frame::use_symbols_kernel(name)) return name;
    return "none";
}

void add_kernel_rows(const Corpus &corpus) {
    for (const char *name : kKernels) {
        if (!accp::frame::use_symbols_kernel(name)) continue;
        add_row(std::string("first pass, ") + name, corpus.frames,
                [&corpus, name]() { return FirstPass(corpus.frames, name); });
        add_row(std::string("parse inside, ") + name, corpus.frames,
                [&corpus, name]() { return WholeParse(corpus.frames, name); });
    }
}

}  // namespace accp_bench
