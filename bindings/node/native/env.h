// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The parts of Node-API that every file of the addon uses: faults, and values of JavaScript.
#ifndef ACCP_NODE_ENV_H
#define ACCP_NODE_ENV_H

#include <accp/accp.h>
#include <accp/parts.h>
#include <node_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace accp_addon {

/// The status of a call on a closed handle. The library never returns it.
constexpr accp_status kClosedHandle = -100;

/// Why a call failed.
struct Fault {
    accp_status code = ACCP_OK;
    std::string message;
    uint64_t offset = 0, had = 0, limit = 0;
    uint32_t record = 0;

    /// Sets code and message. Returns false.
    bool set(accp_status status, std::string text) {
        code = status;
        message = std::move(text);
        return false;
    }
    bool set(const accp_error &err) {
        offset = err.offset, had = err.had, limit = err.limit, record = err.record;
        return set(err.code, err.message ? err.message : "");
    }
};

/// The state of one environment (the main thread or a worker).
struct Instance {
    napi_ref make_error = nullptr;
    bool is_ending = false;  // no further call begins
};

/// The instance of an environment; null before setup() and while the environment ends.
std::shared_ptr<Instance> instance_of(napi_env env);

/// Makes an AccpError; undefined if JavaScript cannot run any more.
napi_value error_of(napi_env env, const char *call, const Fault &fault);

/// Throws an AccpError, unless an exception is pending. Returns nullptr.
napi_value throw_fault(napi_env env, const char *call, const Fault &fault);

napi_value undefined(napi_env env);
napi_value number(napi_env env, double value);

/// Makes a string of UTF-8. Fails if it is longer than a string may be.
napi_value text(napi_env env, std::string_view bytes, Fault &fault);

/// Makes a string of a short text that is valid. Returns undefined on failure.
napi_value name(napi_env env, std::string_view bytes);

void set(napi_env env, napi_value object, const char *key, napi_value value);

}  // namespace accp_addon

#endif
