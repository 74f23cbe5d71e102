// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See capabilities_shared.h: a log is written anew. In this order, so that a death between two
// steps leaves a log that is whole:
//
//   1. The old log is opened to write. From here on whoever else writes to it, or compacts it, ends
//      this one: its next commit there fails.
//   2. The registry goes into a session of a new name, which nobody knows.
//   3. The last record of the old log names it. This is the moment: the commit fails where anybody
//      has written in between, and whoever opens the old log from now on reads it to its end.
//   4. The head names the new log, for whoever has read nothing yet.
//   5. The old log is taken out, and what others left that died before 3.
#include "base/text.h"
#include "sacp/agents/capabilities_shared.h"
#include "value/json_writer.h"

namespace accp::plan {

namespace {

constexpr int kCompactTries = 4;
constexpr size_t kBatchBytes = 4 << 20;  // of one commit
constexpr uint64_t kMinRecords = 4096;   // a log that is shorter is left as it is
constexpr uint64_t kMaxPast = 4;         // so many records an agent since the log began

}  // namespace

bool SharedCapabilities::is_due() const {
    const uint64_t past = record_count() - copied_;
    return past > kMinRecords && past > kMaxPast * agents_.count();
}

Status SharedCapabilities::compact(Until until) {
    Status status;
    for (int tries = 0; tries < kCompactTries; ++tries) {
        status = follow();
        if (status.failed() || !store_ || next_ == 1) return status;
        status = compact_once(until);
        if (status.code != ACCP_ERR_CLOSED) return status.ok() ? follow() : status;
    }
    return fail(ACCP_ERR_BUSY, 0, "others keep writing to the registry of agents");
}

// ACCP_ERR_CLOSED: others have written in between.
Status SharedCapabilities::compact_once(Until until) {
    Buffer<char> name(memory_), before(memory_);
    before.append(log_.view());
    logs_.make_name(before.view(), name);
    {
        store::StoreSession *opened = nullptr;
        Status status = store_->open_session(before.view(), true, opened);
        if (status.failed()) return status;
        const store::HeldSession old(opened);
        if (old->row().last + 1 != next_)
            return fail(ACCP_ERR_CLOSED, 0, "others have written to the registry of agents");
        uint64_t count = 0;
        status = copy(name.view(), count);
        if (status.failed() || until == Until::kCopied) return status;
        begin_line("moved", name.view());
        line_.append(R"(,"records":)");
        append_decimal(count, line_);
        line_.push('}');
        batch_.append(line_.view());
        status = old->commit(batch_);
        if (status.ok()) status = old->sync();
        if (status.code == ACCP_ERR_CLOSED) (void)store_->erase_session(name.view());
        if (status.failed() || until == Until::kMoved) return status;
    }
    Status status = logs_.point_to(name.view());
    if (status.failed() || until == Until::kPointed) return status;
    return logs_.erase_older(name.view());
}

// The registry as it stands, into a session of its own: `count` records.
Status SharedCapabilities::copy(std::string_view to, uint64_t &count) {
    Buffer<const Capability *> all(memory_);
    agents_.list(all);
    count = 1;
    for (const Capability *agent : all) count += 1 + (agent->outcomes.all != 0);
    store::StoreSession *opened = nullptr;
    Status status = store_->open_session(to, true, opened);
    if (status.failed()) return status;
    const store::HeldSession session(opened);
    const auto append = [&] {
        line_.push('}');
        batch_.append(line_.view());
        line_.clear();
    };
    batch_.clear();
    line_.clear();
    line_.append(R"({"snapshot":)");
    append_decimal(count, line_);
    append();
    for (const Capability *agent : all) {
        line_.append(R"({"register":)");
        agent->write(line_);
        append();
        if (agent->outcomes.all) {
            line_.append(R"({"outcomes":)");
            value::write_json_string(agent->name(), line_);
            line_.append(R"(,"good":)");
            append_decimal(agent->outcomes.count, line_);
            line_.append(R"(,"all":)");
            append_decimal(agent->outcomes.all, line_);
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

}  // namespace accp::plan
