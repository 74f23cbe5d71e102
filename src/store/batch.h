// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The operations of one commit on one session, applied all or none. The caller may clear a batch
// and use it again.
#pragma once

#include <string_view>

#include "base/limits.h"
#include "base/memory.h"
#include "base/sha256.h"

namespace accp::store {

enum class Tier : uint8_t { kHot = 1, kWarm = 2, kCold = 3 };

// The header of an operation in a batch or a queue. Its key and its bytes follow it.
struct StoreOp {
    enum Kind : uint8_t { kAppend, kState, kFloor, kPut, kErase, kMid, kGrant, kRevoke };

    uint8_t kind;
    Tier tier;           // for kPut, kErase
    uint16_t key_len;    // a blob's key, a grant's prefix
    uint32_t bytes_len;  // a record, a state, a blob, a grantee's id
    // the sequence of a record, the version of a state, the floor, or the word of a mid; else the
    // expiry time (0: never)
    uint64_t number;
    uint64_t generation;  // of a blob
    // the size of the bytes before packing, if the memory back end packed them (base/lz.h); else 0
    uint64_t unpacked = 0;

    std::string_view key() const { return {reinterpret_cast<const char *>(this + 1), key_len}; }
    std::string_view bytes() const {
        return {reinterpret_cast<const char *>(this + 1) + key_len, bytes_len};
    }
    size_t size() const {
        return sizeof(StoreOp) + ((size_t{key_len} + bytes_len + 7) & ~size_t{7});
    }
};

// Returns the number under which the store keeps a mid: the value of exactly 12 lower-case
// hexadecimal digits, else 62 bits of the SHA-256 of the text, with bit 62 set.
uint64_t mid_word(std::string_view mid);
// The same for the mid of one agent, from the SHA-256 of both names. Agents with the same mid get
// different words.
uint64_t mid_word(std::string_view agent, std::string_view mid);

// Texts are copied. StoreSession::commit() checks lengths and refuses a batch with a text that is
// too long.
class StoreBatch {
public:
    explicit StoreBatch(Memory &memory) : ops_(memory) {}

    void clear() {
        ops_.recycle(kKeptBytes);
        count_ = appends_ = 0;
        has_oversized_text_ = false;
    }
    bool empty() const { return count_ == 0; }

    // Appends a record to the log. The commit numbers it: one more than the last record, from 1.
    void append(std::string_view record) {
        add({StoreOp::kAppend, {}, 0, 0, ++appends_, 0}, {}, record);
    }
    // Replaces the state and raises its version by one.
    void set_state(std::string_view state) { add({StoreOp::kState, {}, 0, 0, 0, 0}, {}, state); }
    // Protects the blobs of this generation and later ones (see put) from prune(), for example
    // because a delta needs its base.
    void set_floor(uint64_t generation) { add({StoreOp::kFloor, {}, 0, 0, generation, 0}, {}, {}); }

    // Writes a blob, replacing one with the same key. expires: milliseconds, 0 for never.
    // generation: the checkpoint that the blob belongs to, by which prune() decides; 0: none.
    void put(Tier tier, std::string_view key, std::string_view bytes, uint64_t expires = 0,
             uint64_t generation = 0) {
        add({StoreOp::kPut, tier, 0, 0, expires, generation}, key, bytes);
    }
    // Writes a blob whose key is the SHA-256 of the bytes. Returns the key.
    Digest put_content(Tier tier, std::string_view bytes, uint64_t expires = 0,
                       uint64_t generation = 0) {
        Digest name = sha256(bytes);
        put(tier, name.view(), bytes, expires, generation);
        return name;
    }
    void erase(Tier tier, std::string_view key) {
        add({StoreOp::kErase, tier, 0, 0, 0, 0}, key, {});
    }

    // Notes that the session has seen this mid. It is kept as long as the session.
    void note_mid(std::string_view mid) { note_mid_word(mid_word(mid)); }
    void note_mid_word(uint64_t word) { add({StoreOp::kMid, {}, 0, 0, word, 0}, {}, {}); }

    // Lets session `grantee` read the blobs of this one whose name ("cold.t7") begins with
    // `prefix`. A second grant replaces the expiry.
    void grant(std::string_view grantee, std::string_view prefix, uint64_t expires = 0) {
        add({StoreOp::kGrant, {}, 0, 0, expires, 0}, prefix, grantee);
    }
    void revoke(std::string_view grantee, std::string_view prefix) {
        add({StoreOp::kRevoke, {}, 0, 0, 0, 0}, prefix, grantee);
    }

    // The operations one after the other, for back ends.
    const char *begin() const { return ops_.data(); }
    size_t size() const { return ops_.size(); }
    uint64_t appends() const { return appends_; }
    bool has_oversized_text() const { return has_oversized_text_; }

private:
    void add(StoreOp op, std::string_view key, std::string_view bytes);

    Buffer<char> ops_;
    uint64_t count_ = 0;
    uint64_t appends_ = 0;
    bool has_oversized_text_ = false;
};

}  // namespace accp::store
