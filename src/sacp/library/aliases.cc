// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/library/aliases.h"

namespace accp::sacp {

const Library::Alias *AliasTable::find_brief(std::span<const Alias> aliases, NameId id) {
    for (const Alias &alias : aliases)
        if (alias.brief == id) return &alias;
    return nullptr;
}

const Library::Alias *AliasTable::find_full(std::span<const Alias> aliases, NameId id) {
    for (const Alias &alias : aliases)
        if (alias.full == id) return &alias;
    return nullptr;
}

bool AliasTable::is_used_by_verb(NameId id) const {
    const Alias *brief = find_brief(verb_, id), *full = find_full(verb_, id);
    return (brief && is_unused_by_tool(*brief)) || (full && is_unused_by_tool(*full));
}

bool AliasTable::is_unshadowed(const Alias &alias) const {
    return is_unused_by_tool(alias) && !is_used_by_verb(alias.brief) &&
           !is_used_by_verb(alias.full);
}

NameId AliasTable::full(NameId id) const {
    if (!id) return 0;
    if (const Alias *alias = find_brief(tool_, id)) return alias->full;
    if (const Alias *alias = find_brief(verb_, id); alias && is_unused_by_tool(*alias))
        return alias->full;
    const NameId full = library_->full_key(id);
    return full && is_unshadowed({id, full}) ? full : id;
}

NameId AliasTable::brief(NameId id) const {
    if (!id) return 0;
    if (const Alias *alias = find_full(tool_, id)) return alias->brief;
    if (const Alias *alias = find_full(verb_, id); alias && is_unused_by_tool(*alias))
        return alias->brief;
    const NameId brief = library_->brief_key(id);
    return brief && is_unshadowed({brief, id}) ? brief : id;
}

bool KeyResolver::has_duplicates(const Library &library, const NameId *names, size_t count) {
    while (seen_.size() < library.name_count()) seen_.push(0);
    if (!++object_) {  // wrapped after 2^32 objects
        for (uint32_t &seen : seen_) seen = 0;
        object_ = 1;
    }
    for (size_t i = 0; i < count; ++i) {
        if (!names[i]) continue;
        if (seen_[names[i]] == object_) return true;
        seen_[names[i]] = object_;
    }
    return false;
}

bool KeyResolver::resolve(const Library &library, const AliasTable &table, Spelling spelling,
                          value::TreeView tree, uint32_t object, Buffer<NameId> &out) {
    const size_t begin = out.size();
    bool renamed = false;
    for (uint32_t i = object + 1; i < tree[object].next; i = tree[i].next) {
        const NameId own = library.find(tree.key(i));
        const NameId name = spelling == Spelling::kFull    ? table.full(own)
                            : spelling == Spelling::kBrief ? table.brief(own)
                                                           : own;
        renamed |= name != own;
        out.push(name);
    }
    if (!renamed || !has_duplicates(library, out.data() + begin, out.size() - begin)) return false;
    out.resize_down(begin);
    for (uint32_t i = object + 1; i < tree[object].next; i = tree[i].next)
        out.push(library.find(tree.key(i)));
    return true;
}

}  // namespace accp::sacp
