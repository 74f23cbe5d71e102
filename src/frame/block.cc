// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See block.h. A node's key, a NUL and its text lie together in a value: where all of it fits a
// vector and is word text, which is so for most, one load and one store write `key:text`, the colon
// put in afterwards.
#include "frame/block.h"

#include "base/limits.h"

namespace accp::frame {

namespace {

// An open array or map, or the block itself.
struct BlockLevel {
    uint32_t end;  // its first node no more
    char separator, closing;
    bool keys, payload;
    // bytes; longer keys, and those of special_key bytes, are looked at twice
    uint32_t max_plain_key;
    uint32_t special_key;
    const char *last_key;  // of an inner map: entries are written in the order of their keys
    size_t last_key_len;
};
static_assert(std::is_trivial_v<BlockLevel>);  // an array of them costs nothing until one is opened

constexpr uint32_t kSchemaLen = 6;  // `schema` has a mapping of its own in a payload

constexpr uint32_t low_bits(size_t count) { return (uint32_t{1} << count) - 1; }

// Would a word that lies after a key and a NUL in `bytes` be read as something other than a string?
[[gnu::always_inline]] inline bool is_literal_word(Bytes16 bytes, uint32_t key_len,
                                                   const char *word, uint32_t len) {
    if (!is_suspect(*word)) return false;
    if (is_digit(static_cast<unsigned char>(*word)))
        return !(~bytes.digits() >> (key_len + 1) & low_bits(len));
    return looks_like_literal({word, len});
}

// The keys that the open maps have noted lie in the output, which has just moved.
void move_keys(BlockLevel *first, const BlockLevel *last, const char *before, const char *now) {
    for (; first <= last; ++first)
        if (first->last_key_len)
            first->last_key = now + (reinterpret_cast<uintptr_t>(first->last_key) -
                                     reinterpret_cast<uintptr_t>(before));
}

// Notes the wire key; false where it does not come after the one before it.
bool is_next_key(BlockLevel &level, const char *key, size_t len) {
    if (std::string_view(key, len) <= std::string_view(level.last_key, level.last_key_len))
        return false;
    level.last_key = key;
    level.last_key_len = len;
    return true;
}

bool may_be_reference(value::TreeView tree, uint32_t map) {
    return tree[map].len == 1 && tree.key(map + 1) == "$ref";
}

// Writes a scalar from `to`, which has room for the longest spelling of any text of its length. The
// end, or nullptr where it has no spelling.
[[gnu::noinline]] char *write_scalar(const value::Node &node, const char *content,
                                     Spelling spelling, char *to, Buffer<char> &out) {
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
        case ACCP_STRING:
            if (char *end = write_escaped_string(text, to)) return end;
            out.set_end(to);
            return write_wire_string(text, spelling, out) ? out.end() : nullptr;
        default:
            if (node.kind == ACCP_DEC && is_plain_decimal(text)) {
                copy_padded(to, content, node.len);
                return to + node.len;
            }
            out.set_end(to);
            return write_wire_number(text, node.kind, spelling, out) ? out.end() : nullptr;
    }
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

bool BlockWriter::write(value::TreeView tree, uint32_t map, BlockStyle style,
                        Buffer<char> &out) const {
    const value::Node *const nodes = tree.nodes;
    const char *const text = tree.text;
    const auto max_plain_key = static_cast<uint32_t>(max_key_ < 15 ? max_key_ : 15);
    BlockLevel levels[kMaxDepth + 1], *level = levels;
    if (spelling_.symbols || nodes[map].len > max_params_) return false;
    *level = {nodes[map].next,
              style.separator,
              style.closing,
              true,
              style.payload,
              style.payload && abbreviate_ ? 0 : max_plain_key,
              style.payload ? kSchemaLen : 0u,
              "",
              0};
    char *to = out.end(), *room_end = to;
    char lead = style.opening;  // what is written before the next entry
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
        const uint32_t len = node.len, key_len = node.key_len, kind = node.kind;
        // what the longest spelling takes; for a container, more than that
        const size_t need = 5 * (size_t{key_len} + len) + 64;
        if (__builtin_expect(static_cast<size_t>(room_end - to) < need, 0)) {
            out.set_end(to);
            const char *before = out.data();
            to = out.reserve(need + 1024);
            move_keys(levels, level, before, out.data());
            room_end = to + need + 1024;
        }
        const char *content = text + node.offset;
        *to++ = lead;
        lead = level->separator;
        if (level->keys) {
            const char *key = content - 1 - key_len - (kind == ACCP_REF);
            const Bytes16 bytes = Bytes16::load(key);
            bytes.store(to);
            const uint32_t odd = ~bytes.words();
            const bool plain_key = (key_len - 1 < level->max_plain_key) &
                                   (key_len != level->special_key) & (*key != '_');
            char *end = to + key_len;
            if (plain_key && len + key_len < 16 &&
                (odd & low_bits(key_len + 1 + len)) == uint32_t{1} << key_len && level == levels &&
                (kind == ACCP_INT ||
                 (kind == ACCP_STRING && len && !is_literal_word(bytes, key_len, content, len)))) {
                *end = ':';
                to = end + 1 + len;
                continue;
            }
            if (!plain_key || (odd & low_bits(key_len))) {
                end = keys_.write({key, key_len}, level->payload, to);
                if (!end || static_cast<size_t>(end - to) > max_key_) return false;
            }
            if (level != levels && !is_next_key(*level, to, static_cast<size_t>(end - to)))
                return false;
            *end = ':';
            to = end + 1;
        }
        if (kind == ACCP_STRING && write_plain_string(content, len, to)) {
            to += len;
            continue;
        }
        if (!value::is_container(node.kind)) {
            if (kind == ACCP_STRING && level == levels && !style.payload)
                return false;  // perhaps an envelope's text
            to = write_scalar(node, content, spelling_, to, out);
            if (!to) return false;
            continue;
        }
        bool is_map = kind == ACCP_MAP;
        if (static_cast<size_t>(level - levels) == max_depth_ || len > max_items_) return false;
        if (is_map && ((tables_ && !level->keys) || (keep_refs_ && may_be_reference(tree, i))))
            return false;
        *++level = {node.next, ',', is_map ? '}' : ']', is_map, false, max_plain_key, 0, "", 0};
        lead = is_map ? '{' : '[';
    }
}

}  // namespace accp::frame
