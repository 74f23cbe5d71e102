// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two agents negotiate a common registry and a common set of extensions, or find that they have
// none in common. Spec 6.4; docs/registry.md describes the frames.
//
// A pure state machine: receive() takes frames, timeout() reports elapsed time, and next() returns
// frames to send. Each side runs one. It needs no session, clock or store, and it tolerates loss,
// repetition, reordering and damage. While it is open, neither side may send anything else.
//
//   hello   v:3|hash:a7f2c1|p:1|x:[q1,t1,m1]|tok:o200k_base|b:<8 hex>|h:<32 hex>
//           sent by every side; b: the built-in profiles of this side
//   get     get:<32 hex>
//           the hashes differ, and this side does not have the other registry
//   chunk   idx:0|tot:2|base:<32 hex or 0>|h:<32 hex>|d:<text>
//           a piece of the delta from `base` to the own registry; the last has done:true. The base
//           is the peer's registry if it is known, else the built-in profiles if both have the
//           same, else nothing
//   ok      ok:<32 hex>
//           this side has the union of both, with this hash
//   no      no:E1003
//           there is no union; with end:true: this side stops
//
// If the hashes of the hellos are equal, the negotiation ends. Otherwise each side needs the
// registry of the other: one from an earlier session (add_known()), or a delta, which is verified
// against the hash of the hello. Both sides then build the same union and send its hash. The union
// is in force when both have sent the same hash. Without a union (E1003), both continue without a
// registry. A peer whose hello has no `h` gets the bare specification, and its six digits have no
// effect.
//
// Every frame ends with `c`, eight digits of the SHA-256 of the text before it. A damaged frame is
// dropped. This does not protect against forged frames, which is the task of the transport. again:1
// marks a frame that timeout() repeats; the other side repeats its answer.
#pragma once

#include "accp/negotiation.h"
#include "frame/parse.h"
#include "registry/registry_ref.h"

namespace accp::registry {

// Digits of a hash, and of the sum of a frame, on the wire.
constexpr size_t kHashDigits = 32, kSumDigits = 8, kBuiltInDigits = 8;
inline std::string_view hash_of(const RegistryRef &registry) {
    return registry->hash().first(kHashDigits);
}
// Returns the end of the chunk of a delta that starts at `begin`. A code point is never split.
size_t chunk_end(const Buffer<char> &delta, size_t begin, uint32_t max_bytes);

class Negotiation {
public:
    enum class State : int32_t { kOpen, kAgreed, kBare, kRefused };

    Negotiation(Memory &memory, const Settings &settings);

    // agent as in the header; extensions: bits of accp_extension. Call first.
    void start(const RegistryRef &own, std::string_view agent, uint32_t extensions);
    // Sets the features of the session, as bits of accp_feature. A peer ignores unknown names.
    void set_features(uint32_t features) { features_ = features; }
    void set_tokenizer(std::string_view name) { tokenizer_.assign(name); }
    void set_chunk_bytes(uint32_t bytes) { chunk_bytes_ = bytes; }
    // Sets the registry of the built-in profiles. It need not be sent to a peer that has the same.
    void set_built_in(const RegistryRef &registry) { built_in_ = registry; }
    // Adds a registry from an earlier session.
    void add_known(const RegistryRef &registry);

    // Processes a parsed frame sync:registry. A failure means that the frame was rejected. It
    // changes nothing, except that it may end the negotiation (state()).
    Status receive(value::TreeView frame);

    // Appends the next frame to send, without metadata. Returns false if no frame is due.
    bool next(Buffer<char> &out);

    // Reports that nothing has arrived for some time. Unanswered frames are sent again, up to
    // kNegotiationTries times.
    void timeout();

    State state() const { return state_; }
    accp_status reason() const { return reason_; }  // why it was refused, or has no registry
    uint32_t extensions() const;                    // in force; none while open or refused
    uint32_t features() const;                      // that both have named, when it has ended
    const RegistryRef &agreed() const { return agreed_; }  // only valid if kAgreed
    const RegistryRef &peers() const { return peers_; }
    std::string_view peer_tokenizer() const { return peer_tokenizer_.view(); }

private:
    Status receive_hello(value::TreeView frame, uint32_t node);
    Status receive_get(value::TreeView frame, uint32_t node);
    Status receive_chunk(value::TreeView frame, uint32_t node);
    Status receive_ok(value::TreeView frame, uint32_t node);
    Status receive_no(value::TreeView frame, uint32_t node);
    Status first_hello(value::TreeView frame, std::string_view hash);
    Status add_piece(std::string_view wire, bool escaped, uint32_t index);
    Status take_delta();
    Status advance();
    Status unite();
    void finish(State state, accp_status reason, bool notifies_peer);

    Status prepare_delta();
    void write_hello(Buffer<char> &out) const;
    void write_chunk(size_t end, Buffer<char> &out) const;
    template <class Body>
    bool frame(Buffer<char> &out, bool &due, Body body);

    Memory &memory_;
    const Settings &settings_;
    RegistryRef own_, built_in_, peers_, agreed_, known_[8];
    uint32_t known_count_ = 0;
    Buffer<char> agent_, tokenizer_, peer_tokenizer_, peer_hash_, peer_ok_;
    uint32_t extensions_ = 0, peer_extensions_ = 0, features_ = 0, peer_features_ = 0;
    State state_ = State::kOpen;
    accp_status reason_ = ACCP_OK;
    bool has_hello_ = false;  // the hello of the peer has arrived
    bool same_built_in_ = false;
    bool no_union_ = false;   // the peer has found no union; its hello may still arrive
    bool has_asked_ = false;  // for the registry of the peer
    // agreed_ has the union, which is in force when the peer has sent the same hash
    bool has_union_ = false;
    bool due_hello_ = true, due_get_ = false, due_ok_ = false, due_no_ = false, again_ = false;
    uint32_t tries_ = 0, deltas_sent_ = 0;
    // The delta to send.
    Buffer<char> delta_;
    RegistryRef delta_base_;  // empty: nothing
    bool sending_ = false;
    uint32_t chunk_bytes_ = kChunkBytes, chunk_index_ = 0, chunk_total_ = 0;
    size_t chunk_begin_ = 0;
    // The delta that is received.
    struct Piece {
        uint32_t index, len;
        size_t offset;
    };
    Buffer<Piece> pieces_;
    Buffer<uint64_t> seen_;  // a bit for each index
    Buffer<char> piece_text_;
    uint32_t total_ = 0;
    RegistryRef base_;  // empty: nothing
    Arena arena_;
    value::JsonReader reader_;
};

}  // namespace accp::registry
