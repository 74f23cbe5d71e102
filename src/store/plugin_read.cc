// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reading, exporting and verifying sessions.
#include "store/plugin_backend.h"

#include <algorithm>

namespace accp::store {

namespace {

constexpr const char *kBadKey = "a key, or its note, is damaged";
constexpr const char *kBadLog = "a record is missing, or damaged";

}  // namespace

// Reads records in order into `out`, and their mids into `mids`; either may be NULL.
Status PluginBackend::scan_kept(std::string_view id, uint64_t first, uint64_t last,
                                bool newest_first, StoreRecords *out, Buffer<uint64_t> *mids,
                                size_t max_bytes) {
    uint64_t next = newest_first ? last : first, left = last - first + 1;
    bool is_valid = true;
    Status status =
        port_.records(id, first, last, newest_first, [&](uint64_t seq, std::string_view kept) {
            std::string_view words, bytes;
            is_valid = left && seq == next && split_record(kept, words, bytes);
            if (!is_valid) return false;
            next += newest_first ? uint64_t(-1) : 1;
            --left;
            if (out) out->add(seq, bytes);
            for (size_t at = 0; mids && at < words.size(); at += sizeof(uint64_t))
                mids->push(number_at(words.data() + at));
            if (out && out->bytes() >= max_bytes) left = 0;
            return left != 0;
        });
    if (status.ok() && (!is_valid || left)) return fail(ACCP_ERR_CORRUPT, next, kBadLog);
    return status;
}

Status PluginBackend::scan(const OpenSession &session, uint64_t first, uint64_t last,
                           bool newest_first, size_t max_bytes, StoreRecords &out) {
    return scan_kept(id_of(session), first, last, newest_first, &out, nullptr, max_bytes);
}

Status PluginBackend::read_state(std::string_view id, Buffer<char> &out) {
    out.clear();
    Status status = port_.value(id, state_key().view(),
                                [&](std::string_view, std::string_view it) { out.assign(it); });
    return status.code == ACCP_E2001 ? Status{} : status;
}

Status PluginBackend::state(const OpenSession &session, Buffer<char> &out) {
    return read_state(id_of(session), out);
}

Status PluginBackend::read_blob(std::string_view id, Tier tier, std::string_view key, BlobRow &row,
                                Buffer<char> &out) {
    PluginNote note;
    bool is_valid = false;
    Status status = port_.value(id, blob_key(tier, key).view(),
                                [&](std::string_view bytes, std::string_view value) {
                                    is_valid = read_note(bytes, note);
                                    out.assign(value);
                                });
    if (status.code == ACCP_E2001) return fail(ACCP_E2001, 0, kNoBlob);
    if (status.ok() && !is_valid) return fail(ACCP_ERR_CORRUPT, 0, kBadKey);
    row = {tier, note.expires, note.generation};
    return status;
}

Status PluginBackend::blob(uint64_t, Tier tier, std::string_view key, BlobRow &row,
                           Buffer<char> &out) {
    return read_blob(id_.view(), tier, key, row, out);
}

Status PluginBackend::read_tail(OpenSession &session) {
    const size_t had = session.tail.size();
    if (session.row.indexed >= session.written) return {};
    Status status = scan_kept(id_of(session), session.row.indexed + 1, session.written, false,
                              nullptr, &session.tail, 0);
    if (status.failed()) session.tail.resize_down(had);
    return status;
}

Status PluginBackend::has_mid(OpenSession &session, uint64_t word, bool &out) {
    return mids_.has(id_of(session), session.row, word, out);
}

Status PluginBackend::find_shared(const SharedBlob &wanted, const OpenSession &grantee,
                                  BlobRow &row, Buffer<char> *out) {
    const PluginKey begin = grants_key(id_of(grantee));
    bool covered = false, is_valid = true;
    Status status = port_.keys(
        wanted.owner, begin.view(), [&](std::string_view key, std::string_view bytes, uint64_t) {
            PluginNote note;
            is_valid = is_valid && read_note(bytes, note);
            covered = is_valid && wanted.name.starts_with(key.substr(begin.size)) &&
                      !has_expired(note.expires, wanted.now);
            return is_valid && !covered;
        });
    if (status.ok() && !is_valid) return fail(ACCP_ERR_CORRUPT, 0, kBadKey);
    if (status.code == ACCP_E2001 || (status.ok() && !covered))
        return fail(ACCP_E5002, 0, kNotGranted);
    if (status.failed() || !out) return status;
    return read_blob(wanted.owner, wanted.tier, wanted.key, row, *out);
}

Status PluginBackend::stats(StoreStats &out) {
    out = {};
    return each_session([&](std::string_view id) {
        SessionRow row;
        Status status = find_row(id, row);
        if (status.code == ACCP_E2001) return Status{};
        ++out.sessions;
        out.records += row.last;
        out.record_bytes += row.record_bytes;
        out.mids += row.mids;
        if (status.ok())
            status = port_.keys(id, "b", [&](std::string_view, std::string_view, uint64_t bytes) {
                ++out.blobs;
                out.blob_bytes += bytes;
                return true;
            });
        if (status.ok())
            status = port_.keys(id, "g", [&](std::string_view, std::string_view, uint64_t) {
                ++out.grants;
                return true;
            });
        return status.code == ACCP_E2001 ? Status{} : status;
    });
}

Status PluginBackend::export_blobs(std::string_view id, SessionSink &sink) {
    Buffer<char> keys(memory_), bytes(memory_);
    Buffer<size_t> ends(memory_);
    Status status = port_.keys(id, "b", [&](std::string_view key, std::string_view, uint64_t) {
        keys.append(key);
        ends.push(keys.size());
        return true;
    });
    size_t at = 0;
    for (size_t i = 0; status.ok() && i < ends.size(); at = ends[i++]) {
        const std::string_view key = keys.view().substr(at, ends[i] - at);
        Tier tier = Tier::kHot;
        std::string_view name;
        BlobRow row;
        if (!read_blob_key(key, tier, name)) return fail(ACCP_ERR_CORRUPT, 0, kBadKey);
        status = read_blob(id, tier, name, row, bytes);
        if (status.code == ACCP_E2001) status = {};  // erased meanwhile
        else if (status.ok()) status = sink.blob(name, row, bytes.view());
    }
    return status;
}

Status PluginBackend::export_grants(std::string_view id, SessionSink &sink) {
    Buffer<char> grantee(memory_);
    Status sunk;
    Status status =
        port_.keys(id, "g", [&](std::string_view key, std::string_view bytes, uint64_t) {
            PluginNote note;
            std::string_view prefix;
            sunk = read_grant_key(key, grantee, prefix) && read_note(bytes, note)
                       ? sink.grant(grantee.view(), prefix, note.expires)
                       : fail(ACCP_ERR_CORRUPT, 0, kBadKey);
            return sunk.ok();
        });
    return status.failed() ? status : sunk;
}

Status PluginBackend::export_kept(std::string_view id, const SessionRow &row, SessionSink &sink) {
    Buffer<char> state(memory_);
    Buffer<uint64_t> words(memory_);
    StoreRecords records(memory_);
    Status status = row.version ? read_state(id, state) : Status{};
    if (status.ok()) status = sink.row(id, row, state.view());
    for (uint64_t seq = 1; status.ok() && seq <= row.last;) {
        records.clear();
        status = scan_kept(id, seq, row.last, false, &records, nullptr, kKeptBytes);
        for (size_t i = 0; status.ok() && i < records.size(); ++i, ++seq)
            status = sink.record(seq, records[i].bytes);
    }
    if (status.ok()) status = export_blobs(id, sink);
    if (status.ok()) status = export_grants(id, sink);
    if (status.ok()) status = mids_.read_all(id, row, words);
    if (status.ok() && row.indexed < row.last)
        status = scan_kept(id, row.indexed + 1, row.last, false, nullptr, &words, 0);
    std::sort(words.data(), words.end());
    words.set_end(std::unique(words.data(), words.end()));
    for (size_t i = 0; status.ok() && i < words.size(); ++i) status = sink.mid(words[i]);
    return status;
}

// The export is a consistent snapshot: fails if another write came meanwhile.
Status PluginBackend::export_session(std::string_view id, SessionSink &sink) {
    SessionRow row, after;
    Status status = find_row(id, row);
    if (status.failed()) return status;
    status = export_kept(id, row, sink);
    Status again = find_row(id, after);
    if (again.failed()) return again;
    return after.head == row.head
               ? status
               : fail(ACCP_ERR_BUSY, 0,
                      "another writer changed the session during the export: try again");
}

// Reads everything by an export whose output is discarded.
Status PluginBackend::verify_session(std::string_view id) {
    struct Nowhere final : SessionSink {
        Status row(std::string_view, const SessionRow &, std::string_view) override { return {}; }
        Status record(uint64_t, std::string_view) override { return {}; }
        Status blob(std::string_view, const BlobRow &, std::string_view) override { return {}; }
        Status mid(uint64_t) override { return {}; }
        Status grant(std::string_view, std::string_view, uint64_t) override { return {}; }
    } nowhere;
    for (int tries = 0;; ++tries) {
        Status status = export_session(id, nowhere);
        if (status.code != ACCP_ERR_BUSY || tries == 8) return status;
    }
}

Status PluginBackend::verify(void (*report)(const Damage &damage, void *user), void *user) {
    bool damaged = false;
    Status status = each_session([&](std::string_view id) {
        Status found = verify_session(id);
        if (found.code == ACCP_E2001) return Status{};
        if (found.code != ACCP_ERR_CORRUPT) return found;
        damaged = true;
        if (report) report({id, found.message, found.offset, {}}, user);
        return Status{};
    });
    return status.ok() && damaged ? fail(ACCP_ERR_CORRUPT, 0, "the store is damaged") : status;
}

}  // namespace accp::store
