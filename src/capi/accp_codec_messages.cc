// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/codec.h: error frames, and sending again; the frame of a chunk of accp/stream.h.
#include "accp/stream.h"
#include "capi/codec_handle.h"
#include "codec/error_report.h"
#include "codec/retry.h"
#include "delivery/chunk_message.h"
#include "frame/message/json.h"
#include "frame/message/message.h"

using namespace accp;
using namespace accp::capi;

namespace {

// Encodes the message that `write` makes.
template <class Write>
accp_status encode_made(accp_codec *codec, accp_text *out, accp_error *err, Write write) noexcept {
    return capi::work(codec, nullptr, 0, out, err, [&](const char *) {
        codec->arena.reset();
        codec->json.recycle(kKeptBytes);
        write();
        Status status = capi::encode(*codec, codec->json.data(), codec->json.size());
        status.offset = 0;  // of a text that the caller never saw
        return status;
    });
}

// What an answer has from the request, which stays in codec.message.
Status read_request(accp_codec &codec, std::string_view json, message::ReplyTo &out) {
    message::Message request;
    Status status =
        codec.reader.read(json.data(), json.size(), {kMaxTextBytes, kMaxJsonDepth}, codec.message);
    if (status.ok()) status = message::read_message(codec.message.view(), 0, {}, request).status;
    return move_to(status.ok() ? message::read_reply_to(request, out) : status, 0);
}

// Encodes with other fields of the envelope, and an operation for a message that has none.
Status encode_reply(accp_codec &codec, const message::ReplyTo &to, std::string_view json) {
    struct Restore {
        accp_codec &codec;
        const frame::EnvelopeStore *kept = codec.sending.envelope;
        ~Restore() {
            codec.sending.envelope = kept;
            codec.codec.coder.operation = {};
        }
    } restore = {codec};
    accp_envelope fields = codec.envelope.view();
    to.put(fields);
    frame::EnvelopeStore envelope(codec.memory);
    Status status = envelope.set(&fields, codec.settings.limit(ACCP_LIMIT_KEY_BYTES));
    if (status.failed()) return move_to(status, 0);
    codec.sending.envelope = &envelope;
    codec.codec.coder.operation = to.operation;
    return capi::encode(codec, json.data(), json.size());
}

}  // namespace

extern "C" {

accp_status accp_codec_reply(accp_codec *codec, const char *request, size_t request_len,
                             const char *text, size_t text_len, accp_text *out,
                             accp_error *err) noexcept {
    if (!capi::is_text(request, request_len)) return capi::refuse(err, capi::kNoText);
    if (codec && lies_in(request, codec->out)) return capi::refuse(err, capi::kOwnText);
    return capi::work(codec, text, text_len, out, err, [&](const char *from) {
        message::ReplyTo to;
        Status status = read_request(*codec, to_view(request, request_len), to);
        return status.ok() ? encode_reply(*codec, to, {from, text_len}) : status;
    });
}

accp_status accp_codec_encode_failure(accp_codec *codec, const accp_failure *failure,
                                      accp_text *out, accp_error *err) noexcept {
    if (!codec || !failure) return capi::refuse(err, capi::kNoHandle);
    if (!are_texts(failure->agent, failure->message, failure->detail, failure->source,
                   failure->cid))
        return capi::refuse(err, capi::kNoText);
    if (!profile::is_standard_code(failure->code))
        return capi::refuse(err, "no code of the error model");
    if (!codec->registry) return capi::refuse(err, capi::kNoRegistry);
    return encode_made(codec, out, err,
                       [&] { profile::write_error_message(*failure, codec->json); });
}

accp_status accp_codec_failure(accp_codec *codec, accp_failure *out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(codec, err)) return status;
    return capi::guard(err, [&] {
        accp_failure read = {};
        Status status;
        if (codec->decoded && codec->registry) {
            status = codec->reader.read(codec->out.data(), codec->out.size(),
                                        {kMaxTextBytes, kMaxJsonDepth}, codec->message);
            if (status.ok()) profile::read_error_message(codec->message.view(), read);
        }
        if (status.ok()) *out = read;
        return status;
    });
}

accp_status accp_codec_encode_chunk(accp_codec *codec, accp_text agent, accp_text operation,
                                    const accp_chunk *chunk, accp_text *out,
                                    accp_error *err) noexcept {
    if (!codec || !chunk) return capi::refuse(err, capi::kNoHandle);
    if (!are_texts(agent, operation, chunk->cid, chunk->data))
        return capi::refuse(err, capi::kNoText);
    if (!codec->registry) return capi::refuse(err, capi::kNoRegistry);
    if (!chunk->cid.len)
        return capi::report(fail(ACCP_E1004, 0, "the chunks of a stream share a cid"), err);
    const registry::Schema *schema = codec->registry->by_code("ST");
    if (!schema) return capi::report(fail(ACCP_E1003, 0, "the registry has no schema ST"), err);
    const bool named =
        codec->codec.setup.schema
            ? codec->codec.setup.schema != schema
            : codec->registry->bound(ACCP_INTENT_STREAM, to_view(operation)) != schema;
    return encode_made(codec, out, err, [&] {
        delivery::write_chunk_message(*chunk, agent, operation, named, codec->json);
    });
}

accp_status accp_codec_retry(accp_codec *codec, const char *text, size_t text_len,
                             const accp_envelope *fresh, accp_text *out, accp_error *err) noexcept {
    if (!fresh) return capi::refuse(err, capi::kNoHandle);
    if (!capi::has_texts(fresh)) return capi::refuse(err, capi::kNoText);
    return capi::work(codec, text, text_len, out, err, [&](const char *from) {
        codec->nodes.recycle(kKeptBytes);
        Status status = codec->codec.coder.parse(from, text_len, codec->nodes);
        if (status.failed()) return status;
        const uint64_t max = codec->settings.limit(ACCP_LIMIT_KEY_BYTES);
        return profile::write_retry({codec->nodes.data(), from},
                                    static_cast<uint32_t>(codec->nodes.size()), text_len, *fresh,
                                    max, codec->memory, codec->out);
    });
}

}  // extern "C"
