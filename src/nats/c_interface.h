// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts and errors of the C interfaces that this library implements.
#pragma once

#include <new>
#include <string_view>

#include "accp/types.h"
#include "nats/place.h"

namespace accp_nats {

inline std::string_view view_of(const accp_text &text) {
    return {text.len ? text.text : "", text.len};
}

inline accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }

template <class Body>
accp_status run_guarded(accp_error *err, Body body) noexcept {
    const auto refuse = [err](accp_status code, const char *message) {
        if (err) err->code = code, err->message = message;
        return code;
    };
    try {
        body();
        return ACCP_OK;
    } catch (const Failure &failure) {
        return refuse(failure.status, failure.message);
    } catch (const std::bad_alloc &) {
        return refuse(ACCP_ERR_NOMEM, "out of memory");
    } catch (...) {
        return refuse(ACCP_ERR_IO, "internal error in libaccp-nats");
    }
}

}  // namespace accp_nats
