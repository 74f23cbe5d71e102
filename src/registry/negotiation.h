// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two agents come to one registry and one set of extensions, or find that they cannot. Spec 6.4;
// docs/registry.md has the frames.
//
// A pure state machine: frames come in by receive(), time by timeout(), frames go out by next().
// Each side runs one. No session, no clock, no store; it survives loss, repetition, reordering and
// damage, and while it is open neither side may send anything else.
//
//   hello   v:3|hash:a7f2c1|p:1|x:[q1,t1,m1]|tok:o200k_base|b:<8 hex>|h:<32 hex>
//           who I am: every side sends it; b: the profiles that are built in here
//   get     get:<32 hex>
//           the hashes differ, and I do not have your registry
//   chunk   idx:0|tot:2|base:<32 hex or 0>|h:<32 hex>|d:<text>
//           a piece of the delta that makes `base` into mine; the last has done:true. The base is
//           yours where I have it, else the built-in profiles where we have the same, else nothing
//   ok      ok:<32 hex>
//           I have the union of both, and this is its hash
//   no      no:E1003
//           there is no union; with end:true: I do not go on at all
//
// Equal hashes end it with the hellos. Otherwise each side needs the other's registry: one that it
// kept from before (know()), or the delta, which is sent once and verified against the hash of the
// hello. Both then make the same union, say so by its hash, and it is in force once the other has
// said the same. Where there is no union (E1003) both go on without a registry. A peer that names
// no `h` gets the bare specification: its six digits decide nothing.
//
// Every frame ends with `c`, eight digits of the SHA-256 of what stands before it: a damaged frame
// is dropped, not believed. That is no protection from someone who writes frames of his own; that
// is the transport's. again:1 marks what timeout() sends anew, which the other side answers anew.
#pragma once

#include "accp/negotiation.h"
#include "frame/parse.h"
#include "registry/registry_ref.h"

namespace accp::registry {

// How much of a hash goes over the wire, and of a frame's sum.
constexpr size_t kHashDigits = 32, kSumDigits = 8, kBuiltInDigits = 8;
inline std::string_view hash_of(const RegistryRef &registry) {
    return registry->hash().first(kHashDigits);
}
// Where the chunk of a delta that begins there ends: never inside a code point.
size_t chunk_end(const Buffer<char> &delta, size_t begin, uint32_t max_bytes);

class Negotiation {
public:
    enum class State : int32_t { kOpen, kAgreed, kBare, kRefused };

    Negotiation(Memory &memory, const Settings &settings);

    // agent as the header has it; extensions: bits of accp_extension. To be called first.
    void start(const RegistryRef &own, std::string_view agent, uint32_t extensions);
    // What the session beside it can do, as bits of accp_feature. A peer that does not know one
    // passes over its name.
    void set_features(uint32_t features) { features_ = features; }
    void set_tokenizer(std::string_view name) { tokenizer_.assign(name); }
    void set_chunk_bytes(uint32_t bytes) { chunk_bytes_ = bytes; }
    // The profiles that every registry of this library may be built on: need not be sent to a peer
    // that has the same.
    void set_built_in(const RegistryRef &registry) { built_in_ = registry; }
    // A registry kept from an earlier session.
    void add_known(const RegistryRef &registry);

    // A frame sync:registry, parsed. A failure says why the frame was not believed; it changes
    // nothing but may end the negotiation (state()).
    Status receive(value::TreeView frame);

    // Appends the next frame to be sent, without metadata; false when there is none for now.
    bool next(Buffer<char> &out);

    // Nothing came for as long as the caller cares to wait: what is still wanted is sent anew, or
    // given up after kNegotiationTries.
    void timeout();

    State state() const { return state_; }
    accp_status reason() const { return reason_; }         // why it was refused, or is bare
    uint32_t extensions() const;                           // in force; none while open or refused
    uint32_t features() const;                             // that both named, once it is over
    const RegistryRef &agreed() const { return agreed_; }  // only good when kAgreed
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
    bool has_hello_ = false;  // the peer's hello is here
    bool same_built_in_ = false;
    bool no_union_ = false;   // the peer found so; its hello may be on its way still
    bool has_asked_ = false;  // for the peer's registry
    // the union is made: agreed_, and in force once the peer has said the same
    bool has_union_ = false;
    bool due_hello_ = true, due_get_ = false, due_ok_ = false, due_no_ = false, again_ = false;
    uint32_t tries_ = 0, deltas_sent_ = 0;
    // The delta on its way out.
    Buffer<char> delta_;
    RegistryRef delta_base_;  // empty: nothing
    bool sending_ = false;
    uint32_t chunk_bytes_ = kChunkBytes, chunk_index_ = 0, chunk_total_ = 0;
    size_t chunk_begin_ = 0;
    // The delta on its way in.
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
