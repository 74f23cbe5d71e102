// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Received frames and their effects. negotiation_send.cc sends.
#include "registry/negotiation.h"

#include <algorithm>
#include <charconv>

#include "base/bytes.h"
#include "frame/parse.h"
#include "frame/scalar.h"
#include "registry/document.h"

namespace accp::registry {

namespace {

struct Extension {
    std::string_view name;
    uint32_t bit;
};
constexpr Extension kNames[] = {{"q1", ACCP_EXT_Q1},
                                {"t1", ACCP_EXT_T1},
                                {"p1", ACCP_EXT_P1},
                                {"u8", ACCP_EXT_U8},
                                {"w1", ACCP_EXT_W1}};

constexpr Extension kFeatures[] = {{"m1", ACCP_FEATURE_MERGES},
                                   {"f1", ACCP_FEATURE_PARTS},
                                   {"s1", ACCP_FEATURE_STORE},
                                   {"n1", ACCP_FEATURE_SENDERS}};

template <size_t kCount>
uint32_t read_names(value::TreeView frame, uint32_t list, const Extension (&names)[kCount]) {
    uint32_t bits = 0;
    for (uint32_t i = list + 1; i < frame[list].next; i = frame[i].next)
        for (const Extension &row : names)
            if (frame.string(i) == row.name) bits |= row.bit;
    return bits;
}

bool is_hash(std::string_view text, size_t digits) {
    for (char c : text)
        if (!is_digit(static_cast<unsigned char>(c)) && (c < 'a' || c > 'f')) return false;
    return text.size() == digits;
}

bool read_number(value::TreeView frame, uint32_t node, uint32_t max, uint32_t &out) {
    if (!node || frame[node].kind != ACCP_INT) return false;
    std::string_view digits = frame.string(node);
    auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return read.ec == std::errc() && out <= max;
}

Status reject(value::TreeView frame, uint32_t node, const char *message) {
    return fail(ACCP_E1004, frame[node].offset, message);
}

// Every frame of this library has a `c`. A hello without one is only accepted if it has no member
// with an effect (the bare specification).
bool is_damaged(value::TreeView frame) {
    const uint32_t sum = frame.find(frame::kPayload, "c");
    if (!sum) {
        for (std::string_view key : {"p", "x", "h", "tok", "get", "idx", "d", "ok", "no"})
            if (frame.find(frame::kPayload, key)) return true;
        return false;
    }
    if (frame[sum].next != frame[frame::kPayload].next || value::is_container(frame[sum].kind))
        return true;
    const char *begin = frame.text + frame[frame::kPayload].offset + 1,
               *end = frame.text + ACCP_NODE_KEY(&frame[sum]);
    return end - begin < 2 ||
           sha256({begin, static_cast<size_t>(end - begin - 1)}).first(kSumDigits) !=
               frame.string(sum);
}

}  // namespace

Negotiation::Negotiation(Memory &memory, const Settings &settings)
    : memory_(memory),
      settings_(settings),
      agent_(memory),
      tokenizer_(memory),
      peer_tokenizer_(memory),
      peer_hash_(memory),
      peer_ok_(memory),
      delta_(memory),
      pieces_(memory),
      seen_(memory),
      piece_text_(memory),
      arena_(memory),
      reader_(memory) {}

void Negotiation::start(const RegistryRef &own, std::string_view agent, uint32_t extensions) {
    agent_.assign(agent);
    own_ = own;
    extensions_ = extensions ? extensions | ACCP_EXT_Q1 : 0;
}

// Keeps the newest eight.
void Negotiation::add_known(const RegistryRef &registry) {
    known_[known_count_++ % (sizeof known_ / sizeof *known_)] = registry;
}

uint32_t Negotiation::extensions() const {
    const uint32_t common = extensions_ & peer_extensions_;
    if (state_ == State::kAgreed) return common;
    return state_ == State::kBare ? common & ~uint32_t{ACCP_EXT_P1} : 0;
}

uint32_t Negotiation::features() const {
    const uint32_t common =
        state_ == State::kAgreed || state_ == State::kBare ? features_ & peer_features_ : 0;
    return extensions() & ACCP_EXT_Q1 ? common : common & ~uint32_t{ACCP_FEATURE_PARTS};
}

void Negotiation::finish(State state, accp_status reason, bool notifies_peer) {
    state_ = state;
    reason_ = reason;
    due_no_ = notifies_peer;
    due_get_ = sending_ = false;
    if (notifies_peer) due_ok_ = false;
    if (state != State::kAgreed) agreed_ = RegistryRef();
}

Status Negotiation::receive(value::TreeView frame) {
    struct Row {
        std::string_view key;
        Status (Negotiation::*take)(value::TreeView, uint32_t);
    };
    static constexpr Row kRows[] = {
        {"get", &Negotiation::receive_get}, {"d", &Negotiation::receive_chunk},
        {"ok", &Negotiation::receive_ok},   {"no", &Negotiation::receive_no},
        {"h", &Negotiation::receive_hello}, {"hash", &Negotiation::receive_hello},
        {"v", &Negotiation::receive_hello}};
    if (frame.string(frame::kIntent) != "sync" || frame.string(frame::kOperation) != "registry")
        return fail(ACCP_ERR_ARG, 0, "not a frame sync:registry");
    if (is_damaged(frame))
        return fail(ACCP_E1001, frame[frame::kPayload].offset,
                    "the frame is damaged: its c does not match its text");
    for (const Row &row : kRows) {
        const uint32_t node = frame.find(frame::kPayload, row.key);
        if (!node) continue;
        if (value::is_container(frame[node].kind))
            return reject(frame, node, "the value must be a text");
        Status status = (this->*row.take)(frame, node);
        return status.failed() ? status : advance();
    }
    return reject(frame, frame::kPayload, "the frame has no member of a negotiation");
}

Status Negotiation::receive_hello(value::TreeView frame, uint32_t) {
    const uint32_t node = frame.find(frame::kPayload, "h");
    std::string_view hash = node ? frame.string(node) : std::string_view();
    if (node && !is_hash(hash, kHashDigits)) return reject(frame, node, "a hash has 32 digits");
    if (!has_hello_) return first_hello(frame, hash);
    if (hash != peer_hash_.view()) {
        finish(State::kRefused, ACCP_E1003, true);
        return fail(ACCP_E1003, frame[frame::kPayload].offset,
                    "the peer changed its registry during the negotiation");
    }
    if (frame.find(frame::kPayload, "again")) due_hello_ = true;
    return {};
}

Status Negotiation::first_hello(value::TreeView frame, std::string_view hash) {
    const uint32_t version = frame.find(frame::kPayload, "p"),
                   list = frame.find(frame::kPayload, "x"),
                   tokenizer = frame.find(frame::kPayload, "tok");
    peer_hash_.assign(hash);
    peer_tokenizer_.assign(tokenizer && !value::is_container(frame[tokenizer].kind)
                               ? frame.string(tokenizer)
                               : std::string_view());
    has_hello_ = true;
    tries_ = 0;
    if (frame.find(frame::kPayload, "again")) due_hello_ = true;
    if (version && frame.string(version) != "1") {
        finish(State::kRefused, ACCP_E1003, true);
        return fail(ACCP_E1003, frame[version].offset,
                    "the peer uses another version of the protocol");
    }
    if (hash.empty()) {
        finish(State::kBare, ACCP_OK, false);
        return {};
    }
    const uint32_t built_in = frame.find(frame::kPayload, "b");
    same_built_in_ = built_in && built_in_ && !value::is_container(frame[built_in].kind) &&
                     frame.string(built_in) == built_in_->hash().first(kBuiltInDigits);
    if (!list || frame[list].kind != ACCP_ARRAY) return {};
    peer_extensions_ = read_names(frame, list, kNames);
    if (peer_extensions_) peer_extensions_ |= ACCP_EXT_Q1;
    peer_features_ = read_names(frame, list, kFeatures);
    return {};
}

// Does everything that the state allows now. A step that runs out of memory is repeated with the
// next frame.
Status Negotiation::advance() {
    if (state_ != State::kOpen || !has_hello_) return {};
    if (no_union_) {
        finish(State::kBare, ACCP_E1003, false);
        return {};
    }
    if (peer_hash_.view() == hash_of(own_)) {
        peers_ = own_;
        agreed_ = own_;
        finish(State::kAgreed, ACCP_OK, false);
        return {};
    }
    for (const RegistryRef &known : known_)
        if (!peers_ && known && hash_of(known) == peer_hash_.view()) peers_ = known;
    if (!peers_ && total_ && pieces_.size() == total_)
        if (Status status = take_delta(); status.failed()) return status;
    if (!peers_) {
        if (!total_ && !has_asked_) due_get_ = has_asked_ = true;
        return {};
    }
    if (!has_union_) {
        if (Status status = unite(); status.failed()) return status;
    }
    if (peer_ok_.empty()) return {};
    if (peer_ok_.view() == hash_of(agreed_)) {
        finish(State::kAgreed, ACCP_OK, false);
        return {};
    }
    finish(State::kRefused, ACCP_E1003, true);
    return fail(ACCP_E1003, 0, "the two sides have different unions");
}

// Unites both registries. Without a union, both sides detect that and continue without a registry.
Status Negotiation::unite() {
    Buffer<char> text(memory_);
    arena_.reset();
    Status status = write_union(*own_, *peers_, arena_, text);
    if (status.ok()) status = make_registry(settings_, 0, text.view(), agreed_);
    if (status.failed()) {
        finish(State::kBare, ACCP_E1003, true);
        return fail(
            ACCP_E1003, 0,
            status.code == ACCP_E1003 ? status.message : "the two registries cannot be united");
    }
    has_union_ = due_ok_ = true;
    tries_ = 0;
    return {};
}

Status Negotiation::receive_get(value::TreeView frame, uint32_t node) {
    if (frame.string(node) != hash_of(own_))
        return reject(frame, node, "the peer requested a registry that is not this one");
    if (state_ == State::kBare || state_ == State::kRefused) {
        due_no_ = true;
        return {};
    }
    if (deltas_sent_ > kNegotiationTries)
        return reject(frame, node, "the peer requested the registry too often");
    Status status = prepare_delta();
    if (status.failed()) return status;
    ++deltas_sent_;
    sending_ = true;
    chunk_index_ = 0;
    chunk_begin_ = 0;
    return {};
}

Status Negotiation::receive_ok(value::TreeView frame, uint32_t node) {
    std::string_view hash = frame.string(node);
    if (!is_hash(hash, kHashDigits)) return reject(frame, node, "a hash has 32 digits");
    if (state_ == State::kBare || state_ == State::kRefused) {
        due_no_ = true;
        return {};
    }
    peer_ok_.assign(hash);
    if (has_union_ && frame.find(frame::kPayload, "again")) due_ok_ = true;
    return {};
}

// Without a union, both sides detect that themselves, and neither sends ok before. A peer that
// sends ok and then no is therefore faulty.
Status Negotiation::receive_no(value::TreeView frame, uint32_t) {
    const bool whole = frame.find(frame::kPayload, "end") != 0;
    if (state_ == State::kBare && !whole) return {};
    if (whole || has_union_ || state_ != State::kOpen) finish(State::kRefused, ACCP_E1003, false);
    else no_union_ = true;
    return {};
}

Status Negotiation::receive_chunk(value::TreeView frame, uint32_t node) {
    uint32_t index = 0, total = 0;
    const uint32_t base = frame.find(frame::kPayload, "base"),
                   target = frame.find(frame::kPayload, "h");
    if (state_ != State::kOpen || !has_hello_ || peers_) return {};  // late, or not requested
    if (!read_number(frame, frame.find(frame::kPayload, "tot"), kMaxDeltaChunks, total) ||
        !read_number(frame, frame.find(frame::kPayload, "idx"), kMaxDeltaChunks, index) ||
        index >= total || frame[node].kind != ACCP_STRING)
        return reject(frame, node, "a chunk must have an index below its total, and a text");
    if (!target || frame.string(target) != peer_hash_.view())
        return reject(frame, node, "the delta is for a registry that was not requested");
    const std::string_view name = base ? frame.string(base) : std::string_view();
    RegistryRef from;
    if (name == hash_of(own_)) from = own_;
    else if (built_in_ && name == hash_of(built_in_)) from = built_in_;
    else if (name != "0") return reject(frame, node, "the base of the delta is unknown");
    // The peer has started again, and now has other data about us.
    if (total != total_ || from.get() != base_.get()) {
        pieces_.clear();
        piece_text_.clear();
        seen_.clear();
        total_ = total;
        base_ = from;
    }
    return add_piece(frame.string(node), (frame[node].flags & ACCP_NODE_ESCAPED) != 0, index);
}

// The delta: created on one side, and joined on the other.

// The delta is cut in the same way each time, so that repeated chunks match earlier ones.
Status Negotiation::prepare_delta() {
    if (!delta_.empty()) return {};
    arena_.reset();
    delta_base_ = peers_ ? peers_ : same_built_in_ ? built_in_ : RegistryRef();
    Status status = write_delta(delta_base_ ? &*delta_base_ : nullptr, *own_, arena_, delta_);
    if (status.ok() && delta_.size() > kMaxDeltaBytes)
        status = fail_limit(ACCP_E1001, 0, "too many bytes in the registry to be sent",
                            delta_.size(), kMaxDeltaBytes);
    chunk_total_ = 0;
    for (size_t at = 0; status.ok() && at < delta_.size(); at = chunk_end(delta_, at, chunk_bytes_))
        ++chunk_total_;
    if (status.ok() && chunk_total_ > kMaxDeltaChunks)
        status = fail_limit(ACCP_E1001, 0, "the registry needs too many chunks", chunk_total_,
                            kMaxDeltaChunks);
    if (status.failed()) delta_.clear();
    return status;
}

size_t chunk_end(const Buffer<char> &delta, size_t begin, uint32_t max_bytes) {
    size_t at = begin + max_bytes;
    if (at >= delta.size()) return delta.size();
    while ((static_cast<unsigned char>(delta[at]) & 0xC0) == 0x80) --at;
    return at;
}

// Stores one piece, once. Memory is used for received pieces, not for announced ones.
Status Negotiation::add_piece(std::string_view wire, bool escaped, uint32_t index) {
    while (seen_.size() <= index / 64) seen_.push(0);
    if (seen_[index / 64] >> index % 64 & 1) return {};
    if (piece_text_.size() + wire.size() > kMaxDeltaBytes)
        return fail(ACCP_E1001, 0, "the delta is larger than a registry may be");
    arena_.reset();
    char *padded = arena_.allocate<char>(wire.size() + Buffer<char>::kSlack);
    std::memcpy(padded, wire.data(), wire.size());
    std::memset(padded + wire.size(), 0, Buffer<char>::kSlack);
    std::string_view text(padded, wire.size());
    const size_t offset = piece_text_.size();
    size_t fault = text.size();
    char *to = piece_text_.reserve(text.size() * 2 + Buffer<char>::kSlack), *end = to + text.size();
    if (frame::is_quoted(text)) end = frame::read_quoted(text, to, &fault);
    else if (escaped) end = frame::unescape(text, to);
    else std::memcpy(to, text.data(), text.size());
    if (fault < text.size()) return fail(ACCP_E1001, 0, "the chunk has a malformed %u");
    pieces_.reserve(1);
    piece_text_.set_end(end);
    pieces_.push({index, static_cast<uint32_t>(piece_text_.size() - offset), offset});
    seen_[index / 64] |= uint64_t{1} << index % 64;
    tries_ = 0;
    return {};
}

// All pieces have arrived. The resulting registry must have the hash of the peer's hello.
Status Negotiation::take_delta() {
    Buffer<char> delta(memory_), text(memory_);
    value::Value value(memory_);
    RegistryRef made;
    std::sort(pieces_.data(), pieces_.end(),
              [](const Piece &a, const Piece &b) { return a.index < b.index; });
    for (size_t i = 0; i < pieces_.size(); ++i)
        delta.append(piece_text_.data() + pieces_[i].offset, pieces_[i].len);
    Status status =
        reader_.read(delta.data(), delta.size(), {kMaxDeltaBytes, kMaxJsonDepth}, value);
    if (status.ok()) status = apply_delta(base_ ? &*base_ : nullptr, value.view(), text);
    if (status.ok()) status = make_registry(settings_, 0, text.view(), made);
    if (status.ok() && hash_of(made) != peer_hash_.view())
        status = fail(ACCP_E1004, 0, "the registry does not match its hash");
    pieces_.recycle(0);
    piece_text_.recycle(0);
    seen_.recycle(0);
    total_ = 0;
    if (status.ok()) {
        peers_ = made;
        tries_ = 0;
        return {};
    }
    finish(State::kRefused, status.code, true);
    return move_to(status, 0);
}

}  // namespace accp::registry
