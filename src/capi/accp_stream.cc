// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/stream.h, the receiving half; and where a text is cut.
#include "accp/stream.h"

#include "base/utf8.h"
#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "delivery/chunk_message.h"
#include "delivery/streams.h"
#include "value/json_reader.h"
#include "value/value.h"

using namespace accp;
using namespace accp::capi;

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
    if (!max_bytes) return capi::refuse(err, "a piece has one byte at least");
    const std::string_view all(text_len ? text : "", text_len);
    const bool first = !chunk->data.text;
    if (chunk->is_final)
        return capi::report(fail(ACCP_ERR_CLOSED, 0, "the final chunk was the one before"), err);
    const size_t begin = first ? 0
                               : reinterpret_cast<uintptr_t>(chunk->data.text) + chunk->data.len -
                                     reinterpret_cast<uintptr_t>(all.data());
    if (begin > all.size()) return capi::refuse(err, "the chunk before is not of this text");
    // Enough to see where to cut: a code point more than the piece may have, and one after it.
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
