// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Files of code, wherever they are kept (in memory: code_index.h, on disk: code_disk.h), and what
// ranking asks of them.
//
// How much a file of code says of a task: BM25 of its words, the names that it defines, and what
// kind of file it is. In whole numbers, so that every machine has the same order.
#pragma once

#include <algorithm>
#include <span>

#include "base/arena.h"

namespace accp::packet {

constexpr size_t kMaxCodePath = 4096;

// What a file is, as far as it matters to a task. Of files on disk: values never change.
enum class CodeKind : uint8_t { kData = 0, kProse = 1, kCode = 2 };

struct CodeFile {
    std::string_view path, summary, symbols;  // each symbol with a newline after it
    std::span<const uint32_t> words;          // hashes, sorted
    const uint8_t *counts;  // how often it has each, path and symbols weighing more
    uint32_t length;        // of all words
    uint64_t text_hash;
    uint64_t name_hash;  // of the path without folders
    CodeKind kind;
};

// A topic (text/words.h) in the size in which an index keeps it.
inline uint32_t short_hash(uint64_t topic) {
    return static_cast<uint32_t>(topic * 0x9E3779B97F4A7C15 >> 32);
}

// What a task says, as hashes.
struct CodeQuery {
    std::span<const uint32_t> words;
    std::span<const uint64_t> task_names,
        talk_names;                   // names of code in the task, and in the talk: sorted
    std::span<const uint64_t> named;  // files that were named, without their folders
    bool wants_tests = false;
    size_t best_count = 0;   // so many of the best files may matter
    int64_t best_ratio = 1;  // and none that says less than one of this many parts of the best
};

// Files by numbers, of which some are none any more.
class CodeView {
public:
    virtual size_t entries() const = 0;
    virtual bool get(size_t number, CodeFile &out) const = 0;

protected:
    ~CodeView() = default;
};

// The files among which those of a query are, and what a rank must know of all.
struct CodeCandidates final : CodeView {
    explicit CodeCandidates(Memory &memory)
        : document_counts(memory), selected(memory), arena(memory) {}

    size_t entries() const override { return selected.size(); }
    bool get(size_t number, CodeFile &out) const override {
        out = selected[number];
        return true;
    }

    const CodeView *view = nullptr;    // itself, or as long as nothing changes what it is of
    uint64_t files = 0, length = 0;    // of all: how many, and of all their words
    Buffer<uint64_t> document_counts;  // how many have each word of the query
    Buffer<CodeFile> selected;         // where the view is itself
    Arena arena;
};

class CodeFiles {
public:
    virtual ~CodeFiles() = default;

    // Adds a file, or replaces the one of this path; the same text again costs its hash. The path:
    // valid UTF-8, at most kMaxCodePath. Bytes of the text that are no UTF-8 are none of its words;
    // of one with a NUL only the path counts. The stamp is the caller's. On failure, and where
    // OutOfMemory is thrown, all is as it was.
    virtual Status add(std::string_view path, std::string_view text, uint64_t stamp = 0) = 0;
    virtual Status remove(std::string_view path, bool &was_there) = 0;
    virtual Status count(uint64_t &out) const = 0;
    // Is there a file of this path, with a text that has this hash?
    virtual Status has(std::string_view path, uint64_t text_hash, bool &out) const = 0;
    // 0: no such file, or none was given with it.
    virtual Status stamp(std::string_view path, uint64_t &out) const = 0;
    // All paths in the order of their bytes, each with a NUL after it.
    virtual Status list(Buffer<char> &out) const = 0;
    // All that matter to the query; views as those of the pick.
    virtual Status find_candidates(const CodeQuery &query, CodeCandidates &out) const = 0;
    // What was added and removed stays.
    virtual Status sync() { return {}; }
};

template <class Visit>
void each_symbol(const CodeFile &file, Visit visit) {
    for (size_t at = 0; at < file.symbols.size();) {
        const size_t end = file.symbols.find('\n', at);
        visit(file.symbols.substr(at, end - at));
        at = end + 1;
    }
}

inline bool has_hash(std::span<const uint64_t> sorted, uint64_t hash) {
    return std::binary_search(sorted.begin(), sorted.end(), hash);
}

class CodeScorer {
public:
    explicit CodeScorer(Memory &memory) : weights_(memory) {}

    // The query is borrowed; of the pick all but its files is known.
    void prepare(const CodeQuery &query, const CodeCandidates &find_candidates);
    int64_t score(const CodeFile &file) const;
    // No file of any length has more that has word number `word` of the query so often; what it has
    // for names is added to the sum of these.
    int64_t max_word_score(size_t word, int64_t count) const {
        return word_score(word, count, kBase);
    }
    static int64_t name_score(int task_names, int talk_names);

private:
    static constexpr int64_t kBase = 300;  // of the norm, for a file without words
    int64_t word_score(size_t word, int64_t count, int64_t norm) const {
        return weights_[word] * count * 2200 / (count * 1000 + norm);
    }

    const CodeQuery *query_ = nullptr;
    Buffer<int64_t> weights_;
    int64_t mean_length_ = 1;
};

}  // namespace accp::packet
