// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See reading.h: the shared state of a session, out of its log.
#include "session/frames.h"
#include "session/reading.h"
#include "session/ref_name.h"
#include "session/snapshot.h"

namespace accp::session {

namespace {

// Values that the other session keeps in cold. What else a frame of it referred to is kept with the
// frame.
class ForeignRefs final : public codec::RefResolver {
public:
    ForeignRefs(const Reading &from, Scratch &scratch) : from_(from), scratch_(scratch) {}

    Status resolve(std::string_view ref, std::string_view &json) override {
        if (ref.substr(0, kColdPrefix.size()) != kColdPrefix)
            return fail(ACCP_E2001, 0, "this ref is kept with its frame");
        scratch_.refs.resolved.recycle(kKeptBytes);
        Status status = look_up(from_, "cold", ref.substr(kColdPrefix.size()), 0, scratch_,
                                scratch_.refs.resolved);
        json = scratch_.refs.resolved.view();
        return status;
    }

private:
    const Reading &from_;
    Scratch &scratch_;
};

// The state as of the newest snapshot, and its record. A writer may make another one meanwhile:
// what is read belongs together, or is read again.
Status read_snapshot(store::StoreSession &store, Scratch &scratch, SharedState &state,
                     uint64_t &place) {
    constexpr int kTries = 8;
    for (int i = 0; i < kTries; ++i) {
        Snapshot before, after;
        Status status = store.state(scratch.refs.found);
        Unpacker first(scratch.refs.found.view());
        if (status.ok()) status = before.read_head(first, nullptr);
        if (status.ok() && before.state_version) {
            status = store.blob(store::Tier::kWarm, kStateKey, 0, scratch.log.found);
            if (status.code == ACCP_E2001)
                return fail(ACCP_ERR_CORRUPT, 0, "the shared state is not there");
            if (status.ok()) status = store.state(scratch.refs.found);
            Unpacker second(scratch.refs.found.view());
            if (status.ok()) status = after.read_head(second, nullptr);
            if (status.ok() && before.place != after.place) continue;
            if (status.ok()) state.restore(before.state_version, scratch.log.found.view());
        }
        place = before.place;
        return status;
    }
    return fail(ACCP_ERR_BUSY, 0, "the session is being written");
}

// A record's message, where it changes the state.
Status follow(const Reading &from, uint64_t place, const Record &record, Scratch &scratch,
              SharedState &state) {
    if (record.kind != RecordKind::kMessage && !record.has_json()) return {};
    message::Message message;
    ReadAsWritten as(scratch.codec);
    Status status;
    if (record.kind == RecordKind::kMessage || !record.json.empty()) {
        const bool is_frame = record.kind != RecordKind::kMessage;
        status = read_message(is_frame ? record.json : record.text, scratch, message);
    } else {
        const std::string_view header = record.text.substr(0, record.text.find('{'));
        if (header.find(">sync:state") == std::string_view::npos) return {};
        ForeignRefs refs(from, scratch);
        status = as.begin(from.store, from.written, place, scratch);
        if (status.ok()) status = scratch.codec.parse(record.text);
        if (status.ok())
            status = scratch.codec.decode_parsed({&refs, record.untrusted, false}, message);
    }
    if (status.failed() || !message.is_state()) return status;
    status = state.apply(message.tree, message.payload, jump_of(record), scratch.state);
    if (status.ok()) state.take(message.untrusted || record.untrusted);
    return record.kind == RecordKind::kMessage ? Status{} : status;
}

}  // namespace

Status read_state(const Reading &from, Scratch &scratch, Buffer<char> &out) {
    store::StoreSession &store = from.store;
    SharedState state(scratch.memory);
    uint64_t last = 0;
    Status status = store.row().version ? read_snapshot(store, scratch, state, last) : Status{};
    while (status.ok() && ++last <= store.row().last) {
        store::StoreRecords &found = scratch.log.records;
        status = store.scan(last, 0, false, kScanBytes, found);
        if (status.ok() && !found.size()) return fail(ACCP_ERR_CORRUPT, 0, "records are missing");
        for (size_t i = 0; status.ok() && i < found.size(); ++i) {
            Record record;
            if (!read_record(found[i].bytes, record))
                return fail(ACCP_ERR_CORRUPT, 0, "a record that cannot be read");
            status = follow(from, found[i].seq, record, scratch, state);
            last = found[i].seq;
        }
    }
    if (status.failed()) return status;
    out.append(state.json());
    scratch.refs.untrusted = state.untrusted;
    return {};
}

}  // namespace accp::session
