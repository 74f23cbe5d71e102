// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a session has open, beside its context and its state. It is kept in a blob of its own,
// written with a snapshot where it changed: a snapshot is small, and there are many.
//
//   pending  = number *chain number *request *part
//   chain    = cid agent flags      that was cancelled, and by whom
//   flags    = number               1: by us; 2: it is done; 3: both
//   request  = cid deadline timeout record
//                                   of ours that waits
//   deadline = number               milliseconds since the epoch
//   timeout  = number               milliseconds
//   record   = number               of the request
//   part     = number               the record of a part of a message
//   cid      = string
//   agent    = string
//
// Numbers and strings are those of a record (record.h).
#pragma once

#include "base/pack.h"
#include "base/text.h"
#include "delivery/causes.h"
#include "delivery/chains.h"
#include "delivery/deadlines.h"
#include "delivery/parts.h"

namespace accp::session {

// In the tag of a part, which is the number of its record: it is data from outside, as its record
// says too.
constexpr uint64_t kUntrustedTag = uint64_t{1} << 63;

struct Pending {
    explicit Pending(Memory &memory)
        : chains(memory), requests(memory), parts(memory), part_records(memory) {}

    delivery::CancelledChains chains;
    delivery::Deadlines requests;     // of ours, that wait for their answer
    delivery::PartialMessages parts;  // that came in, by their records
    bool kept = true;                 // the store has it as it is

    Buffer<uint64_t> part_records;  // what read() found of parts: their texts are in the log

    void write(Buffer<char> &out) const {
        Packer packer(out);
        chains.save(packer);
        packer.number(requests.waiting());
        for (uint32_t i = 0; i < requests.waiting(); ++i) {
            const delivery::Deadlines::Request &request = requests[i];
            packer.text({request.cid.text, request.cid.len});
            for (int64_t n :
                 {request.deadline, request.timeout_ms, static_cast<int64_t>(request.record)})
                packer.number(static_cast<uint64_t>(n));
        }
        parts.each_tag([&](uint64_t record) { packer.number(record & ~kUntrustedTag); });
    }

    delivery::Causes::Cause cause_of(const accp_envelope &envelope, uint64_t record) const {
        return {record, chains.hash(to_view(envelope.mid)), chains.hash(to_view(envelope.cid)),
                chains.hash(to_view(envelope.aid)), 0};
    }

    void abandon(std::string_view cid) {
        if (!parts.holds(cid)) return;
        parts.abandon(cid);
        kept = false;
    }

    static constexpr const char *kNotKept = "what the session has open is not what was kept";

    // Into one that is empty. ACCP_ERR_CORRUPT for what write() did not write.
    Status read(std::string_view bytes) {
        Unpacker unpacker(bytes);
        if (!chains.restore(unpacker)) return fail(ACCP_ERR_CORRUPT, 0, kNotKept);
        for (uint64_t left = unpacker.number(); left && unpacker.ok(); --left) {
            std::string_view cid = unpacker.text();
            delivery::Deadlines::Request request = {to_text(cid), 0, 0, 0};
            request.deadline = static_cast<int64_t>(unpacker.number());
            request.timeout_ms = static_cast<int64_t>(unpacker.number());
            request.record = unpacker.number();
            if (unpacker.ok() && requests.start(request).failed())
                return fail(ACCP_ERR_CORRUPT, 0, kNotKept);
        }
        while (unpacker.ok() && !unpacker.rest().empty()) part_records.push(unpacker.number());
        return unpacker.ok() ? Status{} : fail(ACCP_ERR_CORRUPT, 0, kNotKept);
    }
};

}  // namespace accp::session
