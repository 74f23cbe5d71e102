// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/types.h: the options.
#include <string_view>

#include "capi/guard.h"
#include "capi/handles.h"

using namespace accp;
using namespace accp::capi;

namespace {

template <class Change>
accp_status change(accp_options *options, accp_error *err, Change apply) noexcept {
    if (!options) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] { return apply(options->settings); });
}

}  // namespace

extern "C" {

accp_status accp_options_new(accp_options **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = make_handle<accp_options>(Settings());
        return Status{};
    });
}

void accp_options_free(accp_options *options) noexcept {
    if (!options) return;
    accp_allocator own = private_allocator();
    options->~accp_options();
    own.release(options, sizeof *options, own.user);
}

accp_status accp_options_set_dialect(accp_options *options, int32_t dialect,
                                     accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (dialect < ACCP_STRICT || dialect > ACCP_U8)
            return fail(ACCP_ERR_ARG, 0, "no such dialect");
        settings.dialect = dialect;
        return Status{};
    });
}

accp_status accp_options_set_extensions(accp_options *options, uint32_t extensions,
                                        accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (extensions & ~uint32_t{ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8})
            return fail(ACCP_ERR_ARG, 0, "no such extension");
        settings.extensions = extensions ? extensions | ACCP_EXT_Q1 : extensions;
        return Status{};
    });
}

accp_status accp_options_set_abbreviate(accp_options *options, int on, accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        settings.abbreviate = on != 0;
        return Status{};
    });
}

accp_status accp_options_set_keep_refs(accp_options *options, int on, accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        settings.keep_refs = on != 0;
        return Status{};
    });
}

accp_status accp_options_set_token_cache(accp_options *options, uint32_t entries,
                                         accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (entries < 4 || entries > kMaxTokenCache)
            return fail(ACCP_ERR_ARG, 0, "a token cache has 4 to 2^20 entries");
        settings.token_cache = uint32_t{1} << (31 - __builtin_clz(entries));
        return Status{};
    });
}

accp_status accp_options_set_limit(accp_options *options, int32_t limit, uint64_t value,
                                   accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (limit < 0 || limit >= kLimitCount) return fail(ACCP_ERR_ARG, 0, "no such limit");
        if (value < kLimits[limit].min)
            return fail(ACCP_ERR_ARG, 0, "below the least value that this limit may have");
        if (value > kLimits[limit].max)
            return fail(ACCP_ERR_ARG, 0, "above the greatest value that this limit may have");
        settings.limits[limit] = value;
        return Status{};
    });
}

accp_status accp_options_ignore(accp_options *options, const char *text, size_t text_len,
                                accp_error *err) noexcept {
    if (!options) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len) || !text_len || std::memchr(text, '\0', text_len))
        return capi::refuse(err, "the name of a member is a text without NUL");
    return capi::guard(err, [&] {
        options->ignored.reserve(text_len + 1);
        options->ignored.append(text, text_len);
        options->ignored.push('\0');
        return Status{};
    });
}

accp_status accp_options_set_allocator(accp_options *options, const accp_allocator *allocator,
                                       accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (allocator && (!allocator->alloc || !allocator->release))
            return fail(ACCP_ERR_ARG, 0, "an allocator has two functions");
        settings.allocator = allocator ? *allocator : private_allocator();
        return Status{};
    });
}

int32_t accp_limit_find(const char *text, size_t text_len) noexcept {
    if (!text) return -1;
    for (int32_t i = 0; i < kLimitCount; ++i)
        if (std::string_view(text, text_len) == kLimits[i].name) return i;
    return -1;
}

const char *accp_limit_name(int32_t limit) noexcept {
    return limit >= 0 && limit < kLimitCount ? kLimits[limit].name : nullptr;
}

uint64_t accp_limit_default(int32_t limit) noexcept {
    return limit >= 0 && limit < kLimitCount ? kLimits[limit].standard : 0;
}

}  // extern "C"
