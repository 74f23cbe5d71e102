// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See capabilities_shared.h.
#include "plan/capabilities_shared.h"

#include <algorithm>
#include <charconv>

#include "value/json_line.h"
#include "value/json_writer.h"

namespace accp::plan {

namespace {

constexpr value::JsonLimits kRecord = {kMaxBlobBytes, kMaxJsonDepth};

}  // namespace

Status SharedCapabilities::follow() {
    if (!store_) return {};
    store::StoreSession *found = nullptr;
    Status status = store_->open_session(kCapabilitiesSession, false, found);
    if (status.failed()) return status.code == ACCP_E2001 ? Status{} : status;
    const store::HeldSession session(found);
    while (next_ <= session->row().last) {
        status = session->scan(next_, 0, false, kScanBytes, records_);
        if (status.failed()) return status;
        if (!records_.size()) break;
        for (size_t i = 0; i < records_.size(); ++i) {
            status = read(records_[i].bytes);
            if (status.failed()) return move_to(status, records_[i].seq);
            apply();
            next_ = records_[i].seq + 1;
        }
    }
    return {};
}

Status SharedCapabilities::read(std::string_view record) {
    const Status status = reader_.read(record.data(), record.size(), kRecord, value_);
    if (status.code == ACCP_ERR_NOMEM) return status;
    if (status.failed() || value_.view()[0].kind != ACCP_MAP)
        return fail(ACCP_ERR_CORRUPT, 0, "a record of the registry of agents is no line of it");
    return {};
}

void SharedCapabilities::apply() {
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
    }
}

// All that is in the batch, and then what others have written before it.
Status SharedCapabilities::write() {
    const Status status =
        store::commit_shared(*store_, kCapabilitiesSession, batch_,
                             "others write to the registry of agents all the time");
    return status.ok() ? follow() : status;
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
    line_.clear();
    line_.append(R"({"register":)");
    value::write_json(tree, entry, line_);
    line_.push('}');
    batch_.append(line_.view());
    return write();
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

}  // namespace accp::plan
