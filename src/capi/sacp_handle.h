// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_sacp.
#pragma once

#include "accp/sacp.h"
#include "capi/library_handle.h"
#include "sacp/message/adapt.h"
#include "sacp/message/mapping.h"
#include "sacp/message/validator.h"
#include "sacp/planner/planner.h"
#include "sacp/planner/threads.h"

struct accp_sacp {
    explicit accp_sacp(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          none(memory),
          validator(memory),
          mapper(memory, none),
          planner(memory),
          adapter(memory),
          reader(memory),
          value(memory),
          threads(memory),
          verdict(memory),
          out(memory) {}

    const accp::sacp::Library &library() const { return owned ? owned->library : none; }
    uint64_t max_bytes() const { return settings.limit(ACCP_LIMIT_JSON_BYTES); }

    accp::Settings settings;
    accp::Memory memory;
    accp_library *owned = nullptr;
    accp::sacp::Library none;
    accp::sacp::Validator validator;
    accp::sacp::Mapper mapper;
    accp::sacp::Planner planner;
    accp::sacp::Adapter adapter;
    accp::value::JsonReader reader;  // of messages that are adapted
    accp::value::Value value;
    accp::sacp::Threads threads;
    accp::sacp::Verdict verdict;
    accp::Buffer<char> out;
};

namespace accp::capi {

constexpr const char *kNoReading = "no such reading, spelling or out_fmt";

}  // namespace accp::capi
