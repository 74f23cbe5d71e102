// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Parts of messages. The held bytes are one text with a list of pieces. Both are short, so they are
// scanned.
#include "delivery/parts.h"

#include <charconv>

#include "base/limits.h"
#include "base/text.h"
#include "frame/decode.h"
#include "frame/envelope.h"
#include "frame/parse.h"

namespace accp::delivery {

const PartialMessages::Sequence *PartialMessages::find(const MessagePart &part) const {
    for (size_t i = 0; i < open_.size(); ++i) {
        const Held *key = &held_[open_[i].key];
        if (text(key[0]) == part.header && text(key[1]) == part.cid && text(key[2]) == part.sid)
            return &open_[i];
    }
    return nullptr;
}

bool PartialMessages::has(const Sequence &sequence, uint32_t index) const {
    for (size_t i = 0; i < held_.size(); ++i)
        if (held_[i].sequence == sequence.id && held_[i].kind >= Kind::kParams &&
            held_[i].index == index)
            return true;
    return false;
}

uint64_t PartialMessages::tags(const MessagePart &part) const {
    const Sequence *sequence = find(part);
    uint64_t all = 0;
    for (size_t i = 0; sequence && i < held_.size(); ++i)
        if (held_[i].sequence == sequence->id) all |= held_[i].tag;
    return all;
}

bool PartialMessages::holds(std::string_view cid) const {
    for (size_t i = 0; i < open_.size(); ++i)
        if (cid.empty() || text(held_[open_[i].key + 1]) == cid) return true;
    return false;
}

bool PartialMessages::completes(const MessagePart &part) const {
    const Sequence *sequence = find(part);
    return sequence && sequence->have + 1 == sequence->count && sequence->count == part.count &&
           !has(*sequence, part.index);
}

Status PartialMessages::check(const MessagePart &part, const Sequence *sequence,
                              uint64_t max_bytes) const {
    const size_t added = part.text.size() + part.meta.size() + kPartCost;
    if (sequence && sequence->count != part.count)
        return fail(ACCP_E1004, 0, "the part has another ft than the other parts of its message");
    if (sequence && has(*sequence, part.index))
        return fail(ACCP_E1004, 0, "the part was received before");
    const size_t bytes =
        part.text.size() + part.meta.size() + (sequence ? sequence->bytes : part.header.size());
    if (bytes > max_bytes)
        return fail_limit(ACCP_E1001, 0,
                          "the joined parts are longer than the limit frame_bytes allows", bytes,
                          max_bytes);
    const bool opens = !sequence && open_.size() >= kMaxOpenSequences;
    const size_t total = bytes_.size() + held_.size() * kPartCost + added;
    if (!opens && total <= kMaxSequenceBytes) return {};
    const Share share = share_of(part.header);
    if (opens &&
        (share.open >= kMinOpenShare || open_.size() >= kMaxSequenceShares * kMaxOpenSequences))
        return fail_limit(open_.size() + 1, kMaxOpenSequences,
                          "too many messages in parts are open: finish or abandon one");
    if (share.bytes + added > kMinSequenceShare || total > kMaxSequenceShares * kMaxSequenceBytes)
        return fail_limit(total, kMaxSequenceBytes,
                          "too many bytes of messages in parts are held: finish or abandon one");
    return {};
}

PartialMessages::Share PartialMessages::share_of(std::string_view header) const {
    const std::string_view agent = header.substr(0, header.find('>') + 1);
    Share share;
    for (const Sequence &one : open_) {
        if (!text(held_[one.key]).starts_with(agent)) continue;
        ++share.open;
        share.bytes += one.bytes + one.have * kPartCost;
    }
    return share;
}

void PartialMessages::hold(uint32_t sequence, uint32_t index, Kind kind, std::string_view text,
                           uint64_t tag) {
    held_.push({sequence, index, bytes_.size(), text.size(), kind, tag});
    bytes_.append(text);
}

Status PartialMessages::take(const MessagePart &part, uint64_t max_bytes, Arena &arena,
                             Buffer<char> &whole) {
    whole.recycle(kKeptBytes);
    Status status = check(part, max_bytes);
    if (status.failed()) return status;
    if (!completes(part)) {
        hold(part);
        return {};
    }
    join(part, arena, whole);
    whole_ = find(part)->id;
    return {};
}

void PartialMessages::hold(const MessagePart &part, uint64_t tag) {
    // Reserve everything first: an allocation failure then leaves no half-stored part, and pointers
    // stay valid.
    open_.reserve(1);
    held_.reserve(5);
    bytes_.reserve(part.header.size() + part.cid.size() + part.sid.size() + part.meta.size() +
                   part.text.size());
    auto *sequence = const_cast<Sequence *>(find(part));
    if (!sequence) {
        open_.push({++next_id_, part.count, 0, held_.size(), part.header.size()});
        sequence = open_.end() - 1;
        hold(next_id_, 0, Kind::kHeader, part.header, 0);
        hold(next_id_, 0, Kind::kCid, part.cid, 0);
        hold(next_id_, 0, Kind::kSid, part.sid, 0);
    }
    if (!part.index) hold(sequence->id, 0, Kind::kMeta, part.meta, 0);
    hold(sequence->id, part.index, part.is_piece ? Kind::kPiece : Kind::kParams, part.text, tag);
    sequence->bytes += part.text.size() + part.meta.size();
    ++sequence->have;
}

void PartialMessages::drop(const MessagePart &part) {
    if (const Sequence *sequence = find(part)) drop(sequence->id);
}

// Parts are joined with the separator, except after a piece, which contains its own.
void PartialMessages::join(const MessagePart &last, Arena &arena, Buffer<char> &whole) const {
    const Sequence &sequence = *find(last);
    auto *parts = arena.allocate<std::string_view>(sequence.count);
    auto *pieces = arena.allocate<bool>(sequence.count);
    std::string_view meta = last.meta;
    parts[last.index] = last.text;
    pieces[last.index] = last.is_piece;
    for (size_t i = 0; i < held_.size(); ++i) {
        const Held &held = held_[i];
        if (held.sequence != sequence.id) continue;
        if (held.kind == Kind::kMeta) meta = text(held);
        if (held.kind < Kind::kParams) continue;
        parts[held.index] = text(held);
        pieces[held.index] = held.kind == Kind::kPiece;
    }
    whole.append(last.header);
    whole.push('{');
    for (uint32_t i = 0; i < sequence.count; ++i) {
        if (i && !pieces[i - 1]) whole.push('|');
        whole.append(parts[i]);
    }
    whole.push('}');
    if (meta.empty()) return;
    whole.push('[');
    whole.append(meta);
    whole.push(']');
}

void PartialMessages::drop(uint32_t sequence) {
    size_t kept = 0, bytes = 0;
    for (size_t i = 0; i < open_.size(); ++i)
        if (open_[i].id != sequence) open_[kept++] = open_[i];
    open_.resize_down(kept);
    kept = 0;
    for (size_t i = 0, next = 0; i < held_.size(); ++i) {
        Held held = held_[i];
        if (held.sequence == sequence) continue;
        // both are in the order in which they were opened
        if (held.kind == Kind::kHeader) open_[next++].key = kept;
        std::memmove(bytes_.data() + bytes, bytes_.data() + held.offset, held.len);
        held.offset = bytes;
        bytes += held.len;
        held_[kept++] = held;
    }
    held_.resize_down(kept);
    bytes_.resize_down(bytes);
}

void PartialMessages::abandon(std::string_view cid) {
    for (size_t i = open_.size(); i; --i)
        if (cid.empty() || text(held_[open_[i - 1].key + 1]) == cid) drop(open_[i - 1].id);
}

// Reads which part of a message a frame is.

namespace {

constexpr const char *kNoPart =
    "a part must have integers fi and ft, with fi below ft, and ft from 2 to 1024";
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

// Reads the text of a piece, or the params.
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
        return fail(ACCP_E1004, tree[text].offset, "a piece of a message must be a text");
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
    part.offset = tree[index ? index : count].offset;
    const bool sound = index && count && read_number(tree, index, part.index) &&
                       read_number(tree, count, part.count);
    if (!sound || part.index >= part.count || part.count < 2 || part.count > kMaxSequenceParts)
        return fail(ACCP_E1004, part.offset, kNoPart);
    const frame::FrameText frame = frame::split_frame({tree.text, len});
    accp_envelope envelope;
    Status status = frame::read_envelope(tree, meta, envelope);
    if (status.ok()) status = read_payload(tree, frame, settings, arena, part);
    if (status.failed()) return status;
    const bool has_cid = envelope.fields & ACCP_ENVELOPE_CID;
    if (!has_cid && (part.index || !(envelope.fields & ACCP_ENVELOPE_MID)))
        return fail(ACCP_E1004, part.offset,
                    "a part must have a cid; the first may have a mid instead");
    part.header = frame.start;
    part.cid = to_view(has_cid ? envelope.cid : envelope.mid);
    if (envelope.fields & ACCP_ENVELOPE_SID) part.sid = to_view(envelope.sid);
    if (!part.index) part.meta = own_meta(tree, meta, len, arena);
    return {};
}

}  // namespace accp::delivery
