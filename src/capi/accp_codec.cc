// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/codec.h.
#include "accp/codec.h"

#include "capi/codec_handle.h"
#include "capi/token_handles.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr const char *kNoParts = "messages in parts need q1";
// with their NUL, as the names to ignore have
constexpr std::string_view kMark("defaults", sizeof "defaults");

Settings settings_for(const accp_options *options, bool registry, uint32_t extensions) {
    Settings settings = capi::settings_of(options);
    settings.extensions = extensions ? extensions | ACCP_EXT_Q1 : extensions;
    settings.abbreviate = settings.abbreviate && !registry;
    return settings;
}

}  // namespace

extern "C" {

accp_status accp_codec_new(const accp_options *options, const accp_registry *registry,
                           uint32_t extensions, accp_codec **out, accp_error *err) noexcept {
    constexpr uint32_t kAll = ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8 | ACCP_EXT_P1;
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (extensions & ~kAll) return capi::refuse(err, "no such extension");
    if (!registry && (extensions & ACCP_EXT_P1))
        return capi::refuse(err, "payloads by position need a registry");
    return capi::guard(err, [&] {
        struct Holder {
            accp_codec *held;
            ~Holder() { end_handle(held); }
        } holder = {make_handle<accp_codec>(settings_for(options, registry, extensions))};
        if (options)
            holder.held->codec.coder.ignored.append(options->ignored.data(),
                                                    options->ignored.size());
        holder.held->codec.coder.ignored.append(codec::kUntrustedName.data(),
                                                codec::kUntrustedName.size());
        holder.held->use(registry::RegistryRef(accp_registry_share(registry)));
        *out = holder.held;
        holder.held = nullptr;
        return Status{};
    });
}

void accp_codec_free(accp_codec *codec) noexcept { end_handle(codec); }

accp_status accp_codec_set_schema(accp_codec *codec, const char *text, size_t text_len,
                                  accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (!codec->registry) return capi::refuse(err, capi::kNoRegistry);
    const registry::Schema *schema =
        text_len ? codec->registry->by_code({text, text_len}) : nullptr;
    if (text_len && !schema)
        return capi::report(fail(ACCP_E1003, 0, "no schema has this code"), err);
    codec->codec.setup.schema = schema;
    return ACCP_OK;
}

accp_status accp_codec_set_envelope(accp_codec *codec, const accp_envelope *envelope,
                                    accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        return codec->codec.coder.envelope.set(envelope,
                                               codec->settings.limit(ACCP_LIMIT_KEY_BYTES));
    });
}

accp_status accp_codec_set_counter(accp_codec *codec, accp_counter *counter,
                                   accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    codec->sending.counter = counter ? &counter->counter : nullptr;
    return ACCP_OK;
}

accp_status accp_codec_set_max_tokens(accp_codec *codec, uint64_t max_tokens,
                                      accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    codec->sending.max_tokens = max_tokens;
    return ACCP_OK;
}

accp_status accp_codec_set_resolver(accp_codec *codec, accp_resolve_function resolve, void *user,
                                    accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    codec->resolver.call = resolve;
    codec->resolver.user = user;
    codec->receiving.resolver = resolve ? &codec->resolver : nullptr;
    return ACCP_OK;
}

accp_status accp_codec_set_keeper(accp_codec *codec, accp_keep_function keep, void *user,
                                  accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    codec->keeper.call = keep;
    codec->keeper.user = user;
    codec->sending.keeper = keep ? &codec->keeper : nullptr;
    return ACCP_OK;
}

accp_status accp_codec_set_inline_characters(accp_codec *codec, uint64_t characters,
                                             accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    codec->codec.setup.inline_characters = characters;
    return ACCP_OK;
}

accp_status accp_codec_set_splitting(accp_codec *codec, accp_envelope_function next, void *user,
                                     accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (next && !codec->settings.has(ACCP_EXT_Q1)) return capi::refuse(err, kNoParts);
    codec->envelopes.call = next;
    codec->envelopes.user = user;
    codec->sending.envelopes = next ? &codec->envelopes : nullptr;
    return ACCP_OK;
}

accp_status accp_codec_set_reassembly(accp_codec *codec, int on, accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (on && !codec->settings.has(ACCP_EXT_Q1)) return capi::refuse(err, kNoParts);
    codec->codec.setup.reassembles = on != 0;
    return ACCP_OK;
}

accp_status accp_codec_abandon(accp_codec *codec, const char *cid, size_t cid_len,
                               accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    codec->codec.partial.abandon({cid ? cid : "", cid_len});
    return ACCP_OK;
}

accp_status accp_codec_set_mark_defaults(accp_codec *codec, int on, accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        Buffer<char> &ignored = codec->codec.coder.ignored;
        bool &marked = codec->codec.setup.mark_defaults;
        if (on && !marked) ignored.append(kMark);
        if (!on && marked) ignored.resize_down(ignored.size() - kMark.size());
        marked = on != 0;
        return Status{};
    });
}

accp_status accp_codec_register_schema(accp_codec *codec, const char *text, size_t text_len,
                                       accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (!codec->registry) return capi::refuse(err, capi::kNoRegistry);
    if (codec->busy) return capi::report(fail(ACCP_ERR_BUSY, 0, capi::kCodecBusy), err);
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

accp_status accp_codec_encode(accp_codec *codec, const char *text, size_t text_len,
                              const char **out, size_t *len_out, accp_error *err) noexcept {
    return capi::work(codec, text, text_len, out, len_out, err,
                      [&](const char *from) { return capi::encode(*codec, from, text_len); });
}

accp_status accp_codec_decode(accp_codec *codec, const char *text, size_t text_len,
                              const char **out, size_t *len_out, accp_error *err) noexcept {
    return capi::work(codec, text, text_len, out, len_out, err,
                      [&](const char *from) { return capi::decode(*codec, from, text_len); });
}

uint64_t accp_codec_parts(const accp_codec *codec) noexcept {
    return codec ? codec->codec.parts() : 0;
}

uint64_t accp_codec_kept(const accp_codec *codec) noexcept {
    return codec ? codec->codec.kept() : 0;
}

accp_status accp_codec_budget(accp_codec *codec, accp_frame_budget *out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    codec::FrameTokens tokens = {};
    const accp_status status =
        codec ? capi::guard(
                    err, [&] { return codec->codec.count_parts(codec->sending.counter, tokens); })
              : accp_status{ACCP_OK};
    if (status != ACCP_OK) return status;
    auto part = [](uint64_t count, const TokenLimit &limit) {
        return accp_part_budget{count, limit.soft, limit.hard};
    };
    *out = {part(tokens.header, kHeaderTokens), part(tokens.body, kBodyTokens),
            part(tokens.metadata, kMetadataTokens), part(tokens.total, kFrameTokens)};
    return ACCP_OK;
}

accp_status accp_codec_tokens(accp_codec *codec, accp_frame_tokens *out, accp_error *err) noexcept {
    if (!codec || !out) return capi::refuse(err, capi::kNoHandle);
    codec::FrameTokens tokens = {};
    const accp_status status =
        capi::guard(err, [&] { return codec->codec.count_parts(codec->sending.counter, tokens); });
    if (status != ACCP_OK) return status;
    *out = {tokens.header, tokens.body, tokens.metadata, tokens.total};
    return ACCP_OK;
}

}  // extern "C"
