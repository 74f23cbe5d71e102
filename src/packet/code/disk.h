// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A code index in a SQLite file, so that no file has to be read again.
//
// DiskCodeIndex keeps added files in memory and writes some thousand of them in one transaction. A
// crash loses only files that were not written yet, and other processes can write in between. Any
// number of threads may call it at once.
//
// CandidateFinder selects the files that can matter to a query. FTS5 returns which files contain a
// word and how often. This gives each file an upper bound of its score, whatever its length and
// kind. Files are read by descending bound until the next bound is too low.
#pragma once

#include <mutex>

#include "packet/code/files.h"
#include "packet/code/memory.h"
#include "packet/code/terms.h"

namespace accp::packet {

class CandidateFinder {
public:
    CandidateFinder(Memory &memory, store::CodeRows &rows)
        : rows_(&rows),
          terms_(memory),
          scorer_(memory),
          hits_(memory),
          bounds_(memory),
          order_(memory),
          best_(memory) {}

    // Appends the files to out.selected and sets the totals. Call this in a transaction.
    Status find_candidates(const CodeQuery &query, CodeCandidates &out);

private:
    struct Hit {
        uint32_t number;  // row number of the file
        uint32_t word;
        uint8_t count;
    };
    // The upper bound of a file's score.
    struct Bound {
        int64_t max_score;
        uint16_t task_names, talk_names;
        bool is_named;
    };
    Status find_words(const CodeQuery &query, CodeCandidates &out);
    Status find_names(const CodeQuery &query);
    Status find_symbols(std::span<const uint64_t> names, uint16_t Bound::*count);
    Status read(uint32_t number, CodeCandidates &out);
    Status read_best(const CodeQuery &query, CodeCandidates &out);
    bool can_be_best(const Bound &bound, const CodeQuery &query) const;
    void add_score(int64_t score, size_t best_count);

    store::CodeRows *rows_;
    CodeTerms terms_;
    CodeScorer scorer_;
    Buffer<Hit> hits_;
    Buffer<Bound> bounds_;    // by row number
    Buffer<uint32_t> order_;  // heap of row numbers, by bound
    Buffer<int64_t> best_;    // heap of the best scores, smallest first
    int64_t greatest_ = 0;
};

class DiskCodeIndex final : public CodeFiles {
public:
    explicit DiskCodeIndex(Memory &memory)
        : memory_(&memory),
          reader_(memory),
          pending_(memory),
          stamp_updates_(memory),
          terms_(memory),
          finder_(memory, rows_) {}
    DiskCodeIndex(const DiskCodeIndex &) = delete;
    DiskCodeIndex &operator=(const DiskCodeIndex &) = delete;

    // Opens the index; the name of the place is a path. Replaces an index that is damaged or of
    // another version. Fails without a change if the file is something else.
    Status open(const store::StorePlace &place);

    Status add(std::string_view path, std::string_view text, uint64_t stamp = 0) override;
    Status remove(std::string_view path, bool &was_there) override;
    Status count(uint64_t &out) const override;
    Status has(std::string_view path, uint64_t text_hash, bool &out) const override;
    Status stamp(std::string_view path, uint64_t &out) const override;
    Status list(Buffer<char> &out) const override;
    Status find_candidates(const CodeQuery &query, CodeCandidates &out) const override;
    Status sync() override;

private:
    template <class Body>
    Status run_locked(Body body) const;
    Status add_file(std::string_view path, std::string_view text, uint64_t stamp);
    Status flush() const;
    Status write_pending() const;
    Status write_file(const CodeFile &file, uint64_t stamp) const;
    Status write_stamp_updates() const;
    Status erase_source(uint64_t number) const;

    // lock_ guards all the following. Pending files are written before a query, so const functions
    // write too.
    mutable std::mutex lock_;
    Memory *memory_;
    mutable store::CodeRows rows_;
    CodeReader reader_;
    mutable CodeFileTable pending_;
    mutable Buffer<char> stamp_updates_;  // packed: path, hash and new stamp of unchanged files
    mutable CodeTerms terms_;
    mutable CandidateFinder finder_;
    mutable uint64_t new_files_ = 0;  // pending files that are not on disk
    mutable size_t pending_bytes_ = 0;
    mutable uint64_t files_ = 0, length_ = 0, newest_ = 0;  // totals while writing
    mutable bool is_removed_ = false;
};

}  // namespace accp::packet
