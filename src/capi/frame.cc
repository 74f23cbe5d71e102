// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/frame.h, include/accp/batch.h
#include "accp/frame.h"

#include <charconv>
#include <cstring>

#include "accp/batch.h"
#include "base/text.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "frame/scalar.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr const char *kNoFrame = "no frame was parsed";

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
        return capi::refuse(err, capi::kOwnText);  // printing would overwrite it
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
            fail(ACCP_E1004, frame->nodes[index].offset, "the integer does not fit into 64 bits"),
            err);
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
        return capi::refuse(
            err, "the payload is a complete map or a string, and the metadata a complete map");
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

namespace {

// Calls `work` for every line of a text. Makes a record of its status, which `work` completes.
template <class Work>
accp_status each_line(accp_batch *batch, const char *text, size_t text_len, accp_error *err,
                      Work work) noexcept {
    if (!batch) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, batch->out)) return capi::refuse(err, capi::kOwnText);
    accp_status code = capi::guard(err, [&] {
        batch->clear();
        for (size_t at = 0; at < text_len;) {
            auto *newline = static_cast<const char *>(std::memchr(text + at, '\n', text_len - at));
            size_t len = (newline ? static_cast<size_t>(newline - text) : text_len) - at;
            accp_record record = {};
            record.offset = at;
            record.len = len;
            Status status = work(text + at, len, record);
            record.status = status.code;
            record.error_offset = status.offset;
            record.message = status.message;
            batch->records.push(record);
            at += len + 1;
        }
        return Status{};
    });
    if (code != ACCP_OK) batch->clear();
    return code;
}

// Each result is followed by a newline in the output. A refused record has no result.
void record_output(accp_batch *batch, size_t start, const Status &status, accp_record &record) {
    record.offset = start;
    record.len = batch->out.size() - start;
    if (status.ok()) batch->out.push('\n');
}

}  // namespace

extern "C" {

accp_status accp_batch_new(const accp_config *config, accp_batch **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = capi::make_coding_handle<accp_batch>(config);
        return Status{};
    });
}

void accp_batch_free(accp_batch *batch) noexcept { destroy_handle(batch); }

accp_status accp_batch_parse(accp_batch *batch, const char *text, size_t text_len,
                             accp_error *err) noexcept {
    return each_line(
        batch, text, text_len, err, [batch](const char *line, size_t len, accp_record &record) {
            record.first_node = batch->nodes.size();
            Status status = batch->coder.parse(line, len, batch->nodes);
            record.node_count = static_cast<uint32_t>(batch->nodes.size() - record.first_node);
            return status;
        });
}

accp_status accp_batch_encode(accp_batch *batch, const char *text, size_t text_len,
                              accp_error *err) noexcept {
    return each_line(batch, text, text_len, err,
                     [batch](const char *line, size_t len, accp_record &record) {
                         if (len && line[len - 1] == '\r') --len;
                         size_t start = batch->out.size();
                         Status status = batch->coder.encode(line, len, nullptr, batch->out);
                         record_output(batch, start, status, record);
                         return status;
                     });
}

accp_status accp_batch_decode(accp_batch *batch, const char *text, size_t text_len,
                              accp_error *err) noexcept {
    return each_line(batch, text, text_len, err,
                     [batch](const char *line, size_t len, accp_record &record) {
                         size_t start = batch->out.size();
                         batch->scratch.clear();
                         Status status = batch->coder.decode(line, len, batch->scratch, batch->out);
                         record_output(batch, start, status, record);
                         return status;
                     });
}

const accp_record *accp_batch_records(const accp_batch *batch, size_t *count_out) noexcept {
    static constexpr accp_record kNone = {};
    if (count_out) *count_out = batch ? batch->records.size() : 0;
    if (!batch) return nullptr;
    return batch->records.empty() ? &kNone : batch->records.data();
}

const accp_node *accp_batch_nodes(const accp_batch *batch, size_t *count_out) noexcept {
    static constexpr accp_node kNone = {};
    if (count_out) *count_out = batch ? batch->nodes.size() : 0;
    if (!batch) return nullptr;
    return batch->nodes.empty() ? &kNone : batch->nodes.data();
}

accp_text accp_batch_text(const accp_batch *batch) noexcept {
    return batch ? to_text(batch->out.view()) : accp_text{nullptr, 0};
}

}  // extern "C"
