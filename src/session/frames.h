// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames before their messages are decoded: sender, numbers, and whether they are parts of a
// message (decision A55). Also messages as JSON.
#pragma once

#include "delivery/inbox.h"
#include "delivery/parts.h"
#include "frame/message/message.h"
#include "session/scratch.h"

namespace accp::session {

// A parsed frame. Views of the text.
struct Frame {
    delivery::Arrival arrival;
    std::string_view text;
    uint32_t payload, metadata;  // offsets in the text
    bool is_part;                // or has metadata of a part
};

// The envelope and part of a frame. Views of the text and of the scratch.
struct PartFrame {
    accp_envelope envelope;
    delivery::MessagePart part;
    bool is_part = false;
};

// Steps 1, 2 and half of 3 of docs/wire.md 8: the grammar, and the types of the envelope. Leaves
// the parsed frame in scratch.codec, to be decoded.
Status read_frame(std::string_view text, int64_t now_ms, bool untrusted, Scratch &scratch,
                  Frame &out);
// The same without scratch.codec, which may contain another frame.
Status read_sent_frame(std::string_view text, int64_t now_ms, bool untrusted, Scratch &scratch,
                       Frame &out);
Status read_part(std::string_view text, Scratch &scratch, PartFrame &out);
// Reads the envelope of an accepted frame. Returns false if it cannot be read.
bool read_envelope(std::string_view text, Scratch &scratch, accp_envelope &out);

// Joins the parts of a sent message into scratch.frames.joined.
Status join_parts(std::string_view frames, Scratch &scratch);

// The key of its mid in the store.
uint64_t mid_word_of(const delivery::Arrival &frame);

// Reads JSON of any depth into scratch.json.value.
Status read_json(std::string_view json, Scratch &scratch);
// Reads a message in JSON. Its names need not be valid in a frame, and it may have other members.
// The offset of a failure is a byte of the JSON.
Status read_message(std::string_view json, Scratch &scratch, message::Message &out);
// Writes a message to scratch.json.out. Fails if it is longer than the limit json_bytes.
Status write_message(const message::Message &message, Scratch &scratch);

}  // namespace accp::session
