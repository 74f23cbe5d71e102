// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One loop over a stack of levels, as in encode.cc. A table is read as rows of cells, which take
// their keys from its columns.
#include "frame/decode.h"

#include "frame/scalar.h"
#include "frame/table.h"
#include "value/keys.h"
#include "value/number.h"

namespace accp::frame {

namespace {

// Returns whether the map may have two equal keys. Few keys are compared one by one; for more it
// returns true, and the general path checks.
bool has_equal_children(value::TreeView tree, uint32_t map) {
    if (tree[map].len > kLinearKeys) return true;  // unknown: the general path checks
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next)
        if (value::has_key(tree, map, i, tree.key(i).data(), tree.key(i).size())) return true;
    return false;
}

constexpr size_t kLongestName = 32;  // of an abbreviated key written in full

// Returns the number of a text that is = and a JSON number.
value::NumberToken equals_number(std::string_view text) {
    if (text.size() < 2 || text[0] != '=') return {0, 0};
    value::NumberToken token = value::scan_number(text.data() + 1, text.data() + text.size());
    return token.len == text.size() - 1 ? token : value::NumberToken{0, 0};
}

}  // namespace

char *read_content(value::Node &node, std::string_view text, Spelling spelling, char *to) {
    bool escaped = (node.flags & ACCP_NODE_ESCAPED) != 0;
    const bool verbatim = (node.flags & kVerbatim) != 0;
    if (node.kind == ACCP_STRING) node.flags = 0;
    if (node.kind == ACCP_DEC)
        node.kind = value::scan_number(text.data(), text.data() + text.size()).kind;
    if (node.kind == ACCP_STRING && spelling.q1 && !verbatim) {
        value::NumberToken number = escaped ? value::NumberToken{0, 0} : equals_number(text);
        if (number.len) {
            node.kind = number.kind;
            text.remove_prefix(1);
        } else if (is_quoted(text)) {
            size_t fault = text.size();
            char *end = read_quoted(text, to, &fault);
            return fault < text.size() ? nullptr : end;
        }
    }
    if (spelling.symbols && node.kind == ACCP_STRING && !verbatim) {
        const Quantity symbols = read_symbols(text.substr(text.substr(0, 2) == "\\>" ? 1 : 0));
        if (!symbols.number.empty()) return write_words(symbols, to);
    }
    if (escaped && node.kind == ACCP_STRING) return unescape(text, to);
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    return to + text.size();
}

uint32_t text_node(value::TreeView frame, uint32_t block, const Settings &settings) {
    if (!settings.has(ACCP_EXT_Q1) || frame[block].len != 1 || frame.key(block + 1) != kTextKey)
        return 0;
    const uint8_t kind = frame[block + 1].kind;
    return kind == ACCP_STRING || kind == ACCP_REF ? block + 1 : 0;
}

Status Decoder::params(value::TreeView frame, uint32_t block, bool payload, value::Value &out,
                       bool keys_differ) {
    frame_ = frame;
    out_ = &out;
    payload_ = payload;
    keys_differ_ = keys_differ;
    depth_ = 0;
    out.clear();
    if (!spelling_.symbols && copy_plain(block)) return {};
    out.clear();
    push(Kind::kMap, block, ACCP_MAP);
    Status status = run();
    if (status.failed()) out.clear();
    return status;
}

// Copies the nodes of a block without tables, and their text in one piece. Only entries that need
// conversion are written again after that text, with their keys. Returns false if this is not
// enough: for a table, for a mapped key in an inner map, or for an error.
bool Decoder::copy_plain(uint32_t block) {
    const value::Node *from = frame_.nodes + block;
    const uint32_t count = from->next - block, base = from->offset;
    const value::Node &last = from[count - 1];
    out_->text.append(frame_.text + base,
                      last.offset + (value::is_container(last.kind) ? 0 : last.len) - base);
    value::Node *to = out_->nodes.reserve(count);
    bool mapped = payload_ && settings_.abbreviate;  // `data` and `d` may both occur
    uint32_t sibling = 1;                            // the next entry of the block
    for (uint32_t i = 0; i < count; ++i) {
        value::Node node = from[i];
        const bool own = i == sibling;
        if (own) sibling = from[i].next - block;
        const char *content = frame_.text + node.offset;
        const char *key = content - 1 - node.key_len - (node.kind == ACCP_REF);
        bool written = node.kind == ACCP_STRING &&
                       ((node.flags & ACCP_NODE_ESCAPED) || *content == '"' || *content == '=');
        bool other_key = (node.key_len > 1 && key[0] == '_' && key[1] == '_') ||
                         (own && payload_ && settings_.abbreviate);
        if (written | other_key) {
            if (other_key && !own) return false;
            mapped |= other_key;
            if (!rewrite(node, {key, node.key_len}, other_key)) return false;
        } else {
            if (node.kind == ACCP_DEC)
                node.kind = value::scan_number(content, content + node.len).kind;
            node.offset -= base;
            node.flags &= ACCP_NODE_TRUE;
        }
        node.next -= block;
        to[i] = node;
    }
    out_->nodes.advance(count);
    return !mapped || !keys_differ_ || !has_equal_children(out_->view(), 0);
}

// Writes an entry again after the value's text and moves its node there. Returns false if the key
// or the text is invalid.
bool Decoder::rewrite(value::Node &node, std::string_view key, bool other_key) {
    bool payload = payload_ && depth_ == 0;
    other_key = other_key && keys_.is_mapped(key, payload);
    char *to = out_->text.reserve(key.size() + kLongestName + node.len + 2);
    char *begin = to;
    if (other_key) {
        to = keys_.read(key, payload, to);
        if (!to) return false;
    } else if (!key.empty()) {
        std::memcpy(to, key.data(), key.size());
        to += key.size();
    }
    node.key_len = static_cast<uint16_t>(to - begin);
    *to++ = '\0';
    if (node.kind == ACCP_REF) *to++ = '$';
    std::string_view text(frame_.text + node.offset, value::is_container(node.kind) ? 0 : node.len);
    node.offset = static_cast<uint32_t>(to - out_->text.data());
    char *end = read_content(node, text, spelling_, to);
    if (!end) return false;
    if (!value::is_container(node.kind)) node.len = static_cast<uint32_t>(end - to);
    out_->text.set_end(end);
    return true;
}

void Decoder::push(Kind kind, uint32_t node, uint8_t out_kind) {
    levels_[depth_++] = {node + 1, frame_[node].next, node + 1, out_->open(out_kind), 0, kind,
                         false};
}

Status Decoder::run() {
    while (depth_) {
        Level &level = levels_[depth_ - 1];
        if (level.next == level.end) {
            Status status = close();
            if (status.failed()) return status;
            continue;
        }
        uint32_t node = level.next;
        level.next = frame_[node].next;
        Status status = entry(node);
        if (status.failed()) return status;
    }
    return {};
}

Status Decoder::entry(uint32_t node) {
    Level &level = levels_[depth_ - 1];
    const Columns &columns = columns_[depth_ - 1];
    uint32_t place = level.count++;
    switch (level.kind) {
        case Kind::kArray: return value(node);
        case Kind::kMap: {
            Status status = key(node);
            return status.failed() ? status : value(node);
        }
        case Kind::kRow:
            if (place == columns.count)
                return fail(ACCP_E1004, frame_[node].offset,
                            "a row with more cells than the table has columns");
            out_->add_key(columns.names[place]);
            return value(node);
        case Kind::kRows:
            if (frame_[node].kind != ACCP_ARRAY)
                return fail(ACCP_E1004, frame_[node].offset, "a row of a table is an array");
            if (frame_[node].len < columns.count)
                return fail_limit(ACCP_E1004, frame_[node].offset,
                                  "a row with fewer cells than the table has columns",
                                  frame_[node].len, columns.count);
            columns_[depth_] = columns;
            push(Kind::kRow, node, ACCP_MAP);
            if (out_->text.size() > kMaxTextBytes) return too_large(node);
            return {};
    }
    return {};
}

Status Decoder::close() {
    Level &level = levels_[--depth_];
    out_->close(level.out, level.count);
    if (!level.mapped || (!depth_ && !keys_differ_)) return {};
    uint32_t duplicate = value::find_equal_key(out_->view(), level.out, arena_, seed_);
    if (!duplicate) return {};
    uint32_t node =
        level.first;  // the duplicate has the same index among its siblings as its wire key
    for (uint32_t i = level.out + 1; i < duplicate; i = out_->nodes[i].next)
        node = frame_[node].next;
    return fail(ACCP_E1001, ACCP_NODE_KEY(&frame_.nodes[node]), "two keys that stand for one");
}

Status Decoder::key(uint32_t node) {
    std::string_view wire = frame_.key(node);
    bool payload = payload_ && depth_ == 1;
    if (!keys_.is_mapped(wire, payload)) {
        out_->add_key(wire);
        // `data` and `d` may both occur
        levels_[depth_ - 1].mapped |= payload && settings_.abbreviate;
        return {};
    }
    char *name = arena_.allocate<char>(wire.size() + kLongestName);
    char *end = keys_.read(wire, payload, name);
    if (!end)
        return fail(ACCP_E1004, ACCP_NODE_KEY(&frame_.nodes[node]), "a key that is not UTF-8");
    out_->add_key({name, static_cast<size_t>(end - name)});
    levels_[depth_ - 1].mapped = true;
    return {};
}

Status Decoder::value(uint32_t i) {
    const value::Node &node = frame_[i];
    if (node.kind == ACCP_ARRAY) {
        push(Kind::kArray, i, ACCP_ARRAY);
    } else if (node.kind == ACCP_MAP) {
        bool table = false;
        Status status = settings_.has(ACCP_EXT_T1) ? open_table(i, table) : Status{};
        if (status.failed() || table) return status;
        push(Kind::kMap, i, ACCP_MAP);
    } else {
        value::Node written = node;
        if (node.kind == ACCP_REF) out_->text.push('$');
        auto offset = static_cast<uint32_t>(out_->text.size());
        char *end = read_content(written, frame_.string(i), spelling_,
                                 out_->text.reserve(node.len + kMaxWordsGrowth));
        if (!end) return malformed_point(i);
        out_->text.set_end(end);
        if (spelling_.symbols && out_->text.size() > kMaxTextBytes) return too_large(i);
        out_->add_written(written.kind, written.flags, offset);
    }
    return {};
}

// Keys of columns and words of quantities are longer than on the wire.
Status Decoder::too_large(uint32_t i) const {
    return fail_limit(ACCP_E1001, frame_[i].offset, "more bytes of text than a value may have",
                      out_->text.size(), kMaxTextBytes);
}

Status Decoder::malformed_point(uint32_t i) const {
    std::string_view text = frame_.string(i);
    size_t fault = 0;
    char *scratch = arena_.allocate<char>(text.size() + Buffer<char>::kSlack);
    (void)read_quoted(text, scratch, &fault);
    return fail(ACCP_E1001, frame_[i].offset + fault, "a malformed %u");
}

// A map with a key of a table must be a table.
Status Decoder::open_table(uint32_t map, bool &table) {
    uint32_t columns = frame_.find(map, kColumnsKey), rows = frame_.find(map, kRowsKey);
    table = columns || rows;
    if (!table) return {};
    if (!columns || !rows || frame_[map].len != 2)
        return fail(ACCP_E1004, frame_[map].offset,
                    "a table has __cols and __rows, and nothing else");
    Status status = read_columns(columns, columns_[depth_]);
    if (status.failed()) return status;
    if (frame_[rows].kind != ACCP_ARRAY)
        return fail(ACCP_E1004, frame_[rows].offset, "the rows of a table are an array");
    push(Kind::kRows, rows, ACCP_ARRAY);
    return {};
}

Status Decoder::read_columns(uint32_t node, Columns &columns) {
    if (frame_[node].kind != ACCP_ARRAY)
        return fail(ACCP_E1004, frame_[node].offset, "the columns of a table are an array");
    columns = {arena_.allocate<std::string_view>(frame_[node].len), 0};
    uint32_t i = node + 1;
    for (; i < frame_[node].next; i = frame_[i].next) {
        std::string_view text = frame_.string(i);
        if (frame_[i].kind != ACCP_STRING)
            return fail(ACCP_E1004, frame_[i].offset, "the name of a column is a string");
        char *name = arena_.allocate<char>(text.size() + Buffer<char>::kSlack);
        size_t fault = text.size();
        char *end = is_quoted(text) ? read_quoted(text, name, &fault) : unescape(text, name);
        if (fault < text.size()) return malformed_point(i);
        if (end - name > static_cast<ptrdiff_t>(settings_.limit(ACCP_LIMIT_KEY_BYTES)))
            return fail_limit(ACCP_E1001, frame_[i].offset,
                              "a column's name longer than the limit key_bytes allows",
                              static_cast<uint64_t>(end - name),
                              settings_.limit(ACCP_LIMIT_KEY_BYTES));
        columns.names[columns.count++] = {name, static_cast<size_t>(end - name)};
    }
    uint32_t duplicate = value::find_equal(columns.names, columns.count, arena_, seed_);
    if (!duplicate) return {};
    for (i = node + 1; duplicate; --duplicate) i = frame_[i].next;
    return fail(ACCP_E1001, frame_[i].offset, "two columns of one name");
}

}  // namespace accp::frame
