// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See memory_backend.h: what sessions have.
#include "store/memory_backend.h"

namespace accp::store {

Status MemoryBackend::state(const OpenSession &open, Buffer<char> &out) {
    MemorySession *session = at(open.row.number);
    out.clear();
    if (session && session->state) out.assign(session->state->bytes());
    return session ? Status{} : gone();
}

Status MemoryBackend::scan(const OpenSession &open, uint64_t first, uint64_t last,
                           bool newest_first, size_t max_bytes, StoreRecords &out) {
    MemorySession *session = at(open.row.number);
    if (!session) return gone();
    session->log.each(first, last, newest_first, scratch_, [&](uint64_t seq, std::string_view it) {
        out.add(seq, it);
        return out.bytes() < max_bytes;
    });
    return {};
}

// Replaces `out`.
void MemoryBackend::read_bytes(const StoreOp &op, Buffer<char> &out) {
    out.clear();
    if (op.unpacked) (void)lz_unpack(op.bytes(), op.unpacked, out);
    else out.append(op.bytes());
}

Status MemoryBackend::blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                           Buffer<char> &out) {
    MemorySession *session = at(number);
    const StoreOp *found = session ? session->find_blob(tier, key) : nullptr;
    if (!found) return session ? fail(ACCP_E2001, 0, kNoBlob) : gone();
    row = {found->tier, found->number, found->generation};
    read_bytes(*found, out);
    return {};
}

Status MemoryBackend::has_mid(OpenSession &open, uint64_t word, bool &out) {
    MemorySession *session = at(open.row.number);
    out = session && session->has_mid(word);
    return session ? Status{} : gone();
}

Status MemoryBackend::find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row,
                                  Buffer<char> *out) {
    MemorySession *from = find(wanted.owner), *to = at(grantee.row.number);
    if (!to) return gone();
    for (size_t i = 0; from && i < from->grants.size(); ++i) {
        const StoreOp &grant = *from->grants[i];
        if (grant.bytes() != to->name() || !wanted.name.starts_with(grant.key()) ||
            has_expired(grant.number, wanted.now))
            continue;
        return out ? blob(from->row.number, wanted.tier, wanted.key, row, *out) : Status{};
    }
    return fail(ACCP_E5002, 0, kNotGranted);
}

Status MemoryBackend::stats(StoreStats &out) {
    out = {};
    for (size_t i = 0; i < sessions_.size(); ++i) {
        if (!sessions_[i]) continue;
        const MemorySession &session = *sessions_[i];
        ++out.sessions;
        out.records += session.log.size();
        out.blobs += session.blobs.size();
        out.grants += session.grants.size();
        out.mids += session.mids.count();
        out.record_bytes += session.log.bytes();
        for (size_t at = 0; at < session.blobs.size(); ++at) {
            const StoreOp &blob = *session.blobs[at];
            out.blob_bytes += blob.unpacked ? blob.unpacked : blob.bytes_len;
        }
    }
    return {};
}

Status MemoryBackend::next_session(uint64_t &after, Buffer<char> &out) {
    while (after < sessions_.size()) {
        MemorySession *session = at(++after);
        if (!session) continue;
        out.assign(session->name());
        return {};
    }
    return fail(ACCP_E2001, 0, kNoSession);
}

Status MemoryBackend::export_session(std::string_view id, SessionSink &sink) {
    MemorySession *session = find(id);
    if (!session) return fail(ACCP_E2001, 0, kNoSession);
    Status status =
        sink.row(id, session->row, session->state ? session->state->bytes() : std::string_view());
    if (session->log.size())
        session->log.each(1, session->log.size(), false, scratch_,
                          [&](uint64_t seq, std::string_view it) {
                              if (status.ok()) status = sink.record(seq, it);
                              return status.ok();
                          });
    Buffer<char> bytes(memory_);
    for (size_t i = 0; status.ok() && i < session->blobs.size(); ++i) {
        const StoreOp &blob = *session->blobs[i];
        read_bytes(blob, bytes);
        status = sink.blob(blob.key(), {blob.tier, blob.number, blob.generation}, bytes.view());
    }
    for (size_t i = 0; status.ok() && i < session->grants.size(); ++i) {
        const StoreOp &grant = *session->grants[i];
        status = sink.grant(grant.bytes(), grant.key(), grant.number);
    }
    session->mids.each([&](uint64_t kept) {
        if (status.ok()) status = sink.mid(kept - 1);
    });
    return status;
}

}  // namespace accp::store
