// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// In a value, the key of a node, one byte and its text are adjacent. If both are flagged as plain
// (value/value.h), as most are, one copy writes `key:text` without a check, and then the colon is
// set. This takes one branch for each entry. More branches would cost more than they save, because
// they are hard to predict.
#include "frame/block.h"

#include "base/limits.h"
#include "value/value.h"

namespace accp::frame {

// An open array or map, or the block itself.
struct BlockWriter::Level {
    uint32_t end;  // the first node after it
    char separator, closing;
    bool keys, own;  // own: it is the block itself
    bool payload, maps_schema;
    uint8_t plain;           // flags of a node that can be copied
    uint32_t max_plain_key;  // in bytes; entries with a longer key are checked
    KeyOrder order;          // of an inner map
};

namespace {

constexpr uint8_t kPlainEntry = value::kPlainText | value::kPlainKey;
// Space for the characters around a node's text, with the brackets of all levels.
constexpr size_t kNodeRoom = 64;
static_assert(kNodeRoom >= kMaxDepth);

// Copies 32 bytes, and more only if needed: most entries are short.
[[gnu::always_inline]] inline void copy_entry(char *to, const char *from, size_t len) {
    Bytes16::load(from).store(to);
    Bytes16::load(from + 16).store(to + 16);
    if (__builtin_expect(len > 32, 0)) copy_padded(to + 32, from + 32, len - 32);
}

bool may_be_reference(value::TreeView tree, uint32_t map) {
    return tree[map].len == 1 && tree.key(map + 1) == "$ref";
}

}  // namespace

BlockWriter::BlockWriter(const Settings &settings)
    : keys_(settings),
      spelling_(spelling_of(settings)),
      tables_(settings.has(ACCP_EXT_T1)),
      keep_refs_(settings.keep_refs),
      abbreviate_(settings.abbreviate),
      max_key_(settings.limit(ACCP_LIMIT_KEY_BYTES)),
      max_params_(settings.limit(ACCP_LIMIT_PARAMS)),
      max_items_(settings.limit(ACCP_LIMIT_ITEMS)),
      max_depth_(settings.limit(ACCP_LIMIT_DEPTH)) {}

BlockWriter::Level BlockWriter::own_level(uint32_t end, BlockStyle style) const {
    const bool maps_schema = style.payload && spelling_.q1;
    size_t max_plain_key = style.payload && abbreviate_ ? 0 : max_key_;
    if (maps_schema && max_plain_key < std::string_view("__schema").size())
        max_plain_key = 0;  // the mark could make a key too long
    return {end,
            style.separator,
            style.closing,
            true,
            true,
            style.payload,
            maps_schema,
            kPlainEntry,
            static_cast<uint32_t>(max_plain_key),
            {}};
}

BlockWriter::Level BlockWriter::inner_level(const value::Node &node) const {
    const bool map = node.kind == ACCP_MAP;
    return {node.next,
            ',',
            map ? '}' : ']',
            map,
            false,
            false,
            false,
            map ? kPlainEntry : value::kPlainText,
            static_cast<uint32_t>(max_key_),
            {}};
}

// Writes a scalar that cannot simply be copied. `to` has space for the longest spelling of any text
// of this length. Returns the end, or nullptr if Encoder is needed.
[[gnu::noinline]] char *BlockWriter::write_scalar(const Level &level, const value::Node &node,
                                                  const char *content, char *to,
                                                  Buffer<char> &out) const {
    std::string_view text(content, node.len);
    switch (node.kind) {
        case ACCP_NULL: *to = '~'; return to + 1;
        case ACCP_BOOL:
            std::memcpy(to, node.flags & ACCP_NODE_TRUE ? "true " : "false", 5);
            return to + (node.flags & ACCP_NODE_TRUE ? 4 : 5);
        case ACCP_INT: copy_padded(to, content, node.len); return to + node.len;
        case ACCP_REF:
            *to = '$';
            copy_padded(to + 1, content, node.len);
            return to + 1 + node.len;
        case ACCP_STRING: {
            if (!level.own && text == kRemoval) return nullptr;  // may be in a delta
            char *end = write_escaped_string(text, to);
            if (level.own && !level.payload && end != to + node.len)
                return nullptr;  // may be a text of the envelope
            if (end) return end;
            break;
        }
        default:
            if (node.kind == ACCP_DEC && is_plain_decimal(text)) {
                copy_padded(to, content, node.len);
                return to + node.len;
            }
            break;
    }
    if (level.own && !level.payload && node.kind != ACCP_STRING)
        return nullptr;  // may be a number that the envelope does not allow
    out.set_end(to);
    const bool written = node.kind == ACCP_STRING
                             ? write_wire_string(text, spelling_, out)
                             : write_wire_number(text, node.kind, spelling_, out);
    return written ? out.end() : nullptr;
}

// Writes the key and the colon of an entry that cannot simply be copied. Returns nullptr if Encoder
// is needed.
[[gnu::noinline]] char *BlockWriter::write_key(Level &level, const value::Node &node,
                                               const char *content, char *to,
                                               const Buffer<char> &out) const {
    const char *key = content - 1 - node.key_len - (node.kind == ACCP_REF);
    char *end = keys_.write({key, node.key_len}, level.payload, to);
    if (!end || static_cast<size_t>(end - to) > max_key_) return nullptr;
    if (!level.own && !level.order.follows(out.data(), to, static_cast<size_t>(end - to)))
        return nullptr;
    *end = ':';
    return end + 1;
}

// Returns false if Encoder is needed for this container, which is inside `outer`.
[[gnu::always_inline]] inline bool BlockWriter::may_open(value::TreeView tree, uint32_t node,
                                                         const Level &outer, size_t depth) const {
    if (depth == max_depth_ || tree[node].len > max_items_) return false;
    if (tree[node].kind != ACCP_MAP) return true;
    return !(tables_ && !outer.keys) && !(keep_refs_ && may_be_reference(tree, node));
}

bool BlockWriter::write(value::TreeView tree, uint32_t map, BlockStyle style,
                        Buffer<char> &out) const {
    const value::Node *const nodes = tree.nodes;
    if (spelling_.symbols || nodes[map].len > max_params_) return false;
    Level levels[kMaxDepth + 1], *level = levels;
    *level = own_level(nodes[map].next, style);
    char *to = out.reserve(kNodeRoom);
    char lead = style.opening;  // the character before the next entry
    auto need = [&](size_t size) {
        if (__builtin_expect(out.has_space(to, size), 1)) return;
        out.set_end(to);
        to = out.reserve(size);
    };
    for (uint32_t i = map + 1;; ++i) {
        while (i == level->end) {
            if (lead != level->separator) *to++ = lead;  // an empty block
            *to++ = level->closing;
            if (level == levels) {
                out.set_end(to);
                return true;
            }
            lead = (--level)->separator;
        }
        const value::Node &node = nodes[i];
        const uint32_t len = node.len, key_len = node.key_len;
        const char *content = tree.text + node.offset;
        if ((node.flags & level->plain) == level->plain && key_len <= level->max_plain_key) {
            const size_t before = level->keys ? key_len + 1 : 0, size = before + len;
            need(size + kNodeRoom);
            *to++ = lead;
            lead = level->separator;
            const char *entry = content - before;
            if (level->own) {
                std::memcpy(to, "__", 2);
                to += 2 * (level->maps_schema & is_schema(entry, key_len));
            }
            copy_entry(to, entry, size);
            if (level->keys) {
                if (!level->own && !level->order.follows(out.data(), to, key_len)) return false;
                to[key_len] = ':';
            }
            to += size;
            continue;
        }
        // the longest spelling; a container needs less
        need(5 * (size_t{key_len} + len) + kNodeRoom);
        *to++ = lead;
        lead = level->separator;
        if (level->keys && !(to = write_key(*level, node, content, to, out))) return false;
        if (!value::is_container(node.kind)) {
            to = write_scalar(*level, node, content, to, out);
            if (!to) return false;
            continue;
        }
        if (!may_open(tree, i, *level, static_cast<size_t>(level - levels))) return false;
        *++level = inner_level(node);
        lead = node.kind == ACCP_MAP ? '{' : '[';
    }
}

}  // namespace accp::frame
