// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Replaces files of one folder with the same summary by one pattern and an example.
#pragma once

#include "packet/file/draft.h"
#include "text/phrases.h"

namespace accp::packet {

class PatternFinder {
public:
    explicit PatternFinder(Memory &memory)
        : draft_(memory),
          files_(memory),
          clauses_(memory),
          members_(memory),
          topics_(memory),
          words_(memory),
          text_(memory),
          rest_(memory) {}

    // If at least `min_files` files of one folder and one ending share clauses in their summaries,
    // these clauses become a pattern. A file without other clauses is removed: the first becomes an
    // example, the others are listed in not_included. Any other file keeps the rest of its summary.
    Status extract(value::TreeView packet, uint32_t min_files, Packet &out);

private:
    struct Clause {
        std::string_view text;
        uint64_t key;  // equal for clauses with the same meaning
        bool shared;   // part of the pattern being made
    };
    struct File {
        size_t item;
        std::string_view path, folder, ending;
        size_t begin, end;  // range in clauses_
        bool done;
    };
    void read_files();
    void add_file(size_t item);
    uint64_t key_of(std::string_view clause);
    bool says(const File &file, uint64_t key) const;
    void find_members(const File &leader, uint32_t min_files);
    void replace_members(const File &leader);
    void write_pattern(const File &leader);
    void write_rest(const File &file, const File &leader);

    Draft draft_;
    Buffer<File> files_;
    Buffer<Clause> clauses_;
    Buffer<size_t> members_;  // indices of files_ that share the pattern
    Buffer<uint64_t> topics_;
    text::Words words_;
    Buffer<char> text_, rest_;
};

}  // namespace accp::packet
