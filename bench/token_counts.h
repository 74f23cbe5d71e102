// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counters of o200k_base through the C face, and texts to count.
#pragma once

#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "corpus.h"

namespace accp_bench {

struct FreeTokens {
    void operator()(accp_tokenizer *handle) const { accp_tokenizer_free(handle); }
    void operator()(accp_counter *handle) const { accp_counter_free(handle); }
};
using Tokenizer = std::unique_ptr<accp_tokenizer, FreeTokens>;
using Counter = std::unique_ptr<accp_counter, FreeTokens>;
using Texts = std::vector<std::string>;

inline const accp_tokenizer *tokenizer() {
    static const Tokenizer made = [] {
        accp_tokenizer *out = nullptr;
        if (accp_tokenizer_new("o200k_base", 10, nullptr, &out, nullptr) != ACCP_OK)
            throw std::runtime_error("no o200k_base");
        return Tokenizer(out);
    }();
    return made.get();
}

inline Counter make_counter() {
    accp_counter *out = nullptr;
    if (accp_counter_new(tokenizer(), nullptr, &out, nullptr) != ACCP_OK)
        throw std::runtime_error("accp_counter_new");
    return Counter(out);
}

struct Count {
    explicit Count(const Texts &texts) : texts(texts), counter(make_counter()) {}
    bool operator()(size_t i) { return add(texts[i]); }
    bool add(const std::string &text) {
        uint64_t tokens = 0;
        bool good = accp_counter_count(counter.get(), text.data(), text.size(), UINT64_MAX, &tokens,
                                       nullptr) == ACCP_OK;
        total += tokens;
        return good;
    }

    const Texts &texts;
    Counter counter;
    uint64_t total = 0;
};

// Uses a new counter for each block, so it has seen only what the block itself repeats.
struct CountFirst : Count {
    using Count::Count;
    void prepare(size_t first, size_t) {
        if (!first) counter = make_counter();
    }
};

inline std::string whole_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) throw std::runtime_error("cannot read " + path);
    return text.str();
}

// The long strings of the trajectories: messages between people and models.
inline Texts english_texts() {
    Texts texts;
    Value value = make_value();
    for (const char *name :
         {"marshmallow-1867", "marshmallow-1867-b", "rev-rock", "forensics-flash", "test-repo-1"}) {
        std::istringstream lines(whole_file(
            std::string(ACCP_SOURCE_DIR "/data/examples/trajectories/") + name + ".jsonl"));
        for (std::string line; std::getline(lines, line);) {
            size_t count = 0;
            if (accp_value_parse_json(value.get(), line.data(), line.size(), nullptr) != ACCP_OK)
                throw std::runtime_error(name);
            const accp_node *nodes = accp_value_nodes(value.get(), &count);
            const char *text = accp_value_text(value.get()).text;
            for (size_t i = 0; i < count; ++i)
                if (nodes[i].kind == ACCP_STRING && nodes[i].len >= 80)
                    texts.emplace_back(text + nodes[i].offset, nodes[i].len);
        }
    }
    return texts;
}

inline Texts code_texts() {
    Texts texts;
    for (const char *name :
         {"frame/parse.cc", "frame/encode.cc", "frame/encode_direct.cc", "frame/symbols_avx512.cc",
          "value/json_reader.cc", "value/number.cc", "value/json_writer.cc", "capi/frame.cc",
          "capi/value.cc", "cli/frames/inspect.cc", "cli/frames/filter.cc", "cli/settings.cc"})
        texts.push_back(whole_file(std::string(ACCP_SOURCE_DIR "/src/") + name));
    return texts;
}

}  // namespace accp_bench
