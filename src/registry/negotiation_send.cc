// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames to send.
#include "registry/negotiation.h"

#include <charconv>

#include "frame/scalar.h"

namespace accp::registry {

namespace {

void put_number(Buffer<char> &out, int64_t number) {
    char digits[24];
    out.append({digits, static_cast<size_t>(
                            std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
}

void write_extensions(uint32_t bits, uint32_t features, Buffer<char> &out) {
    bool first = true;
    auto name = [&](bool is_named, std::string_view text) {
        if (!is_named) return;
        out.append(first ? "|x:[" : ",");
        out.append(text);
        first = false;
    };
    name(bits, "q1");
    name(bits & ACCP_EXT_T1, "t1");
    name(bits & ACCP_EXT_P1, "p1");
    name(bits & ACCP_EXT_U8, "u8");
    name(bits & ACCP_EXT_W1, "w1");
    name(features & ACCP_FEATURE_MERGES, "m1");
    name(features & ACCP_FEATURE_PARTS, "f1");
    name(features & ACCP_FEATURE_STORE, "s1");
    name(features & ACCP_FEATURE_SENDERS, "n1");
    if (!first) out.push(']');
}

}  // namespace

// Writes one frame, whose body writes the params. The frame stays due until it is complete.
template <class Body>
bool Negotiation::frame(Buffer<char> &out, bool &due, Body body) {
    if (!due) return false;
    out.push('@');
    out.append(agent_);
    out.append(">sync:registry{");
    const size_t begin = out.size();
    body();
    if (again_) out.append("|again:1");
    Digest sum = sha256({out.data() + begin, out.size() - begin});
    out.append("|c:");
    out.append(sum.first(kSumDigits));
    out.push('}');
    due = false;
    return true;
}

void Negotiation::write_hello(Buffer<char> &out) const {
    out.append("v:");
    put_number(out, own_->version());
    out.append("|hash:");
    out.append(own_->hash().first(6));
    out.append("|p:1");
    write_extensions(extensions_, features_, out);
    if (!tokenizer_.empty()) {
        out.append("|tok:");
        out.append(tokenizer_);
    }
    if (built_in_) {
        out.append("|b:");
        out.append(built_in_->hash().first(kBuiltInDigits));
    }
    out.append("|h:");
    out.append(hash_of(own_));
}

void Negotiation::write_chunk(size_t end, Buffer<char> &out) const {
    out.append("idx:");
    put_number(out, chunk_index_);
    out.append("|tot:");
    put_number(out, chunk_total_);
    out.append("|base:");
    out.append(delta_base_ ? hash_of(delta_base_) : "0");
    out.append("|h:");
    out.append(hash_of(own_));
    out.append("|d:");
    frame::write_wire_string({delta_.data() + chunk_begin_, end - chunk_begin_}, {true, false},
                             out);
    if (end == delta_.size()) out.append("|done:true");
}

// Writes the next due frame, in the order in which the peer can use them. If memory runs out, the
// frame stays due.
bool Negotiation::next(Buffer<char> &out) {
    const auto pair = [&](std::string_view key, std::string_view value) {
        out.append(key);
        out.append(value);
    };
    if (frame(out, due_hello_, [&] { write_hello(out); })) return true;
    if (frame(out, due_no_,
              [&] { pair("no:E1003", state_ == State::kRefused ? "|end:true" : ""); }))
        return true;
    if (frame(out, due_get_, [&] { pair("get:", peer_hash_.view()); })) return true;
    const size_t end = chunk_end(delta_, chunk_begin_, chunk_bytes_);
    if (frame(out, sending_, [&] { write_chunk(end, out); })) {
        chunk_begin_ = end;
        ++chunk_index_;
        sending_ = end < delta_.size();
        return true;
    }
    if (frame(out, due_ok_, [&] { pair("ok:", hash_of(agreed_)); })) return true;
    again_ = false;
    return false;
}

void Negotiation::timeout() {
    if (state_ != State::kOpen || due_hello_ || due_get_ || due_ok_ || sending_) return;
    if (++tries_ > kNegotiationTries) {
        finish(State::kRefused, ACCP_E3001, true);
        return;
    }
    again_ = true;
    (!has_hello_ ? due_hello_ : !peers_ ? due_get_ : due_ok_) = true;
}

}  // namespace accp::registry
