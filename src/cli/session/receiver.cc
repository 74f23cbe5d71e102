// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session receive.
#include "cli/session/receiver.h"

#include "cli/frames/filter.h"
#include "cli/session/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

// A repeated frame (E3002) was received before. Negative statuses are failures of the store, not
// faults of the frame.
bool is_rejected(accp_status status) {
    return status == ACCP_DROPPED || (status > ACCP_HELD && status != ACCP_E3002);
}

}  // namespace

void DeliveryWriter::add(accp_status status, const accp_error &err) {
    if (status == ACCP_DROPPED) add_dropped({}, err.message);
    else if (status == ACCP_HELD && json_.empty()) begin_object("\"held\":true");
    has_held_ = has_held_ || status == ACCP_HELD;
}

void DeliveryWriter::add(const accp_delivery &delivery, bool is_frame_held) {
    const std::string seq = "\"seq\":" + std::to_string(delivery.seq) + ",";
    if (delivery.status == ACCP_E3003 && is_frame_held) return begin_object(seq + "\"held\":true");
    if (delivery.status == ACCP_DROPPED) return add_dropped(seq, delivery.reason);
    begin_object(seq);
    if (delivery.status == ACCP_OK)
        json_.append("\"message\":").append(delivery.message.text, delivery.message.len);
    else json_.append("\"refused\":\"").append(accp_status_code_name(delivery.status)).append("\"");
}

void DeliveryWriter::write(std::string &out) {
    if (!json_.empty()) out.append(json_).append("}]");
    json_.clear();
}

int DeliveryWriter::exit_status() const {
    constexpr int kSomeDropped = 3, kSomeHeld = 4;
    return has_dropped_ ? kSomeDropped : has_held_ ? kSomeHeld : 0;
}

void DeliveryWriter::begin_object(const std::string &members) {
    json_.append(json_.empty() ? "[{" : "},{").append(members);
}

void DeliveryWriter::add_dropped(const std::string &seq, const char *reason) {
    begin_object(seq + "\"dropped\":");
    append_json_string(reason ? reason : "", json_);
    has_dropped_ = true;
}

accp_status Receiver::receive(const DeadLetter &letter, bool stores_letters, Streams &io,
                              accp_error &err) {
    accp_session *session = session_.get();
    const accp_peer peer = {{letter.from.data(), letter.from.size()},
                            letter.untrusted ? ACCP_ORIGIN_UNTRUSTED : ACCP_ORIGIN_TRUSTED,
                            0};
    const uint64_t records_before = accp_session_record_count(session);
    const accp_status status = accp_session_receive(
        session, letter.frame.data(), letter.frame.size(), session_.now(), &peer, &err);
    if (stores_letters && is_rejected(status))
        add_letter(letter, mid_of(letter.frame), status, err.message);
    for (accp_delivery delivery; accp_session_next_delivery(session, &delivery) != 0;) {
        deliveries.add(delivery, status == ACCP_HELD);
        if (delivery.status == ACCP_OK) print_warnings(accp_session_delivery_warnings(session), io);
        else if (is_rejected(delivery.status) && delivery.mid.len != 0)
            add_held_letter(letter, delivery, records_before);
    }
    deliveries.add(status, err);
    return status;
}

accp_status Receiver::store_letters(accp_error &err) {
    if (!has_new_letters_) return ACCP_OK;
    has_new_letters_ = false;
    return letters().put(err);
}

DeadLetters &Receiver::letters() {
    if (!letters_) letters_.emplace(session_.get());
    return *letters_;
}

void Receiver::add_letter(DeadLetter letter, const std::string &mid, accp_status status,
                          const char *reason) {
    letter.mid = mid;
    letter.code = accp_status_code_name(status);
    letter.message = reason ? reason : accp_status_meaning(status);
    letter.time_ms = session_.now();
    letters().add(std::move(letter));
    has_new_letters_ = true;
}

// Stores a frame that was held and then rejected. Its text is in the log record that uses up its
// sequence number.
void Receiver::add_held_letter(const DeadLetter &letter, const accp_delivery &delivery,
                               uint64_t records_before) {
    const std::string mid(to_view(delivery.mid));
    const accp_status status = delivery.status;
    const char *reason = delivery.reason;
    accp_session *session = session_.get();
    for (uint64_t i = records_before + 1; i <= accp_session_record_count(session); ++i) {
        accp_log_record record = {};
        if (accp_session_record(session, i, &record, nullptr) != ACCP_OK) return;
        if (record.kind != ACCP_RECORD_USED_UP || mid_of(to_view(record.text)) != mid) continue;
        DeadLetter held = letter;
        held.frame = to_view(record.text);
        return add_letter(std::move(held), mid, status, reason);
    }
}

int receive_frames(const Arguments &arguments, Streams &io) {
    CommandSession session(arguments);
    Receiver receiver(session);
    const int refused = run_filter(
        arguments, io, Lines::kFrames, [&](std::string_view line, Streams &to, accp_error &err) {
            DeadLetter letter;
            letter.from = arguments.from;
            letter.untrusted = arguments.untrusted;
            letter.frame = line;
            const accp_status status = receiver.receive(letter, true, to, err);
            accp_error store_err = {};
            accp_status stored = receiver.store_letters(store_err);
            if (stored == ACCP_OK || stored == ACCP_ERR_IO)
                stored = session.make_durable(to, store_err);
            if (stored != ACCP_OK) {
                err = store_err;
                return stored;
            }
            receiver.deliveries.write(to.out.text);
            return status == ACCP_HELD || status == ACCP_DROPPED ? accp_status{ACCP_OK} : status;
        });
    session.finish(io);
    return refused ? refused : receiver.deliveries.exit_status();
}

}  // namespace cli
