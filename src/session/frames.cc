// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/frames.h"

#include "base/text.h"
#include "frame/envelope.h"
#include "frame/message/json.h"
#include "registry/ontology.h"

namespace accp::session {

namespace {

Status describe(value::TreeView tree, uint32_t meta, std::string_view text, int64_t now_ms,
                bool untrusted, Frame &out) {
    out.text = text;
    out.payload = tree[frame::kPayload].offset;
    out.metadata = meta ? tree[meta].offset : static_cast<uint32_t>(text.size());
    out.is_part =
        meta && (tree.find(meta, delivery::kPartKey) || tree.find(meta, delivery::kPartsKey));
    const auto bytes = static_cast<uint32_t>(text.size());
    out.arrival = {tree.string(frame::kAgent),
                   tree.string(frame::kIntent),
                   tree.string(frame::kOperation),
                   {},
                   now_ms,
                   false,
                   bytes,
                   untrusted};
    out.arrival.known_intent = registry::find_intent(out.arrival.intent) >= 0;
    return frame::read_envelope(tree, meta, out.arrival.envelope);
}

// Parses a frame. `meta`: the node of its metadata.
Status parse(std::string_view text, Scratch &scratch, Buffer<value::Node> &nodes, uint32_t &meta) {
    nodes.recycle(kKeptBytes);
    Status status = scratch.codec.coder.parse(text.data(), text.size(), nodes);
    if (status.ok()) meta = frame::metadata_of(nodes.data(), nodes.size());
    return status;
}

}  // namespace

Status read_frame(std::string_view text, int64_t now_ms, bool untrusted, Scratch &scratch,
                  Frame &out) {
    const codec::Codec &codec = scratch.codec;
    Status status = scratch.codec.parse(text);
    if (status.failed()) return status;
    return describe({codec.tree().nodes, text.data()}, codec.meta(), text, now_ms, untrusted, out);
}

Status read_sent_frame(std::string_view text, int64_t now_ms, bool untrusted, Scratch &scratch,
                       Frame &out) {
    uint32_t meta = 0;
    Status status = parse(text, scratch, scratch.frames.nodes, meta);
    if (status.failed()) return status;
    return describe({scratch.frames.nodes.data(), text.data()}, meta, text, now_ms, untrusted, out);
}

Status read_part(std::string_view text, Scratch &scratch, PartFrame &out) {
    FrameScratch &frames = scratch.frames;
    frames.arena.reset();
    out.is_part = false;
    uint32_t meta = 0;
    Status status = parse(text, scratch, frames.part_nodes, meta);
    if (status.failed()) return status;
    const value::TreeView tree = {frames.part_nodes.data(), text.data()};
    status = frame::read_envelope(tree, meta, out.envelope);
    return status.ok() ? delivery::read_part(tree, meta, text.size(), scratch.settings,
                                             frames.arena, out.part, out.is_part)
                       : status;
}

bool read_envelope(std::string_view text, Scratch &scratch, accp_envelope &out) {
    uint32_t meta = 0;
    if (parse(text, scratch, scratch.frames.part_nodes, meta).failed()) return false;
    return frame::read_envelope({scratch.frames.part_nodes.data(), text.data()}, meta, out).ok();
}

Status join_parts(std::string_view frames, Scratch &scratch) {
    delivery::PartialMessages parts(scratch.memory);
    for (size_t at = 0; at < frames.size();) {
        const std::string_view text = frames.substr(at, frames.find('\n', at) - at);
        PartFrame frame;
        Status status = read_part(text, scratch, frame);
        if (status.ok() && !frame.is_part)
            status = fail(ACCP_E9999, 0, "one of several frames is not a part of a message");
        if (status.failed()) return status;
        scratch.frames.joined.recycle(kKeptBytes);
        if (parts.completes(frame.part))
            parts.join(frame.part, scratch.frames.arena, scratch.frames.joined);
        else parts.hold(frame.part);
        at += text.size() + 1;
    }
    return {};
}

uint64_t mid_word_of(const delivery::Arrival &frame) {
    return store::mid_word(frame.agent, to_view(frame.envelope.mid));
}

Status read_json(std::string_view json, Scratch &scratch) {
    return scratch.json.reader.read(json.data(), json.size(),
                                    {scratch.settings.limit(ACCP_LIMIT_JSON_BYTES), kMaxJsonDepth},
                                    scratch.json.value);
}

Status read_message(std::string_view json, Scratch &scratch, message::Message &out) {
    Status status = read_json(json, scratch);
    if (status.failed()) return status;
    const JsonScratch &in = scratch.json;
    const message::ReadStatus read = message::read_message(in.value.view(), 0, {}, out);
    if (read.status.ok()) return {};
    return move_to(read.status, in.reader.origin(static_cast<uint32_t>(read.status.offset)).value);
}

Status write_message(const message::Message &message, Scratch &scratch) {
    Buffer<char> &out = scratch.json.out;
    out.recycle(kKeptBytes);
    message::write_json(message, out);
    if (out.size() <= scratch.settings.limit(ACCP_LIMIT_JSON_BYTES)) return {};
    return fail_limit(ACCP_E1001, 0,
                      "the message's JSON is longer than the limit json_bytes allows", out.size(),
                      scratch.settings.limit(ACCP_LIMIT_JSON_BYTES));
}

}  // namespace accp::session
