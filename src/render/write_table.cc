// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See write.h: tables, row by row along the steps of their layout.
#include <charconv>

#include "render/write_work.h"

namespace accp::render {

namespace {

constexpr uint32_t kMinLines = 4;  // a table of so many rows takes a line a row, where it may

}  // namespace

bool RenderWriter::Work::open_as_table(uint32_t node, bool top) {
    const Arena::Mark mark = arena.mark();
    const Shape *shape = finder.find(node);
    if (!shape) {
        arena.rewind(mark);
        return false;
    }
    bool lines = top && !style.one_line && tree[node].len >= kMinLines;
    Table *table = layout.lay_out(*shape, tree[node].kind == ACCP_MAP, node, !lines);
    write_header(*table, to);
    to.put('[');
    if (lines) {
        char digits[16];
        const char *end = std::to_chars(digits, digits + sizeof digits, tree[node].len).ptr;
        to.put({digits, static_cast<size_t>(end - digits)});
        to.put("]:");
    }
    Level &level = open_table(node, table, lines);
    level.owner = true;
    level.mark = mark;
    return true;
}

RenderWriter::Level &RenderWriter::Work::open_table(uint32_t node, const Table *table, bool top) {
    Level level = {Kind::kRows};
    level.top = top;
    level.next = node + 1;
    level.end = tree[node].next;
    level.table = table;
    level.step = table->count;
    levels.push(level);
    return levels[levels.size() - 1];
}

// Level.next is the row to be written next, and while it is being written the one after it.
void RenderWriter::Work::next_row(Level &level) {
    if (level.next == level.end) {
        bool lines = level.top;
        if (!lines) to.put(']');
        if (level.owner) arena.rewind(level.mark);
        pop();
        if (lines && !levels.empty()) levels[levels.size() - 1].broken = true;
        return;
    }
    if (level.top) to.put('\n');
    else if (!level.first) to.put(level.table->spaced ? std::string_view("; ") : ";");
    level.first = false;
    if (level.table->keyed) {
        to.key(tree.key(level.next));
        to.put(level.table->key_gap.view());
    }
    level.next = tree[level.next].next;
    level.step = level.pending = 0;
}

void RenderWriter::Work::write_pending(Level &level) {
    for (; level.pending < level.step; level.pending = level.table->steps[level.pending].skip) {
        to.put(level.table->steps[level.pending].before.view());
        to.put('-');
    }
}

void RenderWriter::Work::next_cell(Level &level) {
    const Step &step = level.table->steps[level.step];
    Column &column = *step.column;
    if (column.next == column.count || column.nodes[column.next] >= level.next) {
        level.step = step.skip;
        return;
    }
    write_pending(level);
    uint32_t row_end = level.next, node = column.nodes[column.next];
    bool whole = step.kind != StepKind::kGroup || tree[node].kind == ACCP_NULL;
    level.pending = level.step = whole ? step.skip : level.step + 1;
    if (step.kind != StepKind::kRest) ++column.next;
    if (!whole) return;
    to.put(step.before.view());
    if (step.kind == StepKind::kRest) return open_rest(column, row_end);
    if (step.kind == StepKind::kCell || tree[node].kind == ACCP_NULL)
        return value(node, step.stops, false);
    to.put('[');
    open_table(node, step.table, false);
}

void RenderWriter::Work::open_rest(Column &column, uint32_t row_end) {
    uint32_t begin = column.next;
    while (column.next < column.count && column.nodes[column.next] < row_end) ++column.next;
    open_list(column.nodes, begin, column.next);
}

}  // namespace accp::render
