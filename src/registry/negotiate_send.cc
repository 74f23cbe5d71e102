// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See negotiate.h: what goes out.
#include <charconv>

#include "frame/q1.h"
#include "registry/negotiate.h"

namespace accp {

namespace {

void put(Buffer<char> &out, std::string_view text) { out.append(text.data(), text.size()); }

void put_number(Buffer<char> &out, int64_t number) {
    char digits[24];
    put(out, {digits, static_cast<size_t>(
                          std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
}

void write_extensions(uint32_t bits, uint32_t features, Buffer<char> &out) {
    bool first = true;
    auto name = [&](bool is_named, std::string_view text) {
        if (!is_named) return;
        put(out, first ? "|x:[" : ",");
        put(out, text);
        first = false;
    };
    name(bits, "q1");
    name(bits & ACCP_EXT_T1, "t1");
    name(bits & ACCP_EXT_P1, "p1");
    name(bits & ACCP_EXT_U8, "u8");
    name(features & ACCP_FEATURE_MERGES, "m1");
    name(features & ACCP_FEATURE_PARTS, "f1");
    name(features & ACCP_FEATURE_STORE, "s1");
    if (!first) out.push(']');
}

}  // namespace

// One frame whose body writes the params; it is due until all of it is written.
template <class Body>
bool Negotiation::frame(Buffer<char> &out, bool &due, Body body) {
    if (!due) return false;
    out.push('@');
    put(out, {agent_.data(), agent_.size()});
    put(out, ">sync:registry{");
    const size_t begin = out.size();
    body();
    if (again_) put(out, "|again:1");
    Digest sum = sha256({out.data() + begin, out.size() - begin});
    put(out, "|c:");
    put(out, sum.first(kSumDigits));
    out.push('}');
    due = false;
    return true;
}

void Negotiation::write_hello(Buffer<char> &out) const {
    put(out, "v:");
    put_number(out, own_->version());
    put(out, "|hash:");
    put(out, own_->hash().first(6));
    put(out, "|p:1");
    write_extensions(extensions_, features_, out);
    if (!tokenizer_.empty()) {
        put(out, "|tok:");
        put(out, {tokenizer_.data(), tokenizer_.size()});
    }
    put(out, "|h:");
    put(out, own_hash());
}

void Negotiation::write_chunk(size_t end, Buffer<char> &out) const {
    put(out, "idx:");
    put_number(out, chunk_index_);
    put(out, "|tot:");
    put_number(out, chunk_total_);
    put(out, "|base:");
    put(out, delta_based_ ? peer_hash() : "0");
    put(out, "|h:");
    put(out, own_hash());
    put(out, "|d:");
    write_wire_string({delta_.data() + chunk_begin_, end - chunk_begin_}, {true, false}, out);
    if (end == delta_.size()) put(out, "|done:true");
}

// What is due, in the order in which the peer can use it. Nothing is lost where memory runs out:
// the frame is due still.
bool Negotiation::next(Buffer<char> &out) {
    const auto pair = [&](std::string_view key, std::string_view value) {
        put(out, key);
        put(out, value);
    };
    if (frame(out, due_hello_, [&] { write_hello(out); })) return true;
    if (frame(out, due_no_,
              [&] { pair("no:E1003", state_ == State::kRefused ? "|end:true" : ""); }))
        return true;
    if (frame(out, due_get_, [&] { pair("get:", peer_hash()); })) return true;
    const size_t end = chunk_end(chunk_begin_);
    if (frame(out, sending_, [&] { write_chunk(end, out); })) {
        chunk_begin_ = end;
        ++chunk_index_;
        sending_ = end < delta_.size();
        return true;
    }
    if (frame(out, due_ok_, [&] { pair("ok:", agreed_->hash().first(kHashDigits)); })) return true;
    again_ = false;
    return false;
}

void Negotiation::timeout() {
    if (state_ != State::kOpen || due_hello_ || due_get_ || due_ok_ || sending_) return;
    if (++tries_ > kNegotiationTries) {
        end(State::kRefused, ACCP_E3001, true);
        return;
    }
    again_ = true;
    (!met_ ? due_hello_ : !peers_ ? due_get_ : due_ok_) = true;
}

}  // namespace accp
