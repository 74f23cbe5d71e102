// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// In all common vocabularies a word with a space before it is one token, and a number costs one
// extra token for any character before it. So words are separated by a space, and cells that do not
// begin with a letter by a comma. A text with spaces has ", " on both sides, or "| " if it contains
// commas.
#include "render/shape.h"

namespace accp::render {

namespace {

uint32_t count_steps(const Shape &shape) {
    uint32_t count = shape.count;
    for (uint32_t i = 0; i < shape.count; ++i)
        if (shape.columns[i].kind == StepKind::kGroup)
            count += count_steps(*shape.columns[i].shape);
    return count;
}

}  // namespace

void TableLayout::add_steps(Table &table, const Shape &shape) {
    for (uint32_t i = 0; i < shape.count; ++i) {
        Column &column = shape.columns[i];
        Step &step = table.steps[table.count++];
        bool optional = column.count < shape.rows || column.nulls || column.kind == StepKind::kRest;
        step = {column.kind, optional, 0, {}, 0, column.name, nullptr, &column};
        if (column.kind == StepKind::kGroup) add_steps(table, *column.shape);
        if (column.kind == StepKind::kRows) step.table = lay_out(*column.shape, false, 0, true);
        step.skip = table.count;
    }
}

void TableLayout::add_string(TextStats &texts, std::string_view text, bool nested) const {
    if (!is_bare_text(text, nested ? unsigned{kStopClose} : 0)) return;
    unsigned met = 0;
    for (char c : text) met |= text_byte(c);
    texts.spaces += (met & kStopSpace) != 0;
    texts.commas += (met & kStopComma) != 0;
    texts.pipes += (met & kStopPipe) != 0;
    texts.letters += is_letter(text[0]);
}

TableLayout::TextStats TableLayout::count_texts(const Step &step, bool nested) const {
    const Column &column = *step.column;
    TextStats texts;
    texts.count = column.count;
    if (step.kind != StepKind::kCell) return texts;
    for (uint32_t i = 0; i < column.count; ++i) {
        const value::Node &node = tree_[column.nodes[i]];
        if (node.kind == ACCP_STRING) add_string(texts, tree_.string(column.nodes[i]), nested);
        texts.letters += node.kind == ACCP_BOOL || node.kind == ACCP_NULL;
    }
    return texts;
}

TableLayout::TextStats TableLayout::count_keys(uint32_t container) const {
    TextStats texts;
    for (uint32_t i = container + 1; i < tree_[container].next; i = tree_[i].next) {
        ++texts.count;
        texts.letters += tree_[i].key_len && is_letter(tree_.key(i)[0]);
    }
    return texts;
}

Gap TableLayout::choose_gap(const TextStats &left, const TextStats &right) {
    bool letter = right.mostly_letters();
    if (letter && !left.mostly_spaced() && !right.mostly_spaced()) return {{' '}, 1};
    return {{left.pipes < left.commas ? '|' : ',', ' '}, static_cast<uint8_t>(1 + letter)};
}

Table *TableLayout::lay_out(const Shape &shape, bool map, uint32_t container, bool nested) {
    auto *table = arena_.allocate<Table>(1);
    *table = {arena_.allocate<Step>(count_steps(shape)), 0, map, false, {}};
    add_steps(*table, shape);
    TextStats left;
    bool first = true;
    for (uint32_t i = 0; i < table->count; ++i) {
        if (table->steps[i].kind == StepKind::kGroup) continue;
        TextStats texts = count_texts(table->steps[i], nested);
        if (!first) table->steps[i].before = choose_gap(left, texts);
        if (first)
            table->spaced = map ? count_keys(container).mostly_letters() : texts.mostly_letters();
        if (first && map)
            table->key_gap = {{':', ' '}, static_cast<uint8_t>(1 + texts.mostly_letters())};
        first = false;
        left = texts;
    }
    for (uint32_t i = table->count; i-- > 0;)
        if (table->steps[i].kind == StepKind::kGroup)
            table->steps[i].before = table->steps[i + 1].before;
    set_stops(*table, nested);
    return table;
}

namespace {

// Writes the steps from `at` to `end` without brackets. The gap before the first step belongs to
// its group.
void write_steps(const Table &table, uint32_t at, uint32_t end, TextWriter &to) {
    for (uint32_t first = at; at < end; at = table.steps[at].skip) {
        const Step &step = table.steps[at];
        if (at > first) to.put(step.before.view());
        if (step.kind == StepKind::kRest) {
            to.put(step.name);
            continue;
        }
        to.key(step.name);
        if (step.optional) to.put('?');
        if (step.kind == StepKind::kRows) write_header(*step.table, to);
        if (step.kind != StepKind::kGroup) continue;
        to.put('{');
        write_steps(table, at + 1, step.skip, to);
        to.put('}');
    }
}

}  // namespace

void write_header(const Table &table, TextWriter &to) {
    to.put('(');
    if (table.keyed) {
        to.put("key");
        to.put(table.key_gap.view());
    }
    write_steps(table, 0, table.count, to);
    to.put(')');
}

}  // namespace accp::render
