// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/model.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scale/frames.h"

namespace scale {

void Model::find_fault(const std::string &what, const std::string &where) {
    Fault &fault = faults_[what];
    if (!fault.count++) fault.where = where;
}

std::string Model::faults() const {
    std::string all;
    for (const auto &[what, fault] : faults_)
        all += what + ": " + std::to_string(fault.count) + " times, first in " + fault.where + "\n";
    return all;
}

uint64_t Model::fault_count() const {
    uint64_t sum = 0;
    for (const auto &[what, fault] : faults_) sum += fault.count;
    return sum;
}

bool read_frames(accp_session *session, std::vector<uint64_t> &out, std::string &why) {
    const uint64_t count = accp_session_record_count(session);
    for (uint64_t i = 1; i <= count; ++i) {
        accp_log_record record = {};
        accp_error err = {};
        const accp_status status = accp_session_record(session, i, &record, &err);
        if (status != ACCP_OK) {
            why = std::string(accp_status_code_name(status)) + ": " + err.message;
            return false;
        }
        if (record.kind == ACCP_RECORD_RECEIVED)
            out.push_back(Frames::number_of({record.text.text, record.text.len}));
    }
    return true;
}

// In real time: a frame that was sent after the acknowledgement of another one comes after it.
void Model::check_order(uint32_t session, const std::vector<uint64_t> &numbers) {
    std::map<unsigned, uint32_t> newest;  // seq by agent
    Nanos latest_sent = 0;
    for (const uint64_t number : numbers) {
        const Said &said = frames_[number];
        uint32_t &before = newest[said.agent];
        if (said.seq <= before)
            find_fault("an agent's frames are out of order", session_name(session));
        before = said.seq;
        if (said.acknowledged >= 0 && said.acknowledged < latest_sent)
            find_fault("a frame stands after one that was sent later", session_name(session));
        latest_sent = std::max(latest_sent, said.sent);
    }
}

void Model::check_session(const Engine &engine, uint32_t session,
                          const std::vector<uint64_t> &acknowledged) {
    const std::string name = session_name(session);
    accp_status status = ACCP_OK;
    const Handle<accp_session> opened = engine.open(name, ACCP_SESSION_READ_ONLY, &status);
    std::vector<uint64_t> numbers;
    std::string why;
    if (!opened && (status != ACCP_E2001 || !acknowledged.empty()))
        return find_fault(std::string("does not open: ") + accp_status_code_name(status), name);
    if (!opened) return;
    if (!read_frames(opened.get(), numbers, why)) return find_fault(why, name);
    ++found_.sessions;
    found_.records += numbers.size();
    std::set<uint64_t> there;
    for (const uint64_t number : numbers) {
        if (number >= frames_.size() || frames_[number].session != session)
            return find_fault("a frame that nobody said there", name);
        if (!there.insert(number).second) find_fault("a frame is there twice", name);
        found_.unacknowledged += frames_[number].acknowledged < 0;
    }
    for (const uint64_t number : acknowledged)
        if (!there.count(number)) find_fault("an acknowledged frame is lost", name);
    found_.acknowledged += acknowledged.size();
    check_order(session, numbers);
}

void Model::check(const Engine &engine) {
    found_ = {};
    std::vector<std::pair<uint32_t, uint64_t>> all;
    all.reserve(frames_.size());
    for (uint64_t i = 0; i < frames_.size(); ++i) all.emplace_back(frames_[i].session, i);
    std::sort(all.begin(), all.end());
    std::vector<uint64_t> acknowledged;
    for (size_t at = 0; at < all.size();) {
        const uint32_t session = all[at].first;
        acknowledged.clear();
        for (; at < all.size() && all[at].first == session; ++at)
            if (frames_[all[at].second].acknowledged >= 0) acknowledged.push_back(all[at].second);
        check_session(engine, session, acknowledged);
    }
}

}  // namespace scale
