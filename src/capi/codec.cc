// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/codec.h, and the chunk frames of include/accp/stream.h.
#include "accp/codec.h"

#include "accp/stream.h"
#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/host_hooks.h"
#include "capi/token_handles.h"
#include "codec/codec.h"
#include "codec/error_message.h"
#include "codec/log.h"
#include "codec/retry.h"
#include "delivery/chunk.h"
#include "frame/message/json.h"
#include "frame/message/message.h"
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
    accp::capi::TokenizerRef tokenizer;  // NULL if the codec does not count tokens
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
    // For calls that make a message or read one.
    accp::Buffer<char> json, redacted;
    accp::Arena arena;
    accp::Buffer<accp::value::Node> nodes;
    accp::value::JsonReader reader;
    accp::value::Value message;
    accp::codec::CodecLog log;
    bool decoded = false;  // `out` is the message of a decoded frame
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
accp_status return_text(accp_codec *codec, const char *text, size_t text_len, accp_text *out,
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

// Encode a message or decode a frame into codec->out, and report it to the log hook.
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

using namespace accp;
using namespace accp::capi;

namespace {

// Checks that the options of the config fit together.
Status check_codec_config(const accp_config &config) {
    Status status = check_parts(config);
    if (status.failed() || config.registry) return status;
    if (config.settings.has(ACCP_EXT_P1))
        return fail(ACCP_ERR_ARG, 0, "payloads by position need a registry");
    if (!config.schema.empty() || config.strictness || config.hooks.check_tool ||
        config.hooks.check_policy)
        return fail(ACCP_ERR_ARG, 0, capi::kNoRegistry);
    return {};
}

// Sets the hooks that the host has given.
void set_hooks(accp_codec &codec, const accp_config &config) {
    const accp_hooks &hooks = codec.hooks = config.hooks;
    codec.resolver.hooks = codec.keeper.hooks = codec.envelopes.hooks = &codec.hooks;
    if (hooks.resolve) codec.receiving.resolver = &codec.resolver;
    if (hooks.keep) codec.sending.keeper = &codec.keeper;
    if (hooks.next_envelope && config.rules.parts) codec.sending.envelopes = &codec.envelopes;
    codec.codec.setup.hooks = checks_of(config);
    codec.log.hook = hooks.log;
    codec.log.user = hooks.user;
}

Status set_counter(accp_codec &codec, const accp_config &config) {
    if (!config.counts()) return {};
    Status status = pick_tokenizer(&config, codec.tokenizer);
    if (status.failed()) return status;
    codec.counter.open(codec.tokenizer.get()->tokenizer, codec.settings.token_cache);
    codec.sending.counter = &codec.counter;
    codec.sending.max_tokens = config.max_tokens_set ? config.rules.max_tokens : 0;
    return {};
}

Status set_up_codec(accp_codec &codec, const accp_config &config) {
    codec::CodecSetup &setup = codec.codec.setup;
    codec.use(config.registry);
    if (!config.schema.empty()) setup.schema = codec.registry->by_code(config.schema.view());
    if (!config.schema.empty() && !setup.schema)
        return fail(ACCP_E1003, 0, "no schema has this code");
    if (config.mark_defaults) codec.codec.coder.ignored.append(codec::kDefaultsName);
    setup.mark_defaults = config.mark_defaults;
    setup.inline_characters = config.inline_characters;
    setup.reassembles = config.rules.parts;
    codec.redacted.append(config.redacted.view());
    set_hooks(codec, config);
    return set_counter(codec, config);
}

Settings codec_settings(const accp_config *config) {
    Settings settings = capi::wire_settings(config);
    settings.abbreviate = settings.abbreviate && !(config && config->registry);
    return settings;
}

}  // namespace

extern "C" {

accp_status accp_codec_new(const accp_config *config, accp_codec **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        Status status = config ? check_codec_config(*config) : Status{};
        if (status.failed()) return status;
        Held<accp_codec, accp_codec_free> made(make_handle<accp_codec>(codec_settings(config)));
        made->codec.coder.ignored.append(ignored_of(config));
        made->codec.coder.ignored.append(codec::kUntrustedName);
        if (config) status = set_up_codec(*made.handle, *config);
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_codec_free(accp_codec *codec) noexcept { free_handle(codec); }

accp_status accp_codec_set_envelope(accp_codec *codec, const accp_envelope *envelope,
                                    accp_error *err) noexcept {
    if (accp_status status = check_idle(codec, err)) return status;
    if (!capi::has_texts(envelope)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        return codec->envelope.set(envelope, codec->settings.limit(ACCP_LIMIT_KEY_BYTES));
    });
}

accp_status accp_codec_remove_parts(accp_codec *codec, const char *cid, size_t cid_len,
                                    accp_error *err) noexcept {
    if (accp_status status = check_idle(codec, err)) return status;
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    codec->codec.partial.abandon(to_view(cid, cid_len));
    return ACCP_OK;
}

accp_status accp_codec_register_schema(accp_codec *codec, const char *text, size_t text_len,
                                       accp_error *err) noexcept {
    if (accp_status status = check_idle(codec, err)) return status;
    if (!codec->registry) return capi::refuse(err, capi::kNoRegistry);
    accp_registry *made = nullptr;
    accp_status status = accp_registry_add(codec->registry.get(), text, text_len, &made, err);
    if (status != ACCP_OK) return status;
    registry::RegistryRef next(made);
    const registry::Schema *&schema = codec->codec.setup.schema;
    const registry::Schema *same = schema ? next->by_code(schema->code) : nullptr;
    if (schema && !same)
        return capi::report(
            fail(ACCP_E1003, 0, "the new registry does not have the codec's schema"), err);
    schema = same;
    codec->use(static_cast<registry::RegistryRef &&>(next));
    return ACCP_OK;
}

const accp_registry *accp_codec_registry(const accp_codec *codec) noexcept {
    return codec ? codec->registry.get() : nullptr;
}

accp_status accp_codec_encode(accp_codec *codec, const char *text, size_t text_len, accp_text *out,
                              accp_error *err) noexcept {
    return capi::return_text(codec, text, text_len, out, err, [&](const char *from) {
        return capi::encode(*codec, from, text_len);
    });
}

accp_status accp_codec_decode(accp_codec *codec, const char *text, size_t text_len, accp_text *out,
                              accp_error *err) noexcept {
    return capi::return_text(codec, text, text_len, out, err, [&](const char *from) {
        return capi::decode(*codec, from, text_len);
    });
}

accp_status accp_codec_outcome(const accp_codec *codec, accp_outcome *out,
                               accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(codec, err)) return status;
    *out = {codec->codec.parts(), codec->codec.kept(), codec->codec.warnings(), 0};
    return ACCP_OK;
}

accp_status accp_codec_set_origin(accp_codec *codec, int32_t origin, accp_error *err) noexcept {
    if (accp_status status = check_idle(codec, err)) return status;
    if (!is_origin(origin)) return capi::refuse(err, capi::kNoOrigin);
    codec->receiving.untrusted = origin == ACCP_ORIGIN_UNTRUSTED;
    return ACCP_OK;
}

accp_status accp_codec_budget(accp_codec *codec, accp_frame_budget *out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    codec::FrameTokens tokens = {};
    if (codec) {
        if (accp_status status = check_idle(codec, err)) return status;
        const HandleUse<accp_codec> use(codec);
        const accp_status status = capi::guard(
            err, [&] { return codec->codec.count_parts(codec->sending.counter, tokens); });
        if (status != ACCP_OK) return status;
    }
    auto part = [](uint64_t count, const TokenLimit &limit) {
        return accp_part_budget{count, limit.soft, limit.hard};
    };
    *out = {part(tokens.header, kHeaderTokens), part(tokens.body, kBodyTokens),
            part(tokens.metadata, kMetadataTokens), part(tokens.total, kFrameTokens)};
    return ACCP_OK;
}

}  // extern "C"

namespace {

// Encodes the message that `write` makes.
template <class Write>
accp_status encode_made(accp_codec *codec, accp_text *out, accp_error *err, Write write) noexcept {
    return capi::return_text(codec, nullptr, 0, out, err, [&](const char *) {
        codec->arena.reset();
        codec->json.recycle(kKeptBytes);
        write();
        Status status = capi::encode(*codec, codec->json.data(), codec->json.size());
        status.offset = 0;  // the caller does not have this text
        return status;
    });
}

// Reads the fields of a request that its answer repeats. The request stays in codec.message.
Status read_request(accp_codec &codec, std::string_view json, message::ReplyTo &out) {
    message::Message request;
    Status status =
        codec.reader.read(json.data(), json.size(), {kMaxTextBytes, kMaxJsonDepth}, codec.message);
    if (status.ok()) status = message::read_message(codec.message.view(), 0, {}, request).status;
    return move_to(status.ok() ? message::read_reply_to(request, out) : status, 0);
}

// Encodes an answer with the envelope fields of the request, and with its operation if the message
// has none.
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
    return capi::return_text(codec, text, text_len, out, err, [&](const char *from) {
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
    if (any_lies_in(codec->out, failure->agent, failure->message, failure->detail, failure->source,
                    failure->cid))
        return capi::refuse(err, capi::kOwnText);
    if (!codec::is_standard_code(failure->code))
        return capi::refuse(err, "no code of the error model");
    if (!codec->registry) return capi::refuse(err, capi::kNoRegistry);
    return encode_made(codec, out, err, [&] { codec::write_error_message(*failure, codec->json); });
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
            if (status.ok()) codec::read_error_message(codec->message.view(), read);
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
    if (any_lies_in(codec->out, agent, operation, chunk->cid, chunk->data))
        return capi::refuse(err, capi::kOwnText);
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
    if (codec && any_lies_in(codec->out, fresh->mid, fresh->cid, fresh->aid, fresh->sid))
        return capi::refuse(err, capi::kOwnText);
    return capi::return_text(codec, text, text_len, out, err, [&](const char *from) {
        codec->nodes.recycle(kKeptBytes);
        Status status = codec->codec.coder.parse(from, text_len, codec->nodes);
        if (status.failed()) return status;
        const uint64_t max = codec->settings.limit(ACCP_LIMIT_KEY_BYTES);
        return codec::write_retry({codec->nodes.data(), from},
                                  static_cast<uint32_t>(codec->nodes.size()), text_len, *fresh, max,
                                  codec->memory, codec->out);
    });
}

}  // extern "C"
