// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See receiver.h.
#include "cli/session/receiver.h"

#include "cli/settings.h"

namespace cli {
namespace {

// One that came back or was sent twice was taken before; a failure of the store's is none of the
// frame's.
bool is_dead(accp_status status) {
    return status == ACCP_DROPPED || (status > ACCP_HELD && status != ACCP_E3002);
}

}  // namespace

accp_status Receiver::take(const DeadLetter &from, bool notes, Streams &io, accp_error &err) {
    accp_session *session = tools_.session();
    const accp_peer peer = {{from.from.data(), from.from.size()},
                            from.untrusted ? ACCP_ORIGIN_UNTRUSTED : ACCP_ORIGIN_TRUSTED,
                            0};
    const uint64_t before = accp_session_record_count(session);
    const accp_status status = accp_session_receive(session, from.frame.data(), from.frame.size(),
                                                    &peer, tools_.now(), &err);
    if (notes && is_dead(status)) note(from, mid_of(from.frame), status, err.message);
    for (accp_delivery one; accp_session_next_delivery(session, &one) != 0;) {
        received.add(one, status == ACCP_HELD);
        if (one.status == ACCP_OK) print_warnings(accp_session_delivery_warnings(session), io);
        else if (is_dead(one.status) && one.mid.len != 0) note_waited(from, one, before);
    }
    received.add(status, err);
    return status;
}

accp_status Receiver::keep_letters(accp_error &err) {
    if (!noted_) return ACCP_OK;
    noted_ = false;
    return letters().put(err);
}

DeadLetters &Receiver::letters() {
    if (!letters_) letters_.emplace(tools_.session());
    return *letters_;
}

void Receiver::note(DeadLetter letter, const std::string &mid, accp_status status,
                    const char *why) {
    letter.mid = mid;
    letter.code = accp_status_code_name(status);
    letter.message = why ? why : accp_status_meaning(status);
    letter.time_ms = tools_.now();
    letters().add(std::move(letter));
    noted_ = true;
}

// A frame that had waited: the log has it, where its number is used up.
void Receiver::note_waited(const DeadLetter &from, const accp_delivery &one, uint64_t before) {
    const std::string mid(to_view(one.mid));
    const accp_status status = one.status;
    const char *reason = one.reason;
    accp_session *session = tools_.session();
    for (uint64_t i = before + 1; i <= accp_session_record_count(session); ++i) {
        accp_log_record record = {};
        if (accp_session_record(session, i, &record, nullptr) != ACCP_OK) return;
        if (record.kind != ACCP_RECORD_USED_UP || mid_of(to_view(record.text)) != mid) continue;
        DeadLetter letter = from;
        letter.frame = to_view(record.text);
        return note(std::move(letter), mid, status, reason);
    }
}

}  // namespace cli
