// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See block_json.h. What stands unescaped in a frame needs no escape in JSON but for quotes, so
// nearly everything is copied in whole vectors.
#include "frame/block_json.h"

#include "base/limits.h"
#include "base/vector.h"
#include "frame/decode.h"
#include "frame/table.h"
#include "value/json_writer.h"

namespace accp::frame {

// An open array or map, or the block itself.
struct BlockJson::Level {
    uint32_t node, end;  // the first node after it
    char closing;
    bool payload;  // its keys are those of the payload itself
    bool mapped;   // one of its keys stands for another
};

namespace {

// brackets, quotes, separators and fixed words around a node's text
constexpr size_t kNodeReserve = 16;

// Writes the text in quotes; nullptr where it holds a quote. Both sides have slack.
[[gnu::always_inline]] inline char *write_plain(const char *text, size_t len, char *to) {
    *to++ = '"';
    size_t at = 0;
    for (; len - at > 16; at += 16) {
        Bytes16 bytes = Bytes16::load(text + at);
        bytes.store(to + at);
        if (bytes.equal('"')) return nullptr;
    }
    Bytes16 bytes = Bytes16::load(text + at);
    bytes.store(to + at);
    if (bytes.equal('"') & ((uint32_t{1} << (len - at)) - 1)) return nullptr;
    to[len] = '"';
    return to + len + 1;
}

// Writes a scalar that stands for itself; nullptr for any other.
[[gnu::always_inline]] inline char *write_plain_scalar(const value::Node &node, const char *text,
                                                       char *to) {
    switch (node.kind) {
        case ACCP_STRING:
            return (node.flags & ACCP_NODE_ESCAPED) || *text == '='
                       ? nullptr
                       : write_plain(text, node.len, to);
        case ACCP_REF: return nullptr;
        case ACCP_NULL: std::memcpy(to, "null", 4); return to + 4;
        case ACCP_BOOL:
            std::memcpy(to, node.flags & ACCP_NODE_TRUE ? "true " : "false", 5);
            return to + (node.flags & ACCP_NODE_TRUE ? 4 : 5);
        default: copy_padded(to, text, node.len); return to + node.len;
    }
}

}  // namespace

// Appends the JSON of a key that stands for another, and a colon. False where two such are in one
// map, or it begins a table, or is at fault.
bool BlockJson::write_mapped_key(value::TreeView frame, uint32_t node, Level &level, Arena &arena,
                                 Buffer<char> &out) const {
    std::string_view wire = frame.key(node);
    if (level.mapped || (tables_ && (wire == kColumnsKey || wire == kRowsKey)) ||
        (level.payload && wire == kTextKey))
        return false;
    level.mapped = true;
    char *name = arena.allocate<char>(wire.size());
    char *end = keys_.read(wire, level.payload, name);
    if (!end) return false;
    std::string_view key(name, static_cast<size_t>(end - name));
    if (frame.find(level.node, key)) return false;
    value::write_json_string(key, out);
    out.push(':');
    return true;
}

// Appends the JSON of a scalar that does not stand for itself: a string that is escaped, quoted, or
// a number after an equals sign; a ref. False for a malformed %u.
bool BlockJson::write_other(value::TreeView frame, uint32_t node, Arena &arena,
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

bool BlockJson::write(value::TreeView frame, uint32_t block, bool payload, Arena &arena,
                      Buffer<char> &out) const {
    if (payload && abbreviate_) return false;  // too many keys that stand for others
    if (spelling_.symbols) return false;       // any string may stand for another
    const value::Node *const nodes = frame.nodes;
    const value::Node &last = nodes[nodes[block].next - 1];
    const size_t all = 2 * size_t{last.offset + last.len - nodes[block].offset} +
                       kNodeReserve * size_t{nodes[block].next - block + 1};
    Level levels[kMaxDepth + 1], *level = levels;
    *level = {block, nodes[block].next, '}', payload, false};
    char *to = out.reserve(all);
    char lead = '{';
    for (uint32_t i = block + 1;; ++i) {
        while (i == level->end) {
            if (lead != ',') *to++ = lead;  // empty
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
            if (q1_ && key[0] == '_' && key[1] == '_') {
                out.set_end(to);
                if (!write_mapped_key(frame, i, *level, arena, out)) return false;
                to = out.reserve(all);  // for all that may follow
            } else {
                *to = '"';
                copy_padded(to + 1, key, node.key_len);
                to += node.key_len + 1;
                std::memcpy(to, "\":", 2);
                to += 2;
            }
        }
        if (value::is_container(node.kind)) {
            bool map = node.kind == ACCP_MAP;
            *++level = {i, node.next, map ? '}' : ']', false, false};
            lead = map ? '{' : '[';
        } else if (char *end = write_plain_scalar(node, content, to)) {
            to = end;
        } else {
            out.set_end(to);
            if (!write_other(frame, i, arena, out)) return false;
            to = out.reserve(all);
        }
    }
}

}  // namespace accp::frame
