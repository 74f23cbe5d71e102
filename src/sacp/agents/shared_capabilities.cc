// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/agents/shared_capabilities.h"

#include <algorithm>
#include <charconv>

#include "value/json_line.h"
#include "value/json_writer.h"
#include "value/number.h"

namespace accp::sacp {

namespace {

constexpr value::JsonLimits kRecord = {kMaxBlobBytes, kMaxJsonDepth};
constexpr int kWriteTries = 16, kMaxMoves = 64;
constexpr size_t kLoadBatchBytes = 4 << 20;  // of loaded entries, for one commit
constexpr const char *kBusy = "other processes keep writing to the registry of agents";

}  // namespace

SharedCapabilities::SharedCapabilities(store::Store *store, Memory &memory)
    : store_(store),
      memory_(memory),
      agents_(memory),
      directory_(store, memory),
      verdict_(memory),
      batch_(memory),
      record_(memory),
      log_name_(memory),
      records_(memory),
      reader_(memory),
      value_(memory) {}

Status SharedCapabilities::refresh() {
    if (!store_) return {};
    for (int moves = 0; moves < kMaxMoves; ++moves) {
        bool moved_on = false;
        const Status status = read_log(moved_on);
        if (status.failed() || !moved_on) return status;
    }
    return fail(ACCP_ERR_BUSY, 0, kBusy);
}

// Applies the unread records of the log. Sets `moved_on` if the log continues in the session named
// by log_name_.
Status SharedCapabilities::read_log(bool &moved_on) {
    if (next_ == 1) {
        const Status status = directory_.find_current(log_name_);
        if (status.failed()) return status;
    }
    store::StoreSession *found = nullptr;
    Status status = store_->open_session(log_name_.view(), false, found);
    if (status.code == ACCP_E2001) return restart(moved_on);
    if (status.failed()) return status;
    const store::HeldSession session(found);
    if (!session->row().last || session->row().last + 1 < next_) return restart(moved_on);
    while (next_ <= session->row().last && !moved_on) {
        status = session->scan(next_, 0, false, kScanBytes, records_);
        if (status.code == ACCP_ERR_CLOSED) return restart(moved_on);  // the session was erased
        if (status.failed()) return status;
        if (!records_.size()) break;
        for (size_t i = 0; i < records_.size() && !moved_on; ++i) {
            status = parse_record(records_[i].bytes);
            if (status.failed()) return move_to(status, records_[i].seq);
            apply(moved_on);
            if (!moved_on) next_ = records_[i].seq + 1;
        }
    }
    return {};
}

// The log is missing or was replaced, so read the one that the head names from its start. Nothing
// is lost: that log begins with a snapshot.
Status SharedCapabilities::restart(bool &moved_on) {
    record_.clear();
    const Status status = directory_.find_current(record_);
    if (status.failed()) return status;
    moved_on = record_.view() != log_name_.view();
    if (!moved_on)
        return next_ == 1 && !CapabilityLogDirectory::generation_of(log_name_.view())
                   ? Status{}  // nothing was ever written
                   : fail(ACCP_ERR_CORRUPT, 0, "the log of the registry of agents is missing");
    agents_.clear();
    next_ = 1;
    snapshot_records_ = 0;
    return {};
}

Status SharedCapabilities::parse_record(std::string_view record) {
    const Status status = reader_.read(record.data(), record.size(), kRecord, value_);
    if (status.code == ACCP_ERR_NOMEM) return status;
    if (status.failed() || value_.view()[0].kind != ACCP_MAP)
        return fail(ACCP_ERR_CORRUPT, 0, "a record of the registry of agents is not a JSON object");
    return {};
}

void SharedCapabilities::apply(bool &moved_on) {
    const value::TreeView tree = value_.view();
    const value::JsonFields fields(tree, 0);
    verdict_.clear();
    if (const uint32_t entry = tree.find(0, "register")) {
        agents_.add(tree, entry, verdict_);
    } else if (const uint32_t gone = fields.find("deregister", ACCP_STRING)) {
        agents_.remove(tree.string(gone));
    } else if (const uint32_t renewed = fields.find("renew", ACCP_STRING)) {
        if (const uint32_t last_step = tree.find(0, "lease_until"))
            agents_.renew(tree.string(renewed), value::to_double(tree.string(last_step)), kNoClock);
    } else if (const uint32_t worked = fields.find("outcome", ACCP_STRING)) {
        agents_.note_outcome(tree.string(worked), fields.boolean("success"));
    } else if (const uint32_t known = fields.find("outcomes", ACCP_STRING)) {
        Share outcomes = {};
        if (fields.number("good", outcomes.count) && fields.number("all", outcomes.all))
            agents_.set_outcomes(tree.string(known), outcomes);
    } else if (fields.number("snapshot", snapshot_records_)) {
        // the count itself is all there is to apply
    } else if (const uint32_t moved = fields.find("moved", ACCP_STRING)) {
        uint64_t count = 0;
        if (!fields.number("records", count)) return;
        log_name_.assign(tree.string(moved));
        snapshot_records_ = count;
        next_ = count + 1;
        moved_on = true;
    }
}

// Commits the batch after the records of all other writers.
Status SharedCapabilities::commit_batch() {
    for (int tries = 0; tries < kWriteTries; ++tries) {
        Status status = commit_batch_once();
        const bool is_behind = status.code == ACCP_ERR_CLOSED;
        if (status.failed() && !is_behind) return status;
        status = refresh();
        if (status.failed()) return status;
        if (is_behind) continue;
        if (needs_compaction()) (void)compact();  // if it fails, the next writer tries again
        return {};
    }
    return fail(ACCP_ERR_BUSY, 0, kBusy);
}

// Returns ACCP_ERR_CLOSED if another process wrote, or is writing.
Status SharedCapabilities::commit_batch_once() {
    constexpr const char *kBehind = "another process wrote to the registry of agents";
    store::StoreSession *opened = nullptr;
    Status status = store_->open_session(log_name_.view(), true, opened);
    if (status.failed()) return status;
    const store::HeldSession session(opened);
    if (session->row().last + 1 != next_) return fail(ACCP_ERR_CLOSED, 0, kBehind);
    if (next_ == 1) {  // this call may have created the session again after it was erased
        record_.clear();
        status = directory_.find_current(record_);
        if (status.failed()) return status;
        if (record_.view() != log_name_.view()) return fail(ACCP_ERR_CLOSED, 0, kBehind);
    }
    return session->commit_now(batch_);
}

void SharedCapabilities::begin_record(std::string_view change, std::string_view name) {
    batch_.clear();
    record_.clear();
    record_.append("{\"");
    record_.append(change);
    record_.append("\":");
    value::write_json_string(name, record_);
}

Status SharedCapabilities::add(value::TreeView tree, uint32_t entry, Verdict &verdict) {
    const Status status = refresh();
    if (status.failed()) return status;
    if (!store_) {
        agents_.add(tree, entry, verdict);
        return {};
    }
    if (!agents_.check(tree, entry, verdict)) return {};
    batch_.clear();
    append_register_record(tree, entry);
    return commit_batch();
}

void SharedCapabilities::append_register_record(value::TreeView tree, uint32_t entry) {
    record_.clear();
    record_.append(R"({"register":)");
    value::write_json(tree, entry, record_);
    record_.push('}');
    batch_.append(record_.view());
}

Status SharedCapabilities::load(value::TreeView tree, uint32_t array, Verdict &verdict,
                                uint32_t &number_out) {
    Status status = refresh();
    uint32_t number = 0, waiting = 0;  // in the batch
    const auto flush = [&] {
        if (status.ok() && waiting) status = commit_batch();
        number_out = status.ok() ? number : number - waiting;
        batch_.clear();
        waiting = 0;
    };
    batch_.clear();
    for (uint32_t i = array + 1; i < tree[array].next && status.ok(); i = tree[i].next, ++number) {
        if (!store_) {
            number_out = number;
            if (!agents_.add(tree, i, verdict)) return {};
            continue;
        }
        bool is_good = agents_.check(tree, i, verdict);
        if (!is_good && waiting) {  // it may refer to an entry in the batch
            flush();
            if (status.failed()) return status;
            verdict.clear();
            is_good = agents_.check(tree, i, verdict);
        }
        if (!is_good) break;
        append_register_record(tree, i);
        ++waiting;
        if (batch_.size() < kLoadBatchBytes) continue;
        ++number;
        flush();
        --number;
    }
    flush();
    return status;
}

Status SharedCapabilities::remove(std::string_view name, bool &known) {
    const Status status = refresh();
    if (status.failed()) return status;
    known = agents_.find(name) != nullptr;
    if (!known) return {};
    if (!store_) {
        agents_.remove(name);
        return {};
    }
    begin_record("deregister", name);
    record_.push('}');
    batch_.append(record_.view());
    return commit_batch();
}

Status SharedCapabilities::renew(std::string_view name, double lease_until, double now,
                                 bool &known) {
    const Status status = refresh();
    if (status.failed()) return status;
    const Capability *agent = agents_.find(name);
    known = agent && !agent->is_expired(now);
    if (!known) return {};
    if (!store_) {
        agents_.renew(name, lease_until, now);
        return {};
    }
    begin_record("renew", name);
    record_.append(R"(,"lease_until":)");
    char *to = record_.reserve(32);
    record_.set_end(std::to_chars(to, to + 32, lease_until).ptr);
    record_.push('}');
    batch_.append(record_.view());
    return commit_batch();
}

Status SharedCapabilities::note_outcome(std::string_view name, bool success, bool &known) {
    const Status status = refresh();
    if (status.failed()) return status;
    known = agents_.find(name) != nullptr;
    if (!known) return {};
    if (!store_) {
        agents_.note_outcome(name, success);
        return {};
    }
    begin_record("outcome", name);
    record_.append(success ? R"(,"success":true})" : R"(,"success":false})");
    batch_.append(record_.view());
    return commit_batch();
}

// Removes all in one commit.
Status SharedCapabilities::sweep(double now, uint64_t &swept) {
    Status status = refresh();
    if (status.failed()) return status;
    if (!store_) {
        swept = agents_.sweep(now);
        return {};
    }
    const size_t before = agents_.count();
    batch_.clear();
    record_.clear();
    agents_.each([&](const Capability &agent) {
        if (!agent.is_expired(now)) return;
        record_.clear();
        record_.append(R"({"deregister":)");
        value::write_json_string(agent.name(), record_);
        record_.push('}');
        batch_.append(record_.view());
    });
    status = batch_.empty() ? Status{} : commit_batch();
    if (status.ok()) swept = before - agents_.count();
    return status;
}

}  // namespace accp::sacp
