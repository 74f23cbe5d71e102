// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How a session lies in a back end's row, keys, notes and records (docs/notes/sessions.md). Numbers
// are little-endian.
//
//   row     birth, fence, ops, version, last, generation, floor, runs, indexed, record_bytes, mids
//   record  16 bits: how many mids came with it; those, of 64 bits; the record's bytes
//   keys    s                            the state
//           b tier key                   a blob; note: expires, generation
//           g grantee \0 \1 prefix       a grant, each \0 of the grantee as \0 \255; note: expires
//           m level run part             sorted mids (plugin_mids.h)
#pragma once

#include "base/arena.h"
#include "store/backend.h"

namespace accp::store {

inline constexpr size_t kRowNumbers = 11;
inline constexpr size_t kMaxKeyBytes = 1024;

struct PluginRow {
    char bytes[kRowNumbers * sizeof(uint64_t)];

    std::string_view view() const { return {bytes, sizeof bytes}; }
};
PluginRow write_row(const SessionRow &row);
// False: it is none. number and head stay as they are.
bool read_row(std::string_view bytes, SessionRow &out);

// A key, or the beginning of one.
struct PluginKey {
    char bytes[kMaxKeyBytes];
    size_t size = 0;

    std::string_view view() const { return {bytes, size}; }
    void add(char c) { bytes[size++] = c; }
    void add(std::string_view text) { size += text.copy(bytes + size, text.size()); }
};
PluginKey state_key();
PluginKey blob_key(Tier tier, std::string_view key);
PluginKey grants_key(std::string_view grantee);  // the beginning of all of them
PluginKey mids_key(uint64_t level, uint64_t run, uint64_t part);

// What a key says; false: it is no such key.
bool read_blob_key(std::string_view key, Tier &tier, std::string_view &name);
bool read_grant_key(std::string_view key, Buffer<char> &grantee, std::string_view &prefix);

struct PluginNote {
    uint64_t expires = 0;
    uint64_t generation = 0;
};
bool read_note(std::string_view bytes, PluginNote &out);

void put_number(uint64_t number, char *to);
uint64_t number_at(const char *from);

// A record without its mids; false: it is none. visit(word) for each.
bool split_record(std::string_view kept, std::string_view &mids, std::string_view &bytes);

}  // namespace accp::store
