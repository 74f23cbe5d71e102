// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/store_journal.h"

#include <charconv>

namespace proxy {

namespace {

using accp::Status;
using accp::store::StoreSession;

// Records are in the session with the highest number that is not empty. To replace them, all new
// ones are written into the next session in one commit; then the older one is erased.
constexpr std::string_view kPrefix = "accp-proxy-conversations-";
constexpr size_t kScanBytes = 1 << 20;

std::string name_of(uint64_t generation) {
    return std::string(kPrefix) + std::to_string(generation);
}

// Returns the number of a session's name, or 0.
uint64_t generation_of(std::string_view name) {
    if (!name.starts_with(kPrefix)) return 0;
    name.remove_prefix(kPrefix.size());
    uint64_t generation = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), generation);
    return read.ec == std::errc{} && read.ptr == name.data() + name.size() ? generation : 0;
}

}  // namespace

StoreJournal::StoreJournal()
    : memory_(accp::private_allocator(), UINT64_MAX), store_(accp::Settings()) {}

StoreJournal::~StoreJournal() { close_session(); }

void StoreJournal::close_session() {
    if (session_) session_->close();
    session_ = nullptr;
}

Status StoreJournal::open(const std::string &place) {
    accp::store::StorePlace where;
    where.name = place;
    where.durability = accp::store::Durability::kNormal;
    Status status = store_.open(where);
    if (status.failed()) return status;
    std::vector<uint64_t> generations;
    accp::Buffer<char> name(memory_);
    for (uint64_t after = 0; store_.next_session(after, name).ok();)
        if (const uint64_t generation = generation_of({name.data(), name.size()}))
            generations.push_back(generation);
    for (const uint64_t generation : generations) {
        if (generation < generation_) continue;
        StoreSession *session = nullptr;
        status = store_.open_session(name_of(generation), false, session);
        if (status.failed()) return status;
        if (session->row().last) generation_ = generation;
        session->close();
    }
    for (const uint64_t generation : generations)
        if (generation != generation_) (void)store_.erase_session(name_of(generation));
    if (!generation_) generation_ = 1;
    return store_.open_session(name_of(generation_), true, session_);
}

bool StoreJournal::load(const std::function<void(std::string_view)> &use) {
    if (!session_) return false;
    accp::store::StoreRecords records(memory_);
    for (uint64_t next = 1; next <= session_->row().last;) {
        if (session_->scan(next, 0, false, kScanBytes, records).failed() || !records.size())
            return false;
        for (size_t i = 0; i < records.size(); ++i) use(records[i].bytes);
        next = records[records.size() - 1].seq + 1;
    }
    return true;
}

bool StoreJournal::append(std::string_view record) {
    if (!session_) return false;
    accp::store::StoreBatch batch(memory_);
    batch.append(record);
    return session_->commit_now(batch).ok();
}

bool StoreJournal::replace(const std::vector<std::string> &records) {
    if (!session_ || session_->check().failed()) return false;
    StoreSession *next = nullptr;
    if (store_.open_session(name_of(generation_ + 1), true, next).failed()) return false;
    accp::store::StoreBatch batch(memory_);
    for (const std::string &record : records) batch.append(record);
    if (next->commit_now(batch).failed()) {
        next->close();
        (void)store_.erase_session(name_of(generation_ + 1));
        return false;
    }
    close_session();
    (void)store_.erase_session(name_of(generation_));
    ++generation_;
    session_ = next;
    return true;
}

}  // namespace proxy
