// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See deadlines.h. A scan for the earliest: a few thousand numbers at most.
#include "delivery/deadlines.h"

#include <string_view>

namespace accp {

Deadlines::~Deadlines() {
    forget(expired_);
    for (size_t i = 0; i < requests_.size(); ++i) forget(requests_[i]);
}

uint32_t Deadlines::find(const accp_text &cid) const {
    if (!cid.len) return IdList::kNone;
    const uint64_t hash = ids_.hash(cid);
    const std::string_view wanted(cid.text, cid.len);
    uint32_t i = ids_.find(hash);
    while (i != IdList::kNone && std::string_view(requests_[i].cid, requests_[i].len) != wanted) i = ids_.find(hash, i + 1);
    return i;
}

Status Deadlines::start(const accp_text &cid, int64_t deadline) {
    forget(expired_);
    if (!cid.len) return fail(ACCP_E1004, 0, "a request that is waited for has a cid");
    if (extend(cid, deadline)) return {};
    if (waiting() >= kMostRequests) return fail(ACCP_E2003, 0, "more requests wait than the limit allows");
    ids_.reserve();
    requests_.room(1);
    Request request = {deadline, static_cast<char *>(memory_.take(cid.len)), cid.len};
    std::memcpy(request.cid, cid.text, cid.len);
    ids_.add(ids_.hash(cid));
    requests_.push(request);
    return {};
}

bool Deadlines::extend(const accp_text &cid, int64_t deadline) {
    const uint32_t place = find(cid);
    if (place != IdList::kNone) requests_[place].deadline = deadline;
    return place != IdList::kNone;
}

bool Deadlines::answer(const accp_text &cid) {
    const uint32_t place = find(cid);
    if (place == IdList::kNone) return false;
    forget(requests_[place]);
    remove(place);
    return true;
}

bool Deadlines::expire(int64_t now, accp_text &cid) {
    forget(expired_);
    const uint32_t place = earliest();
    if (place == IdList::kNone || requests_[place].deadline >= now) return false;
    expired_ = requests_[place];
    remove(place);
    cid = {expired_.cid, expired_.len};
    return true;
}

int64_t Deadlines::next() const {
    const uint32_t place = earliest();
    return place == IdList::kNone ? INT64_MAX : requests_[place].deadline;
}

uint32_t Deadlines::earliest() const {
    uint32_t best = IdList::kNone;
    for (uint32_t i = 0; i < waiting(); ++i)
        if (best == IdList::kNone || requests_[i].deadline < requests_[best].deadline) best = i;
    return best;
}

// The last takes its place, as in ids_.
void Deadlines::remove(uint32_t place) {
    ids_.remove(place);
    requests_[place] = requests_[requests_.size() - 1];
    requests_.resize_down(requests_.size() - 1);
}

void Deadlines::forget(Request &request) {
    memory_.give(request.cid, request.len);
    request = {};
}

}  // namespace accp
