// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/page/call_meter.h"

#include <exception>

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
    if (const auto found = running_.find(call); found != running_.end()) {
        Running &running = found->second;
        if (!running.status) heads_.add(clock_us_() - running.began_us);
        running.status = status;
    }
    return next_.answer_head(call, status, headers);
}

// A call whose response is continued by a further call has not ended.
AnswerEnd CallMeter::answer_end(uint64_t call, std::string_view fault, std::string_view held,
                                int64_t now_ms) {
    AnswerEnd end;
    const bool is_whole = fault.empty();
    try {
        end = next_.answer_end(call, fault, held, now_ms);
    } catch (const std::exception &) {
        note_end(call, is_whole);
        throw;
    }
    if (!is_whole || !end.follow_up) note_end(call, is_whole && !end.is_broken);
    return end;
}

void CallMeter::note_end(uint64_t call, bool is_whole) {
    const auto found = running_.find(call);
    if (found == running_.end()) return;
    const Running &ended = found->second;
    ++ended_[{ended.upstream, ended.status}];
    broken_ += !is_whole && ended.status;
    running_.erase(found);
}

}  // namespace proxy
