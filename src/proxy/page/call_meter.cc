// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/page/call_meter.h"

namespace proxy {

std::optional<std::string> CallMeter::outgoing(uint64_t call, const CallHead &head,
                                               std::string_view body, int64_t now_ms) {
    const int64_t began_us = clock_us_();
    ++calls_;
    last_call_ms_ = now_ms;
    running_[call] = {std::string(head.upstream), began_us};
    std::optional<std::string> sent = next_.outgoing(call, head, body, now_ms);
    deciding_.add(clock_us_() - began_us);
    return sent;
}

AnswerMode CallMeter::answer_head(uint64_t call, int status, const Headers &headers) {
    const auto found = running_.find(call);
    if (found != running_.end() && !found->second.status) {
        found->second.status = status;
        heads_.add(clock_us_() - found->second.began_us);
    }
    return next_.answer_head(call, status, headers);
}

AnswerEnd CallMeter::answer_end(uint64_t call, bool is_whole, std::string_view held,
                                int64_t now_ms) {
    AnswerEnd end = next_.answer_end(call, is_whole, held, now_ms);
    const auto found = running_.find(call);
    if (found == running_.end() || (is_whole && end.follow_up)) return end;
    const Running &ended = found->second;
    ++ended_[{ended.upstream, ended.status}];
    broken_ += (!is_whole || end.is_broken) && ended.status;
    running_.erase(found);
    return end;
}

}  // namespace proxy
