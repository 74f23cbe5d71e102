// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A library that several hold at once, on any thread. Constant but for the count of its owners.
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
