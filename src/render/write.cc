// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes records, objects, lists, scalars and tables.
#include "render/write.h"

#include <charconv>

#include "frame/key.h"
#include "frame/scalar.h"

namespace accp::render {

// One call of RenderWriter. Each function writes something, or opens or closes a level.
struct RenderWriter::Printer {
    Printer(RenderWriter &writer, value::TreeView tree, const RenderStyle &style, Buffer<char> &out)
        : tree(tree),
          style(style),
          arena(writer.arena_),
          to(out),
          finder(tree, writer.arena_, writer.seed_),
          layout(tree, writer.arena_),
          levels(writer.levels_) {
        to.untrusted = style.untrusted;
        levels.recycle(kKeptBytes);
    }

    void run() {
        while (!levels.empty()) {
            Level &level = levels[levels.size() - 1];
            if (level.kind == Kind::kFields) next_field(level);
            else if (level.kind == Kind::kItems) next_item(level);
            else if (level.step < level.table->count) next_cell(level);
            else next_row(level);
        }
    }

    void root(uint32_t node);
    void body(uint32_t map);
    void open_list(const uint32_t *nodes, uint32_t begin, uint32_t end, bool top = false);

private:
    void value(uint32_t node, unsigned stops, bool top);
    uint32_t find_tail_field(uint32_t map) const;
    void container(uint32_t node, bool top);
    Level &open_table(uint32_t node, const Table *table, bool top);
    bool open_as_table(uint32_t node, bool top);
    void open_items(uint32_t node);
    void open_fields(uint32_t node, bool top, uint32_t tail_field);
    bool all_simple(uint32_t array) const;
    void next_field(Level &level);
    void write_key(uint32_t node, bool top);
    void next_item(Level &level);
    void next_row(Level &level);
    void next_cell(Level &level);
    void write_pending(Level &level);
    void open_rest(Column &column, uint32_t row_end);
    void write_tail_or_close(Level &level);
    void pop() { levels.resize_down(levels.size() - 1); }

    value::TreeView tree;
    const RenderStyle &style;
    Arena &arena;
    TextWriter to;
    ShapeFinder finder;
    TableLayout layout;
    Buffer<Level> &levels;
};

namespace {

// {"$ref":"warm.key"}, the JSON form of a ref.
bool is_json_ref(value::TreeView tree, uint32_t map) {
    if (tree[map].len != 1 || tree[map + 1].kind != ACCP_STRING || tree.key(map + 1) != "$ref")
        return false;
    return tree[map + 1].len <= kMaxKeyBytes &&
           frame::is_ref(tree.string(map + 1).data(), tree[map + 1].len);
}

}  // namespace

void RenderWriter::Printer::value(uint32_t node, unsigned stops, bool top) {
    switch (tree[node].kind) {
        case ACCP_STRING: return to.string(tree.string(node), stops);
        case ACCP_NULL: return to.put("null");
        case ACCP_BOOL: return to.put(tree[node].flags & ACCP_NODE_TRUE ? "true" : "false");
        case ACCP_REF: to.put('$'); return to.put(tree.string(node));
        case ACCP_MAP:
        case ACCP_ARRAY: return container(node, top);
        default: return to.put(tree.string(node));
    }
}

void RenderWriter::Printer::container(uint32_t node, bool top) {
    if (tree[node].kind == ACCP_MAP && is_json_ref(tree, node)) {
        to.put('$');
        return to.put(tree.string(node + 1));
    }
    if (style.tables && open_as_table(node, top)) return;
    tree[node].kind == ACCP_MAP ? open_fields(node, false, 0) : open_items(node);
}

// Returns whether there are only scalars that need no separator other than a space.
bool RenderWriter::Printer::all_simple(uint32_t array) const {
    for (uint32_t i = array + 1; i < tree[array].next; i = tree[i].next) {
        if (value::is_container(tree[i].kind)) return false;
        if (tree[i].kind == ACCP_STRING &&
            !to.is_bare(tree.string(i), kStopSpace | kStopComma | kStopClose))
            return false;
    }
    return true;
}

void RenderWriter::Printer::open_items(uint32_t node) {
    to.put('[');
    Level level = {Kind::kItems};
    level.comma = !all_simple(node);
    level.stops = static_cast<unsigned char>(kStopComma | kStopClose |
                                             (level.comma && tree[node].len > 1 ? 0 : kStopSpace));
    level.next = node + 1;
    level.end = tree[node].next;
    levels.push(level);
}

void RenderWriter::Printer::open_fields(uint32_t node, bool top, uint32_t tail_field) {
    if (!top) to.put('{');
    Level level = {Kind::kFields};
    level.top = top;
    level.stops = static_cast<unsigned char>(top ? kStopSpace : kStopSpace | kStopClose);
    level.next = node + 1;
    level.end = tree[node].next;
    level.tail_field = tail_field;
    levels.push(level);
}

// A string at the root is always quoted, because a bare word there begins a field.
void RenderWriter::Printer::root(uint32_t node) {
    const value::Node &at = tree[node];
    if (at.kind == ACCP_STRING) to.quoted(tree.string(node));
    else if (at.kind == ACCP_MAP && at.len && !is_json_ref(tree, node)) body(node);
    else value(node, 0, true);
}

void RenderWriter::Printer::body(uint32_t map) {
    if (style.tables && open_as_table(map, true)) return;
    open_fields(map, true, style.untrusted ? 0 : find_tail_field(map));
}

// Returns the field to write last, as text up to the end of the line: the longest text that would
// need quotes, and the last of those with equal length. Returns 0 if there is none.
uint32_t RenderWriter::Printer::find_tail_field(uint32_t map) const {
    uint32_t tail_field = 0;
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_STRING || (tail_field && tree[i].len < tree[tail_field].len))
            continue;
        std::string_view text = tree.string(i);
        if (!is_bare_text(text, kStopSpace) && !is_literal(text) && is_line_text(text))
            tail_field = i;
    }
    return tail_field;
}

void RenderWriter::Printer::write_tail_or_close(Level &level) {
    if (!level.tail_field) {
        if (!level.top) to.put('}');
        return pop();
    }
    if (!level.first) to.put(level.broken ? std::string_view("\n ") : " ");
    write_key(level.tail_field, true);
    to.put(' ');
    to.bare(tree.string(level.tail_field));
    level.tail_field = 0;
}

void RenderWriter::Printer::write_key(uint32_t node, bool top) {
    std::string_view key = tree.key(node);
    if (top && style.abbreviate && !frame::key_of_code(key).empty()) to.quoted(key);
    else if (std::string_view code =
                 top && style.abbreviate ? frame::code_of_key(key) : std::string_view();
             !code.empty())
        to.put(code);
    else to.key(key);
    to.put(':');
}

void RenderWriter::Printer::next_field(Level &level) {
    if (level.next == level.end) return write_tail_or_close(level);
    uint32_t node = level.list ? level.list[level.next] : level.next;
    level.next = level.list ? level.next + 1 : tree[node].next;
    if (node == level.tail_field) return;
    if (!level.first) to.put(level.broken ? std::string_view("\n ") : " ");
    level.first = level.broken = false;
    write_key(node, level.top);
    value(node, level.stops, level.top);
}

void RenderWriter::Printer::next_item(Level &level) {
    if (level.next == level.end) {
        to.put(']');
        return pop();
    }
    uint32_t node = level.next;
    level.next = tree[node].next;
    if (!level.first) {
        if (level.comma) to.put(',');
        std::string_view text = tree.string(node);
        if (!level.comma ||
            (tree[node].kind == ACCP_STRING && to.is_bare(text, level.stops) && is_letter(text[0])))
            to.put(' ');
    }
    level.first = false;
    value(node, level.stops, false);
}

void RenderWriter::Printer::open_list(const uint32_t *nodes, uint32_t begin, uint32_t end,
                                      bool top) {
    if (!top) to.put('{');
    Level level = {Kind::kFields};
    level.top = top;
    level.stops = static_cast<unsigned char>(top ? kStopSpace : kStopSpace | kStopClose);
    level.list = nodes;
    level.next = begin;
    level.end = end;
    levels.push(level);
}

void RenderWriter::value(value::TreeView tree, uint32_t root, const RenderStyle &style,
                         Buffer<char> &out) {
    Printer printer(*this, tree, style, out);
    printer.root(root);
    printer.run();
}

void RenderWriter::fields(value::TreeView tree, uint32_t map, const RenderStyle &style,
                          std::string_view first, Buffer<char> &out) {
    if (!tree[map].len) return;
    out.append(first);
    Printer printer(*this, tree, style, out);
    printer.body(map);
    printer.run();
}

void RenderWriter::field_list(value::TreeView tree, const uint32_t *nodes, uint32_t count,
                              const RenderStyle &style, Buffer<char> &out) {
    Printer printer(*this, tree, style, out);
    printer.open_list(nodes, 0, count, true);
    printer.run();
}

void RenderWriter::block(value::TreeView tree, const uint32_t *nodes, uint32_t count,
                         const RenderStyle &style, Buffer<char> &out) {
    Printer printer(*this, tree, style, out);
    printer.open_list(nodes, 0, count);
    printer.run();
}

namespace {

// a table with this many rows gets a line for each row, where that is allowed
constexpr uint32_t kMinLines = 4;

}  // namespace

bool RenderWriter::Printer::open_as_table(uint32_t node, bool top) {
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

RenderWriter::Level &RenderWriter::Printer::open_table(uint32_t node, const Table *table,
                                                       bool top) {
    Level level = {Kind::kRows};
    level.top = top;
    level.next = node + 1;
    level.end = tree[node].next;
    level.table = table;
    level.step = table->count;
    levels.push(level);
    return levels[levels.size() - 1];
}

// level.next is the next row to write; while a row is written, the row after it.
void RenderWriter::Printer::next_row(Level &level) {
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

void RenderWriter::Printer::write_pending(Level &level) {
    for (; level.pending < level.step; level.pending = level.table->steps[level.pending].skip) {
        to.put(level.table->steps[level.pending].before.view());
        to.put('-');
    }
}

void RenderWriter::Printer::next_cell(Level &level) {
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

void RenderWriter::Printer::open_rest(Column &column, uint32_t row_end) {
    uint32_t begin = column.next;
    while (column.next < column.count && column.nodes[column.next] < row_end) ++column.next;
    open_list(column.nodes, begin, column.next);
}

}  // namespace accp::render
