// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/deadline.h, and the receiving half of include/accp/stream.h.
#include "accp/deadline.h"

#include "accp/stream.h"
#include "base/utf8.h"
#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "delivery/chunk.h"
#include "delivery/deadlines.h"
#include "delivery/streams.h"
#include "value/json_reader.h"
#include "value/value.h"

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

accp_status require_found(bool found, accp_error *err) {
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
    if (valid != cid_len) return capi::report(fail(ACCP_E1004, valid, "the cid is not UTF-8"), err);
    return capi::guard(err, [&] { return deadline->deadlines.start({cid, cid_len}, when_ms); });
}

accp_status accp_deadline_extend(accp_deadline *deadline, const char *cid, size_t cid_len,
                                 int64_t when_ms, accp_error *err) noexcept {
    if (!deadline) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    return require_found(deadline->deadlines.extend({cid, cid_len}, when_ms), err);
}

accp_status accp_deadline_remove(accp_deadline *deadline, const char *cid, size_t cid_len,
                                 accp_error *err) noexcept {
    if (!deadline) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    return require_found(deadline->deadlines.answer({cid, cid_len}), err);
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

struct accp_stream {
    explicit accp_stream(const Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          streams(memory),
          reader(memory),
          message(memory),
          spelled(memory) {}

    Settings settings;
    Memory memory;
    delivery::Streams streams;
    value::JsonReader reader;
    value::Value message;
    Buffer<char> spelled;
};

extern "C" {

accp_status accp_stream_new(const accp_config *config, accp_stream **out,
                            accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        accp_stream *made = make_handle<accp_stream>(capi::settings_of(config));
        made->streams.max_bytes = made->settings.limit(ACCP_LIMIT_STREAM_BYTES);
        made->streams.max_ahead =
            static_cast<uint32_t>(made->settings.limit(ACCP_LIMIT_STREAM_AHEAD));
        made->streams.max_open =
            static_cast<uint32_t>(made->settings.limit(ACCP_LIMIT_OPEN_STREAMS));
        made->streams.keep = !config || config->keep_streams;
        *out = made;
        return Status{};
    });
}

void accp_stream_free(accp_stream *stream) noexcept { destroy_handle(stream); }

accp_status accp_stream_add(accp_stream *stream, const accp_chunk *chunk, accp_stream_part *out,
                            accp_error *err) noexcept {
    if (!stream || !chunk || !out) return capi::refuse(err, capi::kNoHandle);
    if (!are_texts(chunk->cid, chunk->data)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] { return stream->streams.add(*chunk, *out); });
}

accp_status accp_stream_end(accp_stream *stream, const char *cid, size_t cid_len,
                            accp_stream_part *out, accp_error *err) noexcept {
    if (!stream || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] { return stream->streams.end({cid, cid_len}, *out); });
}

accp_status accp_stream_receive(accp_stream *stream, const char *text, size_t text_len,
                                accp_stream_part *out, accp_error *err) noexcept {
    if (!stream || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        Status status = stream->reader.read(text, text_len, value::json_limits(stream->settings),
                                            stream->message);
        if (status.failed()) return status;
        accp_chunk chunk;
        bool is_end = false;
        stream->spelled.recycle(kKeptBytes);
        status =
            delivery::read_chunk_message(stream->message.view(), is_end, chunk, stream->spelled);
        if (status.failed()) return status;
        return is_end ? stream->streams.end(chunk.cid, *out) : stream->streams.add(chunk, *out);
    });
}

accp_status accp_stream_remove(accp_stream *stream, const char *cid, size_t cid_len,
                               accp_error *err) noexcept {
    if (!stream) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(cid, cid_len)) return capi::refuse(err, capi::kNoText);
    return stream->streams.drop({cid, cid_len}) ? ACCP_OK
                                                : capi::refuse(err, "no such stream is open");
}

uint32_t accp_stream_open_count(const accp_stream *stream) noexcept {
    return stream ? stream->streams.open() : 0;
}

accp_status accp_chunk_next(const char *text, size_t text_len, uint32_t max_bytes,
                            accp_chunk *chunk, accp_error *err) noexcept {
    if (!chunk) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (!are_texts(chunk->cid, chunk->data)) return capi::refuse(err, capi::kNoText);
    if (!max_bytes) return capi::refuse(err, "max_bytes is at least 1");
    const std::string_view all(text_len ? text : "", text_len);
    const bool first = !chunk->data.text;
    if (chunk->is_final)
        return capi::report(fail(ACCP_ERR_CLOSED, 0, "the previous chunk was the final one"), err);
    const size_t begin = first ? 0
                               : reinterpret_cast<uintptr_t>(chunk->data.text) + chunk->data.len -
                                     reinterpret_cast<uintptr_t>(all.data());
    if (begin > all.size())
        return capi::refuse(err, "the previous chunk is not a part of this text");
    if (!first && (chunk->index < 0 || chunk->index == INT64_MAX))
        return capi::refuse(err, "the index of the chunk before is out of range");
    // Enough text to find the cut: the maximum of a piece, and two more code points.
    const size_t rest = all.size() - begin,
                 window = rest < size_t{max_bytes} + 8 ? rest : size_t{max_bytes} + 8;
    const size_t valid = valid_utf8_prefix(all.data() + begin, window);
    if (valid < window && (window == rest || window - valid > 3))
        return capi::report(fail(ACCP_E1004, begin + valid, "not UTF-8"), err);
    const size_t end = delivery::cut_text(all.substr(0, begin + valid), begin, max_bytes);
    chunk->data = {all.data() + begin, end - begin};
    chunk->index = first ? 0 : chunk->index + 1;
    chunk->is_final = end == all.size();
    return ACCP_OK;
}

}  // extern "C"
