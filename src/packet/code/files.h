// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The interface of a code index (memory.h, disk.h), and how a file is scored against a task: BM25
// of its words, the symbols it defines, and its kind. Scores are integers, so every machine
// computes the same order.
#pragma once

#include <algorithm>
#include <span>

#include "base/arena.h"

namespace accp::packet {

constexpr size_t kMaxCodePath = 4096;

// The kind of a file. The values are stored on disk and never change.
enum class CodeKind : uint8_t { kData = 0, kProse = 1, kCode = 2 };

struct CodeFile {
    std::string_view path, summary, symbols;  // each symbol ends in a newline
    std::span<const uint32_t> words;          // sorted hashes
    const uint8_t *counts;  // count of each word; words of the path and of symbols weigh more
    uint32_t length;        // total count of words
    uint64_t text_hash;
    uint64_t name_hash;  // of the file name without folders
    CodeKind kind;
};

// Returns the hash that an index stores for a topic (text/words.h).
inline uint32_t short_hash(uint64_t topic) {
    return static_cast<uint32_t>(topic * 0x9E3779B97F4A7C15 >> 32);
}

// The words and names of a task, as hashes.
struct CodeQuery {
    std::span<const uint32_t> words;
    std::span<const uint64_t> task_names, talk_names;  // code names in both, sorted
    std::span<const uint64_t> file_names;              // mentioned files, without folders
    bool wants_tests = false;
    size_t best_count = 0;   // how many of the best files are wanted
    int64_t best_ratio = 1;  // skip files that score below 1/best_ratio of the best
};

// Access to files by number. Numbers of removed files are unused.
class CodeView {
public:
    virtual size_t entries() const = 0;
    virtual bool get(size_t number, CodeFile &out) const = 0;

protected:
    ~CodeView() = default;
};

// The files that can match a query, and totals over all files.
struct CodeCandidates final : CodeView {
    explicit CodeCandidates(Memory &memory)
        : document_counts(memory), selected(memory), arena(memory) {}

    size_t entries() const override { return selected.size(); }
    bool get(size_t number, CodeFile &out) const override {
        out = selected[number];
        return true;
    }

    const CodeView *view = nullptr;    // this object, or one that is valid until the index changes
    uint64_t files = 0, length = 0;    // over all files: their number, and the total of their words
    Buffer<uint64_t> document_counts;  // for each word of the query, how many files have it
    Buffer<CodeFile> selected;         // if the view is this object
    Arena arena;
};

class CodeFiles {
public:
    virtual ~CodeFiles() = default;

    // Adds a file, or replaces the one with this path. The same text again only costs its hash. The
    // path must be valid UTF-8 of at most kMaxCodePath bytes. Broken UTF-8 in the text is ignored;
    // if the text has a NUL, only the path counts. The caller chooses the stamp. If it fails or
    // throws OutOfMemory, nothing has changed.
    virtual Status add(std::string_view path, std::string_view text, uint64_t stamp = 0) = 0;
    virtual Status remove(std::string_view path, bool &was_there) = 0;
    virtual Status count(uint64_t &out) const = 0;
    // Sets `out` to whether a file with this path and text hash exists.
    virtual Status has(std::string_view path, uint64_t text_hash, bool &out) const = 0;
    // Returns the stamp; 0 if the file does not exist or was added without one.
    virtual Status stamp(std::string_view path, uint64_t &out) const = 0;
    // Appends all paths in byte order, each followed by a NUL.
    virtual Status list(Buffer<char> &out) const = 0;
    // Finds all files that can match the query. Views are valid as long as those of `out`.
    virtual Status find_candidates(const CodeQuery &query, CodeCandidates &out) const = 0;
    // Makes all changes durable.
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

    // Keeps a reference to the query. Uses only the totals of the candidates.
    void prepare(const CodeQuery &query, const CodeCandidates &candidates);
    int64_t score(const CodeFile &file) const;
    // Returns the highest score that a file can get for this word and count. The score of its names
    // comes on top.
    int64_t max_word_score(size_t word, int64_t count) const {
        return word_score(word, count, kBase);
    }
    static int64_t name_score(int task_names, int talk_names);

private:
    static constexpr int64_t kBase = 300;  // length term of a file without words
    int64_t word_score(size_t word, int64_t count, int64_t norm) const {
        return weights_[word] * count * 2200 / (count * 1000 + norm);
    }

    const CodeQuery *query_ = nullptr;
    Buffer<int64_t> weights_;
    int64_t mean_length_ = 1;
};

}  // namespace accp::packet
