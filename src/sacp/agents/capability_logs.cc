// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See capability_logs.h.
#include "sacp/agents/capability_logs.h"

#include "base/random.h"
#include "base/text.h"

namespace accp::plan {

namespace {

constexpr int kPointTries = 16;

// What follows the session's own name and a dot; empty: it is none of the later ones.
std::string_view suffix_of(std::string_view name) {
    const size_t own = kCapabilitiesSession.size();
    if (!name.starts_with(kCapabilitiesSession) || name.size() < own + 2 || name[own] != '.')
        return {};
    name.remove_prefix(own + 1);
    return name[0] >= '1' && name[0] <= '9' ? name : std::string_view();
}

}  // namespace

uint64_t CapabilityLogs::generation_of(std::string_view name) {
    const std::string_view suffix = suffix_of(name);
    uint64_t generation = 0;
    std::from_chars(suffix.data(), suffix.data() + suffix.size(), generation);
    return generation;
}

Status CapabilityLogs::find(Buffer<char> &name) {
    store::StoreSession *opened = nullptr;
    Status status = store_->open_session(kCapabilitiesHead, false, opened);
    if (status.failed() && status.code != ACCP_E2001) return status;
    text_.clear();
    if (status.ok()) {
        const store::HeldSession head(opened);
        status = head->state(text_);
        if (status.failed()) return status;
        if (!text_.empty() && !generation_of(text_.view()))
            return fail(ACCP_ERR_CORRUPT, 0, "the log of the registry of agents has no such name");
    }
    name.clear();
    name.append(text_.empty() ? kCapabilitiesSession : text_.view());
    return {};
}

void CapabilityLogs::make_name(std::string_view before, Buffer<char> &name) {
    const uint64_t generation = generation_of(before) + 1;
    name.clear();
    name.append(kCapabilitiesSession);
    name.push('.');
    append_decimal(generation, name);
    name.push('.');
    append_decimal(random_secret(), name);
}

Status CapabilityLogs::point_once(std::string_view name) {
    store::StoreSession *opened = nullptr;
    Status status = store_->open_session(kCapabilitiesHead, true, opened);
    if (status.failed()) return status;
    const store::HeldSession head(opened);
    status = head->state(text_);
    if (status.failed()) return status;
    if (generation_of(text_.view()) >= generation_of(name)) return {};
    batch_.clear();
    batch_.set_state(name);
    status = head->commit(batch_);
    return status.ok() ? head->sync() : status;
}

Status CapabilityLogs::point_to(std::string_view name) {
    Status status;
    for (int tries = 0; tries < kPointTries; ++tries) {
        status = point_once(name);
        if (status.code != ACCP_ERR_CLOSED) break;
    }
    return status;
}

Status CapabilityLogs::erase_older(std::string_view name) {
    const uint64_t generation = generation_of(name);
    names_.clear();
    uint64_t number = 0;
    Status status;
    while ((status = store_->next_session(number, text_)).ok()) {
        const std::string_view id = text_.view();
        const bool is_log = id == kCapabilitiesSession || generation_of(id) != 0;
        if (!is_log || id == name || generation_of(id) > generation) continue;
        names_.append(id);
        names_.push('\n');
    }
    if (status.code != ACCP_E2001) return status;
    for (std::string_view rest = names_.view(); !rest.empty();) {
        const std::string_view id = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(id.size() + 1);
        status = store_->erase_session(id);
        if (status.failed() && status.code != ACCP_E2001) return status;
    }
    return {};
}

}  // namespace accp::plan
