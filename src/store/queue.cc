// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/queue.h"

#include <cstring>

namespace accp::store {

namespace {

// Parses exactly twelve lower-case hexadecimal digits. Returns false for any other text.
bool read_standard_mid(std::string_view mid, uint64_t &out) {
    if (mid.size() != kMidBytes) return false;
    out = 0;
    for (char c : mid) {
        uint64_t digit;
        if (c >= '0' && c <= '9') digit = static_cast<uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f') digit = static_cast<uint64_t>(c - 'a') + 10;
        else return false;
        out = out << 4 | digit;
    }
    return true;
}

uint64_t hashed_word(std::string_view text) {
    constexpr uint64_t kHashed = uint64_t{1} << 62;
    const Digest digest = sha256(text);
    uint64_t word = 0;
    for (char c : digest.first(16))
        word = word << 4 | static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    return kHashed | (word & (kHashed - 1));
}

}  // namespace

uint64_t mid_word(std::string_view mid) {
    uint64_t word;
    return read_standard_mid(mid, word) ? word : hashed_word(mid);
}

uint64_t mid_word(std::string_view agent, std::string_view mid) {
    char text[kMaxSenderBytes + 1 + kMaxMidBytes];
    const bool is_short = agent.size() <= kMaxSenderBytes;
    const Digest digest = is_short ? Digest{} : sha256(agent);
    char *to = text + (is_short ? agent : digest.view()).copy(text, kMaxSenderBytes);
    *to++ = is_short ? '>' : '\0';
    to += mid.copy(to, kMaxMidBytes);
    return hashed_word({text, static_cast<size_t>(to - text)});
}

Status check_op(const StoreOp &op) {
    switch (op.kind) {
        case StoreOp::kState:
            if (op.bytes_len > kMaxStateBytes)
                return fail_limit(ACCP_ERR_ARG, 0, "a state has at most 4 MiB", op.bytes_len,
                                  kMaxStateBytes);
            break;
        case StoreOp::kPut:
            if (op.key_len == 0) return fail(ACCP_ERR_ARG, 0, "a blob's key is empty");
            break;
        case StoreOp::kGrant:
        case StoreOp::kRevoke:
            if (op.bytes_len == 0 || op.bytes_len > kMaxSessionIdBytes)
                return fail(ACCP_ERR_ARG, 0, kBadSessionId);
            break;
        default: break;
    }
    return {};
}

void StoreBatch::add(StoreOp op, std::string_view key, std::string_view bytes) {
    if (key.size() > kMaxBlobKeyBytes || bytes.size() > kMaxBlobBytes) {
        has_oversized_text_ = true;
        return;
    }
    op.key_len = static_cast<uint16_t>(key.size());
    op.bytes_len = static_cast<uint32_t>(bytes.size());
    char *to = ops_.reserve(op.size());
    std::memset(to + op.size() - 8, 0, 8);  // the padding
    std::memcpy(to, &op, sizeof op);
    if (!key.empty()) std::memcpy(to + sizeof op, key.data(), key.size());
    if (!bytes.empty()) std::memcpy(to + sizeof op + key.size(), bytes.data(), bytes.size());
    ops_.advance(op.size());
    ++count_;
}

void CommitQueue::add(OpenSession &session, const StoreBatch &batch) {
    size_t at = bytes_.size();
    char *to = bytes_.reserve(sizeof(Commit) + batch.size());
    Commit head = {&session, 0, batch.size()};
    std::memcpy(to, &head, sizeof head);
    if (batch.size()) std::memcpy(to + sizeof head, batch.begin(), batch.size());
    bytes_.advance(sizeof head + batch.size());

    SessionRow &row = session.row;
    for (char *op_at = to + sizeof head, *end = op_at + batch.size(); op_at < end;) {
        StoreOp &op = *reinterpret_cast<StoreOp *>(op_at);
        if (op.kind == StoreOp::kAppend) op.number = ++row.last;
        if (op.kind == StoreOp::kState) op.number = ++row.version;
        if (op.kind == StoreOp::kFloor && op.number > row.floor) row.floor = op.number;
        if (op.kind == StoreOp::kPut && op.generation > row.generation)
            row.generation = op.generation;
        op_at += op.size();
    }
    (session.first ? at_offset(session.newest - 1).next : session.first) = at + 1;
    session.newest = at + 1;
}

void CommitQueue::take_back(size_t size, OpenSession &session, uint64_t newest) {
    bytes_.resize_down(size);
    session.newest = newest;
    if (newest) at_offset(newest - 1).next = 0;
    else session.first = 0;
}

}  // namespace accp::store
