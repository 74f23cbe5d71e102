// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Files of one folder whose summaries say the same: one pattern and an example in their place.
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

    // What `min_files` or more files of a folder and of one ending have in their summaries becomes
    // a pattern. A file that has no more to say gives way: the first to examples, the others to
    // not_included; one that has keeps the rest of its summary.
    Status extract(value::TreeView packet, uint32_t min_files, Packet &out);

private:
    struct Clause {
        std::string_view text;
        uint64_t key;  // the same of clauses that say the same
        bool shared;   // it is of the pattern that is made of its file
    };
    struct File {
        size_t item;
        std::string_view path, folder, ending;
        size_t begin, end;  // of its clauses
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
    Buffer<size_t> members_;  // of the pattern that is made
    Buffer<uint64_t> topics_;
    text::Words words_;
    Buffer<char> text_, rest_;
};

}  // namespace accp::packet
