// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See key_names.h.
#include "sacp/library/aliases.h"

namespace accp::sacp {

const Library::Pair *KeyTable::by_brief(std::span<const Pair> pairs, NameId id) {
    for (const Pair &pair : pairs)
        if (pair.brief == id) return &pair;
    return nullptr;
}

const Library::Pair *KeyTable::by_full(std::span<const Pair> pairs, NameId id) {
    for (const Pair &pair : pairs)
        if (pair.full == id) return &pair;
    return nullptr;
}

bool KeyTable::is_used_by_verb(NameId id) const {
    const Pair *brief = by_brief(verb_, id), *full = by_full(verb_, id);
    return (brief && is_free_of_tool(*brief)) || (full && is_free_of_tool(*full));
}

bool KeyTable::is_free(const Pair &pair) const {
    return is_free_of_tool(pair) && !is_used_by_verb(pair.brief) && !is_used_by_verb(pair.full);
}

NameId KeyTable::full(NameId id) const {
    if (!id) return 0;
    if (const Pair *pair = by_brief(tool_, id)) return pair->full;
    if (const Pair *pair = by_brief(verb_, id); pair && is_free_of_tool(*pair)) return pair->full;
    const NameId full = library_->full_key(id);
    return full && is_free({id, full}) ? full : id;
}

NameId KeyTable::brief(NameId id) const {
    if (!id) return 0;
    if (const Pair *pair = by_full(tool_, id)) return pair->brief;
    if (const Pair *pair = by_full(verb_, id); pair && is_free_of_tool(*pair)) return pair->brief;
    const NameId brief = library_->brief_key(id);
    return brief && is_free({brief, id}) ? brief : id;
}

bool KeyNames::has_twins(const Library &library, const NameId *names, size_t count) {
    while (seen_.size() < library.name_count()) seen_.push(0);
    if (!++object_) {  // after 2^32 objects
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

bool KeyNames::read(const Library &library, const KeyTable &table, Spelling spelling,
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
    if (!renamed || !has_twins(library, out.data() + begin, out.size() - begin)) return false;
    out.resize_down(begin);
    for (uint32_t i = object + 1; i < tree[object].next; i = tree[i].next)
        out.push(library.find(tree.key(i)));
    return true;
}

}  // namespace accp::sacp
