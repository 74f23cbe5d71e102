// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/frame.h
#include "accp/frame.h"
#include "base/text.h"

#include <charconv>

#include "capi/guard.h"
#include "capi/handles.h"
#include "frame/scalar.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr const char *kNoFrame = "there is no parsed frame";

bool is_payload(const accp_value *value) {
    return value->complete() &&
           (value->value.nodes[0].kind == ACCP_MAP || value->value.nodes[0].kind == ACCP_STRING);
}
bool is_map(const accp_value *value) {
    return value->complete() && value->value.nodes[0].kind == ACCP_MAP;
}

accp_status read_block(accp_frame *frame, bool payload, accp_value *out, accp_error *err) noexcept {
    if (!frame || !out) return capi::refuse(err, capi::kNoHandle);
    if (!frame->count()) return capi::refuse(err, kNoFrame);
    if (capi::lies_in(frame->text, out->value.text)) return capi::refuse(err, capi::kOwnText);
    accp_status code = capi::guard(err, [&] {
        out->clear();
        const uint32_t block = payload ? uint32_t{frame::kPayload} : frame->meta();
        Status status = frame->coder.read_block(frame->tree(), block, payload, out->value);
        const bool is_text =
            status.ok() && payload && frame::text_node(frame->tree(), block, frame->settings);
        if (is_text && out->value.nodes[1].kind == ACCP_STRING) out->value.keep_last();
        if (status.ok()) out->value.set_plain_flags(0);
        return status;
    });
    if (code != ACCP_OK) out->clear();
    return code;
}

}  // namespace

extern "C" {

accp_status accp_frame_new(const accp_config *config, accp_frame **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = capi::make_coding_handle<accp_frame>(config);
        return Status{};
    });
}

void accp_frame_free(accp_frame *frame) noexcept { destroy_handle(frame); }

accp_status accp_frame_parse(accp_frame *frame, const char *text, size_t text_len,
                             accp_error *err) noexcept {
    if (!frame) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, frame->out))
        return capi::refuse(err, capi::kOwnText);  // printing would write over it
    return capi::guard(err, [&] {
        frame->clear();
        Status status = frame->coder.parse(text, text_len, frame->nodes);
        if (status.failed()) return status;
        frame->text = text;
        frame->text_len = text_len;
        return Status{};
    });
}

const accp_node *accp_frame_nodes(const accp_frame *frame, size_t *count_out) noexcept {
    static constexpr accp_node kNone = {};
    if (count_out) *count_out = frame ? frame->nodes.size() : 0;
    if (!frame) return nullptr;
    return frame->nodes.empty() ? &kNone : frame->nodes.data();
}

accp_text accp_frame_text(const accp_frame *frame) noexcept {
    if (!frame) return {nullptr, 0};
    return to_text({frame->text ? frame->text : "", frame->text_len});
}

uint32_t accp_frame_find(const accp_frame *frame, uint32_t parent, const char *key,
                         size_t key_len) noexcept {
    if (!frame || !capi::is_text(key, key_len) || parent >= frame->count() ||
        frame->nodes[parent].kind != ACCP_MAP)
        return 0;
    return frame->tree().find(parent, {key, key_len});
}

accp_status accp_frame_string(const accp_frame *frame, uint32_t index, char *buf, size_t buf_len,
                              size_t *len_out, accp_error *err) noexcept {
    if (!frame || !len_out) return capi::refuse(err, capi::kNoHandle);
    if (index >= frame->count() || value::is_container(frame->nodes[index].kind))
        return capi::refuse(err, "no such scalar node");
    std::string_view text = frame->tree().string(index);
    bool escaped = (frame->nodes[index].flags & ACCP_NODE_ESCAPED) != 0;
    size_t need = text.size();
    for (size_t i = 0; escaped && i < text.size(); ++i)
        if (text[i] == '\\') --need, ++i;
    *len_out = need;
    if (need > buf_len || (need && !buf))
        return capi::report(fail(ACCP_ERR_SPACE, 0, "the buffer is too small"), err);
    if (escaped) frame::unescape(text, buf);
    else if (need) std::memcpy(buf, text.data(), need);
    return ACCP_OK;
}

accp_status accp_frame_int(const accp_frame *frame, uint32_t index, int64_t *out,
                           accp_error *err) noexcept {
    if (!frame || !out) return capi::refuse(err, capi::kNoHandle);
    if (index >= frame->count() || frame->nodes[index].kind != ACCP_INT)
        return capi::refuse(err, "no such integer node");
    std::string_view text = frame->tree().string(index);
    int64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{})
        return capi::report(
            fail(ACCP_E1004, frame->nodes[index].offset, "an integer beyond 64 bits"), err);
    *out = number;
    return ACCP_OK;
}

accp_status accp_frame_print(accp_frame *frame, accp_text *out, accp_error *err) noexcept {
    if (!frame || !out) return capi::refuse(err, capi::kNoHandle);
    if (!frame->count()) return capi::refuse(err, kNoFrame);
    return capi::guard(err, [&] {
        frame->out.recycle(kKeptBytes);
        Status status =
            frame->coder.print(frame->tree(), frame->count(), frame->text_len, frame->out);
        if (status.failed()) return status;
        hand_out(frame->out, out);
        return Status{};
    });
}

accp_status accp_frame_envelope(const accp_frame *frame, accp_envelope *out,
                                accp_error *err) noexcept {
    if (!frame || !out) return capi::refuse(err, capi::kNoHandle);
    if (!frame->count()) return capi::refuse(err, kNoFrame);
    accp_envelope envelope;
    Status status = frame::read_envelope(frame->tree(), frame->meta(), envelope);
    if (status.ok()) *out = envelope;
    return capi::report(status, err);
}

accp_status accp_frame_set_envelope(accp_frame *frame, const accp_envelope *envelope,
                                    accp_error *err) noexcept {
    if (!frame) return capi::refuse(err, capi::kNoHandle);
    if (!capi::has_texts(envelope)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        return frame->envelope.set(envelope, frame->settings.limit(ACCP_LIMIT_KEY_BYTES));
    });
}

accp_status accp_mid_format(uint32_t letter, uint32_t issuer, uint64_t counter, char *buf,
                            accp_error *err) noexcept {
    if (!buf) return capi::refuse(err, capi::kNoText);
    if (!frame::format_mid(letter, issuer, counter, buf))
        return capi::refuse(
            err, "a mid has a letter 0 to 5, an issuer 0 to 99, and a counter that fits");
    return ACCP_OK;
}

accp_status accp_frame_payload(accp_frame *frame, accp_value *out, accp_error *err) noexcept {
    return read_block(frame, true, out, err);
}

accp_status accp_frame_meta(accp_frame *frame, accp_value *out, accp_error *err) noexcept {
    return read_block(frame, false, out, err);
}

accp_status accp_frame_build(accp_frame *frame, accp_text agent, accp_text intent,
                             accp_text operation, const accp_value *payload, const accp_value *meta,
                             accp_text *out, accp_error *err) noexcept {
    if (!frame || !payload || !out) return capi::refuse(err, capi::kNoHandle);
    for (accp_text name : {agent, intent, operation}) {
        if (!capi::is_text(name.text, name.len)) return capi::refuse(err, capi::kNoText);
        if (capi::lies_in(name.text, frame->out)) return capi::refuse(err, capi::kOwnText);
    }
    if (!is_payload(payload) || (meta && !is_map(meta)))
        return capi::refuse(err, "payload and metadata are complete maps, or the payload a string");
    return capi::guard(err, [&] {
        frame->clear();
        frame->out.recycle(kKeptBytes);
        message::Message message = {
            to_view(agent), to_view(intent), to_view(operation), payload->value.view(), 0, {}, 0,
            meta != nullptr};
        if (meta) message.meta_tree = meta->value.view();
        Status status = frame->coder.build(message, &frame->envelope, frame->out).status;
        if (status.failed()) return status;
        hand_out(frame->out, out);
        return Status{};
    });
}

}  // extern "C"
