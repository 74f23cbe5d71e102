// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/present.h
#include "accp/present.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "sacp/people/presenter.h"

using namespace accp;
using namespace accp::capi;

struct accp_presenter {
    explicit accp_presenter(const Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          presenter(memory),
          reader(memory),
          value(memory),
          out(memory) {}

    Settings settings;
    Memory memory;
    sacp::Presenter presenter;
    value::JsonReader reader;
    value::Value value;
    Buffer<char> out;
};

extern "C" {

accp_status accp_presenter_new(const char *text, size_t text_len, const char *locale,
                               size_t locale_len, const char *zone, size_t zone_len,
                               const accp_config *config, accp_presenter **out,
                               accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len) || !is_text(locale, locale_len) || !is_text(zone, zone_len))
        return refuse(err, kNoText);
    return guard(err, [&]() -> Status {
        Held<accp_presenter> made(make_handle<accp_presenter>(settings_of(config)));
        Status status = made->presenter.open(to_view(text, text_len), to_view(locale, locale_len),
                                             to_view(zone, zone_len));
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_presenter_free(accp_presenter *presenter) noexcept { destroy_handle(presenter); }

accp_status accp_presenter_print(accp_presenter *presenter, const char *text, size_t text_len,
                                 accp_text *out, accp_error *err) noexcept {
    if (!presenter || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, presenter->out)) return refuse(err, kOwnText);
    return guard(err, [&]() -> Status {
        presenter->out.recycle(kKeptBytes);
        Status status = presenter->reader.read(
            text, text_len, value::json_limits(presenter->settings), presenter->value);
        if (status.ok())
            status = presenter->presenter.write(presenter->value.view(), presenter->out);
        if (status.ok()) hand_out(presenter->out, out);
        return status;
    });
}

}  // extern "C"
