// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_codec, and the frame of every call that makes a text.
#pragma once

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/host_resolver.h"
#include "codec/codec.h"
#include "codec/log.h"
#include "registry/shared.h"

namespace accp::capi {

// The host's callbacks as what the codec asks.
struct HostKeeper final : codec::ValueKeeper {
    Status keep(std::string_view json, std::string_view &ref) override {
        const char *text = nullptr;
        size_t len = 0;
        Status status = codec::host_answer(call(json.data(), json.size(), &text, &len, user),
                                           "the keeper has failed");
        if (status.failed()) return status;
        ref = {text ? text : "", text ? len : 0};
        return {};
    }
    accp_keep_function call = nullptr;
    void *user = nullptr;
};

struct HostEnvelopes final : codec::EnvelopeSource {
    Status next(accp_envelope &envelope) override {
        return codec::host_answer(call(&envelope, user), "no envelope for a part");
    }
    accp_envelope_function call = nullptr;
    void *user = nullptr;
};

}  // namespace accp::capi

struct accp_codec {
    explicit accp_codec(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          codec(memory, settings),
          out(memory),
          json(memory),
          redacted(memory),
          arena(memory),
          nodes(memory),
          reader(memory),
          message(memory),
          log(memory, settings) {}

    void use(accp::registry::RegistryRef next) {
        registry = static_cast<accp::registry::RegistryRef &&>(next);
        codec.setup.registry = registry ? &*registry : nullptr;
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::codec::Codec codec;
    accp::codec::EncodeCall sending;
    accp::codec::DecodeCall receiving;
    accp::Buffer<char> out;
    accp::registry::RegistryRef registry;
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
    bool busy = false;  // a hook of the host is running, perhaps
};

namespace accp::capi {

constexpr const char *kNoRegistry = "the codec has no registry";
constexpr const char *kCodecBusy = "a hook may not call the codec that it was called by";

// Runs `act`, which appends to codec->out, and hands that out.
template <class Act>
accp_status work(accp_codec *codec, const char *text, size_t text_len, const char **out,
                 size_t *len_out, accp_error *err, Act act) noexcept {
    if (!codec || !out || !len_out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (codec->busy) return report(fail(ACCP_ERR_BUSY, 0, kCodecBusy), err);
    if (lies_in(text, codec->out)) return refuse(err, kOwnText);
    codec->busy = true;
    const accp_status result = guard(err, [&] {
        codec->out.recycle(kKeptBytes);
        Status status = act(text ? text : "");
        if (status.failed()) return status;
        *out = codec->out.data();
        *len_out = codec->out.size();
        return status;
    });
    codec->busy = false;
    return result;
}

// Encodes a message, or decodes a frame, into codec->out, and tells the log.
inline Status encode(accp_codec &codec, const char *json, size_t len) {
    Status status = codec.codec.encode({json, len}, codec.sending, codec.out);
    if (!codec.log.hook) return status;
    if (status.failed()) codec.log.tell(ACCP_SENT, status);
    else
        codec.log.tell(ACCP_SENT, {json, len},
                       {codec.redacted.data() ? codec.redacted.data() : "", codec.redacted.size()});
    return status;
}
inline Status decode(accp_codec &codec, const char *text, size_t len) {
    Status status = codec.codec.decode({text, len}, codec.receiving, codec.out);
    if (!codec.log.hook || status.code == ACCP_HELD) return status;
    if (status.failed()) codec.log.tell(ACCP_RECEIVED, status);
    else
        codec.log.tell(ACCP_RECEIVED, {codec.out.data(), codec.out.size()},
                       {codec.redacted.data() ? codec.redacted.data() : "", codec.redacted.size()});
    return status;
}

}  // namespace accp::capi
