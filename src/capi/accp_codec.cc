// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/codec.h.
#include "accp/codec.h"

#include "capi/codec_handle.h"
#include "capi/config_handle.h"
#include "capi/token_handles.h"

using namespace accp;
using namespace accp::capi;

namespace {

// Does what the config says go together?
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

// The host's functions that are there, each as what the codec asks.
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
        return capi::report(fail(ACCP_E1003, 0, "the codec's own schema would be gone"), err);
    schema = same;
    codec->use(static_cast<registry::RegistryRef &&>(next));
    return ACCP_OK;
}

const accp_registry *accp_codec_registry(const accp_codec *codec) noexcept {
    return codec ? codec->registry.get() : nullptr;
}

accp_status accp_codec_encode(accp_codec *codec, const char *text, size_t text_len, accp_text *out,
                              accp_error *err) noexcept {
    return capi::work(codec, text, text_len, out, err,
                      [&](const char *from) { return capi::encode(*codec, from, text_len); });
}

accp_status accp_codec_decode(accp_codec *codec, const char *text, size_t text_len, accp_text *out,
                              accp_error *err) noexcept {
    return capi::work(codec, text, text_len, out, err,
                      [&](const char *from) { return capi::decode(*codec, from, text_len); });
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
