// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Resolves references in the store of a session: of this session, or of another one whose grant the
// caller has checked.
//
// The first labels of a reference are its key, the longest that exists. The labels after it select
// a part of the value, by member or by index. frame_refs.h lists the keys.
#pragma once

#include "session/record.h"
#include "session/ref_name.h"
#include "session/registry_marks.h"
#include "session/rules.h"

namespace accp::session {

// JSON never starts with this byte.
constexpr char kStubMark = '\1';
// The prefix of a stored value that is untrusted. The result is still JSON, and the library's own
// JSON never starts with a blank.
constexpr char kUntrustedBlank = ' ';

inline std::string_view mark_value(std::string_view json, Buffer<char> &out) {
    out.recycle(kKeptBytes);
    out.push(kUntrustedBlank);
    out.append(json);
    return out.view();
}

// Where references are resolved. Borrowed.
struct RefSource {
    store::StoreSession &store;
    const RegistryMarks &written;
    const SharedState *state;  // nullptr: read it from the log
    ColdStore *cold;           // nullptr: the store has the values of the cold tier
};

// These append JSON. E2001: not found; E2002: expired.
//
// look_up() resolves a key of a tier. resolve() resolves a written ref, with or without a tier:
// `$k` is searched in hot, then in warm.
Status look_up(const RefSource &from, std::string_view tier, std::string_view key, int64_t now_ms,
               Scratch &scratch, Buffer<char> &out);
Status resolve(const RefSource &from, std::string_view ref, int64_t now_ms, Scratch &scratch,
               Buffer<char> &out);

// Reads the shared state of a session that may not be open, from its snapshot and the records after
// it. ACCP_ERR_BUSY: a writer keeps creating snapshots.
Status read_state(const RefSource &from, Scratch &scratch, Buffer<char> &out);

// Reads record `seq` of the log into `bytes`; `out` is a view of it.
Status read_record(store::StoreSession &store, uint64_t seq, store::StoreRecords &records,
                   Buffer<char> &bytes, Record &out);

}  // namespace accp::session
