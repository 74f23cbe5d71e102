// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Maps the keys of an object to full or short names by the scopes of alias tables (SACP-RULES R20
// to R22).
#pragma once

#include "sacp/library/library.h"

namespace accp::sacp {

// The aliases for a message's ctx, or for the params of a verb and a tool: those of the tool, then
// of the verb, then of all keys. An alias that uses a name of a narrower scope is ignored.
class AliasTable {
public:
    explicit AliasTable(const Library &library) : library_(&library) {}
    AliasTable(const Library &library, NameId verb, NameId tool)
        : library_(&library),
          verb_(library.verb_aliases(verb)),
          tool_(library.tool_aliases(tool)) {}

    // The full or short name; `id` itself if it has none.
    NameId full(NameId id) const;
    NameId brief(NameId id) const;

private:
    using Alias = Library::Alias;
    static const Alias *find_brief(std::span<const Alias> aliases, NameId id);
    static const Alias *find_full(std::span<const Alias> aliases, NameId id);
    static bool uses(std::span<const Alias> aliases, NameId id) {
        return find_brief(aliases, id) || find_full(aliases, id);
    }
    // Returns whether the tool's table uses neither name of the alias.
    bool is_unused_by_tool(const Alias &alias) const {
        return !uses(tool_, alias.brief) && !uses(tool_, alias.full);
    }
    bool is_unshadowed(const Alias &alias) const;
    bool is_used_by_verb(NameId id) const;

    const Library *library_;
    std::span<const Alias> verb_, tool_;
};

enum class Spelling : uint8_t { kAsIs, kFull, kBrief };

// Resolves the keys of objects, one object after the other.
class KeyResolver {
public:
    explicit KeyResolver(Memory &memory) : seen_(memory) {}

    // Appends the name of each key in this spelling; 0 for names that the library does not have. If
    // two keys would get the same name, all keep their own, and the result is true.
    bool resolve(const Library &library, const AliasTable &table, Spelling spelling,
                 value::TreeView tree, uint32_t object, Buffer<NameId> &out);

private:
    bool has_duplicates(const Library &library, const NameId *names, size_t count);

    Buffer<uint32_t> seen_;  // for each name: the last object with it
    uint32_t object_ = 0;
};

}  // namespace accp::sacp
