// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a reference stands for, in a session's store: this session's, or another one's whose grant
// the caller has checked.
//
// The first labels of a reference are its key, the longest that is there; those after them lead
// into the value, by member or by index. refs.h says what the keys are.
#pragma once

#include "session/record.h"
#include "session/ref_name.h"
#include "session/registry_marks.h"
#include "session/rules.h"

namespace accp::session {

// No JSON begins like a stub.
constexpr char kStubMark = '\1';
// What stands before a stored value that is data from outside, so that it is JSON all the same: our
// own JSON never begins with a blank.
constexpr char kUntrustedBlank = ' ';

inline std::string_view mark_value(std::string_view json, Buffer<char> &out) {
    out.recycle(kKeptBytes);
    out.push(kUntrustedBlank);
    out.append(json);
    return out.view();
}

// Where references are looked up. Borrowed.
struct RefSource {
    store::StoreSession &store;
    const RegistryMarks &written;
    const SharedState *state;  // NULL: what its log says
    ColdStore *cold;           // NULL: the store has the values of the cold tier
};

// Each appends JSON. E2001: it names nothing; E2002: it has expired.
//
// A reference of this tier; one as it is written, with a tier or without: `$k` looks in hot, then
// in warm.
Status look_up(const RefSource &from, std::string_view tier, std::string_view key, int64_t now_ms,
               Scratch &scratch, Buffer<char> &out);
Status resolve(const RefSource &from, std::string_view ref, int64_t now_ms, Scratch &scratch,
               Buffer<char> &out);

// The shared state of a session that nobody may have open: what its snapshot and the records after
// that make of it. ACCP_ERR_BUSY where a writer makes one snapshot after the other.
Status read_state(const RefSource &from, Scratch &scratch, Buffer<char> &out);

// Record `seq` of the log, into `bytes`, of which `out` is a view.
Status read_record(store::StoreSession &store, uint64_t seq, store::StoreRecords &records,
                   Buffer<char> &bytes, Record &out);

}  // namespace accp::session
