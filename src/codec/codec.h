// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Encodes messages to frames and decodes them under a registry: the seven steps of specification
// 7.2 and the six steps of 7.3.
//
// encode/outgoing.h and decode/incoming.h have the data of the steps for one message;
// encode/encode.cc and decode/decode.cc have their order. Without a registry a message is coded
// directly by Coder.
//
// A message names its schema in the payload's member `schema`, a string. Otherwise the codec's own
// schema applies, or the one bound to its intent and operation. A frame names its schema if the
// other side could not find it by the binding alone.
#pragma once

#include "codec/hooks.h"
#include "delivery/parts.h"
#include "frame/coder.h"
#include "frame/message/message.h"
#include "registry/registry.h"
#include "token/count.h"

namespace accp::codec {

// The member of a payload that names its schema, in frames and messages.
constexpr std::string_view kSchemaKey = "schema";
// The member that marks an untrusted message, with a NUL after it as in lists of ignored names.
constexpr std::string_view kUntrustedName("untrusted", sizeof "untrusted");
// The member that lists fields with default values (mark_defaults), with a NUL after it.
constexpr std::string_view kDefaultsName("defaults", sizeof "defaults");
// An omitted field in a payload by position (p1).
constexpr std::string_view kOmittedValue = "!";

// The settings of a codec.
struct CodecSetup {
    const registry::Registry *registry = nullptr;
    const registry::Schema *schema = nullptr;  // for messages that name none
    bool by_position = false;                  // received frames may use p1
    bool mark_defaults = false;
    uint64_t inline_characters = kInlineCharacters;  // a longer string goes to the keeper
    bool reassembles = false;
    CodecHooks hooks;
};

// The parameters of one encoding.
struct EncodeCall {
    token::TokenCounter *counter = nullptr;  // nullptr: tokens are not counted
    uint64_t max_tokens = 0;                 // limit of a frame; 0: none (outside of sessions)
    ValueKeeper *keeper = nullptr;
    EnvelopeSource *envelopes = nullptr;  // nullptr: the peer does not accept parts
    // envelope fields that the message lacks; nullptr: none
    const frame::EnvelopeStore *envelope = nullptr;
};

// The parameters of one decoding.
struct DecodeCall {
    RefResolver *resolver = nullptr;  // nullptr: refs are not resolved
    bool untrusted = false;           // the origin is untrusted
    // apply strictness, tools and policy of the host; not for messages that were accepted before
    bool checked = true;
};

// The tokens of a frame's parts, counted separately, and of the whole frame as one text, which is
// compared with limits.
struct FrameTokens {
    uint64_t header, body, metadata, total;
};

// Working memory of both directions, for one message at a time.
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
    Buffer<value::Node> nodes;  // of a received frame
    Buffer<char> text;          // of a received frame
    value::Value payload, meta;
    value::JsonReader reader;  // for the values of refs
    value::Value found, spare;
    Buffer<char> part;   // one part of a message, or the joined parts
    Buffer<char> json;   // JSON for hooks of the host
    value::Value whole;  // the payload of a message, with full keys and defaults
    value::Value
        kept[2];  // the payload of a message to send, without the values that the keeper took
    Buffer<uint32_t> places, next_places;
    uint64_t seed;

    // Frees the memory of a large message.
    void recycle() {
        for (value::Value *value : {&payload, &meta, &found, &spare, &whole}) value->clear();
    }
};

class Codec {
public:
    // If there is a registry, `settings` must not have abbreviations: these are part of the
    // registry.
    Codec(Memory &memory, const Settings &settings)
        : coder(memory, settings), partial(memory), scratch_(memory, settings), sent_(memory) {
        setup.by_position = settings.has(ACCP_EXT_P1);
    }

    // Append the frame of a JSON message, or the message of a frame. On failure nothing is
    // appended, and the offset is a byte of the input.
    Status encode(std::string_view json, const EncodeCall &call, Buffer<char> &out);
    Status decode(std::string_view frame, const DecodeCall &call, Buffer<char> &out);

    // The same for a message that the caller has read with read_message() of `coder`, as the last
    // one.
    Status encode(const message::Message &message, std::string_view json, const EncodeCall &call,
                  Buffer<char> &out);
    // The same in two steps, to inspect a frame before it is decoded: parse() gives its tree, and
    // decode_parsed() its message, whose trees belong to this codec. Both live until the next frame
    // is parsed or decoded. A part of a message is a frame like any other.
    Status parse(std::string_view frame);
    value::TreeView tree() const { return {scratch_.nodes.data(), scratch_.text.data()}; }
    uint32_t node_count() const { return static_cast<uint32_t>(scratch_.nodes.size()); }
    uint32_t meta() const { return frame::metadata_of(scratch_.nodes.data(), node_count()); }
    Status decode_parsed(const DecodeCall &call, message::Message &out);

    // Clears the data about the last message, because it was refused.
    void clear_last();
    // Returns the tokens of the last message's frames. Their parts are counted on demand, with
    // `counter`.
    Status count_parts(token::TokenCounter *counter, FrameTokens &tokens);
    // The number of frames of the last message (separated by newlines), and of its values that went
    // to the keeper.
    uint32_t parts() const { return parts_; }
    uint32_t kept() const { return kept_; }
    uint32_t warnings() const { return warnings_; }  // of the last message: bits of accp_warning

    frame::Coder coder;
    CodecSetup setup;
    delivery::PartialMessages partial;

private:
    Status check_intent(std::string_view intent, uint64_t offset) const {
        return scratch_.settings.any_intent || registry::find_intent(intent) >= 0
                   ? Status{}
                   : fail(ACCP_E1002, offset, registry::kNoIntent);
    }
    Status check_written(std::string_view json, size_t start, Buffer<char> &out);
    Status encode_read(const message::Message &message, std::string_view json,
                       const EncodeCall &call, Buffer<char> &out);

    CodecScratch scratch_;
    Buffer<char> sent_;  // the frames of the last message, if tokens are counted
    FrameTokens tokens_ = {};
    bool counted_ = false;
    uint32_t parts_ = 0, kept_ = 0;
    uint32_t warnings_ = 0;
};

// Checks that the value has the field's type. The value of a decimal field must be an exact
// decimal.
Status check_type(const registry::Field &field, value::TreeView tree, uint32_t node,
                  bool reference);

// The failure E1004 at `offset`: a required field is missing.
Status missing_field(const registry::Schema &schema, uint32_t field, uint64_t offset);

}  // namespace accp::codec
