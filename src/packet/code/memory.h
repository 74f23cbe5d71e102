// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A code index in memory. It stores no texts, and its results do not depend on the order in which
// files are added.
#pragma once

#include "base/slots.h"
#include "packet/code/reader.h"

namespace accp::packet {

class CodeFileTable : public CodeView {
public:
    explicit CodeFileTable(Memory &memory)
        : memory_(&memory), entries_(memory), slots_(memory), reader_(memory) {}
    CodeFileTable(const CodeFileTable &) = delete;
    CodeFileTable &operator=(const CodeFileTable &) = delete;
    ~CodeFileTable();

    // See CodeFiles. If they throw OutOfMemory, nothing has changed.
    void add(std::string_view path, std::string_view text, uint64_t stamp = 0);
    void add(const CodeFile &file, uint64_t stamp);  // adds a file that was read before
    bool remove(std::string_view path);
    void clear();

    size_t count() const { return count_; }
    bool has(std::string_view path, uint64_t text_hash) const;
    bool contains(std::string_view path) const { return find_present(path) != 0; }
    uint64_t stamp(std::string_view path) const;
    void set_stamp(std::string_view path, uint64_t stamp);
    size_t entries() const override { return entries_.size(); }
    bool get(size_t number, CodeFile &out) const override;

private:
    // One block of memory holds the words, counts, path, summary and symbols.
    struct Entry {
        char *block;
        size_t bytes;
        uint32_t words, length, path_len, summary_len, symbols_len;
        bool is_present;
        CodeKind kind;
        uint64_t text_hash, name_hash, stamp;

        std::string_view path() const { return {block + words * size_t{5}, path_len}; }
    };
    uint64_t find(std::string_view path, uint64_t hash) const;
    uint64_t find_present(std::string_view path) const;
    Entry make_entry(const CodeFile &file);

    Memory *memory_;
    Buffer<Entry> entries_;
    Slots slots_;  // by path: entry number, from 1
    size_t count_ = 0;
    CodeReader reader_;
};

class MemoryCodeIndex final : public CodeFiles {
public:
    explicit MemoryCodeIndex(Memory &memory) : memory_(&memory), index_(memory) {}

    CodeFileTable &index() { return index_; }

    Status add(std::string_view path, std::string_view text, uint64_t stamp = 0) override;
    Status remove(std::string_view path, bool &was_there) override;
    Status count(uint64_t &out) const override;
    Status has(std::string_view path, uint64_t text_hash, bool &out) const override;
    Status stamp(std::string_view path, uint64_t &out) const override;
    Status list(Buffer<char> &out) const override;
    Status find_candidates(const CodeQuery &query, CodeCandidates &out) const override;

private:
    Memory *memory_;
    CodeFileTable index_;
};

}  // namespace accp::packet
