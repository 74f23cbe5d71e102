// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/tokenizer.h: counters.
#include "accp/tokenizer.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/token_handles.h"

using namespace accp;
using namespace accp::capi;

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
                               uint64_t max, uint64_t *tokens_out, accp_error *err) noexcept {
    if (accp_status code = check_text(counter, text, text_len, tokens_out, err)) return code;
    return count_by(counter, err, [&] {
        counter->recycle();
        uint64_t tokens = 0;
        Status status = counter->counter.count({text, text_len}, max, tokens);
        if (status.ok()) *tokens_out = tokens > max ? max + 1 : tokens;
        return status;
    });
}

accp_status accp_counter_encode(accp_counter *counter, const char *text, size_t text_len,
                                const uint32_t **ids_out, size_t *count_out,
                                accp_error *err) noexcept {
    if (accp_status code = check_text(counter, text, text_len, ids_out, err)) return code;
    if (!count_out) return capi::refuse(err, capi::kNoHandle);
    if (!counter->counter.tokenizer().has_ids())
        return capi::refuse(err, "this tokenizer counts, and has no ids");
    return capi::guard(err, [&] {
        counter->recycle();
        counter->ids.reserve(1);
        counter->counter.encode({text, text_len}, counter->ids);
        *ids_out = counter->ids.data();
        *count_out = counter->ids.size();
        return Status{};
    });
}

accp_status accp_counter_decode(accp_counter *counter, const uint32_t *ids, size_t count,
                                accp_text *out, accp_error *err) noexcept {
    if (accp_status code = check_counter(counter, out, err)) return code;
    if (count && !ids) return capi::refuse(err, capi::kNoHandle);
    if (!counter->counter.tokenizer().has_ids())
        return capi::refuse(err, "this tokenizer counts, and has no ids");
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

accp_status accp_counter_total(accp_counter *counter, uint64_t *tokens_out,
                               accp_error *err) noexcept {
    if (accp_status code = check_counter(counter, tokens_out, err)) return code;
    return count_by(counter, err, [&] {
        uint64_t tokens = 0;
        Status status = counter->growing.total(tokens);
        if (status.ok()) *tokens_out = tokens;
        return status;
    });
}

void accp_counter_reset(accp_counter *counter) noexcept {
    if (counter && !counter->uses.calls) counter->growing.reset();
}

}  // extern "C"
