// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A key is a column if at least one row in four has it, so that there are at most three absent
// cells for each cell. All other keys are the rest. There must be a key that every row has, and
// such keys must be at least half of all keys; otherwise the maps have no common shape.
//
// A map is examined once for each container around it, up to kMaxShapeDepth, so the whole takes
// linear time.
#include "render/shape.h"

#include <algorithm>

#include "base/random.h"

namespace accp::render {

namespace {

constexpr uint32_t kRarest = 4;
// Nesting of groups and tables. Bounds recursion, and how often a map is examined.
constexpr uint32_t kMaxShapeDepth = 6;

// The bytes that a table saves compared with maps, and those that it needs for its header and for
// absent cells.
struct Balance {
    uint64_t saved = 0;
    uint64_t spent = 0;

    void add(const Shape &shape) {
        for (uint32_t i = 0; i < shape.count; ++i) {
            const Column &column = shape.columns[i];
            if (column.kind == StepKind::kRest) continue;
            uint64_t absent = shape.rows - column.count;
            saved += uint64_t{column.count} * (column.name.size() + 1);
            spent += column.name.size() + 2 + 2 * absent;
            if (column.kind == StepKind::kGroup) add(*column.shape);
        }
    }
    bool worth() const { return saved >= spent + 6; }
};

bool is_worth(const Shape &shape) {
    Balance balance;
    balance.add(shape);
    return balance.worth();
}

}  // namespace

// The names of columns in the order of their first occurrence.
class ColumnNames {
public:
    ColumnNames(Arena &arena, uint64_t seed) : arena_(arena), seed_(seed) { grow(); }

    // `guess` is the index after the last name, which is right if rows are alike.
    uint32_t find(std::string_view name, uint32_t guess) {
        if (guess < count && names[guess] == name) return guess;
        if (!slots_) {
            for (uint32_t i = 0; i < count; ++i)
                if (names[i] == name) return i;
        } else {
            uint32_t slot = find_slot(name);
            if (slots_[slot]) return slots_[slot] - 1;
        }
        return add(name);
    }

    uint32_t count = 0;
    std::string_view *names = nullptr;
    uint32_t *counts = nullptr;

private:
    uint32_t find_slot(std::string_view name) const {
        auto slot =
            static_cast<uint32_t>(seeded_hash(name.data(), name.size(), seed_)) & (slot_count_ - 1);
        while (slots_[slot] && names[slots_[slot] - 1] != name)
            slot = (slot + 1) & (slot_count_ - 1);
        return slot;
    }
    uint32_t add(std::string_view name) {
        if (count == capacity_) grow();
        names[count] = name;
        counts[count] = 0;
        if (slots_) slots_[find_slot(name)] = count + 1;
        return count++;
    }
    void grow() {
        uint32_t room = capacity_ ? capacity_ * 2 : kLinearKeys;
        auto *wider_names = arena_.allocate<std::string_view>(room);
        auto *wider_counts = arena_.allocate<uint32_t>(room);
        std::copy(names, names + count, wider_names);
        std::copy(counts, counts + count, wider_counts);
        names = wider_names;
        counts = wider_counts;
        capacity_ = room;
        if (room == kLinearKeys) return;
        slot_count_ = room * 2;
        slots_ = arena_.allocate<uint32_t>(slot_count_);
        std::fill(slots_, slots_ + slot_count_, 0);
        for (uint32_t i = 0; i < count; ++i) slots_[find_slot(names[i])] = i + 1;
    }

    Arena &arena_;
    uint64_t seed_;
    uint32_t capacity_ = 0;
    uint32_t *slots_ = nullptr;  // index + 1 in names; nullptr while there are few
    uint32_t slot_count_ = 0;
};

// The keys of all rows, and the key of every child of every row, in order.
struct ShapeFinder::Keys {
    Keys(Arena &arena, uint64_t seed) : names(arena, seed) {}

    ColumnNames names;
    uint32_t *ids = nullptr;
    uint32_t total = 0;
    uint32_t *order = nullptr;  // the columns: ids of names
    uint32_t columns = 0;
    uint32_t in_columns = 0;  // children in columns
};

Shape *ShapeFinder::find(uint32_t container) {
    const value::Node &node = tree_[container];
    if (node.len < 2) return nullptr;
    auto *maps = arena_.allocate<uint32_t>(node.len);
    uint32_t count = 0;
    for (uint32_t i = container + 1; i < node.next; i = tree_[i].next) {
        if (tree_[i].kind != ACCP_MAP || !tree_[i].len) return nullptr;
        maps[count++] = i;
    }
    Shape *shape = find(maps, count, 0);
    return shape && is_worth(*shape) ? shape : nullptr;
}

Shape *ShapeFinder::find(const uint32_t *maps, uint32_t count, uint32_t depth) {
    Keys keys(arena_, seed_);
    for (uint32_t i = 0; i < count; ++i) keys.total += tree_[maps[i]].len;
    keys.ids = arena_.allocate<uint32_t>(keys.total);
    uint32_t *id = keys.ids;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t guess = 0;
        for (uint32_t child = maps[i] + 1; child < tree_[maps[i]].next; child = tree_[child].next) {
            *id = keys.names.find(tree_.key(child), guess);
            ++keys.names.counts[*id];
            guess = *id++ + 1;
        }
    }
    sort_columns(keys, count);
    if (!keys.columns) return nullptr;
    auto *shape = arena_.allocate<Shape>(1);
    bool rest = keys.in_columns < keys.total;
    *shape = {arena_.allocate<Column>(keys.columns + rest), keys.columns + rest, count};
    fill(*shape, keys, maps);
    for (uint32_t i = 0; i < keys.columns; ++i) classify_column(*shape, i, depth);
    return shape;
}

// Selects the columns: first keys that every row has, in their order; then the others by decreasing
// frequency, so that absent cells are at the end of a row.
void ShapeFinder::sort_columns(Keys &keys, uint32_t rows) {
    const ColumnNames &names = keys.names;
    keys.order = arena_.allocate<uint32_t>(names.count);
    for (uint32_t i = 0; i < names.count; ++i)
        if (names.counts[i] == rows) keys.order[keys.columns++] = i;
    uint32_t required = keys.columns;
    if (!required || uint64_t{required} * rows * 2 < keys.total) {
        keys.columns = 0;
        return;
    }
    for (uint32_t i = 0; i < names.count; ++i)
        if (names.counts[i] < rows && uint64_t{names.counts[i]} * kRarest >= rows)
            keys.order[keys.columns++] = i;
    std::sort(keys.order + required, keys.order + keys.columns, [&](uint32_t a, uint32_t b) {
        return names.counts[a] != names.counts[b] ? names.counts[a] > names.counts[b] : a < b;
    });
    for (uint32_t i = 0; i < keys.columns; ++i) keys.in_columns += names.counts[keys.order[i]];
}

// Assigns the children of all rows to their columns.
void ShapeFinder::fill(Shape &shape, Keys &keys, const uint32_t *maps) {
    auto *place = arena_.allocate<uint32_t>(keys.names.count);
    std::fill(place, place + keys.names.count, keys.columns);
    for (uint32_t i = 0; i < shape.count; ++i) {
        bool rest = i == keys.columns;
        uint32_t count = rest ? keys.total - keys.in_columns : keys.names.counts[keys.order[i]];
        if (!rest) place[keys.order[i]] = i;
        shape.columns[i] = {};
        shape.columns[i].kind = rest ? StepKind::kRest : StepKind::kCell;
        shape.columns[i].name = rest ? "..." : keys.names.names[keys.order[i]];
        shape.columns[i].nodes = arena_.allocate<uint32_t>(count);
    }
    const uint32_t *id = keys.ids;
    for (uint32_t row = 0; row < shape.rows; ++row) {
        for (uint32_t child = maps[row] + 1; child < tree_[maps[row]].next;
             child = tree_[child].next) {
            Column &column = shape.columns[place[*id++]];
            column.nodes[column.count++] = child;
        }
    }
}

// Returns the values that are not null if they all have this kind, else nullptr.
const uint32_t *ShapeFinder::without_nulls(const Column &column, uint8_t kind, uint32_t &count) {
    count = 0;
    auto *nodes = arena_.allocate<uint32_t>(column.count);
    for (uint32_t i = 0; i < column.count; ++i) {
        if (tree_[column.nodes[i]].kind == kind) nodes[count++] = column.nodes[i];
        else if (tree_[column.nodes[i]].kind != ACCP_NULL) return nullptr;
    }
    return count ? nodes : nullptr;
}

bool ShapeFinder::begins_with_null(const Shape &shape) const {
    const Column &first = shape.columns[0];
    if (first.kind == StepKind::kGroup) return begins_with_null(*first.shape);
    for (uint32_t i = 0; i < first.count; ++i)
        if (tree_[first.nodes[i]].kind == ACCP_NULL) return true;
    return false;
}

// A column of maps with a common shape is a group. A column of arrays of such maps has its rows in
// brackets. Values may be null. A group that is absent or null in some rows must not begin with a
// null of its own, because a null at that position means the whole group. For the same reason the
// first column is not a group if it is null in some rows.
void ShapeFinder::classify_column(Shape &shape, uint32_t place, uint32_t depth) {
    Column &column = shape.columns[place];
    if (depth == kMaxShapeDepth) return;
    uint32_t count = 0;
    if (const uint32_t *maps = without_nulls(column, ACCP_MAP, count)) {
        Shape *inside = find(maps, count, depth + 1);
        bool nulls = count < column.count;
        if (!inside || (nulls && !place) ||
            ((nulls || column.count < shape.rows) && begins_with_null(*inside)))
            return;
        column.kind = StepKind::kGroup;
        column.shape = inside;
        column.nulls = nulls;
        return;
    }
    const uint32_t *arrays = without_nulls(column, ACCP_ARRAY, count);
    if (!arrays) return;
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; ++i) total += tree_[arrays[i]].len;
    if (total < 2) return;
    auto *maps = arena_.allocate<uint32_t>(total);
    uint32_t map = 0;
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t item = arrays[i] + 1; item < tree_[arrays[i]].next; item = tree_[item].next)
            maps[map++] = item;
    bool all =
        std::all_of(maps, maps + map, [&](uint32_t node) { return tree_[node].kind == ACCP_MAP; });
    Shape *inside = all ? find(maps, map, depth + 1) : nullptr;
    if (!inside || !is_worth(*inside)) return;
    column.kind = StepKind::kRows;
    column.shape = inside;
}

}  // namespace accp::render
