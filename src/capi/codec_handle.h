// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_codec, and the frame of every call that makes a text.
#pragma once

#include "capi/guard.h"
#include "capi/handle_use.h"
#include "capi/handles.h"
#include "capi/host_hooks.h"
#include "capi/tokenizer_ref.h"
#include "codec/codec.h"
#include "codec/log.h"
#include "registry/registry_ref.h"
#include "token/count.h"

struct accp_codec {
    explicit accp_codec(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          codec(memory, settings),
          envelope(memory),
          counter(memory),
          out(memory),
          json(memory),
          redacted(memory),
          arena(memory),
          nodes(memory),
          reader(memory),
          message(memory),
          log(memory, settings) {
        sending.envelope = &envelope;
    }

    void use(accp::registry::RegistryRef next) {
        registry = static_cast<accp::registry::RegistryRef &&>(next);
        codec.setup.registry = registry ? &*registry : nullptr;
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::capi::HandleUses uses;
    accp::capi::TokenizerRef tokenizer;  // null if it does not count
    accp::codec::Codec codec;
    accp::frame::EnvelopeStore envelope;
    accp::codec::EncodeCall sending;
    accp::codec::DecodeCall receiving;
    accp::token::TokenCounter counter;
    accp::Buffer<char> out;
    accp::registry::RegistryRef registry;
    accp_hooks hooks = {};
    accp::capi::HostResolver resolver;
    accp::capi::HostKeeper keeper;
    accp::capi::HostEnvelopes envelopes;
    // Of the calls that make a message, or look at one.
    accp::Buffer<char> json, redacted;
    accp::Arena arena;
    accp::Buffer<accp::value::Node> nodes;
    accp::value::JsonReader reader;
    accp::value::Value message;
    accp::codec::CodecLog log;
    bool decoded = false;  // `out` is the message of a frame
};

namespace accp::capi {

constexpr const char *kNoRegistry = "the codec has no registry";

// Fails if the handle is NULL, or a callback of its own runs.
inline accp_status check_idle(const accp_codec *codec, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    return check_unused(*codec, err);
}

// Runs `act`, which appends to codec->out, and returns a view of it.
template <class Act>
accp_status work(accp_codec *codec, const char *text, size_t text_len, accp_text *out,
                 accp_error *err, Act act) noexcept {
    if (!out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (accp_status status = check_idle(codec, err)) return status;
    if (lies_in(text, codec->out)) return refuse(err, kOwnText);
    const HandleUse<accp_codec> use(codec);
    codec->decoded = false;
    const accp_status result = guard(err, [&] {
        codec->out.recycle(kKeptBytes);
        Status status = act(text ? text : "");
        if (status.ok()) status = check_kept(*codec);
        if (status.ok()) hand_out(codec->out, out);
        return status;
    });
    if (result != ACCP_OK) codec->codec.clear_last();
    codec->decoded = codec->decoded && result == ACCP_OK;
    return result;
}

// Encodes a message, or decodes a frame, into codec->out, and tells the log.
inline Status encode(accp_codec &codec, const char *json, size_t len) {
    Status status = codec.codec.encode({json, len}, codec.sending, codec.out);
    if (!codec.log.hook) return status;
    if (status.failed()) codec.log.write(ACCP_SENT, status);
    else codec.log.write(ACCP_SENT, {json, len}, codec.redacted.view());
    return status;
}
inline Status decode(accp_codec &codec, const char *text, size_t len) {
    Status status = codec.codec.decode({text, len}, codec.receiving, codec.out);
    codec.decoded = status.ok();
    if (!codec.log.hook || status.code == ACCP_HELD) return status;
    if (status.failed()) codec.log.write(ACCP_RECEIVED, status);
    else codec.log.write(ACCP_RECEIVED, codec.out.view(), codec.redacted.view());
    return status;
}

}  // namespace accp::capi
