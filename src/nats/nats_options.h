// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How a connection to a place is made.
#pragma once

#include <nats/nats.h>

#include <memory>
#include <new>

#include "nats/nats_place.h"

namespace accp_nats {

struct EndOptions {
    void operator()(natsOptions *options) const { natsOptions_Destroy(options); }
};
using Options = std::unique_ptr<natsOptions, EndOptions>;

// It goes on trying once it is connected. Throws Failure.
Options new_options(const Place &place);

// Throws what a status means.
inline void must(natsStatus status, const char *message) {
    if (status == NATS_NO_MEMORY) throw std::bad_alloc();
    if (status != NATS_OK) throw Failure{ACCP_ERR_IO, message};
}

}  // namespace accp_nats
