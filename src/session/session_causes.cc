// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: is a frame of a chain that was cancelled? The index of causes is made when that is
// asked first, from the newest records, and kept from then on.
#include "session/refs.h"

#include "base/text.h"
#include "session/session.h"

namespace accp::session {

Status Session::is_cancelled(const accp_envelope &envelope, Scratch &scratch, bool &out) {
    const delivery::CancelledChains &chains = live_->pending.chains;
    out = false;
    if (chains.empty()) return {};
    if (envelope.fields & ACCP_ENVELOPE_AID && !live_->causes.is_complete())
        if (Status status = find_causes(scratch); status.failed()) return status;
    const uint64_t last = store_->row().last;
    out = chains.covers(envelope, live_->causes, last > kMaxLookback ? last - kMaxLookback : 0);
    return {};
}

// The newest records first, as many as count and as are not too much to read.
Status Session::find_causes(Scratch &scratch) {
    const delivery::CancelledChains &chains = live_->pending.chains;
    Buffer<delivery::Causes::Cause> found(scratch.memory);
    size_t read = 0;
    uint64_t last = store_->row().last;
    const uint64_t after = last > kMaxLookback ? last - kMaxLookback : 0;
    while (last > after && read < kMaxCauseBytes) {
        Status status = store_->scan(after + 1, last, true, kScanBytes, scratch.records);
        if (status.failed()) return status;
        if (!scratch.records.size()) break;
        for (size_t i = 0; i < scratch.records.size(); ++i) {
            const store::StoreRecords::Record stored = scratch.records[i];
            Record record;
            accp_envelope envelope;
            last = stored.seq - 1;
            read += stored.bytes.size();
            if (!accp::session::read_record(stored.bytes, record) || !record.is_frame()) continue;
            if (!read_envelope_of(record.text, scratch, envelope)) continue;
            found.push({stored.seq, chains.hash(to_view(envelope.mid)),
                        chains.hash(to_view(envelope.cid)), chains.hash(to_view(envelope.aid)), 0});
        }
    }
    for (size_t i = found.size(); i > 0; --i) live_->causes.add(found[i - 1]);
    live_->causes.set_complete();
    return {};
}

// Of a frame that was taken.
bool Session::read_envelope_of(std::string_view frame, Scratch &scratch, accp_envelope &out) {
    Buffer<value::Node> &nodes = scratch.ancestor_nodes;
    nodes.recycle(kKeptBytes);
    if (scratch.codec.coder.parse(frame.data(), frame.size(), nodes).failed()) return false;
    const uint32_t meta = frame::metadata_of(nodes.data(), nodes.size());
    return frame::read_envelope({nodes.data(), frame.data()}, meta, out).ok();
}

void Session::note_cause(const accp_envelope &envelope, uint64_t place) {
    const delivery::CancelledChains &chains = live_->pending.chains;
    if (!live_->causes.is_complete()) return;
    live_->causes.add({place, chains.hash(to_view(envelope.mid)),
                       chains.hash(to_view(envelope.cid)), chains.hash(to_view(envelope.aid)), 0});
}

}  // namespace accp::session
