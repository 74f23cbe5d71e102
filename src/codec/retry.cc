// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The header, the payload and all metadata outside the envelope are copied unchanged.
#include "codec/retry.h"

#include "frame/envelope.h"
#include "frame/parse.h"

namespace accp::codec {

namespace {

// Combines the old envelope and the fresh one.
Status make_envelope(const accp_envelope &old, const accp_envelope &fresh, accp_envelope &made) {
    constexpr uint32_t kNeeded = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
    auto stale = [](const char *message) { return fail(ACCP_ERR_ARG, 0, message); };
    if ((fresh.fields & kNeeded) != kNeeded)
        return stale("a frame that is sent again must have a new mid and seq");
    if ((old.fields & ACCP_ENVELOPE_TS) && !(fresh.fields & ACCP_ENVELOPE_TS))
        return stale("a frame that is sent again must have a new ts");
    if (fresh.fields & ACCP_ENVELOPE_CID)
        return stale("a frame that is sent again keeps its cid: do not set one");
    const bool same = (old.fields & ACCP_ENVELOPE_MID) && old.mid.len == fresh.mid.len &&
                      fresh.mid.text && !std::memcmp(old.mid.text, fresh.mid.text, old.mid.len);
    if (same || ((old.fields & ACCP_ENVELOPE_SEQ) && fresh.seq <= old.seq))
        return stale("this mid or seq was used before");
    made = old;
    for (const frame::EnvelopeField &field : frame::kEnvelope) {
        if (!(fresh.fields & field.bit)) continue;
        if (field.text) made.*field.text = fresh.*field.text;
        else made.*field.number = fresh.*field.number;
    }
    made.fields = old.fields | fresh.fields;
    if (made.fields & ACCP_ENVELOPE_CID) return {};
    if (!(old.fields & ACCP_ENVELOPE_MID))
        return fail(ACCP_E1001, 0, "a frame with neither mid nor cid cannot be sent again");
    made.cid = old.mid;
    made.fields |= ACCP_ENVELOPE_CID;
    return {};
}

bool is_of_envelope(std::string_view key) {
    for (const frame::EnvelopeField &field : frame::kEnvelope)
        if (key == field.key) return true;
    return false;
}

}  // namespace

Status write_retry(value::TreeView frame, uint32_t count, size_t len, const accp_envelope &fresh,
                   uint64_t key_bytes, Memory &memory, Buffer<char> &out) {
    const uint32_t meta = frame::metadata_of(frame.nodes, count);
    accp_envelope old, made;
    Status status = frame::read_envelope(frame, meta, old);
    if (status.ok()) status = make_envelope(old, fresh, made);
    frame::EnvelopeStore store(memory);
    if (status.ok()) status = store.set(&made, key_bytes);
    if (status.failed()) return status;
    out.append(frame.text, meta ? frame[meta].offset : len);
    char before = '[';
    for (const frame::EnvelopeField &field : frame::kEnvelope) {
        if (!store.has(field)) continue;
        out.push(before);
        before = ',';
        store.write(field, out);
    }
    for (uint32_t i = meta + 1; meta && i < frame[meta].next; i = frame[i].next) {
        if (is_of_envelope(frame.key(i))) continue;
        const uint32_t next = frame[i].next, begin = ACCP_NODE_KEY(&frame[i]);
        // A pair ends before the comma and the next key, or before the closing bracket of the
        // frame.
        const size_t end = next < count ? ACCP_NODE_KEY(&frame[next]) - 1 : len - 1;
        out.push(',');
        out.append(frame.text + begin, end - begin);
    }
    out.push(']');
    return {};
}

}  // namespace accp::codec
