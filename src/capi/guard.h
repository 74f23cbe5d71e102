// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The border between the C API and C++. guard() has the only try and catch of the library (besides
// store/plugin_port.h) and is the outermost call in every function that can fail. HandleUse guards
// a handle while a call works with it: a callback in the call may free the handle, but may not use
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>

#include "accp/error.h"
#include "base/handle.h"
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

// A text of length 0 may be NULL.
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

// Reports whether a text is in a buffer that the call is about to write to.
template <class T>
bool lies_in(const char *text, const Buffer<T> &buffer) noexcept {
    auto begin = reinterpret_cast<uintptr_t>(buffer.data()), at = reinterpret_cast<uintptr_t>(text);
    return text && at - begin < buffer.capacity() * sizeof(T);
}
template <class T>
bool lies_in(const accp_text &text, const Buffer<T> &buffer) noexcept {
    return lies_in(text.text, buffer);
}
template <class T, class... Texts>
bool any_lies_in(const Buffer<T> &buffer, const Texts &...texts) noexcept {
    return (lies_in(texts, buffer) || ...);
}

// Returns a written text as a view into its handle.
inline void hand_out(const Buffer<char> &made, accp_text *out) noexcept {
    *out = to_text(made.view());
}

inline bool is_origin(int32_t origin) noexcept {
    return origin == ACCP_ORIGIN_TRUSTED || origin == ACCP_ORIGIN_UNTRUSTED;
}

constexpr const char *kOwnText =
    "the text is a view into this handle, which the call overwrites: copy it first";
constexpr const char *kNoHandle = "a handle or an output is NULL";
constexpr const char *kNoText = "a text is NULL";
constexpr const char *kNoTime = "a time is milliseconds since 1970, and not negative";
constexpr const char *kNoOrigin = "unknown origin";
constexpr const char *kNoAgent = "the name is malformed: an agent cannot have it";

// Counts the calls that work with a handle. If a callback frees the handle meanwhile, the last of
// these calls ends it.
struct HandleUses {
    uint32_t calls = 0;
    bool is_freed = false;
};

// Keeps a handle alive until the end of a call. The handle may be NULL.
template <class Handle, void (*kEnd)(Handle *) noexcept = destroy_handle<Handle>>
class HandleUse {
public:
    explicit HandleUse(Handle *handle) noexcept : handle_(handle) {
        if (handle_) ++handle_->uses.calls;
    }
    ~HandleUse() {
        if (handle_ && !--handle_->uses.calls && handle_->uses.is_freed) kEnd(handle_);
    }
    HandleUse(const HandleUse &) = delete;
    HandleUse &operator=(const HandleUse &) = delete;

private:
    Handle *handle_;
};

// Ends a handle, at once or after the calls that work with it. nullptr has no effect.
template <class Handle, void (*kEnd)(Handle *) noexcept = destroy_handle<Handle>>
void free_handle(Handle *handle) noexcept {
    if (!handle) return;
    if (handle->uses.calls) handle->uses.is_freed = true;
    else kEnd(handle);
}

constexpr const char *kHandleBusy = "a callback may not use the handle that called it";

// Fails with ERR_BUSY if a call works with the handle.
template <class Handle>
accp_status check_unused(const Handle &handle, accp_error *err) noexcept {
    return handle.uses.calls ? report(fail(ACCP_ERR_BUSY, 0, kHandleBusy), err)
                             : accp_status{ACCP_OK};
}

// Fails with ERR_CLOSED if a callback freed the handle in this call: the call must not return a
// view into it.
template <class Handle>
Status check_kept(const Handle &handle) noexcept {
    return handle.uses.is_freed
               ? fail(ACCP_ERR_CLOSED, 0, "a callback freed the handle during this call")
               : Status{};
}

// Returns the row of a status in errors.def; SIZE_MAX if it is unknown.
size_t row_of(accp_status status) noexcept;

}  // namespace accp::capi
