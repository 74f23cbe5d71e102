// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/recent.h"

#include <algorithm>
#include <charconv>

namespace accp_nats {

namespace {

constexpr size_t kMaxSubjects = 16384;
constexpr size_t kMaxParts = 12;

bool read_number(std::string_view text, uint64_t &out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

// The subject is $JS.ACK.STREAM.CONSUMER.TRIES.SEQ.NUMBER.TIME.PENDING. With a domain and an
// account's hash after ACK it has another token at the end.
bool read_delivery(std::string_view reply, Delivery &out) {
    if (!reply.starts_with("$JS.ACK.")) return false;
    std::string_view parts[kMaxParts];
    size_t count = 0;
    for (bool more = true; more && count < kMaxParts; ++count) {
        const size_t dot = reply.find('.');
        more = dot != reply.npos;
        parts[count] = reply.substr(0, dot);
        if (more) reply.remove_prefix(dot + 1);
    }
    const size_t stream = count == 9 ? 2 : 4;
    if (count != 9 && count < 11) return false;
    out.consumer = parts[stream + 1];
    return read_number(parts[stream + 3], out.seq) && read_number(parts[stream + 4], out.number);
}

void RecentMessages::follow(const std::string &subject) {
    if (subjects_.size() >= kMaxSubjects) subjects_.clear();
    subjects_.try_emplace(subject);
}

void RecentMessages::note(const Delivery &delivery, std::string_view subject) {
    if (delivery.number != number_ + 1) forget();
    number_ = delivery.number;
    newest_ = delivery.seq;
    const auto found = subjects_.find(subject);
    if (found != subjects_.end()) found->second = {delivery.seq, found->second.newest};
}

void RecentMessages::forget() {
    for (auto &[subject, two] : subjects_) two = {};
    number_ = newest_ = 0;
}

bool RecentMessages::follows_directly(const std::string &subject, uint64_t previous,
                                      uint64_t seq) const {
    const auto found = subjects_.find(subject);
    return found != subjects_.end() && previous && found->second.newest == seq &&
           found->second.before == previous;
}

}  // namespace accp_nats
