// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See inflow.h: does a frame belong to a chain that was cancelled? What caused it is in the log.
#include "session/inflow.h"

namespace accp::session {

Status Inflow::is_cancelled(const delivery::Arrival &frame, Scratch &scratch, bool &out) {
    const Core &core = driver_.core();
    const delivery::CancelledChains &chains = core.pending.chains;
    const accp_envelope &envelope = frame.envelope;
    out = false;
    // a chain that was cancelled still hears of it, and may say that it has
    if (chains.empty() || frame.intent == "ack" || frame.intent == "cancel") return {};
    if (envelope.fields & ACCP_ENVELOPE_AID && !core.causes.is_complete())
        if (Status status = find_causes(scratch); status.failed()) return status;
    const uint64_t last = driver_.last();
    out = chains.covers(envelope, core.causes, last > kMaxLookback ? last - kMaxLookback : 0);
    return {};
}

// The newest records first, as many as count and as are not too much to read.
Status Inflow::find_causes(Scratch &scratch) {
    Core &core = driver_.core();
    Buffer<delivery::Causes::Cause> found(scratch.memory);
    const store::StoreRecords &records = scratch.log.records;
    size_t read = 0;
    uint64_t last = driver_.last();
    const uint64_t after = last > kMaxLookback ? last - kMaxLookback : 0;
    while (last > after && read < kMaxCauseBytes) {
        Status status =
            driver_.store().scan(after + 1, last, true, kScanBytes, scratch.log.records);
        if (status.failed()) return status;
        if (!records.size()) break;
        for (size_t i = 0; i < records.size(); ++i) {
            const store::StoreRecords::Record stored = records[i];
            Record record;
            accp_envelope envelope;
            last = stored.seq - 1;
            read += stored.bytes.size();
            if (!read_record(stored.bytes, record) || !record.is_frame()) continue;
            if (read_envelope(record.text, scratch, envelope))
                found.push(core.pending.cause_of(envelope, stored.seq));
        }
    }
    for (size_t i = found.size(); i > 0; --i) core.causes.add(found[i - 1]);
    core.causes.set_complete();
    return {};
}

}  // namespace accp::session
