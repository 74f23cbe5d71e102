// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_sacp, and SACP verdicts as errors of calls.
#pragma once

#include "accp/error.h"
#include "accp/sacp.h"
#include "base/status.h"
#include "capi/library_handle.h"
#include "sacp/message/adapt.h"
#include "sacp/message/mapping.h"
#include "sacp/message/validator.h"
#include "sacp/message/verdict.h"
#include "sacp/planner/planner.h"
#include "sacp/planner/threads.h"

namespace accp::capi {

inline accp_status accp_code_of(sacp::Code code) {
    constexpr accp_status kCodes[] = {
        ACCP_OK,
#define ACCP_SACP_CODE(name, accp_code, retryable) ACCP_##accp_code,
#include "sacp/message/codes.def"
#undef ACCP_SACP_CODE
    };
    return kCodes[static_cast<size_t>(code)];
}

// Converts the verdict on a refused text to an error of the call.
inline Status failure_of(const sacp::Verdict &verdict) {
    return verdict.failed() ? fail(accp_code_of(verdict.code()), verdict.byte(), verdict.reason())
                            : Status{};
}

}  // namespace accp::capi

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
    accp::value::JsonReader reader;  // for messages that are converted to another version
    accp::value::Value value;
    accp::sacp::Threads threads;
    accp::sacp::Verdict verdict;
    accp::Buffer<char> out;
};

namespace accp::capi {

constexpr const char *kNoReading = "unknown reading, spelling or out_fmt";

}  // namespace accp::capi
