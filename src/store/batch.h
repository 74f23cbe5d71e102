// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What one commit does to one session: a list of operations, applied all or none. Made by the
// caller, cleared and used again.
#pragma once

#include <string_view>

#include "base/limits.h"
#include "base/memory.h"
#include "base/sha256.h"

namespace accp::store {

enum class Tier : uint8_t { kHot = 1, kWarm = 2, kCold = 3 };

// One operation as it lies in a batch and in a backend's queue; its key and its bytes follow it.
struct StoreOp {
    enum Kind : uint8_t { kAppend, kState, kFloor, kPut, kErase, kMid, kGrant, kRevoke };

    uint8_t kind;
    Tier tier;           // of kPut, kErase
    uint16_t key_len;    // key of a blob; prefix of a grant
    uint32_t bytes_len;  // record, state, content of a blob; the grantee's id
    // sequence of a record, version of a state, the floor, the word of a mid; else when it expires
    // (0: never)
    uint64_t number;
    uint64_t generation;  // of a blob
    // of one that the memory backend keeps packed (base/lz.h): how long its bytes are; 0: it is not
    uint64_t unpacked = 0;

    std::string_view key() const { return {reinterpret_cast<const char *>(this + 1), key_len}; }
    std::string_view bytes() const {
        return {reinterpret_cast<const char *>(this + 1) + key_len, bytes_len};
    }
    size_t size() const {
        return sizeof(StoreOp) + ((size_t{key_len} + bytes_len + 7) & ~size_t{7});
    }
};

// A mid as the store keeps it: 12 lower-case hexadecimal digits exactly, any other text as 63 bits
// of its SHA-256.
uint64_t mid_word(std::string_view mid);
// One agent's mid: 62 bits of a SHA-256 over both. The same mid of another agent has another word.
uint64_t mid_word(std::string_view agent, std::string_view mid);

// Lengths are checked by StoreSession::commit(), which refuses the whole batch. Texts are copied.
class StoreBatch {
public:
    explicit StoreBatch(Memory &memory) : ops_(memory) {}

    void clear() {
        ops_.recycle(kKeptBytes);
        count_ = appends_ = 0;
        broken_ = false;
    }
    bool empty() const { return count_ == 0; }

    // The next record of the log. The commit gives it a sequence: the session's last one and one
    // more, from 1.
    void append(std::string_view record) {
        add({StoreOp::kAppend, {}, 0, 0, ++appends_, 0}, {}, record);
    }
    // Replaces the state, and makes its version one larger.
    void set_state(std::string_view state) { add({StoreOp::kState, {}, 0, 0, 0, 0}, {}, state); }
    // Generations (see put) from this one on are needed, by a delta's base for one; prune() never
    // takes them.
    void set_floor(uint64_t generation) { add({StoreOp::kFloor, {}, 0, 0, generation, 0}, {}, {}); }

    // Puts a blob under a key, in place of one that is there. expires: milliseconds, 0 for never.
    // generation: that of the checkpoint it belongs to, which pruning goes by; 0: it belongs to
    // none.
    void put(Tier tier, std::string_view key, std::string_view bytes, uint64_t expires = 0,
             uint64_t generation = 0) {
        add({StoreOp::kPut, tier, 0, 0, expires, generation}, key, bytes);
    }
    // The same under the SHA-256 of the bytes, which it returns.
    Digest put_content(Tier tier, std::string_view bytes, uint64_t expires = 0,
                       uint64_t generation = 0) {
        Digest name = sha256(bytes);
        put(tier, name.view(), bytes, expires, generation);
        return name;
    }
    void erase(Tier tier, std::string_view key) {
        add({StoreOp::kErase, tier, 0, 0, 0, 0}, key, {});
    }

    // This mid was seen: for as long as the session is stored.
    void note_mid(std::string_view mid) { note_mid_word(mid_word(mid)); }
    void note_mid_word(uint64_t word) { add({StoreOp::kMid, {}, 0, 0, word, 0}, {}, {}); }

    // Session `grantee` may read the blobs of this one whose name ("cold.t7") begins with `prefix`.
    // Granted anew: the expiry is the new one.
    void grant(std::string_view grantee, std::string_view prefix, uint64_t expires = 0) {
        add({StoreOp::kGrant, {}, 0, 0, expires, 0}, prefix, grantee);
    }
    void revoke(std::string_view grantee, std::string_view prefix) {
        add({StoreOp::kRevoke, {}, 0, 0, 0, 0}, prefix, grantee);
    }

    // For backends: the operations, one after the other.
    const char *begin() const { return ops_.data(); }
    size_t size() const { return ops_.size(); }
    uint64_t appends() const { return appends_; }
    bool broken() const { return broken_; }  // a text was too long to be noted

private:
    void add(StoreOp op, std::string_view key, std::string_view bytes);

    Buffer<char> ops_;
    uint64_t count_ = 0;
    uint64_t appends_ = 0;
    bool broken_ = false;
};

}  // namespace accp::store
