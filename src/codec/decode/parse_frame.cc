// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 1 in: the tree of the frame, over a text that stays, and its intent.
#include "codec/decode/incoming.h"
#include "frame/envelope.h"

namespace accp::codec {

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

}  // namespace accp::codec
