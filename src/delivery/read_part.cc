// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See parts.h: which part of a message a frame is.
#include <charconv>

#include "delivery/parts.h"

#include "base/text.h"
#include "frame/decode.h"
#include "frame/envelope.h"
#include "frame/parse.h"

namespace accp::delivery {

namespace {

constexpr const char *kNoPart =
    "a part has fi and ft, integers with fi below ft, and ft from 2 to 1024";
static_assert(kMaxSequenceParts == 1024);

bool read_number(value::TreeView tree, uint32_t node, uint32_t &out) {
    const std::string_view text = tree.string(node);
    return tree[node].kind == ACCP_INT &&
           std::from_chars(text.data(), text.data() + text.size(), out).ec == std::errc{};
}

// The metadata without `fi` and `ft`, and without brackets.
std::string_view own_meta(value::TreeView tree, uint32_t meta, size_t len, Arena &arena) {
    char *to = arena.allocate<char>(len), *begin = to;
    for (uint32_t i = meta + 1; i < tree[meta].next; i = tree[i].next) {
        if (tree.key(i) == kPartKey || tree.key(i) == kPartsKey) continue;
        const size_t from = ACCP_NODE_KEY(&tree.nodes[i]);
        const size_t end =
            tree[i].next < tree[meta].next ? ACCP_NODE_KEY(&tree.nodes[tree[i].next]) : len;
        if (to > begin) *to++ = ',';
        std::memcpy(to, tree.text + from, end - 1 - from);
        to += end - 1 - from;
    }
    return {begin, static_cast<size_t>(to - begin)};
}

// The text of a piece, or the params.
Status read_payload(value::TreeView tree, const frame::FrameText &frame, const Settings &settings,
                    Arena &arena, MessagePart &part) {
    const uint32_t text = frame::text_node(tree, frame::kPayload, settings);
    part.text = frame.payload.substr(1, frame.payload.size() - 2);
    part.is_piece = text != 0;
    if (!text) return {};
    value::Node node = tree[text];
    char *to = arena.allocate<char>(node.len + Buffer<char>::kSlack);
    char *end = node.kind == ACCP_STRING
                    ? frame::read_content(node, tree.string(text), {true, false}, to)
                    : nullptr;
    if (!end || node.kind != ACCP_STRING)
        return fail(ACCP_E1004, tree[text].offset, "a piece of a message that is no text");
    part.text = {to, static_cast<size_t>(end - to)};
    return {};
}

}  // namespace

Status read_part(value::TreeView tree, uint32_t meta, size_t len, const Settings &settings,
                 Arena &arena, MessagePart &part, bool &is_part) {
    const uint32_t index = meta ? tree.find(meta, kPartKey) : 0,
                   count = meta ? tree.find(meta, kPartsKey) : 0;
    is_part = index || count;
    if (!is_part) return {};
    part = {};
    part.place = tree[index ? index : count].offset;
    const bool sound = index && count && read_number(tree, index, part.index) &&
                       read_number(tree, count, part.count);
    if (!sound || part.index >= part.count || part.count < 2 || part.count > kMaxSequenceParts)
        return fail(ACCP_E1004, part.place, kNoPart);
    const frame::FrameText frame = frame::split_frame({tree.text, len});
    accp_envelope envelope;
    Status status = frame::read_envelope(tree, meta, envelope);
    if (status.ok()) status = read_payload(tree, frame, settings, arena, part);
    if (status.failed()) return status;
    const bool has_cid = envelope.fields & ACCP_ENVELOPE_CID;
    if (!has_cid && (part.index || !(envelope.fields & ACCP_ENVELOPE_MID)))
        return fail(ACCP_E1004, part.place,
                    "a part needs a cid; the first may have a mid in its place");
    part.header = frame.start;
    part.cid = to_view(has_cid ? envelope.cid : envelope.mid);
    if (envelope.fields & ACCP_ENVELOPE_SID) part.sid = to_view(envelope.sid);
    if (!part.index) part.meta = own_meta(tree, meta, len, arena);
    return {};
}

}  // namespace accp::delivery
