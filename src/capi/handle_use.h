// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A handle in the calls that work with it: a function of the host's, which such a call runs, may
// free it, and may not use it.
#pragma once

#include "base/handle.h"
#include "capi/guard.h"

namespace accp::capi {

// The calls that work with a handle that is for one thread at a time. A function of the host's may
// free a handle while they do: the last of them then ends it.
struct HandleUses {
    uint32_t calls = 0;
    bool is_freed = false;
};

// Keeps a handle until the end of a call. NULL is taken.
template <class Handle, void (*kEnd)(Handle *) noexcept = end_handle<Handle>>
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

// Ends a handle: now, or at the end of the calls that work with it. nullptr is nothing.
template <class Handle, void (*kEnd)(Handle *) noexcept = end_handle<Handle>>
void free_handle(Handle *handle) noexcept {
    if (!handle) return;
    if (handle->uses.calls) handle->uses.is_freed = true;
    else kEnd(handle);
}

constexpr const char *kHandleBusy =
    "a function of the host's may not use the handle that it was called by";

// Does no call work with the handle?
template <class Handle>
accp_status check_unused(const Handle &handle, accp_error *err) noexcept {
    return handle.uses.calls ? report(fail(ACCP_ERR_BUSY, 0, kHandleBusy), err)
                             : accp_status{ACCP_OK};
}

// Did no function of the host's free the handle in this call? What is a view into it is not handed
// out then.
template <class Handle>
Status check_kept(const Handle &handle) noexcept {
    return handle.uses.is_freed
               ? fail(ACCP_ERR_CLOSED, 0, "a function of the host's freed the handle in this call")
               : Status{};
}

}  // namespace accp::capi
