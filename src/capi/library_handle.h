// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_library: shared by several owners on any thread, and constant except for
// their count.
#pragma once

#include "base/handle.h"
#include "sacp/library/library.h"

struct accp_library {
    explicit accp_library(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          library(memory) {}

    accp::Settings settings;
    accp::Memory memory;
    accp::sacp::Library library;
    std::atomic<uint32_t> owners{1};
};
