// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Results of calls, as values of JavaScript. Each value_of() returns null with a fault if it
// fails.
#ifndef ACCP_NODE_OUTPUTS_H
#define ACCP_NODE_OUTPUTS_H

#include <vector>

#include "env.h"

namespace accp_addon {

/// Bytes that are not text.
struct Bytes {
    accp_text bytes;
};

/// Copies of what a callback of the library received.
using Strings = std::vector<std::string>;
struct Property {
    std::string part, name, value;
};
struct Damage {
    std::string session, what, name;
    uint64_t record;
};

/// A delivery whose texts are copies.
struct Delivered {
    accp_status status;
    int32_t origin;
    int64_t seq;
    std::string message, mid, cid;
    const char *reason;
    uint32_t warnings;
};

/// The results of a batch: views into it.
struct Lines {
    accp_text text;
    const accp_record *records;
    size_t count;
};

struct Metric {
    const char *name;
    uint64_t value;
};

napi_value value_of(napi_env env, const char *result, Fault &fault);
napi_value value_of(napi_env env, const accp_text &result, Fault &fault);
napi_value value_of(napi_env env, const std::string &result, Fault &fault);
napi_value value_of(napi_env env, const Bytes &result, Fault &fault);
napi_value value_of(napi_env env, const Strings &result, Fault &fault);
napi_value value_of(napi_env env, const std::vector<Property> &result, Fault &fault);
napi_value value_of(napi_env env, const std::vector<Damage> &result, Fault &fault);
napi_value value_of(napi_env env, const std::vector<Delivered> &result, Fault &fault);
napi_value value_of(napi_env env, const std::vector<Metric> &result, Fault &fault);
napi_value value_of(napi_env env, const Lines &result, Fault &fault);
napi_value value_of(napi_env env, const accp_budget &result, Fault &fault);
napi_value value_of(napi_env env, const accp_outcome &result, Fault &fault);
napi_value value_of(napi_env env, const accp_counts &result, Fault &fault);
napi_value value_of(napi_env env, const accp_history_report &result, Fault &fault);
napi_value value_of(napi_env env, const accp_log_record &result, Fault &fault);
napi_value value_of(napi_env env, const accp_frame_budget &result, Fault &fault);
napi_value value_of(napi_env env, const accp_registry_info &result, Fault &fault);
napi_value value_of(napi_env env, const accp_failure &result, Fault &fault);
napi_value value_of(napi_env env, const accp_schema &result, Fault &fault);
napi_value value_of(napi_env env, const accp_field &result, Fault &fault);
napi_value value_of(napi_env env, const accp_verdict &result, Fault &fault);
napi_value value_of(napi_env env, const accp_run_effect &result, Fault &fault);

napi_value array_of(napi_env env, const accp_context_block *data, size_t count, Fault &fault);
napi_value array_of(napi_env env, const uint32_t *data, size_t count, Fault &fault);

}  // namespace accp_addon

#endif
