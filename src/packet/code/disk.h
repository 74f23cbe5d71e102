// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Of the files of an index on disk those that can matter to a query. FTS5 tells which files have a
// word, and how often; with that each has a bound, which no length and no kind of file is over. The
// files are read in the order of their bounds, until the next one is below what counts.
//
// Files of code in a SQLite file, of which nothing has to be read anew. What is added waits in
// memory and is written by the thousand, each time as one transaction: a crash leaves a good index
// of less files, and other processes come in between. Any number of threads may ask.
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

    // Appends them to out.picked, and says all else that a pick has. In a transaction.
    Status find_candidates(const CodeQuery &query, CodeCandidates &out);

private:
    struct Hit {
        uint32_t number;  // of the file
        uint32_t word;
        uint8_t count;
    };
    // Of a file, by its number.
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
    bool may_count(const Bound &bound, const CodeQuery &query) const;
    void add_score(int64_t score, size_t best_count);

    store::CodeRows *rows_;
    CodeTerms terms_;
    CodeScorer scorer_;
    Buffer<Hit> hits_;
    Buffer<Bound> bounds_;    // by number
    Buffer<uint32_t> order_;  // a heap of numbers, by their bounds
    Buffer<int64_t> best_;    // a heap of the best scores, the smallest first
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

    // The name is a path. A file that is an index already, and damaged or of another version, is
    // made anew; one that is something else stays as it is.
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
    Status run(Body body) const;
    Status add_file(std::string_view path, std::string_view text, uint64_t stamp);
    Status write() const;
    Status write_pending() const;
    Status write_file(const CodeFile &file, uint64_t stamp) const;
    Status write_stamp_updates() const;
    Status erase_source(uint64_t number) const;

    // All that follows is guarded by lock_. What waits is written before somebody asks, too.
    mutable std::mutex lock_;
    Memory *memory_;
    mutable store::CodeRows rows_;
    CodeReader reader_;
    mutable CodeFileTable pending_;
    mutable Buffer<char>
        stamp_updates_;  // packed: a path whose text is what it was, its hash, its stamp
    mutable CodeTerms terms_;
    mutable CandidateFinder finder_;
    mutable uint64_t new_files_ = 0;  // of the files that wait, those that are not on disk
    mutable size_t pending_bytes_ = 0;
    mutable uint64_t files_ = 0, length_ = 0, newest_ = 0;  // while they are written
    mutable bool is_removed_ = false;
};

}  // namespace accp::packet
