// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compaction replaces the log of the registry by a shorter one (shared_capabilities.h). The order
// below keeps the log complete if the process dies between two steps:
//
//   1. Open the old log for writing. Any other writer or compactor loses its right to write: its
//      next commit fails.
//   2. Write the registry to a session with a new name that nobody else uses.
//   3. Append a record to the old log that names the new session. This switches the log: the commit
//      fails if another process wrote in between. A reader of the old log then continues in the new
//      one.
//   4. Set the head session to the new name, for readers that start later.
//   5. Erase the old log, and what remains of compactions that died before step 3.
#include "base/random.h"
#include "base/text.h"
#include "sacp/agents/shared_capabilities.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

constexpr int kPointTries = 16;

// The part after the session's base name and a dot; empty if the name has no such part.
std::string_view suffix_of(std::string_view name) {
    const size_t own = kCapabilitiesSession.size();
    if (!name.starts_with(kCapabilitiesSession) || name.size() < own + 2 || name[own] != '.')
        return {};
    name.remove_prefix(own + 1);
    return name[0] >= '1' && name[0] <= '9' ? name : std::string_view();
}

constexpr int kCompactTries = 4;
constexpr size_t kBatchBytes = 4 << 20;  // of one commit
constexpr uint64_t kMinRecords = 4096;   // a shorter log is not compacted
constexpr uint64_t kMaxPast = 4;  // records for each agent, not counting those of the snapshot

}  // namespace

uint64_t CapabilityLogDirectory::generation_of(std::string_view name) {
    const std::string_view suffix = suffix_of(name);
    uint64_t generation = 0;
    std::from_chars(suffix.data(), suffix.data() + suffix.size(), generation);
    return generation;
}

Status CapabilityLogDirectory::find_current(Buffer<char> &name) {
    store::StoreSession *opened = nullptr;
    Status status = store_->open_session(kCapabilitiesHead, false, opened);
    if (status.failed() && status.code != ACCP_E2001) return status;
    text_.clear();
    if (status.ok()) {
        const store::HeldSession head(opened);
        status = head->state(text_);
        if (status.failed()) return status;
        if (!text_.empty() && !generation_of(text_.view()))
            return fail(ACCP_ERR_CORRUPT, 0,
                        "the head of the registry of agents does not name a log");
    }
    name.clear();
    name.append(text_.empty() ? kCapabilitiesSession : text_.view());
    return {};
}

void CapabilityLogDirectory::make_name(std::string_view before, Buffer<char> &name) {
    const uint64_t generation = generation_of(before) + 1;
    name.clear();
    name.append(kCapabilitiesSession);
    name.push('.');
    append_decimal(generation, name);
    name.push('.');
    append_decimal(random_secret(), name);
}

Status CapabilityLogDirectory::set_current_once(std::string_view name) {
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

Status CapabilityLogDirectory::set_current(std::string_view name) {
    Status status;
    for (int tries = 0; tries < kPointTries; ++tries) {
        status = set_current_once(name);
        if (status.code != ACCP_ERR_CLOSED) break;
    }
    return status;
}

Status CapabilityLogDirectory::erase_older(std::string_view name) {
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

bool SharedCapabilities::needs_compaction() const {
    const uint64_t past = record_count() - snapshot_records_;
    return past > kMinRecords && past > kMaxPast * agents_.count();
}

Status SharedCapabilities::compact(CompactionStep last_step) {
    Status status;
    for (int tries = 0; tries < kCompactTries; ++tries) {
        status = refresh();
        if (status.failed() || !store_ || next_ == 1) return status;
        status = compact_once(last_step);
        if (status.code != ACCP_ERR_CLOSED) return status.ok() ? refresh() : status;
    }
    return fail(ACCP_ERR_BUSY, 0, "other processes keep writing to the registry of agents");
}

// Returns ACCP_ERR_CLOSED if another process wrote in between.
Status SharedCapabilities::compact_once(CompactionStep last_step) {
    Buffer<char> name(memory_), before(memory_);
    before.append(log_name_.view());
    directory_.make_name(before.view(), name);
    {
        store::StoreSession *opened = nullptr;
        Status status = store_->open_session(before.view(), true, opened);
        if (status.failed()) return status;
        const store::HeldSession old(opened);
        if (old->row().last + 1 != next_)
            return fail(ACCP_ERR_CLOSED, 0, "another process wrote to the registry of agents");
        uint64_t count = 0;
        status = write_snapshot(name.view(), count);
        if (status.failed() || last_step == CompactionStep::kCopied) return status;
        begin_record("moved", name.view());
        record_.append(R"(,"records":)");
        append_decimal(count, record_);
        record_.push('}');
        batch_.append(record_.view());
        status = old->commit(batch_);
        if (status.ok()) status = old->sync();
        if (status.code == ACCP_ERR_CLOSED) (void)store_->erase_session(name.view());
        if (status.failed() || last_step == CompactionStep::kMoved) return status;
    }
    Status status = directory_.set_current(name.view());
    if (status.failed() || last_step == CompactionStep::kPointed) return status;
    return directory_.erase_older(name.view());
}

// Writes the current registry to a new session and stores the number of records in `count`.
Status SharedCapabilities::write_snapshot(std::string_view to, uint64_t &count) {
    Buffer<const Capability *> all(memory_);
    agents_.list(all);
    count = 1;
    for (const Capability *agent : all) count += 1 + (agent->outcomes.all != 0);
    store::StoreSession *opened = nullptr;
    Status status = store_->open_session(to, true, opened);
    if (status.failed()) return status;
    const store::HeldSession session(opened);
    const auto append = [&] {
        record_.push('}');
        batch_.append(record_.view());
        record_.clear();
    };
    batch_.clear();
    record_.clear();
    record_.append(R"({"snapshot":)");
    append_decimal(count, record_);
    append();
    for (const Capability *agent : all) {
        record_.append(R"({"register":)");
        agent->write(record_);
        append();
        if (agent->outcomes.all) {
            record_.append(R"({"outcomes":)");
            value::write_json_string(agent->name(), record_);
            record_.append(R"(,"good":)");
            append_decimal(agent->outcomes.count, record_);
            record_.append(R"(,"all":)");
            append_decimal(agent->outcomes.all, record_);
            append();
        }
        if (batch_.size() < kBatchBytes) continue;
        status = session->commit(batch_);
        if (status.failed()) return status;
        batch_.clear();
    }
    status = session->commit(batch_);
    return status.ok() ? session->sync() : status;
}

}  // namespace accp::sacp
