// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See negotiate.h: the delta, cut into chunks on one side and put together on the other.
#include <algorithm>

#include "frame/scalar.h"
#include "registry/document.h"
#include "registry/negotiate.h"

namespace accp::registry {

// The pieces that the text is cut into do not depend on what the peer knows of it, so that a
// repetition fits what came before.
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

// Takes one piece, once. Memory follows what has come, never what is announced.
Status Negotiation::keep(std::string_view wire, bool escaped, uint32_t index) {
    while (seen_.size() <= index / 64) seen_.push(0);
    if (seen_[index / 64] >> index % 64 & 1) return {};
    if (piece_text_.size() + wire.size() > kMaxDeltaBytes)
        return fail(ACCP_E1001, 0, "a delta larger than a registry may be");
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
    if (fault < text.size()) return fail(ACCP_E1001, 0, "a chunk with a malformed %u");
    pieces_.reserve(1);
    piece_text_.set_end(end);
    pieces_.push({index, static_cast<uint32_t>(piece_text_.size() - offset), offset});
    seen_[index / 64] |= uint64_t{1} << index % 64;
    tries_ = 0;
    return {};
}

// All pieces are here: what they make must be what the hello named, or it is nobody's registry.
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
        status = fail(ACCP_E1004, 0, "the registry is not the one that its hash names");
    pieces_.recycle(0);
    piece_text_.recycle(0);
    seen_.recycle(0);
    total_ = 0;
    if (status.ok()) {
        peers_ = made;
        tries_ = 0;
        return {};
    }
    end(State::kRefused, status.code, true);
    return move_to(status, 0);
}

}  // namespace accp::registry
