// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which full or short name each key of an object has: the scopes of alias tables (SACP-RULES R20 to
// R22).
#pragma once

#include "sacp/library/library.h"

namespace accp::sacp {

// The table that is in force for a message's ctx, or for the params of a verb and a tool: the
// tool's pairs, then the verb's, then those of all keys; one that meets a name of a narrower scope
// is passed over.
class KeyTable {
public:
    explicit KeyTable(const Library &library) : library_(&library) {}
    KeyTable(const Library &library, NameId verb, NameId tool)
        : library_(&library), verb_(library.verb_pairs(verb)), tool_(library.tool_pairs(tool)) {}

    // The other name; the same where there is none.
    NameId full(NameId id) const;
    NameId brief(NameId id) const;

private:
    using Pair = Library::Pair;
    static const Pair *by_brief(std::span<const Pair> pairs, NameId id);
    static const Pair *by_full(std::span<const Pair> pairs, NameId id);
    static bool uses(std::span<const Pair> pairs, NameId id) {
        return by_brief(pairs, id) || by_full(pairs, id);
    }
    // Do a pair's names not meet those of narrower scopes?
    bool is_free_of_tool(const Pair &pair) const {
        return !uses(tool_, pair.brief) && !uses(tool_, pair.full);
    }
    bool is_free(const Pair &pair) const;
    bool is_used_by_verb(NameId id) const;

    const Library *library_;
    std::span<const Pair> verb_, tool_;
};

enum class Spelling : uint8_t { kAsIs, kFull, kBrief };

// Reads objects one after the other.
class KeyNames {
public:
    explicit KeyNames(Memory &memory) : seen_(memory) {}

    // Appends to `out` the name of each key in this spelling; 0 for what the library does not know.
    // Where two keys would get one name, each has its own. Returns whether that is so.
    bool read(const Library &library, const KeyTable &table, Spelling spelling,
              value::TreeView tree, uint32_t object, Buffer<NameId> &out);

private:
    bool has_twins(const Library &library, const NameId *names, size_t count);

    Buffer<uint32_t> seen_;  // for each name, in which object it was seen last
    uint32_t object_ = 0;
};

}  // namespace accp::sacp
