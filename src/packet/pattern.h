// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Files of one folder whose summaries say the same: one pattern and an example in their place.
#pragma once

#include "packet/draft.h"
#include "text/words.h"

namespace accp::packet {

class PatternFinder {
public:
    explicit PatternFinder(Memory &memory)
        : draft_(memory),
          files_(memory),
          clauses_(memory),
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
        size_t topics_begin, topics_end;  // what it says, as it is compared
        bool denies;
        bool shared;  // it is of the pattern that is made of its file
    };
    struct File {
        size_t item;
        std::string_view path, folder, ending;
        size_t begin, end;  // of its clauses
        bool done;
    };
    void read_files();
    void add_file(size_t item);
    bool is_same(const Clause &a, const Clause &b) const;
    bool says(const File &file, const Clause &clause) const;
    bool is_member(const File &file, const File &leader) const;
    size_t count_members(const File &leader) const;
    size_t mark_shared(const File &leader, uint32_t min_files);
    void replace_members(const File &leader);
    void write_pattern(const File &leader);
    void write_rest(const File &file, const File &leader);

    Draft draft_;
    Buffer<File> files_;
    Buffer<Clause> clauses_;
    Buffer<uint64_t> topics_;
    text::Words words_;
    Buffer<char> text_, rest_;
};

}  // namespace accp::packet
