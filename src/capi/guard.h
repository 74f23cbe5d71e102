// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The border between the C face and C++: the only try and catch of the library (but for
// store/plugin_port.h), outermost in every function that can fail.
#pragma once

#include <new>
#include <string_view>

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "base/utf8.h"

namespace accp::capi {

inline accp_status report(const Status &status, accp_error *err) noexcept {
    if (status.failed() && err)
        *err = {status.code,    status.record, status.offset,
                status.message, status.had,    status.limit};
    return status.code;
}

// Converts the error of another C function, to return it again.
inline Status status_of(const accp_error &err) noexcept {
    return {err.code, err.record, err.offset, err.message, err.had, err.limit};
}

template <class Body>
accp_status guard(accp_error *err, Body body) noexcept {
    try {
        return report(body(), err);
    } catch (const OutOfMemory &) {
        return report(fail(ACCP_ERR_NOMEM, 0, "out of memory, or over memory_bytes"), err);
    } catch (const std::bad_alloc &) {
        return report(fail(ACCP_ERR_NOMEM, 0, "out of memory"), err);
    } catch (...) {
        return report(fail(ACCP_E9999, 0, "a defect of this library"), err);
    }
}

inline accp_status refuse(accp_error *err, const char *message) noexcept {
    return report(fail(ACCP_ERR_ARG, 0, message), err);
}

// Text of length 0 may be NULL.
inline bool is_text(const char *text, size_t len) noexcept { return text || !len; }
template <class... Texts>
bool are_texts(const Texts &...texts) noexcept {
    return (is_text(texts.text, texts.len) && ...);
}

// Checks all texts of an envelope, even those of fields that it does not use. NULL: no envelope.
inline bool has_texts(const accp_envelope *envelope) noexcept {
    return !envelope || are_texts(envelope->mid, envelope->cid, envelope->aid, envelope->sid);
}
inline bool is_utf8(std::string_view text) noexcept {
    return valid_utf8_prefix(text.data(), text.size()) == text.size();
}

// Does a text lie in a buffer that the call is about to write to? Buffers and texts never touch
// otherwise.
template <class T>
bool lies_in(const char *text, const Buffer<T> &buffer) noexcept {
    auto begin = reinterpret_cast<uintptr_t>(buffer.data()), at = reinterpret_cast<uintptr_t>(text);
    return text && at - begin < buffer.capacity() * sizeof(T);
}

// Hands out a text that was written, as a view into its handle.
inline void hand_out(const Buffer<char> &made, accp_text *out) noexcept {
    *out = to_text(made.view());
}

inline bool is_origin(int32_t origin) noexcept {
    return origin == ACCP_ORIGIN_TRUSTED || origin == ACCP_ORIGIN_UNTRUSTED;
}

constexpr const char *kOwnText = "the text is a view into this handle, which the call ends";
constexpr const char *kNoHandle = "a handle or an output is NULL";
constexpr const char *kNoText = "a text is NULL";
constexpr const char *kNoTime = "a time is in milliseconds since 1970, and not negative";
constexpr const char *kNoOrigin = "no such origin";
constexpr const char *kNoAgent = "no agent can have this name";

}  // namespace accp::capi
