// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message to a frame and back under a registry: the seven steps out and the six steps in of
// specification 7.2 and 7.3.
//
// What the steps of one message work on is in encode/outgoing.h and decode/incoming.h; the order of
// the steps is in encode_pipeline.cc and decode_pipeline.cc, one step a file. Without a registry
// there is nothing here to do, and a message goes the short way through Coder.
//
// A message names its schema by the payload's member `schema`, a string. One that does not is under
// the codec's own schema, else under the one bound to its intent and operation. A frame always says
// enough: it names a schema that the other side could not come to by the binding alone.
#pragma once

#include "codec/hooks.h"
#include "delivery/parts.h"
#include "frame/coder.h"
#include "frame/message/message.h"
#include "registry/registry.h"
#include "token/count.h"

namespace accp::codec {

// The name of a schema in a payload, on the wire and in a message.
constexpr std::string_view kSchemaKey = "schema";
// The member of a message from an untrusted origin, with a NUL after it as names to ignore have.
constexpr std::string_view kUntrustedName("untrusted", sizeof "untrusted");
// The one that lists the fields whose values are a schema's own (mark_defaults); the same.
constexpr std::string_view kDefaultsName("defaults", sizeof "defaults");
// What stands in a payload by position (p1) for a field that is left out.
constexpr std::string_view kOmittedValue = "!";

// What all messages of one codec share.
struct CodecSetup {
    const registry::Registry *registry = nullptr;
    const registry::Schema *schema = nullptr;  // the codec's own, of messages that name none
    bool by_position = false;                  // frames that come in may have p1
    bool mark_defaults = false;
    uint64_t inline_characters = kInlineCharacters;  // a longer string goes to the keeper
    bool reassembles = false;
    CodecHooks hooks;
};

// What one message on its way out goes by.
struct EncodeCall {
    token::TokenCounter *counter = nullptr;  // nullptr: nothing is counted
    uint64_t max_tokens = 0;  // of a frame; 0: no limit, as there is none outside a session
    ValueKeeper *keeper = nullptr;
    EnvelopeSource *envelopes = nullptr;  // nullptr: the peer takes no message in parts
    // what a message does not say of its envelope; nullptr: nothing
    const frame::EnvelopeStore *envelope = nullptr;
};

// What one frame that comes in goes by.
struct DecodeCall {
    RefResolver *resolver = nullptr;  // nullptr: nobody
    bool untrusted = false;           // it comes from an untrusted origin
    // it is held against strictness, the host's tools and its policy; what was taken once is not
    bool checked = true;
};

// The parts of a frame in tokens, each counted by itself; all of it counted as one text, which is
// what a limit is held against.
struct FrameTokens {
    uint64_t header, body, metadata, total;
};

// What both directions use, each for one message at a time.
struct CodecScratch {
    CodecScratch(Memory &from_memory, const Settings &from)
        : settings(from),
          memory(from_memory),
          arena(memory),
          nodes(memory),
          text(memory),
          payload(memory),
          meta(memory),
          reader(memory),
          found(memory),
          spare(memory),
          part(memory),
          json(memory),
          whole(memory),
          kept{value::Value(memory), value::Value(memory)},
          places(memory),
          next_places(memory),
          seed(random_seed()) {}

    const Settings &settings;
    Memory &memory;
    Arena arena;
    Buffer<value::Node> nodes;  // of a frame that comes in
    Buffer<char> text;          // that frame
    value::Value payload, meta;
    value::JsonReader reader;  // of what refs stand for
    value::Value found, spare;
    Buffer<char> part;   // of a message in parts: one of them, on its way out or put together
    Buffer<char> json;   // of what the host is asked about
    value::Value whole;  // the payload of a message, with keys in full and defaults
    value::Value
        kept[2];  // the payload of a message on its way out, after values went to the keeper
    Buffer<uint32_t> places, next_places;
    uint64_t seed;

    // Gives back what one large message took.
    void recycle() {
        for (value::Value *value : {&payload, &meta, &found, &spare, &whole}) value->clear();
    }
};

class Codec {
public:
    // `settings` without abbreviations where there is a registry, whose keys they are.
    Codec(Memory &memory, const Settings &settings)
        : coder(memory, settings), partial(memory), scratch_(memory, settings), sent_(memory) {
        setup.by_position = settings.has(ACCP_EXT_P1);
    }

    // Appends the frame of a message in JSON, or the message of a frame. On failure nothing is
    // appended, and the offset is a byte of what came in.
    Status encode(std::string_view json, const EncodeCall &call, Buffer<char> &out);
    Status decode(std::string_view frame, const DecodeCall &call, Buffer<char> &out);

    // The same for who has read the message: the last that read_message() of `coder` gave.
    Status encode(const message::Message &message, std::string_view json, const EncodeCall &call,
                  Buffer<char> &out);
    // The same for who looks at a frame before it is decoded: its tree, and then its message, whose
    // trees are this codec's. Both live until the next frame is parsed or decoded here. A part of a
    // message is a frame like any other.
    Status parse(std::string_view frame);
    value::TreeView tree() const { return {scratch_.nodes.data(), scratch_.text.data()}; }
    uint32_t node_count() const { return static_cast<uint32_t>(scratch_.nodes.size()); }
    uint32_t meta() const { return frame::metadata_of(scratch_.nodes.data(), node_count()); }
    Status decode_parsed(const DecodeCall &call, message::Message &out);

    // What is known of the last message is nothing: it was refused.
    void clear_last();
    // The tokens of the last message's frames; their parts are counted when somebody asks, by
    // `counter`.
    Status count_parts(token::TokenCounter *counter, FrameTokens &tokens);
    // Frames that the last message became: they stand with a newline between them. Values of it
    // that went to the keeper.
    uint32_t parts() const { return parts_; }
    uint32_t kept() const { return kept_; }
    uint32_t warnings() const { return warnings_; }  // of the last message: bits of accp_warning

    frame::Coder coder;
    CodecSetup setup;
    delivery::PartialMessages partial;

private:
    // E1002 at `place`.
    Status check_intent(std::string_view intent, uint64_t place) const {
        return scratch_.settings.any_intent || registry::find_intent(intent) >= 0
                   ? Status{}
                   : fail(ACCP_E1002, place, registry::kNoIntent);
    }
    Status check_written(std::string_view json, size_t start, Buffer<char> &out);
    Status encode_read(const message::Message &message, std::string_view json,
                       const EncodeCall &call, Buffer<char> &out);

    CodecScratch scratch_;
    Buffer<char> sent_;  // the frames of the last message, where tokens are counted
    FrameTokens tokens_ = {};
    bool counted_ = false;
    uint32_t parts_ = 0, kept_ = 0;
    uint32_t warnings_ = 0;
};

// Must values of this field be exact decimals, with a spelling of their own (an amount never takes
// the = form)? Is the value of the field's type?
Status check_type(const registry::Field &field, value::TreeView tree, uint32_t node,
                  bool reference);

// E1004 at `place`: a field that is required is not there.
Status missing_field(const registry::Schema &schema, uint32_t field, uint64_t place);

}  // namespace accp::codec
