// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Parses, prints, encodes and decodes frames for one handle, one frame at a time. Reuses its
// memory.
#pragma once

#include "frame/block.h"
#include "frame/decode.h"
#include "frame/encode.h"
#include "frame/envelope.h"
#include "frame/message/message.h"
#include "frame/parse.h"
#include "value/json_reader.h"

namespace accp::frame {

// An error in a Message. status.offset is the invalid node: in the metadata's tree if in_meta is
// set, else in the payload's tree.
struct MessageStatus {
    Status status;
    bool in_meta = false;
    bool at_key = false;
};

// Writes the payload instead of the block writer.
class PayloadWriter {
public:
    // Appends the params without brackets. The offset of a failure is a node of the message's
    // payload.
    virtual Status write(Encoder &encoder, Buffer<char> &out) = 0;

protected:
    ~PayloadWriter() = default;
};

class Coder {
public:
    Coder(Memory &memory, const Settings &settings);

    // Appends the tree of a frame to `nodes`. The tree refers to `text`, which must stay valid.
    Status parse(const char *text, size_t len, Buffer<value::Node> &nodes) {
        return parser_.parse(text, len, nodes);
    }

    // Appends the canonical form of the last parsed frame.
    Status print(value::TreeView tree, uint32_t count, size_t text_len, Buffer<char> &out);

    // Append the frame of a message, given as a Message or as JSON. `envelope` supplies the fields
    // that the message does not have; it may be nullptr. tables: allow tables in the payload (see
    // Encoder).
    MessageStatus build(const message::Message &message, const EnvelopeStore *envelope,
                        Buffer<char> &out, PayloadWriter *writer = nullptr, bool tables = true);
    Status encode(const char *json, size_t len, const EnvelopeStore *envelope, Buffer<char> &out);

    // Reads a message from JSON. Both trees of the message are the same; they are valid until the
    // next call of any function here. origin() returns the position of a node in the JSON.
    Status read_message(const char *json, size_t len, message::Message &message);
    value::JsonReader::Origin origin(uint32_t node) const { return reader_.origin(node); }

    // Parses a frame, appends its nodes to `nodes`, and appends the JSON of its message.
    Status decode(const char *text, size_t len, Buffer<value::Node> &nodes, Buffer<char> &out);
    // The same for a frame that parse() has just parsed; its nodes begin at `first`.
    Status decode_parsed(const char *text, size_t len, Buffer<value::Node> &nodes, size_t first,
                         Buffer<char> &out);

    // Reads the payload or the metadata of a parsed frame as a value. Block 0 is an empty map. For
    // keys_differ see Decoder::params().
    Status read_block(value::TreeView tree, uint32_t block, bool payload, value::Value &out,
                      bool keys_differ = true);

    // Appends the same as JSON. The frame's text must have a Buffer's slack. On failure `out` may
    // have extra bytes at its end.
    Status write_block(value::TreeView tree, uint32_t block, bool payload, Buffer<char> &out);

    // Members of a JSON message to ignore: names that each end with NUL.
    Buffer<char> ignored;
    // The operation of a JSON message that has none. Empty: the message must have one.
    std::string_view operation;

    // For tests: false turns off the fast paths.
    bool use_fast_paths = true;

private:
    const char *with_slack(const char *text, size_t len);
    bool encode_directly(const char *json, size_t len, Buffer<char> &out);
    Status read_parsed_message(message::Message &message);
    Status write_text(const message::Message &message, Encoder &encoder, Buffer<char> &out) const;
    MessageStatus write_meta(const message::Message &message, const EnvelopeStore *envelope,
                             Encoder &encoder, Buffer<char> &out);
    bool write_directly(value::TreeView tree, uint32_t count, Buffer<char> &out);
    Status write_message(value::TreeView tree, uint32_t count, Buffer<char> &out);

    const Settings &settings_;
    const BlockWriter block_writer_;
    const BlockJsonWriter block_json_;
    Parser parser_;
    value::JsonReader reader_;
    Arena arena_;
    value::Value value_;
    Buffer<char> padded_;  // copy of a text, with slack after it
    uint64_t seed_;
};

}  // namespace accp::frame
