// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The steps of decoding in order, and the first of them. The others have files of their own.
#include "codec/decode/incoming.h"

#include "frame/envelope.h"
#include "frame/message/json.h"

namespace accp::codec {

// Step 1: parses the frame over a copy of its text, and finds its intent.
Status parse_text(CodecScratch &scratch, frame::Coder &coder, std::string_view text) {
    scratch.nodes.recycle(kKeptBytes);
    scratch.text.recycle(kKeptBytes);
    scratch.text.reserve(text.size());
    scratch.text.append(text);
    Status status = coder.parse(scratch.text.data(), text.size(), scratch.nodes);
    if (status.ok())
        frame::mark_field_texts(scratch.nodes.data(), scratch.nodes.size(), scratch.text.data());
    return status;
}

Status find_intent(Incoming &in) {
    in.intent = registry::find_intent(in.tree().string(frame::kIntent));
    return in.intent < 0 && !in.scratch.settings.any_intent
               ? fail(ACCP_E1002, in.tree()[frame::kIntent].offset, registry::kNoIntent)
               : Status{};
}

Status parse_frame(Incoming &in, std::string_view text) {
    Status status = parse_text(in.scratch, in.coder, text);
    if (status.ok())
        status = frame::check_field_texts(in.tree(), in.meta(), in.scratch.settings.reading());
    return status.ok() ? find_intent(in) : status;
}

// Step 1 for a message in parts: a part is held until the last one arrives. Then the joined frame
// is parsed in its place.
Status join_parts(Incoming &in) {
    delivery::MessagePart part;
    bool is_part = false;
    Status status = delivery::read_part(in.tree(), in.meta(), in.scratch.text.size(),
                                        in.scratch.settings, in.scratch.arena, part, is_part);
    if (status.failed() || !is_part) return status;
    status = in.partial.take(part, in.scratch.settings.limit(ACCP_LIMIT_FRAME_BYTES),
                             in.scratch.arena, in.scratch.part);
    if (status.failed()) return move_to(status, part.offset);
    if (in.scratch.part.empty())
        return fail(ACCP_HELD, part.offset, "the part is held until the other parts arrive");
    in.was_parts = true;
    return parse_frame(in, {in.scratch.part.data(), in.scratch.part.size()});
}

// The six steps of decoding (specification 7.3) in order. The caller does the sixth with the
// message.
Status decode_steps(Incoming &in) {
    static constexpr Status (*kSteps[])(Incoming &) = {
        resolve_codes,   // 2
        resolve_refs,    // 2
        expand_keys,     // 3
        fill_defaults,   // 4
        check_incoming,  // profile rules, and hooks of the host
    };
    for (auto step : kSteps) {
        Status status = step(in);
        if (status.failed()) return status;
    }
    return {};
}

namespace {

// Steps 1 to 5 and the host's policy.
Status run(Incoming &in, std::string_view frame, Buffer<char> &out) {
    const size_t start = out.size();
    Status status = parse_frame(in, frame);
    if (status.ok() && in.setup.reassembles) status = join_parts(in);
    if (status.ok()) status = decode_steps(in);
    if (status.ok()) status = write_message(in, out);
    if (status.ok()) status = check_decoded(in, {out.data() + start, out.size() - start});
    if (status.failed()) out.resize_down(start);
    return status;
}

}  // namespace

Status Codec::decode(std::string_view frame, const DecodeCall &call, Buffer<char> &out) {
    warnings_ = parts_ = kept_ = 0;
    scratch_.arena.reset();
    if (!setup.registry && !call.resolver && !setup.reassembles) {
        scratch_.nodes.recycle(kKeptBytes);
        Status status = coder.parse(frame.data(), frame.size(), scratch_.nodes);
        const value::TreeView tree = {scratch_.nodes.data(), frame.data()};
        if (status.ok())
            status = check_intent(tree.string(frame::kIntent), tree[frame::kIntent].offset);
        if (status.ok())
            status = coder.decode_parsed(frame.data(), frame.size(), scratch_.nodes, 0, out);
        if (status.failed() || !call.untrusted) return status;
        out.resize_down(out.size() - 1);
        out.append(message::kUntrustedEnd);
        return status;
    }
    Incoming in(setup, call, scratch_, coder, partial);
    Status status = run(in, frame, out);
    if (status.ok()) warnings_ = in.warnings;
    scratch_.recycle();
    if (in.was_parts && status.code >= 0)
        partial.finish();  // otherwise the last part may be received again
    if (in.was_parts && status.failed()) status.offset = 0;  // the fault is not in this frame
    return status;
}

Status Codec::parse(std::string_view frame) {
    scratch_.recycle();
    return parse_text(scratch_, coder, frame);
}

Status Codec::decode_parsed(const DecodeCall &call, message::Message &out) {
    scratch_.arena.reset();
    Incoming in(setup, call, scratch_, coder, partial);
    Status status = find_intent(in);
    if (status.ok()) status = decode_steps(in);
    if (status.ok()) status = compose_message(in, out);
    warnings_ = in.warnings;
    if (status.failed() || !has_policy(in)) return status;
    scratch_.json.clear();
    message::write_json(out, scratch_.json);
    return check_decoded(in, {scratch_.json.data(), scratch_.json.size()});
}

}  // namespace accp::codec
