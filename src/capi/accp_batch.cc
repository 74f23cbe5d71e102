// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/batch.h
#include "accp/batch.h"

#include <cstring>

#include "capi/guard.h"
#include "capi/handles.h"

using namespace accp;
using namespace accp::capi;

namespace {

// Calls `work` for every line of a text: its status makes the record, which `work` completes.
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

// Results lie in the output, each with a newline after it; a refused record has none.
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
