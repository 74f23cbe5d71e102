// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames before their messages are decoded: who sent them, under which numbers, and whether they
// are parts of a message (decision A55). And messages as JSON.
#pragma once

#include "delivery/inbox.h"
#include "delivery/parts.h"
#include "frame/message/message.h"
#include "session/scratch.h"

namespace accp::session {

// Views of the text.
struct Frame {
    delivery::Arrival arrival;
    std::string_view text;
    uint32_t payload, metadata;  // where they begin in the text
    bool is_part;                // or looks like one
};

// What a frame says of itself, where it may be a part. Views of the text and of the scratch.
struct PartFrame {
    accp_envelope envelope;
    delivery::MessagePart part;
    bool is_part = false;
};

// Steps 1, 2 and half of 3 of docs/wire.md 8: the grammar, and the types of the envelope. The frame
// is then the one that scratch.codec has parsed, to be decoded.
Status read_frame(std::string_view text, int64_t now_ms, bool untrusted, Scratch &scratch,
                  Frame &out);
// The same for a frame of which no more is wanted, while scratch.codec has another.
Status read_sent_frame(std::string_view text, int64_t now_ms, bool untrusted, Scratch &scratch,
                       Frame &out);
Status read_part(std::string_view text, Scratch &scratch, PartFrame &out);
// Of a frame that was taken. False: it cannot be read.
bool read_envelope(std::string_view text, Scratch &scratch, accp_envelope &out);

// The frame that the parts of a message of ours are, into scratch.frames.joined.
Status join_parts(std::string_view frames, Scratch &scratch);

// By what the store knows its mid.
uint64_t mid_word_of(const delivery::Arrival &frame);

// Into scratch.json.value, however deep.
Status read_json(std::string_view json, Scratch &scratch);
// A message in JSON, whoever wrote it: of names that no frame has too, and with other members. The
// offset of a failure is a byte of it.
Status read_message(std::string_view json, Scratch &scratch, message::Message &out);
// Into scratch.json.out, where it is no longer than what is read.
Status write_message(const message::Message &message, Scratch &scratch);

}  // namespace accp::session
