// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files of a task: those that talk names, and those of which names, symbols and text have the
// task's words (BM25), in one order.
#pragma once

#include "packet/code_index.h"
#include "packet/extract.h"

namespace accp::packet {

class FileRanker {
public:
    explicit FileRanker(Memory &memory)
        : files_(memory),
          query_(memory),
          spoken_(memory),
          asked_(memory),
          scores_(memory),
          topics_(memory),
          text_(memory),
          arena_(memory) {}

    // code: NULL, or empty: what was named, as it is. Files that were named and are in the code
    // have their path there, and a summary. Views live as long as all of these, and until the next
    // call. Cost: linear in the talk and in the code's files and symbols.
    void rank(const CodeIndex *code, const Extractor &extractor, std::string_view task,
              std::span<const Said> conversation);
    bool has_code() const { return has_code_; }
    std::span<const FoundFile> files() const { return {files_.data(), files_.size()}; }

private:
    struct Word {
        uint32_t hash;
        uint64_t files;  // that have it
        int64_t weight;
    };
    void read_query(const CodeIndex &code, std::span<const uint64_t> topics);
    void score_all(const CodeIndex &code, bool wants_tests);
    int64_t score(const CodeFile &file) const;
    int64_t name_score(const CodeFile &file) const;
    void join_named(const CodeIndex &code);
    void add_best(const CodeIndex &code);
    void describe(const CodeFile &file, FoundFile &out);
    bool matters(std::string_view symbol);
    int points(int64_t score) const;

    Buffer<FoundFile> files_;
    Buffer<Word> query_;
    Buffer<uint64_t> spoken_, asked_;  // names of code in the talk, and in the task: sorted
    Buffer<int64_t> scores_;           // of the entries; below 0: no file, or named already
    Buffer<uint64_t> topics_;
    Buffer<char> text_;
    Arena arena_;  // summaries
    std::span<const uint64_t> task_;
    bool has_code_ = false;
    int64_t best_ = 0, mean_length_ = 1;
};

}  // namespace accp::packet
