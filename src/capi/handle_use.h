// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Guards a handle while a call works with it. A callback that runs in the call may free the handle,
// but may not use it.
#pragma once

#include "base/handle.h"
#include "capi/guard.h"

namespace accp::capi {

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

constexpr const char *kHandleBusy =
    "a function of the host's may not use the handle that it was called by";

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
               ? fail(ACCP_ERR_CLOSED, 0, "a function of the host's freed the handle in this call")
               : Status{};
}

}  // namespace accp::capi
