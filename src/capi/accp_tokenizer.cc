// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/tokenizer.h: tokenizers.
#include "accp/tokenizer.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/token_handles.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr const char *kApprox = "approx";

// Checks a name, because packets and frames contain it.
Status check_name(std::string_view name) {
    if (name.size() > kMaxKeyBytes)
        return fail_limit(ACCP_E1001, 0, "the name of the tokenizer is too long", name.size(),
                          kMaxKeyBytes);
    const size_t valid = std::min(valid_utf8_prefix(name.data(), name.size()), name.find('\0'));
    return valid >= name.size()
               ? Status{}
               : fail(ACCP_E1004, valid, "a tokenizer's name is UTF-8 without NUL");
}

// Makes a handle and initializes it with open(handle).
template <class Open>
accp_status make_tokenizer(const char *name, size_t name_len, const accp_config *config,
                           accp_tokenizer **out, accp_error *err, Open open) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(name, name_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        Status status = check_name(to_view(name, name_len));
        if (status.failed()) return status;
        Held<accp_tokenizer> made(make_handle<accp_tokenizer>(capi::settings_of(config)));
        made->set_name(to_view(name, name_len));
        status = open(*made.handle);
        if (status.ok()) *out = made.release();
        return status;
    });
}

}  // namespace

namespace accp::capi {

void TokenizerRef::share(const accp_tokenizer *tokenizer) noexcept {
    own(retain_handle(tokenizer));
}

Status pick_tokenizer(const accp_config *config, TokenizerRef &out) {
    out.share(config ? config->tokenizer.get() : nullptr);
    if (out.get()) return {};
    accp_error error = {};
    accp_tokenizer *made = nullptr;
    if (accp_tokenizer_new("o200k_base", 10, config, &made, &error) != ACCP_OK)
        return status_of(error);
    out.own(made);
    return {};
}

}  // namespace accp::capi

extern "C" {

const char *accp_tokenizer_builtin_name(uint32_t index) noexcept {
    uint32_t count = 0;
    while (token::embedded_name(count)) ++count;
    return index < count ? token::embedded_name(index) : index == count ? kApprox : nullptr;
}

accp_status accp_tokenizer_new(const char *name, size_t name_len, const accp_config *config,
                               accp_tokenizer **out, accp_error *err) noexcept {
    return make_tokenizer(name, name_len, config, out, err, [&](accp_tokenizer &made) {
        const std::string_view wanted = to_view(name, name_len);
        token::Tokenizer &tokenizer = made.tokenizer;
        if (token::open_embedded(wanted, tokenizer)) return Status{};
        if (wanted != kApprox)
            return fail(ACCP_ERR_ARG, 0, "no tokenizer of that name is built in");
        tokenizer.kind = token::TokenizerKind::kEstimate;
        tokenizer.approx = tokenizer.numbers_are_tokens = true;
        tokenizer.pattern = token::find_pattern("o200k_base");
        return Status{};
    });
}

accp_status accp_tokenizer_new_tiktoken(const char *name, size_t name_len, const char *pattern,
                                        size_t pattern_len, const char *text, size_t text_len,
                                        const accp_config *config, accp_tokenizer **out,
                                        accp_error *err) noexcept {
    if (!capi::is_text(pattern, pattern_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    const token::Pattern *found = token::find_pattern(to_view(pattern, pattern_len));
    if (!found) return capi::refuse(err, "no pattern of that name is known");
    return make_tokenizer(name, name_len, config, out, err, [&](accp_tokenizer &made) {
        made.tokenizer.pattern = found;
        return token::load_tiktoken(made.memory, to_view(text, text_len), made.loaded,
                                    made.tokenizer);
    });
}

accp_status accp_tokenizer_new_json(const char *name, size_t name_len, const char *text,
                                    size_t text_len, const accp_config *config,
                                    accp_tokenizer **out, accp_error *err) noexcept {
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return make_tokenizer(name, name_len, config, out, err, [&](accp_tokenizer &made) {
        return token::load_json(made.memory, to_view(text, text_len), made.loaded, made.tokenizer);
    });
}

accp_status accp_tokenizer_new_callback(const char *name, size_t name_len, int approx,
                                        accp_count_function count, void *user,
                                        const accp_config *config, accp_tokenizer **out,
                                        accp_error *err) noexcept {
    if (!count) return capi::refuse(err, "the function that counts is NULL");
    return make_tokenizer(name, name_len, config, out, err, [&](accp_tokenizer &made) {
        made.tokenizer.kind = token::TokenizerKind::kHost;
        made.tokenizer.approx = approx != 0;
        made.tokenizer.count = count;
        made.tokenizer.user = user;
        return Status{};
    });
}

void accp_tokenizer_free(accp_tokenizer *tokenizer) noexcept { release_handle(tokenizer); }

accp_text accp_tokenizer_name(const accp_tokenizer *tokenizer) noexcept {
    return tokenizer ? to_text(tokenizer->tokenizer.name) : accp_text{"", 0};
}

int accp_tokenizer_approx(const accp_tokenizer *tokenizer) noexcept {
    return tokenizer && tokenizer->tokenizer.approx;
}

uint32_t accp_tokenizer_size(const accp_tokenizer *tokenizer) noexcept {
    return tokenizer && tokenizer->tokenizer.has_ids() ? tokenizer->tokenizer.vocabulary.size() : 0;
}

}  // extern "C"
