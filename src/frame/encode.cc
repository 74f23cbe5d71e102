// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One loop over a stack of levels. A level is an open container and its next entry.
#include "frame/encode.h"

#include "base/limits.h"
#include "frame/envelope.h"
#include "frame/table.h"
#include "value/keys.h"

namespace accp::frame {

namespace {

Status no_spelling(uint32_t node, const char *message) { return fail(ACCP_E1004, node, message); }

constexpr std::string_view kDeltaKey = "delta";
constexpr const char *kNoString = "a string that cannot be written without extension q1";
constexpr const char *kNoKey = "a key that cannot be written without extension q1";

}  // namespace

Encoder::Encoder(const Settings &settings, Arena &arena, Buffer<char> &out)
    : settings_(settings),
      arena_(arena),
      out_(out),
      keys_(settings),
      spelling_(spelling_of(settings)) {}

// Returns the first child of a container that exceeds the limit.
uint32_t Encoder::first_beyond(uint32_t node, uint64_t limit) const {
    for (++node; limit; --limit) node = tree_[node].next;
    return node;
}

Status Encoder::long_key(uint32_t node, size_t len) const {
    return fail_limit(ACCP_E1001, node, "a key longer than the limit key_bytes allows", len,
                      settings_.limit(ACCP_LIMIT_KEY_BYTES));
}

// Sets `key` to the wire form of the node's key, in the arena if it differs from the key. Not for
// keys of the payload.
Status Encoder::wire_key(uint32_t node, std::string_view &key) {
    key = tree_.key(node);
    if (!keys_.is_plain(key, false)) {
        char *wire = arena_.allocate<char>(wire_key_room(key.size()));
        char *end = keys_.write(key, false, wire);
        if (!end) return wrong_key(no_spelling(node, kNoKey));
        key = {wire, static_cast<size_t>(end - wire)};
    }
    return key.size() > settings_.limit(ACCP_LIMIT_KEY_BYTES)
               ? wrong_key(long_key(node, key.size()))
               : Status{};
}

Status Encoder::write_key(uint32_t node, bool payload) {
    std::string_view key = tree_.key(node);
    size_t start = out_.size();
    char *end = keys_.write(key, payload, out_.reserve(wire_key_room(key.size())));
    if (!end) return wrong_key(no_spelling(node, kNoKey));
    out_.set_end(end);
    if (out_.size() - start > settings_.limit(ACCP_LIMIT_KEY_BYTES))
        return wrong_key(long_key(node, out_.size() - start));
    if (payload) in_delta_ = is_delta(start);
    out_.push(':');
    return {};
}

Status Encoder::params(value::TreeView tree, uint32_t map, char separator, bool payload,
                       uint64_t skip) {
    tree_ = tree;
    skip_ = skip;
    place_ = 0;
    if (tree[map].len > settings_.limit(ACCP_LIMIT_PARAMS))
        return fail_limit(ACCP_E1001, first_beyond(map, settings_.limit(ACCP_LIMIT_PARAMS)),
                          "more params than the limit params allows", tree[map].len,
                          settings_.limit(ACCP_LIMIT_PARAMS));
    in_delta_ = false;
    levels_[0] = {nullptr, map + 1, tree[map].next, 0, separator, 0, true, payload, true, false};
    depth_ = 1;
    nesting_ = 0;
    return run();
}

Status Encoder::param(value::TreeView tree, uint32_t node, bool payload) {
    tree_ = tree;
    skip_ = 0;
    in_delta_ = false;
    levels_[0] = {nullptr, node, tree[node].next, 0, ',', 0, true, payload, true, false};
    depth_ = 1;
    nesting_ = 0;
    return run();
}

Status Encoder::key(std::string_view text, uint32_t node, bool escape) {
    const size_t start = out_.size();
    // it may be a literal, and is read in whole vectors
    char *padded = arena_.allocate<char>(text.size() + Buffer<char>::kSlack);
    if (!text.empty()) std::memcpy(padded, text.data(), text.size());
    text = {padded, text.size()};
    char *to = out_.reserve(wire_key_room(text.size()));
    const bool spelled = !escape || settings_.has(ACCP_EXT_Q1);
    char *end = !spelled ? nullptr
                : escape ? KeyCoder::write_escaped(text, to)
                         : keys_.write(text, false, to);
    if (!end) return wrong_key(no_spelling(node, kNoKey));
    out_.set_end(end);
    if (out_.size() - start > settings_.limit(ACCP_LIMIT_KEY_BYTES))
        return wrong_key(long_key(node, out_.size() - start));
    in_delta_ = is_delta(start);
    out_.push(':');
    return {};
}

Status Encoder::element(value::TreeView tree, uint32_t node, uint32_t nesting) {
    tree_ = tree;
    skip_ = 0;
    levels_[0] = {nullptr, node, tree[node].next, 0, ',', 0, false, false, true, false};
    depth_ = 1;
    nesting_ = nesting;
    return run();
}

// Writes the separator before the next entry, or the end of a row and the beginning of the next.
void Encoder::separate(Level &level) {
    if (level.columns && level.next % level.columns == 0) {
        if (level.next) out_.append("],", 2);
        out_.push('[');
    } else if (!level.first) {
        out_.push(level.separator);
    }
    level.first = false;
}

bool Encoder::is_delta(size_t start) const {
    return std::string_view(out_.data() + start, out_.size() - start) == kDeltaKey;
}

// Writes the string `null` in quotes, because a peer with the dialect compat reads it as a removal.
Status Encoder::quoted_removal(uint32_t node) {
    if (!spelling_.q1) return no_spelling(node, kNoString);
    out_.push('"');
    out_.append(kRemoval);
    out_.push('"');
    return {};
}

// Writes or opens the next entry of a level.
Status Encoder::next(Level &level) {
    removes_ = level.removes;
    if (level.entries) {
        separate(level);
        const Entry &entry = level.entries[level.next++];
        if (level.keys) {
            out_.append(entry.key);
            out_.push(':');
        }
        return value(entry.node);
    }
    uint32_t node = level.next;
    level.next = tree_[node].next;
    if (!level.bracket && skip_) {
        uint32_t place = place_++;
        if (place < 64 && (skip_ >> place & 1)) return {};
    }
    separate(level);
    if (level.keys) {
        Status status = write_key(node, level.payload);
        if (status.failed()) return status;
        const bool in_meta = !level.bracket && !level.payload;
        if (in_meta && is_text_field(tree_.key(node))) {
            if (tree_[node].kind == ACCP_STRING) return field_text(node);
            if (value::is_number(tree_[node].kind)) return field_number(node);
        }
    }
    return value(node);
}

Status Encoder::field_text(uint32_t node) {
    const std::string_view text = tree_.string(node);
    if (text.empty() || plain_length(text) < text.size()) return no_spelling(node, kNotPlain);
    out_.append(text);
    return {};
}

// The field is read as a text, so the = form of q1 would not survive.
Status Encoder::field_number(uint32_t node) {
    Spelling plain = spelling_;
    plain.q1 = false;
    if (write_wire_number(tree_.string(node), tree_[node].kind, plain, out_)) return {};
    return no_spelling(node, kNotPlain);
}

Status Encoder::run() {
    while (depth_) {
        Level &level = levels_[depth_ - 1];
        if (level.next != level.end) {
            Status status = next(level);
            if (status.failed()) return status;
            continue;
        }
        if (level.columns) out_.append("]]", 2);
        if (level.bracket) {
            out_.push(level.bracket);
            nesting_ -= level.columns ? kTableNesting : 1;
        }
        --depth_;
    }
    return {};
}

Status Encoder::value(uint32_t node) {
    if (!value::is_container(tree_[node].kind)) return scalar(node);
    if (open_reference(node) || open_table(node)) return {};
    return open(node);
}

Status Encoder::scalar(uint32_t i) {
    const value::Node &node = tree_[i];
    std::string_view text = tree_.string(i);
    switch (node.kind) {
        case ACCP_NULL: out_.push('~'); return {};
        case ACCP_BOOL:
            if (node.flags & ACCP_NODE_TRUE) out_.append("true", 4);
            else out_.append("false", 5);
            return {};
        case ACCP_STRING:
            if (removes_ && text == kRemoval) return quoted_removal(i);
            if (text.size() > settings_.limit(ACCP_LIMIT_FRAME_BYTES))
                return fail_limit(ACCP_E1001, i,
                                  "a string longer than the limit frame_bytes allows", text.size(),
                                  settings_.limit(ACCP_LIMIT_FRAME_BYTES));
            if (write_wire_string(text, spelling_, out_)) return {};
            return no_spelling(i, kNoString);
        case ACCP_REF:
            out_.push('$');
            out_.append_padded(text.data(), text.size());
            return {};
        default:
            if (write_wire_number(text, node.kind, spelling_, out_)) return {};
            return no_spelling(i, "a number that cannot be written without extension q1");
    }
}

Status Encoder::open(uint32_t node) {
    if (nesting_ == settings_.limit(ACCP_LIMIT_DEPTH))
        return fail_limit(ACCP_E1004, node,
                          "arrays and objects are nested deeper than the limit depth allows",
                          nesting_ + uint64_t{1}, nesting_);
    if (tree_[node].len > settings_.limit(ACCP_LIMIT_ITEMS))
        return fail_limit(ACCP_E1001, first_beyond(node, settings_.limit(ACCP_LIMIT_ITEMS)),
                          "more items than the limit items allows", tree_[node].len,
                          settings_.limit(ACCP_LIMIT_ITEMS));
    bool map = tree_[node].kind == ACCP_MAP;
    Level level = {nullptr, node + 1, tree_[node].next, 0, ',', map ? '}' : ']', map, false,
                   true,    false};
    Status status = map && tree_[node].len > 1 ? open_map(node, level) : Status{};
    if (status.failed()) return status;
    level.removes = map && !nesting_ && in_delta_;
    ++nesting_;
    levels_[depth_++] = level;
    out_.push(map ? '{' : '[');
    return {};
}

// The entries of a map are sorted by their wire keys.
Status Encoder::open_map(uint32_t node, Level &level) {
    auto *entries = arena_.allocate<Entry>(tree_[node].len);
    uint32_t count = 0;
    for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) {
        Entry &entry = entries[count++];
        entry.node = i;
        Status status = wire_key(i, entry.key);
        if (status.failed()) return status;
    }
    auto less = [](const Entry &a, const Entry &b) { return a.key < b.key; };
    if (!std::is_sorted(entries, entries + count, less)) std::sort(entries, entries + count, less);
    level.entries = entries;
    level.next = 0;
    level.end = count;
    return {};
}

bool Encoder::open_reference(uint32_t node) {
    if (!settings_.keep_refs || !is_reference(tree_, node, settings_.limit(ACCP_LIMIT_KEY_BYTES)))
        return false;
    std::string_view text = tree_.string(node + 1);
    out_.push('$');
    out_.append(text);
    return true;
}

bool Encoder::open_table(uint32_t node) {
    uint64_t max = settings_.limit(ACCP_LIMIT_DEPTH);
    if (!tables_ || !settings_.has(ACCP_EXT_T1) || tree_[node].kind != ACCP_ARRAY ||
        nesting_ + kTableNesting > max)
        return false;
    Table table;
    TableRule rule = {static_cast<uint32_t>(max - nesting_ - kTableNesting),
                      settings_.limit(ACCP_LIMIT_KEY_BYTES), settings_.keep_refs};
    if (!find_table(tree_, node, rule, arena_, table)) return false;
    if (table.rows > settings_.limit(ACCP_LIMIT_ITEMS) ||
        table.columns > settings_.limit(ACCP_LIMIT_ITEMS))
        return false;  // open() reports the error
    uint32_t count = table.rows * table.columns;
    auto *cells = arena_.allocate<Entry>(count);
    for (uint32_t i = 0; i < count; ++i) cells[i] = {{}, table.cells[i]};
    out_.push('{');
    out_.append(kColumnsKey);
    out_.append(":[", 2);
    const Spelling names = {true, spelling_.raw};  // t1 implies q1
    for (uint32_t i = 0; i < table.columns; ++i) {
        if (i) out_.push(',');
        (void)write_wire_string(tree_.key(table.cells[i]), names, out_);
    }
    out_.append("],", 2);
    out_.append(kRowsKey);
    out_.append(":[", 2);
    nesting_ += kTableNesting;
    levels_[depth_++] = {cells, 0, count, table.columns, ',', '}', false, false, true, false};
    return true;
}

}  // namespace accp::frame
