// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/codec.h: what the host is asked and told.
#include "capi/codec_handle.h"

using namespace accp;
using namespace accp::capi;

extern "C" {

accp_status accp_codec_set_strict(accp_codec *codec, uint32_t strictness,
                                  accp_error *err) noexcept {
    constexpr uint32_t kAll = ACCP_STRICT_OPERATIONS | ACCP_STRICT_PROFILES | ACCP_STRICT_SCHEMA;
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (strictness & ~kAll) return capi::refuse(err, "no such strictness");
    if (strictness && !codec->registry) return capi::refuse(err, capi::kNoRegistry);
    codec->codec.setup.hooks.strict = strictness;
    return ACCP_OK;
}

accp_status accp_codec_set_tools(accp_codec *codec, accp_tool_hook hook, void *user,
                                 accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (hook && !codec->registry) return capi::refuse(err, capi::kNoRegistry);
    codec->codec.setup.hooks.tool = hook;
    codec->codec.setup.hooks.tool_user = user;
    return ACCP_OK;
}

accp_status accp_codec_set_policy(accp_codec *codec, accp_policy_hook hook, void *user,
                                  accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (hook && !codec->registry) return capi::refuse(err, capi::kNoRegistry);
    codec->codec.setup.hooks.policy = hook;
    codec->codec.setup.hooks.policy_user = user;
    return ACCP_OK;
}

accp_status accp_codec_set_origin(accp_codec *codec, int32_t origin, accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (origin != ACCP_ORIGIN_TRUSTED && origin != ACCP_ORIGIN_UNTRUSTED)
        return capi::refuse(err, capi::kNoOrigin);
    codec->receiving.untrusted = origin == ACCP_ORIGIN_UNTRUSTED;
    return ACCP_OK;
}

accp_status accp_codec_set_log(accp_codec *codec, accp_log_hook hook, void *user,
                               accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    codec->log.hook = hook;
    codec->log.user = user;
    return ACCP_OK;
}

accp_status accp_codec_set_redacted(accp_codec *codec, const char *text, size_t text_len,
                                    accp_error *err) noexcept {
    if (!codec) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        return codec::add_redacted({text ? text : "", text_len}, codec->redacted);
    });
}

uint32_t accp_codec_warnings(const accp_codec *codec) noexcept {
    return codec ? codec->codec.warnings() : 0;
}

}  // extern "C"
