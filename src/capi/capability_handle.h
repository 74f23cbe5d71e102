// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_capabilities, and what its functions have in common.
#pragma once

#include "accp/capability.h"
#include "base/handle.h"
#include "base/status.h"
#include "capi/guard.h"
#include "capi/verdicts.h"
#include "sacp/agents/capabilities_shared.h"
#include "sacp/agents/spawn.h"
#include "store/shared.h"

struct accp_capabilities {
    // What one is made of.
    struct Source {
        const accp::Settings &settings;
        accp_store *store;
    };

    explicit accp_capabilities(const Source &from)
        : settings(from.settings),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          store(accp::store::share_store(from.store)),
          registry(store ? &store->store : nullptr, memory),
          reader(memory),
          value(memory),
          verdict(memory),
          feasibility(memory),
          spawner(memory),
          found(memory),
          out(memory),
          said(memory),
          scratch(memory) {}

    accp::Settings settings;
    accp::Memory memory;
    accp_store *store;
    accp::plan::SharedCapabilities registry;
    accp::value::JsonReader reader;
    accp::value::Value value;
    accp::plan::CapabilityQuery query;
    accp::plan::Verdict verdict;
    accp::plan::Feasibility feasibility;
    accp::plan::Spawner spawner;
    accp::Buffer<accp::plan::Found> found;
    accp::Buffer<char> out, said, scratch;
};

namespace accp::capi {

// A verdict as the failure of a call. Texts that whoever wrote the entry or query had a say in are
// not made lasting, as there is place for few.
inline Status refusal_of(const plan::Verdict &verdict) {
    if (!verdict.failed()) return {};
    constexpr const char *kRefused = "the entry or query is malformed: its verdict says how";
    const bool is_ours = verdict.code() != plan::Code::kMALFORMED_MESSAGE;
    return fail(accp_code_of(verdict.code()), verdict.byte(),
                is_ours ? interned_text({verdict.details()}, kRefused) : kRefused);
}

// Every call begins anew; what it is given must not lie in what it is about to write.
template <class Body>
accp_status run_call(accp_capabilities &self, std::string_view text, accp_error *err,
                     Body body) noexcept {
    if (lies_in(text.data(), self.out) || lies_in(text.data(), self.said))
        return capi::refuse(err, capi::kOwnText);
    self.found.clear();
    self.verdict.clear();
    self.said.clear();
    return capi::guard(err, [&] {
        const Status status = body();
        self.verdict.write(self.said);
        return status;
    });
}

// Reads the text of an entry, a list of them, or a query.
inline Status read_capability_text(accp_capabilities &self, std::string_view text) {
    const value::JsonLimits limits = value::json_limits(self.settings);
    const Status status = self.reader.read(text.data(), text.size(), limits, self.value);
    if (status.ok()) return {};
    const bool is_limit = status.limit != 0;
    self.verdict.refuse(is_limit ? plan::Code::kLIMIT : plan::Code::kMALFORMED_MESSAGE,
                        status.message, status.offset);
    return {ACCP_E1001, 0, status.offset, status.message, status.had, status.limit};
}

inline Status known_agent(bool is_known) {
    return is_known ? Status{} : fail(ACCP_E2001, 0, "no agent of this name is registered");
}

inline double to_seconds(int64_t ms) {
    return ms < 0 ? plan::kNoClock : static_cast<double>(ms) / 1000;
}

}  // namespace accp::capi
