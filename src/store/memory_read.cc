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
    uint64_t count = last - first + 1;
    for (uint64_t i = 0; i < count && (i == 0 || out.bytes() < max_bytes); ++i) {
        uint64_t seq = newest_first ? last - i : first + i;
        out.add(seq, session->log[seq - 1]->bytes());
    }
    return {};
}

Status MemoryBackend::blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                           Buffer<char> &out) {
    MemorySession *session = at(number);
    const StoreOp *found = session ? session->find_blob(tier, key) : nullptr;
    if (!found) return session ? fail(ACCP_E2001, 0, kNoBlob) : gone();
    row = {found->tier, found->number, found->generation};
    out.assign(found->bytes());
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
        for (size_t at = 0; at < session.log.size(); ++at)
            out.record_bytes += session.log[at]->bytes_len;
        for (size_t at = 0; at < session.blobs.size(); ++at)
            out.blob_bytes += session.blobs[at]->bytes_len;
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
    for (size_t i = 0; status.ok() && i < session->log.size(); ++i)
        status = sink.record(i + 1, session->log[i]->bytes());
    for (size_t i = 0; status.ok() && i < session->blobs.size(); ++i) {
        const StoreOp &blob = *session->blobs[i];
        status = sink.blob(blob.key(), {blob.tier, blob.number, blob.generation}, blob.bytes());
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
