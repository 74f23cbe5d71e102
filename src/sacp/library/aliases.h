// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which full or short name each key of an object has: the scopes of alias tables (SACP-RULES R20 to
// R22).
#pragma once

#include "sacp/library/library.h"

namespace accp::sacp {

// The table that is in force for a message's ctx, or for the params of a verb and a tool: the
// tool's aliases, then the verb's, then those of all keys; one that meets a name of a narrower
// scope is passed over.
class AliasTable {
public:
    explicit AliasTable(const Library &library) : library_(&library) {}
    AliasTable(const Library &library, NameId verb, NameId tool)
        : library_(&library),
          verb_(library.verb_aliases(verb)),
          tool_(library.tool_aliases(tool)) {}

    // The other name; the same where there is none.
    NameId full(NameId id) const;
    NameId brief(NameId id) const;

private:
    using Alias = Library::Alias;
    static const Alias *find_brief(std::span<const Alias> aliases, NameId id);
    static const Alias *find_full(std::span<const Alias> aliases, NameId id);
    static bool uses(std::span<const Alias> aliases, NameId id) {
        return find_brief(aliases, id) || find_full(aliases, id);
    }
    // Do a alias's names not meet those of narrower scopes?
    bool is_unused_by_tool(const Alias &alias) const {
        return !uses(tool_, alias.brief) && !uses(tool_, alias.full);
    }
    bool is_unshadowed(const Alias &alias) const;
    bool is_used_by_verb(NameId id) const;

    const Library *library_;
    std::span<const Alias> verb_, tool_;
};

enum class Spelling : uint8_t { kAsIs, kFull, kBrief };

// Reads objects one after the other.
class KeyResolver {
public:
    explicit KeyResolver(Memory &memory) : seen_(memory) {}

    // Appends to `out` the name of each key in this spelling; 0 for what the library does not know.
    // Where two keys would get one name, each has its own. Returns whether that is so.
    bool resolve(const Library &library, const AliasTable &table, Spelling spelling,
                 value::TreeView tree, uint32_t object, Buffer<NameId> &out);

private:
    bool has_duplicates(const Library &library, const NameId *names, size_t count);

    Buffer<uint32_t> seen_;  // for each name, in which object it was seen last
    uint32_t object_ = 0;
};

}  // namespace accp::sacp
