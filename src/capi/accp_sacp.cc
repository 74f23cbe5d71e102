// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/sacp.h
#include "accp/sacp.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/sacp_handle.h"
#include "capi/verdicts.h"
#include "sacp/agents/states.h"
#include "sacp/message/schemas.h"

using namespace accp;
using namespace accp::capi;

#define ACCP_SACP_CODE(name, accp_code, retryable) \
    static_assert(static_cast<int>(plan::Code::k##name) == ACCP_SACP_##name);
#include "sacp/message/codes.def"
#undef ACCP_SACP_CODE
static_assert(static_cast<int>(plan::Spelling::kBrief) == ACCP_SACP_BRIEF &&
              static_cast<int>(plan::OutFmt::kSummary) == ACCP_SACP_SUMMARY &&
              static_cast<int>(plan::Version::k100) == ACCP_SACP_1_0);

namespace {

accp_verdict face_of(const plan::Verdict &verdict) {
    const int32_t answer = verdict.failed()  ? ACCP_SACP_ERR
                           : verdict.valid() ? ACCP_SACP_VALID
                                             : ACCP_SACP_REQ_CLARIFY;
    return {answer,
            static_cast<int32_t>(verdict.code()),
            verdict.byte(),
            to_text(verdict.details()),
            to_text(verdict.step()),
            verdict.need_count(),
            0};
}

void end_sacp(accp_sacp *sacp) noexcept {
    if (!sacp) return;
    release_handle(sacp->owned);
    destroy_handle(sacp);
}

bool is_reading(int32_t reading) {
    return reading == ACCP_SACP_STRICT || reading == ACCP_SACP_LENIENT;
}
bool is_version(int32_t version) { return version == ACCP_SACP_0_1 || version == ACCP_SACP_1_0; }

// A call whose answer is a verdict.
template <class Body>
accp_status judge(accp_sacp *sacp, bool good, accp_verdict *out, accp_error *err,
                  Body body) noexcept {
    if (!sacp) return refuse(err, kNoHandle);
    if (!good) return refuse(err, kNoReading);
    return guard(err, [&]() -> Status {
        body();
        if (out) *out = face_of(sacp->verdict);
        return {};
    });
}

}  // namespace

extern "C" {

accp_status accp_library_new(const char *text, size_t text_len, const accp_config *config,
                             accp_library **out, accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return guard(err, [&]() -> Status {
        Held<accp_library, release_handle<accp_library>> made(
            make_handle<accp_library>(settings_of(config)));
        plan::Verdict verdict(made->memory);
        made->library.read(to_view(text, text_len), made->settings.limit(ACCP_LIMIT_JSON_BYTES),
                           verdict);
        if (verdict.failed()) return failure_of(verdict);
        *out = made.release();
        return {};
    });
}

void accp_library_free(accp_library *library) noexcept { release_handle(library); }

accp_library *accp_library_share(const accp_library *library) noexcept {
    return retain_handle(library);
}

const char *accp_sacp_code_name(int32_t code) noexcept {
    return code >= ACCP_SACP_MISSING_FIELD && code <= ACCP_SACP_INVALID_STATE_TRANSITION
               ? plan::code_name(static_cast<plan::Code>(code)).data()
               : nullptr;
}

int32_t accp_sacp_code_find(const char *text, size_t text_len) noexcept {
    if (!is_text(text, text_len)) return -1;
    const plan::Code code = plan::find_code(to_view(text, text_len));
    return code == plan::Code::kNone ? -1 : static_cast<int32_t>(code);
}

accp_status accp_sacp_new(const accp_library *library, const accp_config *config, accp_sacp **out,
                          accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    return guard(err, [&]() -> Status {
        Held<accp_sacp, end_sacp> made(make_handle<accp_sacp>(settings_of(config)));
        made->none.read({}, made->max_bytes(), made->verdict);
        made->owned = retain_handle(library);
        *out = made.release();
        return {};
    });
}

void accp_sacp_free(accp_sacp *sacp) noexcept { end_sacp(sacp); }

accp_status accp_sacp_check(accp_sacp *sacp, const char *text, size_t text_len, int32_t reading,
                            accp_verdict *out, accp_error *err) noexcept {
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return judge(sacp, is_reading(reading), out, err, [&] {
        sacp->validator.judge(to_view(text, text_len), sacp->max_bytes(), sacp->library(),
                              reading == ACCP_SACP_STRICT, sacp->verdict);
    });
}

accp_status accp_sacp_check_reply(accp_sacp *sacp, const char *text, size_t text_len,
                                  const char *role, size_t role_len, int32_t out_fmt,
                                  int32_t reading, accp_verdict *out, accp_error *err) noexcept {
    if (!is_text(text, text_len) || !is_text(role, role_len)) return refuse(err, kNoText);
    const bool good =
        is_reading(reading) && out_fmt >= ACCP_SACP_RAW && out_fmt <= ACCP_SACP_SUMMARY;
    return judge(sacp, good, out, err, [&] {
        sacp->validator.check_reply(to_view(text, text_len), sacp->max_bytes(), sacp->library(),
                                    reading == ACCP_SACP_STRICT,
                                    {to_view(role, role_len), static_cast<plan::OutFmt>(out_fmt)},
                                    sacp->verdict);
    });
}

accp_status accp_sacp_check_library(accp_sacp *sacp, const char *text, size_t text_len,
                                    accp_verdict *out, accp_error *err) noexcept {
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return judge(sacp, true, out, err, [&] {
        sacp->verdict.clear();
        plan::Library(sacp->memory).read(to_view(text, text_len), sacp->max_bytes(), sacp->verdict);
    });
}

accp_status accp_sacp_verdict(const accp_sacp *sacp, accp_verdict *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    *out = face_of(sacp->verdict);
    return ACCP_OK;
}

accp_text accp_sacp_need(const accp_sacp *sacp, uint32_t index) noexcept {
    return to_text(sacp && index < sacp->verdict.need_count() ? sacp->verdict.need_at(index)
                                                              : std::string_view());
}

accp_status accp_sacp_print_verdict(accp_sacp *sacp, accp_text *out, accp_error *err) noexcept {
    if (!sacp || !out) return refuse(err, kNoHandle);
    return guard(err, [&]() -> Status {
        sacp->out.recycle(kKeptBytes);
        sacp->verdict.write(sacp->out);
        hand_out(sacp->out, out);
        return {};
    });
}

accp_text accp_sacp_registry(void) noexcept { return to_text(plan::kRegistryDocument); }

int32_t accp_sacp_state_find(int32_t version, const char *text, size_t text_len) noexcept {
    if (!is_version(version) || !is_text(text, text_len)) return -1;
    const uint32_t state =
        plan::find_state(static_cast<plan::Version>(version), to_view(text, text_len));
    return state == plan::kNoState ? -1 : static_cast<int32_t>(state);
}

const char *accp_sacp_state_name(int32_t version, int32_t state) noexcept {
    return is_version(version) && state >= 0
               ? plan::state_name(static_cast<plan::Version>(version), static_cast<uint32_t>(state))
                     .data()
               : nullptr;
}

int32_t accp_sacp_state_follows(int32_t version, int32_t before, int32_t after) noexcept {
    return accp_sacp_state_name(version, before) && accp_sacp_state_name(version, after) &&
           plan::may_follow(static_cast<plan::Version>(version), static_cast<uint32_t>(before),
                            static_cast<uint32_t>(after));
}

}  // extern "C"
