// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/message/reference.h"

#include "base/limits.h"
#include "base/random.h"

namespace accp::sacp {

TreeIndex::TreeIndex(Memory &memory)
    : members_(memory), arrays_(memory), elements_(memory), seed_(random_seed()) {}

void TreeIndex::reset(value::TreeView tree) {
    tree_ = tree;
    members_.recycle(kKeptBytes);
    arrays_.recycle(kKeptBytes);
    elements_.recycle(kKeptBytes);
}

uint64_t TreeIndex::hash(std::string_view key, uint32_t parent) const {
    return seeded_hash(key.data(), key.size(), seed_ + parent);
}

uint32_t TreeIndex::find(uint32_t parent, std::string_view label) {
    uint32_t number;
    if (tree_[parent].kind == ACCP_MAP) return find_member(parent, label);
    return tree_[parent].kind == ACCP_ARRAY && read_label_number(label, 0, number) &&
                   number < tree_[parent].len
               ? find_element(parent, number)
               : 0;
}

uint32_t TreeIndex::find_path(uint32_t node, std::string_view labels) {
    while (node && !labels.empty()) node = find(node, take_label(labels));
    return node;
}

uint32_t TreeIndex::find_member(uint32_t object, std::string_view key) {
    if (tree_[object].len < kMinIndexed) return tree_.find(object, key);
    const auto look = [&](std::string_view wanted) {
        return static_cast<uint32_t>(members_.find(hash(wanted, object), [&](uint64_t entry) {
            return entry >> 32 == object && tree_.key(static_cast<uint32_t>(entry)) == wanted;
        }));
    };
    const auto hash_of = [this](uint64_t entry) {
        return hash(tree_.key(static_cast<uint32_t>(entry)), static_cast<uint32_t>(entry >> 32));
    };
    if (!look(tree_.key(object + 1))) {
        members_.reserve(tree_[object].len, hash_of);
        for (uint32_t i = object + 1; i < tree_[object].next; i = tree_[i].next)
            members_.add(hash(tree_.key(i), object), uint64_t{object} << 32 | i);
    }
    return look(key);
}

uint32_t TreeIndex::find_element(uint32_t array, uint32_t number) {
    if (tree_[array].len < kMinIndexed) {
        uint32_t i = array + 1;
        for (; number; --number) i = tree_[i].next;
        return i;
    }
    const auto hash_of = [this](uint64_t entry) {
        return hash({}, static_cast<uint32_t>(entry >> 32));
    };
    uint64_t found =
        arrays_.find(hash({}, array), [&](uint64_t entry) { return entry >> 32 == array; });
    if (!found) {
        arrays_.reserve(1, hash_of);
        found = uint64_t{array} << 32 | (elements_.size() + 1);
        elements_.reserve(tree_[array].len);
        for (uint32_t i = array + 1; i < tree_[array].next; i = tree_[i].next) elements_.push(i);
        arrays_.add(hash({}, array), found);
    }
    return elements_[static_cast<uint32_t>(found) - 1 + number];
}

}  // namespace accp::sacp
