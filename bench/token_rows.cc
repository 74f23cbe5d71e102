// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See token_rows.h.
#include "token_rows.h"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "rows.h"
#include "token_counts.h"

namespace accp_bench {

namespace {

constexpr const char *kFrames = "count tokens: frames";
constexpr const char *kFirst = "count tokens: frames, first pass";
constexpr const char *kEnglish = "count tokens: English";
constexpr const char *kCode = "count tokens: code";

struct Sets {
    explicit Sets(const Corpus &corpus) : english(english_texts()), code(code_texts()) {
        for (size_t i = 0; i < corpus.frames.size(); ++i) frames.emplace_back(corpus.frames[i]);
    }
    Texts frames, english, code;
};

const Sets &sets(const Corpus &corpus) {
    static const Sets made(corpus);
    return made;
}

size_t bytes(const Texts &texts) {
    size_t all = 0;
    for (const std::string &text : texts) all += text.size();
    return all;
}

template <class Operation>
void add(const char *name, const Texts &texts) {
    add_row(name, texts.size(), texts.size(), bytes(texts),
            [&texts]() { return Operation(texts); });
}

void add_worst(const char *name, std::string text) {
    auto *texts = new Texts{std::move(text)};  // kept until the program ends
    add_row(std::string("worst: a megabyte of ") + name, 1, 1, bytes(*texts),
            [texts]() { return Count(*texts); });
}

struct Asked {
    const char *row;
    const char *set;
    const char *package;
    double must, goal;  // how many times as fast
};
constexpr Asked kAsked[] = {
    {kFrames, "frames", "tiktoken", 76, 105}, {kFrames, "frames", "gpt-tokenizer", 22, 30},
    {kEnglish, "english", "tiktoken", 50, 0}, {kEnglish, "english", "gpt-tokenizer", 0, 0},
    {kCode, "code", "tiktoken", 50, 0},       {kCode, "code", "gpt-tokenizer", 0, 0},
    {kFirst, "frames", "tiktoken", 0, 0},     {kFirst, "frames", "gpt-tokenizer", 0, 0},
};

struct Measured {
    double ns;
    uint64_t tokens;
};

void write_sets(const Sets &all, const std::string &path) {
    std::ofstream out(path, std::ios::binary);
    const std::pair<const char *, const Texts &> named[] = {
        {"frames", all.frames}, {"english", all.english}, {"code", all.code}};
    for (const auto &[name, texts] : named) {
        out << name << ' ' << texts.size() << '\n';
        for (const std::string &text : texts) out << text.size() << '\n' << text;
    }
}

std::map<std::string, Measured> run_child(const std::string &package, const std::string &modules,
                                          const std::string &path) {
    std::map<std::string, Measured> measured;
    const std::string command = "node '" ACCP_SOURCE_DIR "/bench/token_peers.cjs' " + package +
                                " '" + modules + "' '" + path + "'";
    FILE *child = popen(command.c_str(), "r");
    char name[32];
    Measured one;
    unsigned long long tokens;
    while (child && std::fscanf(child, "%31s %lf %llu", name, &one.ns, &tokens) == 3)
        measured[name] = {one.ns, tokens};
    if (child) pclose(child);
    return measured;
}

uint64_t tokens_of(const Texts &texts) {
    Count count(texts);
    for (size_t i = 0; i < texts.size(); ++i) count(i);
    return count.total;
}

}  // namespace

void add_token_rows(const Corpus &corpus) {
    const Sets &all = sets(corpus);
    add<Count>(kFrames, all.frames);
    add<CountFirst>(kFirst, all.frames);
    add<Count>(kEnglish, all.english);
    add<Count>(kCode, all.code);
    std::string random(1 << 20, 'a');
    uint32_t state = 1;
    for (char &c : random)
        c = static_cast<char>('a' + ((state = state * 1664525 + 1013904223) >> 24) % 26);
    add_worst("one letter, counted", std::string(1 << 20, 'a'));
    add_worst("random letters, counted", random);
    add_worst("spaces, counted", std::string(1 << 20, ' '));
}

bool print_token_ratios(const Corpus &corpus, const RatioTable &table) {
    const char *modules = std::getenv("ACCP_NODE_MODULES");
    if (!modules) {
        std::printf(
            "\nTokens against npm's tiktoken and gpt-tokenizer: not run, as ACCP_NODE_MODULES does "
            "not say where they are\n");
        return true;
    }
    const std::string path = "/tmp/accp_bench_texts." + std::to_string(getpid());
    write_sets(sets(corpus), path);
    std::map<std::string, std::map<std::string, Measured>> peers;
    for (const char *package : {"tiktoken", "gpt-tokenizer"})
        peers[package] = run_child(package, modules, path);
    std::remove(path.c_str());
    const std::map<std::string, uint64_t> tokens = {{"frames", tokens_of(sets(corpus).frames)},
                                                    {"english", tokens_of(sets(corpus).english)},
                                                    {"code", tokens_of(sets(corpus).code)}};
    std::printf(
        "\nTokens, o200k_base: how many times as fast as npm packages that count the same texts in "
        "node\n");
    std::printf("  %-34s %10s  %-14s %12s %8s %6s %6s  verdict\n", "row", "ns", "peer", "ns",
                "times", "must", "goal");
    bool all_met = true;
    for (const Asked &asked : kAsked) {
        const Measured peer = peers[asked.package][asked.set];
        const double ns = table.median_ns(asked.row), times = ns > 0 ? peer.ns / ns : 0;
        const bool met = times >= asked.must;
        const char *verdict = times == 0                              ? "not measured"
                              : asked.must == 0                       ? ""
                              : !met                                  ? "NOT met"
                              : asked.goal > 0 && times >= asked.goal ? "met, goal too"
                                                                      : "met";
        std::printf(
            "  %-34s %10.0f  %-14s %12.0f %8.1f %6.0f %6.0f  %s%s\n", asked.row, ns, asked.package,
            peer.ns, times, asked.must, asked.goal, verdict,
            times > 0 && peer.tokens != tokens.at(asked.set) ? " (it counts other tokens)" : "");
        all_met &= met;
    }
    return all_met;
}

}  // namespace accp_bench
