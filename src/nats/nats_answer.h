// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a function of a table answers for what is thrown below it.
#pragma once

#include <new>

#include "nats/nats_place.h"
#include "nats/nats_text.h"

namespace accp_nats {

template <class Body>
accp_status answer(accp_error *err, Body body) noexcept {
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
        return refuse(ACCP_ERR_IO, "a defect of libaccp-nats");
    }
}

}  // namespace accp_nats
