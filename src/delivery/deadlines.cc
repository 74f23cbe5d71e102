// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The earliest deadline is found by a scan: there are at most a few thousand.
#include "delivery/deadlines.h"

#include <string_view>

namespace accp::delivery {

Deadlines::~Deadlines() {
    release(expired_);
    for (size_t i = 0; i < requests_.size(); ++i) release(requests_[i]);
}

uint32_t Deadlines::find(const accp_text &cid) const {
    if (!cid.len) return IdList::kNone;
    const uint64_t hash = ids_.hash(cid);
    const std::string_view wanted(cid.text, cid.len);
    uint32_t i = ids_.find(hash);
    while (i != IdList::kNone &&
           std::string_view(requests_[i].cid.text, requests_[i].cid.len) != wanted)
        i = ids_.find(hash, i + 1);
    return i;
}

Status Deadlines::may_start(const accp_text &cid) const {
    if (!cid.len) return fail(ACCP_E1004, 0, "a request that waits for an answer must have a cid");
    if (waiting() < kMaxRequests || find(cid) != IdList::kNone) return {};
    return fail_limit(waiting() + 1, kMaxRequests,
                      "too many requests wait for an answer: answer or abandon some");
}

// The cid may be a view of the request that expired last, so that one is released at the end.
Status Deadlines::start(const Request &request) {
    Status status = may_start(request.cid);
    if (status.ok()) begin_waiting(request);
    release(expired_);
    return status;
}

void Deadlines::begin_waiting(const Request &request) {
    const uint32_t index = find(request.cid);
    Request made = request;
    if (index != IdList::kNone) {
        made.cid = requests_[index].cid;
        requests_[index] = made;
        return;
    }
    ids_.reserve();
    requests_.reserve(1);
    char *copy = static_cast<char *>(memory_.allocate(request.cid.len));
    std::memcpy(copy, request.cid.text, request.cid.len);
    made.cid.text = copy;
    ids_.add(ids_.hash(made.cid));
    requests_.push(made);
}

bool Deadlines::extend(const accp_text &cid, int64_t deadline) {
    const uint32_t index = find(cid);
    if (index != IdList::kNone) requests_[index].deadline = deadline;
    return index != IdList::kNone;
}

bool Deadlines::wait(const accp_text &cid, int64_t now) {
    const uint32_t index = find(cid);
    return index != IdList::kNone && extend(cid, later(now, requests_[index].timeout_ms));
}

bool Deadlines::answer(const accp_text &cid) {
    const uint32_t index = find(cid);
    if (index == IdList::kNone) return false;
    release(requests_[index]);
    remove(index);
    return true;
}

bool Deadlines::expire(int64_t now, Request &out) {
    release(expired_);
    const uint32_t index = earliest();
    if (index == IdList::kNone || requests_[index].deadline >= now) return false;
    expired_ = requests_[index];
    remove(index);
    out = expired_;
    return true;
}

int64_t Deadlines::next() const {
    const uint32_t index = earliest();
    return index == IdList::kNone ? INT64_MAX : requests_[index].deadline;
}

uint32_t Deadlines::earliest() const {
    uint32_t best = IdList::kNone;
    auto before = [](const Request &a, const Request &b) {
        return a.deadline < b.deadline || (a.deadline == b.deadline && a.record < b.record);
    };
    for (uint32_t i = 0; i < waiting(); ++i)
        if (best == IdList::kNone || before(requests_[i], requests_[best])) best = i;
    return best;
}

// Moves the last request into the free place, as in ids_.
void Deadlines::remove(uint32_t index) {
    ids_.remove(index);
    requests_[index] = requests_[requests_.size() - 1];
    requests_.resize_down(requests_.size() - 1);
}

void Deadlines::release(Request &request) {
    memory_.release(const_cast<char *>(request.cid.text), request.cid.len);
    request = {};
}

}  // namespace accp::delivery
