// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/deadline.h
#include "accp/deadline.h"

#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "delivery/deadlines.h"

using namespace accp;
using namespace accp::capi;

struct accp_deadline {
    explicit accp_deadline(const Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          deadlines(memory) {}

    Settings settings;
    Memory memory;
    delivery::Deadlines deadlines;
};

namespace {

accp_status answer(bool found, accp_error *err) {
    return found ? ACCP_OK : capi::report(fail(ACCP_E3001, 0, "this request waits no more"), err);
}

}  // namespace

extern "C" {

accp_status accp_deadline_new(const accp_config *config, accp_deadline **out,
                              accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = make_handle<accp_deadline>(capi::settings_of(config));
        return Status{};
    });
}

void accp_deadline_free(accp_deadline *deadline) noexcept { destroy_handle(deadline); }

accp_status accp_deadline_start(accp_deadline *deadline, const char *cid, size_t cid_len,
                                int64_t when_ms, accp_error *err) noexcept {
    if (!deadline) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    const size_t valid = valid_utf8_prefix(cid, cid_len);
    if (valid != cid_len) return capi::report(fail(ACCP_E1004, valid, "a cid is UTF-8"), err);
    return capi::guard(err, [&] { return deadline->deadlines.start({cid, cid_len}, when_ms); });
}

accp_status accp_deadline_extend(accp_deadline *deadline, const char *cid, size_t cid_len,
                                 int64_t when_ms, accp_error *err) noexcept {
    if (!deadline) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    return answer(deadline->deadlines.extend({cid, cid_len}, when_ms), err);
}

accp_status accp_deadline_answer(accp_deadline *deadline, const char *cid, size_t cid_len,
                                 accp_error *err) noexcept {
    if (!deadline) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    return answer(deadline->deadlines.answer({cid, cid_len}), err);
}

accp_status accp_deadline_expire(accp_deadline *deadline, int64_t now_ms, accp_text *out,
                                 accp_error *err) noexcept {
    if (!deadline || !out) return capi::refuse(err, capi::kNoHandle);
    *out = {nullptr, 0};
    delivery::Deadlines::Request expired;
    if (deadline->deadlines.expire(now_ms, expired)) *out = expired.cid;
    return ACCP_OK;
}

int64_t accp_deadline_next(const accp_deadline *deadline) noexcept {
    return deadline ? deadline->deadlines.next() : INT64_MAX;
}

}  // extern "C"
