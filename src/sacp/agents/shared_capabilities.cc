// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See capabilities_shared.h.
#include "sacp/agents/shared_capabilities.h"

#include <algorithm>
#include <charconv>

#include "value/json_line.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

constexpr value::JsonLimits kRecord = {kMaxBlobBytes, kMaxJsonDepth};
constexpr int kWriteTries = 16, kMaxMoves = 64;
constexpr size_t kLoadBatchBytes = 4 << 20;  // of entries that are loaded, for one commit
constexpr const char *kBusy = "others write to the registry of agents all the time";

}  // namespace

SharedCapabilities::SharedCapabilities(store::Store *store, Memory &memory)
    : store_(store),
      memory_(memory),
      agents_(memory),
      logs_(store, memory),
      verdict_(memory),
      batch_(memory),
      line_(memory),
      log_(memory),
      records_(memory),
      reader_(memory),
      value_(memory) {}

Status SharedCapabilities::follow() {
    if (!store_) return {};
    for (int moves = 0; moves < kMaxMoves; ++moves) {
        bool ended = false;
        const Status status = read_log(ended);
        if (status.failed() || !ended) return status;
    }
    return fail(ACCP_ERR_BUSY, 0, kBusy);
}

// Applies what the log has. `ended`: another one is to be read, whose name is in log_.
Status SharedCapabilities::read_log(bool &ended) {
    if (next_ == 1) {
        const Status status = logs_.find(log_);
        if (status.failed()) return status;
    }
    store::StoreSession *found = nullptr;
    Status status = store_->open_session(log_.view(), false, found);
    if (status.code == ACCP_E2001) return start_again(ended);
    if (status.failed()) return status;
    const store::HeldSession session(found);
    if (!session->row().last || session->row().last + 1 < next_) return start_again(ended);
    while (next_ <= session->row().last && !ended) {
        status = session->scan(next_, 0, false, kScanBytes, records_);
        if (status.code == ACCP_ERR_CLOSED) return start_again(ended);  // it was taken out
        if (status.failed()) return status;
        if (!records_.size()) break;
        for (size_t i = 0; i < records_.size() && !ended; ++i) {
            status = read(records_[i].bytes);
            if (status.failed()) return move_to(status, records_[i].seq);
            apply(ended);
            if (!ended) next_ = records_[i].seq + 1;
        }
    }
    return {};
}

// The log that was followed is not there, or is not the same: the head names the one that counts.
// Nothing is lost, as that one begins with all that there is.
Status SharedCapabilities::start_again(bool &ended) {
    line_.clear();
    const Status status = logs_.find(line_);
    if (status.failed()) return status;
    ended = line_.view() != log_.view();
    if (!ended)
        return next_ == 1 && !CapabilityLogs::generation_of(log_.view())
                   ? Status{}  // nothing was ever written
                   : fail(ACCP_ERR_CORRUPT, 0, "the log of the registry of agents is gone");
    agents_.clear();
    next_ = 1;
    copied_ = 0;
    return {};
}

Status SharedCapabilities::read(std::string_view record) {
    const Status status = reader_.read(record.data(), record.size(), kRecord, value_);
    if (status.code == ACCP_ERR_NOMEM) return status;
    if (status.failed() || value_.view()[0].kind != ACCP_MAP)
        return fail(ACCP_ERR_CORRUPT, 0, "a record of the registry of agents is no line of it");
    return {};
}

void SharedCapabilities::apply(bool &ended) {
    const value::TreeView tree = value_.view();
    const value::JsonFields fields(tree, 0);
    verdict_.clear();
    if (const uint32_t entry = tree.find(0, "register")) {
        agents_.add(tree, entry, verdict_);
    } else if (const uint32_t gone = fields.find("deregister", ACCP_STRING)) {
        agents_.remove(tree.string(gone));
    } else if (const uint32_t renewed = fields.find("renew", ACCP_STRING)) {
        if (const uint32_t until = tree.find(0, "lease_until"))
            agents_.renew(tree.string(renewed), read_number(tree.string(until)), kNoClock);
    } else if (const uint32_t worked = fields.find("outcome", ACCP_STRING)) {
        agents_.note_outcome(tree.string(worked), fields.boolean("success"));
    } else if (const uint32_t known = fields.find("outcomes", ACCP_STRING)) {
        Share outcomes = {};
        if (fields.number("good", outcomes.count) && fields.number("all", outcomes.all))
            agents_.set_outcomes(tree.string(known), outcomes);
    } else if (fields.number("snapshot", copied_)) {
        // only how many follow
    } else if (const uint32_t moved = fields.find("moved", ACCP_STRING)) {
        uint64_t count = 0;
        if (!fields.number("records", count)) return;
        log_.assign(tree.string(moved));
        copied_ = count;
        next_ = count + 1;
        ended = true;
    }
}

// All that is in the batch, after all that others have written before it.
Status SharedCapabilities::write() {
    for (int tries = 0; tries < kWriteTries; ++tries) {
        Status status = write_once();
        const bool is_behind = status.code == ACCP_ERR_CLOSED;
        if (status.failed() && !is_behind) return status;
        status = follow();
        if (status.failed()) return status;
        if (is_behind) continue;
        if (is_due()) (void)compact();  // where that fails, the next writer tries
        return {};
    }
    return fail(ACCP_ERR_BUSY, 0, kBusy);
}

// ACCP_ERR_CLOSED: others have written, or write.
Status SharedCapabilities::write_once() {
    constexpr const char *kBehind = "others have written to the registry of agents";
    store::StoreSession *opened = nullptr;
    Status status = store_->open_session(log_.view(), true, opened);
    if (status.failed()) return status;
    const store::HeldSession session(opened);
    if (session->row().last + 1 != next_) return fail(ACCP_ERR_CLOSED, 0, kBehind);
    if (next_ == 1) {  // this call may have made it anew, after it was taken out
        line_.clear();
        status = logs_.find(line_);
        if (status.failed()) return status;
        if (line_.view() != log_.view()) return fail(ACCP_ERR_CLOSED, 0, kBehind);
    }
    return session->commit_now(batch_);
}

void SharedCapabilities::begin_line(std::string_view change, std::string_view name) {
    batch_.clear();
    line_.clear();
    line_.append("{\"");
    line_.append(change);
    line_.append("\":");
    value::write_json_string(name, line_);
}

Status SharedCapabilities::add(value::TreeView tree, uint32_t entry, Verdict &verdict) {
    const Status status = follow();
    if (status.failed()) return status;
    if (!store_) {
        agents_.add(tree, entry, verdict);
        return {};
    }
    if (!agents_.check(tree, entry, verdict)) return {};
    batch_.clear();
    add_line(tree, entry);
    return write();
}

void SharedCapabilities::add_line(value::TreeView tree, uint32_t entry) {
    line_.clear();
    line_.append(R"({"register":)");
    value::write_json(tree, entry, line_);
    line_.push('}');
    batch_.append(line_.view());
}

Status SharedCapabilities::load(value::TreeView tree, uint32_t array, Verdict &verdict,
                                uint32_t &number_out) {
    Status status = follow();
    uint32_t number = 0, waiting = 0;  // in the batch
    const auto flush = [&] {
        if (status.ok() && waiting) status = write();
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
        if (!is_good && waiting) {  // it may be about one of those before it
            flush();
            if (status.failed()) return status;
            verdict.clear();
            is_good = agents_.check(tree, i, verdict);
        }
        if (!is_good) break;
        add_line(tree, i);
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
    const Status status = follow();
    if (status.failed()) return status;
    known = agents_.find(name) != nullptr;
    if (!known) return {};
    if (!store_) {
        agents_.remove(name);
        return {};
    }
    begin_line("deregister", name);
    line_.push('}');
    batch_.append(line_.view());
    return write();
}

Status SharedCapabilities::renew(std::string_view name, double lease_until, double now,
                                 bool &known) {
    const Status status = follow();
    if (status.failed()) return status;
    const Capability *agent = agents_.find(name);
    known = agent && !agent->is_gone(now);
    if (!known) return {};
    if (!store_) {
        agents_.renew(name, lease_until, now);
        return {};
    }
    begin_line("renew", name);
    line_.append(R"(,"lease_until":)");
    char *to = line_.reserve(32);
    line_.set_end(std::to_chars(to, to + 32, lease_until).ptr);
    line_.push('}');
    batch_.append(line_.view());
    return write();
}

Status SharedCapabilities::note_outcome(std::string_view name, bool success, bool &known) {
    const Status status = follow();
    if (status.failed()) return status;
    known = agents_.find(name) != nullptr;
    if (!known) return {};
    if (!store_) {
        agents_.note_outcome(name, success);
        return {};
    }
    begin_line("outcome", name);
    line_.append(success ? R"(,"success":true})" : R"(,"success":false})");
    batch_.append(line_.view());
    return write();
}

// All in one commit.
Status SharedCapabilities::sweep(double now, uint64_t &swept) {
    Status status = follow();
    if (status.failed()) return status;
    if (!store_) {
        swept = agents_.sweep(now);
        return {};
    }
    const size_t before = agents_.count();
    batch_.clear();
    line_.clear();
    agents_.each([&](const Capability &agent) {
        if (!agent.is_gone(now)) return;
        line_.clear();
        line_.append(R"({"deregister":)");
        value::write_json_string(agent.name(), line_);
        line_.push('}');
        batch_.append(line_.view());
    });
    status = batch_.empty() ? Status{} : write();
    if (status.ok()) swept = before - agents_.count();
    return status;
}

}  // namespace accp::sacp
