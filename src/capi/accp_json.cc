// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/json.h, save for the batches.
#include "accp/json.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "value/json_writer.h"

using namespace accp;
using namespace accp::capi;

extern "C" {

accp_status accp_json_parse(accp_value *value, const char *text, size_t text_len,
                            accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, value->value.text)) return capi::refuse(err, capi::kOwnText);
    accp_status code = capi::guard(err, [&] {
        value->clear();
        value::JsonLimits limits = {
            value->settings.limit(ACCP_LIMIT_JSON_BYTES),
            static_cast<uint32_t>(value->settings.limit(ACCP_LIMIT_JSON_DEPTH))};
        return value->reader.read(text, text_len, limits, value->value);
    });
    if (code != ACCP_OK) value->clear();
    return code;
}

accp_status accp_json_print(accp_value *value, const char **out, size_t *len_out,
                            accp_error *err) noexcept {
    if (!value || !out || !len_out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        if (!value->complete()) return fail(ACCP_ERR_ARG, 0, "the value is not complete");
        value->out.recycle(kKeptBytes);
        value::write_json(value->value.view(), 0, value->out);
        *out = value->out.data();
        *len_out = value->out.size();
        return Status{};
    });
}

accp_status accp_frame_encode(accp_frame *frame, const char *text, size_t text_len,
                              const char **out, size_t *len_out, accp_error *err) noexcept {
    if (!frame || !out || !len_out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, frame->out)) return capi::refuse(err, capi::kOwnText);
    return capi::guard(err, [&] {
        frame->clear();
        frame->out.recycle(kKeptBytes);
        Status status = frame->coder.encode(text, text_len, frame->out);
        if (status.failed()) return status;
        *out = frame->out.data();
        *len_out = frame->out.size();
        return Status{};
    });
}

accp_status accp_frame_decode(accp_frame *frame, const char *text, size_t text_len,
                              const char **out, size_t *len_out, accp_error *err) noexcept {
    if (!frame || !out || !len_out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, frame->out)) return capi::refuse(err, capi::kOwnText);
    accp_status code = capi::guard(err, [&] {
        frame->clear();
        frame->out.recycle(kKeptBytes);
        Status status = frame->coder.decode(text, text_len, frame->nodes, frame->out);
        if (status.failed()) return status;
        frame->text = text;
        frame->text_len = text_len;
        *out = frame->out.data();
        *len_out = frame->out.size();
        return Status{};
    });
    if (code != ACCP_OK) frame->clear();
    return code;
}

}  // extern "C"
