// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See groups.h.
#include "nats/groups.h"

#include <unistd.h>

namespace nats_tests {

namespace {

using accp::store::Tier;

uint64_t records_of(uint64_t group) { return 1 + group % 5; }
uint64_t records_before(uint64_t group) {  // of the groups before it
    uint64_t count = 0;
    for (uint64_t one = 1; one < group; ++one) count += records_of(one);
    return count;
}

std::string group_text(const char *what, uint64_t group, uint64_t i, size_t size) {
    return what + std::to_string(group) + "/" + std::to_string(i) +
           std::string(size, static_cast<char>('a' + (group + i) % 26));
}
std::string record_of(uint64_t group, uint64_t i) {
    return group_text("record", group, i, (group * 131 + i * 37) % 700);
}
std::string state_of(uint64_t group) { return group_text("state", group, 0, group % 3000); }
// Some are larger than one piece.
std::string blob_of(uint64_t group) {
    return group_text("blob", group, 0, group % 7 ? group * 977 % 5000 : 900000);
}

}  // namespace

Groups::Groups(accp::store::Store &store, const std::string &session, bool writes)
    : open_(std::make_unique<store_tests::Open>(store, session, writes)) {
    if (status() == ACCP_OK) done_ = (*open_)->row().version;
}

accp_status Groups::commit(uint64_t group) {
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::store::StoreBatch batch(memory);
    for (uint64_t i = 0; i < records_of(group); ++i) batch.append(record_of(group, i));
    batch.note_mid(std::to_string(group));
    batch.set_state(state_of(group));
    batch.put(Tier::kCold, "newest", blob_of(group));
    batch.put(Tier::kWarm, std::to_string(group % 50), state_of(group));
    return (*open_)->commit(batch).code;
}

accp_status Groups::write_next() {
    accp_status status = is_committed_ ? ACCP_OK : commit(done_ + 1);
    if (status != ACCP_OK) return status;
    is_committed_ = true;
    status = (*open_)->sync().code;
    if (status != ACCP_OK) return status;
    is_committed_ = false;
    ++done_;
    return ACCP_OK;
}

std::string Groups::check_records(uint64_t first) {
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::store::StoreRecords found(memory);
    const accp::Status status =
        (*open_)->scan(records_before(first) + 1, 0, false, SIZE_MAX, found);
    if (status.failed()) return accp_status_code_name(status.code);
    size_t at = 0;
    for (uint64_t group = first; group <= done_; ++group)
        for (uint64_t i = 0; i < records_of(group); ++i, ++at)
            if (at >= found.size() || found[at].bytes != record_of(group, i))
                return "another record of group " + std::to_string(group);
    return "";
}

std::string Groups::check_mid(uint64_t group, bool is_there) {
    bool found = false;
    const accp::Status status = (*open_)->has_mid(std::to_string(group), found);
    if (status.failed()) return accp_status_code_name(status.code);
    return found == is_there ? "" : "the mid of group " + std::to_string(group);
}

std::string Groups::check_once(uint64_t newest) {
    if ((*open_)->row().last != records_before(done_ + 1)) return "another number of records";
    if (!done_) return "";
    const uint64_t first = newest && newest < done_ ? done_ - newest + 1 : 1;
    std::string wrong = check_records(first);
    const auto expect = [&](const std::string &found, const std::string &expected) {
        if (wrong.empty() && found != expected) wrong = found.substr(0, 40);
    };
    expect(open_->state(), state_of(done_));
    expect(open_->blob(Tier::kCold, "newest"), blob_of(done_));
    expect(open_->blob(Tier::kWarm, std::to_string(done_ % 50)), state_of(done_));
    for (uint64_t group = first; wrong.empty() && group <= done_; group += 1 + done_ / 50)
        wrong = check_mid(group, true);
    return wrong.empty() ? check_mid(done_ + 1, false) : wrong;
}

std::string Groups::check(uint64_t newest) {
    std::string wrong = check_once(newest);
    for (int tries = 0; wrong == accp_status_code_name(ACCP_ERR_IO) && tries < 300; ++tries) {
        usleep(100000);
        wrong = check_once(newest);
    }
    return wrong.empty() ? "" : std::to_string(done_) + " groups: " + wrong;
}

}  // namespace nats_tests
