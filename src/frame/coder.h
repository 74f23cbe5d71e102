// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// All that one handle does with one frame at a time: parse, print, encode, decode. Everything it
// needs is kept and used again.
#pragma once

#include "frame/block.h"
#include "frame/decode.h"
#include "frame/encode.h"
#include "frame/envelope.h"
#include "frame/message/message.h"
#include "frame/parse.h"
#include "value/json_reader.h"

namespace accp::frame {

// What was wrong with a Message. status.offset is the node at fault, of the metadata's tree when
// in_meta, else of the payload's.
struct MessageStatus {
    Status status;
    bool in_meta = false;
    bool at_key = false;
};

// Who writes a payload in the block writer's place.
class PayloadWriter {
public:
    // Appends the params, without brackets; the offset of a failure is a node of the message's
    // payload.
    virtual Status write(Encoder &encoder, Buffer<char> &out) = 0;

protected:
    ~PayloadWriter() = default;
};

class Coder {
public:
    Coder(Memory &memory, const Settings &settings);

    // The tree is over `text`, which must stay. Appends to `nodes`.
    Status parse(const char *text, size_t len, Buffer<value::Node> &nodes) {
        return parser_.parse(text, len, nodes);
    }

    // Appends the canonical form of the frame that was parsed last.
    Status print(value::TreeView tree, uint32_t count, size_t text_len, Buffer<char> &out);

    // Appends the frame of a message: from its parts, or from its JSON. What the message does not
    // say of its envelope is taken from `envelope`; nullptr: from nowhere. tables: of the payload,
    // see Encoder.
    MessageStatus build(const message::Message &message, const EnvelopeStore *envelope,
                        Buffer<char> &out, PayloadWriter *writer = nullptr, bool tables = true);
    Status encode(const char *json, size_t len, const EnvelopeStore *envelope, Buffer<char> &out);

    // Reads the JSON of a message; its trees, one and the same, live until the next call of
    // anything here. Where in the JSON a node of it stood.
    Status read_message(const char *json, size_t len, message::Message &message);
    value::JsonReader::Origin origin(uint32_t node) const { return reader_.origin(node); }

    // Parses a frame into `nodes`, which it appends to, and appends the JSON of its message.
    Status decode(const char *text, size_t len, Buffer<value::Node> &nodes, Buffer<char> &out);
    // The same of a frame whose nodes, from `first` on, parse() has just given.
    Status decode_parsed(const char *text, size_t len, Buffer<value::Node> &nodes, size_t first,
                         Buffer<char> &out);

    // The payload, or the metadata (0: none, an empty map), of a parsed frame as a value.
    // keys_differ: see Decoder::params().
    Status read_block(value::TreeView tree, uint32_t block, bool payload, value::Value &out,
                      bool keys_differ = true);

    // Appends the same as JSON. The frame's text has a Buffer's slack. On failure there may be some
    // rubbish.
    Status write_block(value::TreeView tree, uint32_t block, bool payload, Buffer<char> &out);

    // Members of a JSON message to pass over: names, each with a NUL after it.
    Buffer<char> ignored;
    // What a JSON message is about that names no operation; empty: it must name one.
    std::string_view operation;

    // For tests: false goes the general way only.
    bool direct = true;

private:
    const char *with_slack(const char *text, size_t len);
    bool encode_directly(const char *json, size_t len, Buffer<char> &out);
    Status take_apart(message::Message &message);
    Status write_text(const message::Message &message, Encoder &encoder, Buffer<char> &out) const;
    MessageStatus write_meta(const message::Message &message, const EnvelopeStore *envelope,
                             Encoder &encoder, Buffer<char> &out);
    bool write_directly(value::TreeView tree, uint32_t count, Buffer<char> &out);
    Status write_message(value::TreeView tree, uint32_t count, Buffer<char> &out);

    const Settings &settings_;
    const BlockWriter block_writer_;
    const BlockJson block_json_;
    Parser parser_;
    value::JsonReader reader_;
    Arena arena_;
    value::Value value_;
    Buffer<char> padded_;  // a copy of a text, with slack after it
    uint64_t seed_;
};

}  // namespace accp::frame
