// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/tokenizer.h
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
               : fail(ACCP_E1004, valid, "the name of the tokenizer is not UTF-8, or contains NUL");
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
            return fail(ACCP_ERR_ARG, 0, "no built-in tokenizer has this name, such as o200k_base");
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
    if (!found) return capi::refuse(err, "no pattern has this name");
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

accp_status accp_tokenizer_new_callback(const char *name, size_t name_len, int32_t is_approximate,
                                        accp_count_function count, void *user,
                                        const accp_config *config, accp_tokenizer **out,
                                        accp_error *err) noexcept {
    if (!count) return capi::refuse(err, "the function that counts is NULL");
    return make_tokenizer(name, name_len, config, out, err, [&](accp_tokenizer &made) {
        made.tokenizer.kind = token::TokenizerKind::kHost;
        made.tokenizer.approx = is_approximate != 0;
        made.tokenizer.count = count;
        made.tokenizer.user = user;
        return Status{};
    });
}

void accp_tokenizer_free(accp_tokenizer *tokenizer) noexcept { release_handle(tokenizer); }

accp_text accp_tokenizer_name(const accp_tokenizer *tokenizer) noexcept {
    return tokenizer ? to_text(tokenizer->tokenizer.name) : accp_text{"", 0};
}

int accp_tokenizer_is_approximate(const accp_tokenizer *tokenizer) noexcept {
    return tokenizer && tokenizer->tokenizer.approx;
}

uint32_t accp_tokenizer_token_count(const accp_tokenizer *tokenizer) noexcept {
    return tokenizer && tokenizer->tokenizer.has_ids() ? tokenizer->tokenizer.vocabulary.size() : 0;
}

}  // extern "C"

namespace {

accp_status check_counter(const accp_counter *counter, const void *out, accp_error *err) noexcept {
    if (!counter || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::check_unused(*counter, err);
}

accp_status check_text(const accp_counter *counter, const char *text, size_t text_len,
                       const void *out, accp_error *err) noexcept {
    if (accp_status code = check_counter(counter, out, err)) return code;
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return ACCP_OK;
}

// Runs a call that may count with a callback of the host.
template <class Body>
accp_status count_by(accp_counter *counter, accp_error *err, Body body) noexcept {
    const HandleUse<accp_counter> use(counter);
    return capi::guard(err, body);
}

}  // namespace

extern "C" {

accp_status accp_counter_new(const accp_tokenizer *tokenizer, const accp_config *config,
                             accp_counter **out, accp_error *err) noexcept {
    if (!tokenizer || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        const Settings settings = capi::settings_of(config);
        Held<accp_counter> made(make_handle<accp_counter>(settings));
        made->tokenizer.share(tokenizer);
        made->counter.open(tokenizer->tokenizer, settings.token_cache);
        made->counter.set_special(settings.special_tokens);
        *out = made.release();
        return Status{};
    });
}

void accp_counter_free(accp_counter *counter) noexcept { free_handle(counter); }

accp_status accp_counter_count(accp_counter *counter, const char *text, size_t text_len,
                               uint64_t max, uint64_t *out, accp_error *err) noexcept {
    if (accp_status code = check_text(counter, text, text_len, out, err)) return code;
    return count_by(counter, err, [&] {
        counter->recycle();
        uint64_t tokens = 0;
        Status status = counter->counter.count({text, text_len}, max, tokens);
        if (status.ok()) *out = tokens > max ? max + 1 : tokens;
        return status;
    });
}

accp_status accp_counter_encode(accp_counter *counter, const char *text, size_t text_len,
                                const uint32_t **out, size_t *count_out, accp_error *err) noexcept {
    if (accp_status code = check_text(counter, text, text_len, out, err)) return code;
    if (!count_out) return capi::refuse(err, capi::kNoHandle);
    if (!counter->counter.tokenizer().has_ids())
        return capi::refuse(err, "this tokenizer only counts: it has no ids");
    return capi::guard(err, [&] {
        counter->recycle();
        counter->ids.reserve(1);
        counter->counter.encode({text, text_len}, counter->ids);
        *out = counter->ids.data();
        *count_out = counter->ids.size();
        return Status{};
    });
}

accp_status accp_counter_decode(accp_counter *counter, const uint32_t *ids, size_t count,
                                accp_text *out, accp_error *err) noexcept {
    if (accp_status code = check_counter(counter, out, err)) return code;
    if (count && !ids) return capi::refuse(err, capi::kNoHandle);
    if (!counter->counter.tokenizer().has_ids())
        return capi::refuse(err, "this tokenizer only counts: it has no ids");
    return capi::guard(err, [&] {
        counter->text.recycle(kKeptBytes);
        counter->text.reserve(1);
        for (size_t i = 0; i < count; ++i)
            if (!counter->counter.decode(ids[i], counter->text))
                return fail(ACCP_ERR_ARG, i, "no token has this id");
        hand_out(counter->text, out);
        return Status{};
    });
}

accp_status accp_counter_append(accp_counter *counter, const char *text, size_t text_len,
                                accp_error *err) noexcept {
    if (accp_status code = check_text(counter, text, text_len, counter, err)) return code;
    return capi::guard(err, [&] {
        counter->growing.append({text, text_len});
        return Status{};
    });
}

accp_status accp_counter_total(accp_counter *counter, uint64_t *out, accp_error *err) noexcept {
    if (accp_status code = check_counter(counter, out, err)) return code;
    return count_by(counter, err, [&] {
        uint64_t tokens = 0;
        Status status = counter->growing.total(tokens);
        if (status.ok()) *out = tokens;
        return status;
    });
}

void accp_counter_reset(accp_counter *counter) noexcept {
    if (counter && !counter->uses.calls) counter->growing.reset();
}

}  // extern "C"
