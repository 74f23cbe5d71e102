// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A text without escapes in a frame needs no escapes in JSON except for quotes, so nearly
// everything is copied in whole vectors.
#include "frame/block.h"

#include "base/bytes.h"
#include "base/limits.h"
#include "frame/decode.h"
#include "frame/envelope.h"
#include "frame/table.h"
#include "value/json_writer.h"

namespace accp::frame {

// An open array or map, or the block itself.
struct BlockJsonWriter::Level {
    uint32_t node, end;  // the first node after it
    char closing;
    bool payload;  // its keys are keys of the payload
    bool mapped;   // it has a mapped key
};

namespace {

// Space for brackets, quotes, separators and fixed words around a node's text.
constexpr size_t kNodeReserve = 16;

// Kinds whose wire text is also their JSON, if a string is put in quotes.
constexpr uint32_t kOwnJson = 1u << ACCP_STRING | 1u << ACCP_INT | 1u << ACCP_DEC | 1u << ACCP_BOOL;

// Copies 32 bytes, and more only if needed. Returns whether the text contains a quote. Both buffers
// have slack.
[[gnu::always_inline]] inline bool copy_text(char *to, const char *text, size_t len) {
    const Bytes16 first = Bytes16::load(text), second = Bytes16::load(text + 16);
    first.store(to);
    second.store(to + 16);
    uint64_t quotes = first.equal('"') | second.equal('"') << 16;
    if (__builtin_expect(len <= 32, 1)) return quotes & ((uint64_t{1} << len) - 1);
    for (size_t at = 32; at < len; at += 16) {
        const Bytes16 bytes = Bytes16::load(text + at);
        bytes.store(to + at);
        const size_t left = len - at;
        quotes |= bytes.equal('"') & (left < 16 ? (uint32_t{1} << left) - 1 : 0xFFFF);
    }
    return quotes != 0;
}

// Writes a scalar whose text needs no conversion, or returns nullptr. is_text: treat the node as a
// string. The kind of a node is hard to predict, so there is only one branch.
[[gnu::always_inline]] inline char *write_plain_scalar(const value::Node &node, const char *text,
                                                       bool is_text, char *to) {
    if (!(kOwnJson >> node.kind & 1) | ((node.flags & ACCP_NODE_ESCAPED) != 0)) return nullptr;
    const bool string = is_text | (node.kind == ACCP_STRING);
    *to = '"';
    char *begin = to + string, *end = begin + node.len;
    const bool quotes = copy_text(begin, text, node.len);
    *end = '"';
    return string & (quotes | (*text == '=')) ? nullptr : end + string;
}

// Writes a string with backslashes and removes them. Returns nullptr if the string is quoted or
// contains a quote. Both buffers have slack.
[[gnu::noinline]] char *write_escaped(const value::Node &node, const char *text, char *to) {
    constexpr uint8_t kFlags = ACCP_NODE_ESCAPED | kVerbatim;
    if (node.kind != ACCP_STRING || (node.flags & kFlags) != ACCP_NODE_ESCAPED || *text == '"')
        return nullptr;
    const char *const end = text + node.len;
    *to++ = '"';
    while (text < end) {
        const Bytes16 bytes = Bytes16::load(text);
        bytes.store(to);
        const size_t left = static_cast<size_t>(end - text), width = left < 16 ? left : 16;
        const uint32_t special =
            (bytes.equal('\\') | bytes.equal('"')) & ((uint32_t{1} << width) - 1);
        const size_t plain = special ? static_cast<size_t>(__builtin_ctz(special)) : width;
        text += plain;
        to += plain;
        if (!special) continue;
        if (*text++ == '"') return nullptr;
        *to = '\\';  // JSON escapes it too
        to += *text == '\\';
        *to++ = *text++;
    }
    *to = '"';
    return to + 1;
}

// Returns whether the rest of a mapped key has no escapes.
[[gnu::always_inline]] inline bool is_bare(const char *key, size_t len) {
    return len - 1 < 16 && !(Bytes16::load(key).equal('_') & ((uint32_t{1} << len) - 1));
}

[[gnu::always_inline]] inline char *write_key(const char *key, size_t len, char *to) {
    *to = '"';
    copy_padded(to + 1, key, len);
    std::memcpy(to + 1 + len, "\":", 2);
    return to + len + 3;
}

// The size of a block's JSON, if each byte needs at most one escape.
size_t max_json_size(const value::Node *nodes, uint32_t block) {
    const value::Node &last = nodes[nodes[block].next - 1];
    return 2 * size_t{last.offset + last.len - nodes[block].offset} +
           kNodeReserve * size_t{nodes[block].next - block + 1};
}

}  // namespace

// Appends the JSON of a mapped key and a colon. Returns false for a second mapped key in one map,
// for a key of a table, and for an invalid key.
bool BlockJsonWriter::write_mapped_key(value::TreeView frame, uint32_t node, Level &level,
                                       Arena &arena, Buffer<char> &out) const {
    std::string_view wire = frame.key(node);
    if (level.mapped || (tables_ && (wire == kColumnsKey || wire == kRowsKey)) ||
        (level.payload && wire == kTextKey))
        return false;
    level.mapped = true;
    std::string_view key = wire.substr(2);
    if (is_bare(key.data(), key.size())) {
        if (frame.find(level.node, key)) return false;
        out.set_end(write_key(key.data(), key.size(), out.reserve(key.size() + kNodeReserve)));
        return true;
    }
    char *name = arena.allocate<char>(wire.size());
    char *end = keys_.read(wire, level.payload, name);
    if (!end) return false;
    key = {name, static_cast<size_t>(end - name)};
    if (frame.find(level.node, key)) return false;
    value::write_json_string(key, out);
    out.push(':');
    return true;
}

// Appends the JSON of any other scalar: an escaped or quoted string, a number after an equals sign,
// or a ref. Returns false for a malformed %u.
bool BlockJsonWriter::write_other(value::TreeView frame, uint32_t node, Arena &arena,
                                  Buffer<char> &out) const {
    value::Node read = frame[node];
    if (read.kind == ACCP_REF) out.append("{\"$ref\":", 8);
    char *text = arena.allocate<char>(read.len + Buffer<char>::kSlack);
    char *end = read_content(read, frame.string(node), spelling_, text);
    if (!end) return false;
    std::string_view content(text, static_cast<size_t>(end - text));
    if (read.kind == ACCP_STRING || read.kind == ACCP_REF) value::write_json_string(content, out);
    else out.append(content);
    if (read.kind == ACCP_REF) out.push('}');
    return true;
}

bool BlockJsonWriter::write(value::TreeView frame, uint32_t block, BlockKind what, Arena &arena,
                            Buffer<char> &out) const {
    const bool payload = what == BlockKind::kPayload || what == BlockKind::kFreshPayload;
    if ((payload && abbreviate_) || spelling_.symbols)
        return false;  // many keys or strings are mapped
    const bool fresh = what == BlockKind::kFreshPayload || what == BlockKind::kFreshMeta;
    const bool meta = what == BlockKind::kFreshMeta;  // some texts can look like numbers or words
    if (meta && !strict_) return false;
    const value::Node *const nodes = frame.nodes;
    const size_t all = max_json_size(nodes, block);
    Level levels[kMaxDepth + 1], *level = levels;
    *level = {block, nodes[block].next, '}', payload, false};
    char *to = out.reserve(all);
    char lead = '{';
    for (uint32_t i = block + 1;; ++i) {
        while (i == level->end) {
            if (lead != ',') *to++ = lead;  // an empty container
            *to++ = level->closing;
            lead = ',';
            if (level == levels) {
                out.set_end(to);
                return true;
            }
            --level;
        }
        const value::Node &node = nodes[i];
        const char *content = frame.text + node.offset;
        *to++ = lead;
        lead = ',';
        if (level->closing == '}') {
            const char *key = content - 1 - node.key_len - (node.kind == ACCP_REF);
            if (!q1_ || key[0] != '_' || key[1] != '_') {
                to = write_key(key, node.key_len, to);
            } else {
                out.set_end(to);
                if (!write_mapped_key(frame, i, *level, arena, out)) return false;
                to = out.reserve(all);  // space for the rest of the block
            }
        }
        const bool field = meta & (level == levels) && is_text_field(node, frame.text);
        if (char *end = write_plain_scalar(node, content, field, to)) {
            to = end;
        } else if (value::is_container(node.kind)) {
            bool map = node.kind == ACCP_MAP;
            *++level = {i, node.next, map ? '}' : ']', false, false};
            lead = map ? '{' : '[';
        } else if (node.kind == ACCP_NULL) {
            std::memcpy(to, "null", 4);
            to += 4;
        } else {
            if (field || (fresh && node.kind == ACCP_REF && !keep_refs_)) return false;
            if (char *end_of_text = write_escaped(node, content, to)) {
                to = end_of_text;
                continue;
            }
            out.set_end(to);
            if (!write_other(frame, i, arena, out)) return false;
            to = out.reserve(all);
        }
    }
}

}  // namespace accp::frame
