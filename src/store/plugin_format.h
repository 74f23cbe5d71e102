// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The format of a session in a back end's row, keys, notes and records (docs/notes/sessions.md).
// Numbers are little-endian.
//
//   row     birth, fence, ops, version, last, floor, runs, indexed, generation, mids, record_bytes
//   record  16 bits: the number of its mids; the mids, 64 bits each; the bytes of the record
//   keys    s                            the state
//           b tier key                   a blob; note: expires, generation
//           g grantee \0 \1 prefix       a grant, each \0 of the grantee as \0 \255; note: expires
//           m level run part             sorted mids (plugin_mids.h)
#pragma once

#include <cassert>

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
// Returns false if the bytes are not a row. Leaves `number` and `head` unchanged.
bool read_row(std::string_view bytes, SessionRow &out);

// A key, or a prefix of keys. Callers check ids (kMaxSessionIdBytes) and the keys of blobs
// (kMaxBlobKeyBytes) first, so every key has space.
struct PluginKey {
    char bytes[kMaxKeyBytes];
    size_t size = 0;

    std::string_view view() const { return {bytes, size}; }
    void add(char c) { add(std::string_view(&c, 1)); }
    void add(std::string_view text) {
        assert(text.size() <= sizeof bytes - size);
        size += text.copy(bytes + size, text.size());
    }
};
static_assert(kMaxKeyBytes >= 2 * kMaxSessionIdBytes + kMaxBlobKeyBytes + 3);  // of a grant
PluginKey state_key();
PluginKey blob_key(Tier tier, std::string_view key);
PluginKey grants_key(std::string_view grantee);  // the prefix of their keys
PluginKey mids_key(uint64_t level, uint64_t run, uint64_t part);

// Parse a key. They return false if it is not such a key.
bool read_blob_key(std::string_view key, Tier &tier, std::string_view &name);
bool read_grant_key(std::string_view key, Buffer<char> &grantee, std::string_view &prefix);

struct PluginNote {
    uint64_t expires = 0;
    uint64_t generation = 0;
};
bool read_note(std::string_view bytes, PluginNote &out);

void put_number(uint64_t number, char *to);
uint64_t number_at(const char *from);

// Splits a stored record into its mids and its bytes. Returns false if it is not one.
bool split_record(std::string_view kept, std::string_view &mids, std::string_view &bytes);

}  // namespace accp::store
