// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_capabilities, and the common parts of its functions.
#pragma once

#include "accp/capability.h"
#include "accp/hooks.h"
#include "base/handle.h"
#include "base/status.h"
#include "capi/guard.h"
#include "capi/sacp_handle.h"
#include "sacp/agents/shared_capabilities.h"
#include "sacp/agents/spawn.h"
#include "store/handle.h"
#include "text/vectors.h"

struct accp_capabilities {
    // The arguments of the constructor.
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
          verdict_text(memory),
          scratch(memory),
          vectors(memory),
          embedded(memory) {}

    accp::Settings settings;
    accp::Memory memory;
    accp_store *store;
    accp::sacp::SharedCapabilities registry;
    accp::value::JsonReader reader;
    accp::value::Value value;
    accp::sacp::CapabilityQuery query;
    accp::sacp::Verdict verdict;
    accp::sacp::Feasibility feasibility;
    accp::sacp::Spawner spawner;
    accp::Buffer<accp::sacp::FoundAgent> found;
    accp::Buffer<char> out, verdict_text, scratch;
    accp::text::Vectors vectors;
    accp::Buffer<char> embedded;  // the text of a call with the vector that was made for it
    accp_hooks hooks = {};
    accp::capi::HandleUses uses;
};

namespace accp::capi {

void end_capabilities(accp_capabilities *capabilities) noexcept;

// Converts a verdict to an error of the call. A message that quotes text of the caller is not made
// permanent, because the memory for permanent texts is limited.
inline Status refusal_of(const sacp::Verdict &verdict) {
    if (!verdict.failed()) return {};
    constexpr const char *kRefused = "the entry or query is malformed: see the verdict";
    const bool is_ours = verdict.code() != sacp::Code::kMALFORMED_MESSAGE;
    return fail(accp_code_of(verdict.code()), verdict.byte(),
                is_ours ? interned_text({verdict.details()}, kRefused) : kRefused);
}

inline bool is_own_text(const accp_capabilities &self, std::string_view text) noexcept {
    return lies_in(text.data(), self.out) || lies_in(text.data(), self.verdict_text);
}

// Runs a call with an empty verdict. Its text must not be in a buffer that the call writes to.
template <class Body>
accp_status run_call(accp_capabilities &self, std::string_view text, accp_error *err,
                     Body body) noexcept {
    if (accp_status status = check_unused(self, err)) return status;
    if (is_own_text(self, text)) return capi::refuse(err, capi::kOwnText);
    self.found.clear();
    self.verdict.clear();
    self.verdict_text.clear();
    const HandleUse<accp_capabilities, end_capabilities> use(&self);
    return capi::guard(err, [&] {
        const Status status = body();
        self.verdict.write(self.verdict_text);
        return status;
    });
}

// The same for a call that returns a text, which `body` writes to self.out. It is returned when no
// error is possible any more.
template <class Body>
accp_status return_text(accp_capabilities &self, std::string_view text, accp_text *out,
                        accp_error *err, Body body) noexcept {
    const accp_status code = run_call(self, text, err, [&] {
        const Status status = body();
        return status.ok() ? check_kept(self) : status;
    });
    if (code == ACCP_OK) hand_out(self.out, out);
    return code;
}

// Reads the text of an entry, a list of them, or a query.
inline Status read_capability_text(accp_capabilities &self, std::string_view text) {
    const value::JsonLimits limits = value::json_limits(self.settings);
    const Status status = self.reader.read(text.data(), text.size(), limits, self.value);
    if (status.ok()) return {};
    const bool is_limit = status.limit != 0;
    self.verdict.refuse(is_limit ? sacp::Code::kLIMIT : sacp::Code::kMALFORMED_MESSAGE,
                        status.message, status.offset);
    return {ACCP_E1001, 0, status.offset, status.message, status.had, status.limit};
}

inline Status known_agent(bool is_known) {
    return is_known ? Status{} : fail(ACCP_E2001, 0, "no agent with this name is registered");
}

inline double to_seconds(int64_t ms) {
    return ms < 0 ? sacp::kNoClock : static_cast<double>(ms) / 1000;
}

}  // namespace accp::capi
